package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// threeUsers have two turns each, in one session; of each the second answers.
func threeUsers() *bench.Set {
	s := &bench.Set{Name: "three"}
	for _, u := range []struct{ id, first, second, query string }{
		{"a", "I drink green tea.", "My tea comes from Uji.", "tea from where?"},
		{"b", "我养了一只猫。", "我的猫叫小黑，今年五岁。", "猫叫什么？"},
		{"c", "The rent is due.", "The rent is 900 euros.", "rent in euros?"},
	} {
		s.Users = append(s.Users, bench.User{
			ID: u.id, Turns: []bench.Turn{
				{ID: "1", Session: "s", Time: "8 May", Role: "user", Text: u.first},
				{ID: "2", Session: "s", Role: "assistant", Text: u.second},
			},
			Queries: []bench.Query{{ID: "q-" + u.id, Category: "c-" + u.id, Text: u.query, Gold: []string{"2"}}},
		})
	}
	return s
}

// asTheyStand ranks the turns as they stand, or from the last on for the dense pipeline.
func asTheyStand(p *bench.Pool, pipeline bench.Pipeline) bench.Ranker {
	return func(context.Context, string) ([]int, error) {
		var order []int
		for i := range p.Turns {
			order = append(order, i)
		}
		if pipeline == find.Dense {
			slices.Reverse(order)
		}
		return order, nil
	}
}

func TestRetrieval(t *testing.T) {
	s := threeUsers()
	r := bench.Retrieval{Halves: true, Pipelines: []bench.Pipeline{find.Dense, find.Full}}
	got, err := r.Measure(t.Context(), s, s.Pools(1), asTheyStand)
	if err != nil {
		t.Fatal(err)
	}
	if got.Turns != 6 || got.Owners != 3 || got.Pooled != 1 || len(got.Runs) != 3 {
		t.Fatalf("report %+v", got)
	}
	for i, want := range []struct {
		name string
		ndcg float64
	}{{bench.ReferenceName, 100}, {"dense", 100}, {"full", 100 * 0.6309297535714575}} {
		run := got.Runs[i]
		if run.Name != want.name || !near(run.Figures[0].NDCG10, want.ndcg) || run.Figures[0].Queries != 3 || run.Times == nil {
			t.Errorf("run %+v, want %+v", run, want)
		}
		if len(run.First) != 3 || run.First[0].Queries != 2 || len(run.Second) != 2 || run.Second[1].Of != "c-b" {
			t.Errorf("halves %+v and %+v", run.First, run.Second)
		}
	}
	tokens := 0
	for _, u := range s.Users {
		for _, turn := range u.Turns {
			tokens += event.Tokens(turn.Time + " " + turn.Role + ": " + turn.Text)
		}
	}
	if f := got.Runs[1].Figures[0]; !near(f.Tokens10, float64(tokens)/3) || f.Tokens6 != f.Tokens10 {
		t.Errorf("%v and %v tokens, want %v", f.Tokens10, f.Tokens6, float64(tokens)/3)
	}
}

// Only the times differ from run to run, and neither form holds any of the set's text.
func TestRetrievalReportIsTheSame(t *testing.T) {
	s := threeUsers()
	var texts [2]string
	for i := range texts {
		r, err := bench.Retrieval{Pooled: 2, Pipelines: []bench.Pipeline{find.Full}}.Measure(t.Context(), s, s.Pools(2), asTheyStand)
		if err != nil {
			t.Fatal(err)
		}
		if r.Owners != 2 || r.Pooled != 2 {
			t.Errorf("report %+v", r)
		}
		var printed bytes.Buffer
		if err := r.Print(&printed); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(printed.String(), "a search took") {
			t.Errorf("no times in %s", printed.String())
		}
		for j := range r.Runs {
			r.Runs[j].Times = nil
		}
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(raw)
		if strings.Contains(texts[i]+printed.String(), "tea") {
			t.Errorf("text of the set in %s", printed.String())
		}
	}
	if texts[0] != texts[1] || strings.Contains(texts[0], "search_ms") {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}

func TestRetrievalErrors(t *testing.T) {
	s := threeUsers()
	broken := func(*bench.Pool, bench.Pipeline) bench.Ranker {
		return func(context.Context, string) ([]int, error) { return nil, errRefused }
	}
	_, err := bench.Retrieval{Pipelines: []bench.Pipeline{find.BM25}}.Measure(t.Context(), s, s.Pools(1), broken)
	if !errors.Is(err, errRefused) || !strings.Contains(err.Error(), "bm25: query q-a") {
		t.Errorf("error is %v", err)
	}
}

func TestPipelineNames(t *testing.T) {
	for _, p := range bench.Pipelines() {
		if name := bench.NameOf(p); name == "" || bench.PipelineOf(name) != p {
			t.Errorf("%q is called %q", p, name)
		}
	}
}

// A turn as a document keeps where, when and by whom it was said.
func TestDocuments(t *testing.T) {
	s := threeUsers()
	p := s.Pools(2)[0]
	scope := memory.UserScope("t", "pool")
	all, err := p.Documents(scope, june)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 4 {
		t.Fatalf("%d documents", len(all))
	}
	ids := map[memory.ID]bool{}
	for i := range all {
		d := &all[i]
		ids[d.ID] = true
		if at, err := bench.Place(d); err != nil || at != i || d.Scope != scope {
			t.Errorf("document %+v is in place %d (%v)", d, at, err)
		}
		if d.Source.Place != int64(i%2) || d.Source.Speaker != p.Turns[i].Role || d.Source.Assistant != (i%2 == 1) {
			t.Errorf("source %+v of turn %d", d.Source, i)
		}
		if text := index.DocumentText(d); !strings.Contains(text, p.Turns[i].Text) || !strings.Contains(text, p.Turns[i].Time) {
			t.Errorf("document %d is found by %q", i, text)
		}
	}
	if all[0].Source.Thread != all[1].Source.Thread || all[1].Source.Thread == all[2].Source.Thread {
		t.Errorf("threads of two users: %q, %q, %q", all[0].Source.Thread, all[1].Source.Thread, all[2].Source.Thread)
	}
	if !all[0].UpdatedAt.Before(all[1].UpdatedAt) || len(ids) != 4 {
		t.Errorf("documents %+v", all)
	}
	if _, err := bench.Place(&document.Document{Key: "x"}); err == nil {
		t.Error("a document that is no turn has a place")
	}
}
