package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/mnemond/mnemond/pkg/bench"
)

// Set is a conversation set with the memories that a good extractor finds in it.
type Set struct {
	*bench.Set
	// MemoriesSHA256 is of the file of gold memories as it lies in the folder, in hex; empty
	// where the set has none.
	MemoriesSHA256 string
	// Gold are each user's gold memories, in the order of the file.
	Gold map[string][]Gold
}

// Gold is a memory that a good extractor finds.
type Gold struct {
	// Session is the conversation in which it is stated.
	Session string
	// Subject is the speaker whom it is about; empty is the user.
	Subject string
	// Kind is the set's own word for what sort of memory it is; it may be empty.
	Kind string
	Text string
	// Source are the turns that state it. Ids that name no turn are kept: some sets give
	// such a one to what a session says as a whole.
	Source []string
}

// memoriesFile holds the gold memories of a set that has any.
const memoriesFile = "memories.jsonl.gz"

// Load reads the set in dir, as strictly as bench.Load does: a gold memory with a field that
// is not known, without text, or of a user without turns is an error that names the line.
func Load(dir string) (*Set, error) {
	conversations, err := bench.Load(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{Set: conversations, Gold: map[string][]Gold{}}
	for i := range s.Users {
		s.Gold[s.Users[i].ID] = nil
	}
	s.MemoriesSHA256, err = bench.ReadLines(filepath.Join(dir, memoriesFile), s.addGold)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

// goldLine is a line of the file. The id is not measured: it is named, so that anything else
// is noticed.
type goldLine struct {
	User    string          `json:"user"`
	ID      json.RawMessage `json:"id"`
	Session string          `json:"sess"`
	Subject string          `json:"subject"`
	Kind    string          `json:"kind"`
	Text    string          `json:"text"`
	Source  []string        `json:"source"`
}

func (s *Set) addGold(line []byte) error {
	var l goldLine
	if err := bench.DecodeStrict(line, &l); err != nil {
		return err
	}
	_, known := s.Gold[l.User]
	switch {
	case !known:
		return fmt.Errorf("a memory of %q, who has no turns", l.User)
	case l.Text == "":
		return errors.New("a memory without a text")
	}
	s.Gold[l.User] = append(s.Gold[l.User], Gold{Session: l.Session, Subject: l.Subject, Kind: l.Kind, Text: l.Text, Source: l.Source})
	return nil
}
