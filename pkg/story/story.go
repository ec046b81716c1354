// Package story runs acceptance stories: what is said, when, and what must then be true.
// A story runs on the whole embedded stack, through the HTTP edge, with a simulated clock.
// Nothing in it is skipped: what is not supported fails and says so.
//
// Beside the steps that all runners know, it has
//
//   - forget, suppress, unsuppress {user, …}: POST /v1/forget and the like with these
//     fields, those of curate.Selection; ids_of, part of their text or value, stands for ids;
//   - restore {user, contains}: undoes the deletion of every memory that contained it once,
//     as far as the ledger still says; without contains, of every one;
//   - feedback {rating, recall_id or memory_id, comment}: a mnemond.feedback.v1 event of the
//     step's user and thread; recall_id "recall" is the last recall, and memory_of, part of a
//     text or value, stands for memory_id;
//   - say with question, a key: the turn names the user's only open question about it, as a
//     backend does that has put it;
//   - store_delete and store_namespaces, beside store_put and the others, with the fields of
//     DELETE /v1/store/items and POST /v1/store/namespaces; found is whether there was one,
//     namespaces what is listed;
//   - answer {content, recall_id}: what the model said, a mnemond.answer.v1 event of the
//     step's user and thread, after the last recall where recall_id is not given;
//   - trace {user, nth}: GET /v1/recalls/{id} of the last recall as that user, or of the
//     user's nth last one; recalls {user, thread, limit}: GET /v1/recalls;
//   - profile {user}: GET /v1/profile; profile_schema: everything starts anew with this one;
//     what is expected of these answers, Told says;
//   - request {method, path, body}: any request of the HTTP API, as Request has it; what is
//     expected of the reply, Replied says;
//
// and the expectations refused, a part of the problem that the step's request is answered
// with, and history_lacks, the opposite of history_contains.
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
	ExtractorLLM   = "llm"
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

// quirks reports whether the story needs a model that misbehaves.
func (s *Story) quirks() bool {
	return s.ModelQuirk != "" || slices.ContainsFunc(s.Steps, func(s Step) bool { return s.ModelQuirk != "" })
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
	Question          memory.Key      `json:"question"`
	Burst             *Burst          `json:"burst"`
	Concurrently      []Step          `json:"concurrently"`
	Recall            json.RawMessage `json:"recall"`
	Rebuild           bool            `json:"rebuild"`
	Confirm           *Confirm        `json:"confirm"`
	Delete            *Selection      `json:"delete"`
	Forget            json.RawMessage `json:"forget"`
	Restore           *Selection      `json:"restore"`
	Suppress          json.RawMessage `json:"suppress"`
	Unsuppress        json.RawMessage `json:"unsuppress"`
	Erase             *Owner          `json:"erase"`
	Seed              *Seed           `json:"seed"`
	Reap              *Reap           `json:"reap"`
	Reconsolidate     *Thread         `json:"reconsolidate"`
	Feedback          json.RawMessage `json:"feedback"`
	ReplayDeadLetters bool            `json:"replay_dead_letters"`
	WaitMS            int             `json:"wait_ms"`
	Expect            *Expect         `json:"expect"`

	// Model is what a scripted model answers to this step, ModelQuirk how it behaves from it
	// on. The rules need neither.
	Model      json.RawMessage `json:"model"`
	ModelQuirk string          `json:"model_quirk"`

	// Known, and not supported yet.
	Task         json.RawMessage `json:"task"`
	Summarise    json.RawMessage `json:"summarise"`
	Instructions json.RawMessage `json:"instructions"`

	Stored
	Looked
	Asked
}

// Owner is whose memory a step is about; without a tenant, the default one's.
type Owner struct {
	Tenant memory.Tenant `json:"tenant"`
	User   memory.User   `json:"user"`
}

func (o Owner) scope() memory.Scope {
	if o.Tenant == "" {
		o.Tenant = memory.DefaultTenant
	}
	return memory.UserScope(o.Tenant, o.User)
}

// Confirm answers the only open question of a user.
type Confirm struct {
	Owner
	Decision memory.Decision `json:"decision"`
	Value    string          `json:"value"`
}

// Selection is every memory of a user whose text or value contains something.
type Selection struct {
	Owner
	Contains string `json:"contains"`
}

// Seed makes so many memories of a user.
type Seed struct {
	Owner
	Memories int `json:"memories"`
}

// Reap runs a job of the reaper once.
type Reap struct {
	At  time.Time `json:"at"`
	Job string    `json:"job"`
}

// Thread is a thread of a user.
type Thread struct {
	Owner
	Thread memory.Thread `json:"thread"`
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
		{"task", s.Task}, {"summarise", s.Summarise}, {"instructions", s.Instructions},
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
