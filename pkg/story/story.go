// Package story runs acceptance stories: what is said, when, and what must then be true.
// A story runs on the whole embedded stack, through the HTTP edge, with a simulated clock.
// Nothing in it is skipped: what is not supported fails and says so.
package story

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Extractors that a story may be run with.
const (
	ExtractorRules = "rules"
	ExtractorNone  = "none"
)

// Story is one file.
type Story struct {
	Name       string   `json:"name"`
	About      string   `json:"about"`
	Extractors []string `json:"extractors"`
	ModelQuirk string   `json:"model_quirk"`
	Steps      []Step   `json:"steps"`
}

// For reports whether the story is meant for the extractor.
func (s *Story) For(extractor string) bool {
	return slices.Contains(s.Extractors, extractor) || slices.Contains(s.Extractors, ExtractorNone)
}

// Step is one step: exactly one of its actions, or an expectation alone.
type Step struct {
	At        time.Time     `json:"at"`
	ProcessAt time.Time     `json:"process_at"`
	TimeZone  string        `json:"timezone"`
	Tenant    memory.Tenant `json:"tenant"`
	User      memory.User   `json:"user"`
	Agent     memory.Agent  `json:"agent"`
	Thread    memory.Thread `json:"thread"`
	EventID   string        `json:"event_id"`
	PublishAt []time.Time   `json:"publish_at"`

	Say               []Message       `json:"say"`
	Burst             *Burst          `json:"burst"`
	Concurrently      []Step          `json:"concurrently"`
	Recall            json.RawMessage `json:"recall"`
	Rebuild           bool            `json:"rebuild"`
	ReplayDeadLetters bool            `json:"replay_dead_letters"`
	WaitMS            int             `json:"wait_ms"`
	Expect            *Expect         `json:"expect"`

	// What a scripted model would answer; the rules do not need it.
	Model json.RawMessage `json:"model"`

	// Known, and not supported yet.
	Task          json.RawMessage `json:"task"`
	Confirm       json.RawMessage `json:"confirm"`
	Delete        json.RawMessage `json:"delete"`
	Unsuppress    json.RawMessage `json:"unsuppress"`
	Erase         json.RawMessage `json:"erase"`
	Seed          json.RawMessage `json:"seed"`
	Reap          json.RawMessage `json:"reap"`
	Reconsolidate json.RawMessage `json:"reconsolidate"`
	Summarise     json.RawMessage `json:"summarise"`
	Instructions  json.RawMessage `json:"instructions"`
	StorePut      json.RawMessage `json:"store_put"`
	StoreGet      json.RawMessage `json:"store_get"`
	StoreSearch   json.RawMessage `json:"store_search"`
	ModelQuirk    json.RawMessage `json:"model_quirk"`
}

// Message is one message of a turn.
type Message struct {
	Role    memory.Role `json:"role"`
	Content string      `json:"content"`
	Name    string      `json:"name,omitempty"`
}

// Burst is n turns in real time, then a last one.
type Burst struct {
	At      time.Time     `json:"at"`
	Tenant  memory.Tenant `json:"tenant"`
	User    memory.User   `json:"user"`
	Thread  memory.Thread `json:"thread"`
	N       int           `json:"n"`
	EveryMS int           `json:"every_ms"`
	Content string        `json:"content"`
	Last    string        `json:"last"`
}

// unsupported names the step's action when it is one that does not exist yet.
func (s *Step) unsupported() string {
	for _, a := range []struct {
		name string
		raw  json.RawMessage
	}{
		{"task", s.Task}, {"confirm", s.Confirm}, {"delete", s.Delete}, {"unsuppress", s.Unsuppress},
		{"erase", s.Erase}, {"seed", s.Seed}, {"reap", s.Reap}, {"reconsolidate", s.Reconsolidate},
		{"summarise", s.Summarise}, {"instructions", s.Instructions}, {"store_put", s.StorePut},
		{"store_get", s.StoreGet}, {"store_search", s.StoreSearch}, {"model_quirk", s.ModelQuirk},
	} {
		if a.raw != nil {
			return a.name
		}
	}
	return ""
}

// Parse reads a story strictly.
func Parse(raw []byte) (*Story, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var s Story
	if err := dec.Decode(&s); err != nil {
		return nil, fmt.Errorf("read story: %w", err)
	}
	if s.Name == "" || len(s.Steps) == 0 || len(s.Extractors) == 0 {
		return nil, errors.New("read story: it needs a name, extractors and steps")
	}
	return &s, nil
}

// Load reads the stories in files and folders, in the order of their paths.
func Load(paths []string) ([]*Story, error) {
	var files []string
	for _, p := range paths {
		err := filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".json" {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("find stories: %w", err)
		}
	}
	var out []*Story
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("read story: %w", err)
		}
		s, err := Parse(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		out = append(out, s)
	}
	return out, nil
}
