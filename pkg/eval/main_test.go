package eval

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// folder writes a set; memories is left out where it is nil.
func folder(t *testing.T, corpus, queries, memories []string) string {
	t.Helper()
	dir := t.TempDir()
	for name, lines := range map[string][]string{"corpus.jsonl.gz": corpus, "queries.jsonl.gz": queries, "memories.jsonl.gz": memories} {
		if lines == nil {
			continue
		}
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(strings.Join(lines, "\n"))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func loaded(t *testing.T, dir string) *Set {
	t.Helper()
	s, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// listener is an extractor that knows what is stated in which message.
type listener struct {
	states map[string][]memory.Candidate
	// fail is what the calls fail with, in order; then they do not.
	fail []error
	// shown are the messages of each call.
	shown [][]memory.Message
}

func (l *listener) Extract(_ context.Context, in memory.Extraction) ([]memory.Candidate, []memory.Directive, error) {
	l.shown = append(l.shown, in.Messages)
	if n := len(l.shown); n <= len(l.fail) {
		return nil, nil, l.fail[n-1]
	}
	var out []memory.Candidate
	for _, m := range in.Messages {
		for _, c := range l.states[m.Content] {
			c.Source = memory.Source{Message: m.Number, Quote: c.Text}
			out = append(out, c)
		}
	}
	return out, nil, nil
}

// states is a candidate that says what a message does.
func states(text string) memory.Candidate {
	return memory.Candidate{
		Kind: memory.KindFact, Text: text, Stability: memory.Stable, Confidence: 0.9, Relation: memory.RelationNew,
	}
}

// lives is a candidate for the user's city.
func lives(city, text string, r memory.Relation) memory.Candidate {
	c := states(text)
	c.Kind, c.Key, c.Value, c.Relation = memory.KindProfile, "user.city", city, r
	return c
}

func run(t *testing.T, s *Set, l *listener) (*Report, error) {
	t.Helper()
	return Run(t.Context(), s, Options{Name: "listener", Config: app.DefaultConfig(), Extractor: l, Logger: slog.New(slog.DiscardHandler)})
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
