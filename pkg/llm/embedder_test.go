package llm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/llm"
	"github.com/mnemond/mnemond/pkg/llm/llmtest"
	"github.com/mnemond/mnemond/pkg/memory"
)

// embedder is an embedder that asks the server, and has been probed.
func embedder(t *testing.T, s *llmtest.Server, change func(*llm.EmbedOptions)) *llm.Embedder {
	t.Helper()
	o := llm.EmbedOptions{Endpoint: llm.Endpoint{BaseURL: s.URL(), Model: "scripted", Timeout: testWait}}
	if change != nil {
		change(&o)
	}
	e, err := llm.NewEmbedder(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.Probe(testContext(t)); err != nil {
		t.Fatal(err)
	}
	return e
}

// letters embeds a text as its length and its first and last byte.
func letters(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		out[i] = []float32{float32(len(s)), float32(s[0]), float32(s[len(s)-1])}
	}
	return out, nil
}

func mustEmbed(t *testing.T, e *llm.Embedder, texts ...string) [][]float32 {
	t.Helper()
	v, err := e.EmbedFor(testContext(t), alice, texts)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := e.Embed(testContext(t), texts)
	if err != nil || !slices.EqualFunc(v, plain, slices.Equal[[]float32]) {
		t.Fatalf("with an owner %v, without %v, %v", v, plain, err)
	}
	return v
}

func TestEmbedding(t *testing.T) {
	s := serve(t, llmtest.Options{Embed: letters})
	for _, quirk := range []llmtest.Quirk{llmtest.QuirkNone, llmtest.QuirkShuffled} {
		s.SetEmbeddingQuirk(quirk)
		e := embedder(t, s, nil)
		if e.Dim() != 3 || e.Name() != "scripted-3" {
			t.Errorf("%s of %d dimensions", e.Name(), e.Dim())
		}
		got := mustEmbed(t, e, "abc", "", "z", " \n")
		want := [][]float32{{3, 'a', 'c'}, {0, 0, 0}, {1, 'z', 'z'}, {0, 0, 0}}
		if !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
			t.Errorf("%s: %v, want %v", quirk, got, want)
		}
		if got := mustEmbed(t, e); len(got) != 0 {
			t.Errorf("no texts give %v", got)
		}
	}
}

func TestEmbeddingPrefixes(t *testing.T) {
	s := serve(t, llmtest.Options{Embed: letters})
	e := embedder(t, s, func(o *llm.EmbedOptions) { o.PassagePrefix, o.QueryPrefix = "passage: ", "query: " })
	q := e.Queries()
	if p, a := mustEmbed(t, e, "x")[0], mustEmbed(t, q, "x")[0]; p[0] != 10 || a[0] != 8 {
		t.Errorf("a passage of length %v, a query of length %v", p[0], a[0])
	}
	if e.Name() != q.Name() || e.Dim() != q.Dim() {
		t.Errorf("%s of %d, %s of %d: both sides are one space", e.Name(), e.Dim(), q.Name(), q.Dim())
	}
	if other := embedder(t, s, nil); other.Name() == e.Name() {
		t.Errorf("%s: another prefix makes other vectors", e.Name())
	}
}

func TestEmbeddingBatches(t *testing.T) {
	s := serve(t, llmtest.Options{Embed: letters, MaxBatch: 5})
	var texts []string
	for i := range 40 {
		texts = append(texts, strings.Repeat("x", i+1))
	}
	e := embedder(t, s, func(o *llm.EmbedOptions) { o.BatchSize = 16 })
	v, err := e.Embed(testContext(t), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range v {
		if v[i][0] != float32(i+1) {
			t.Fatalf("text %d is embedded as %v", i, v[i])
		}
	}
	if got, want := s.EmbeddingCalls(), 1+2+10; got != want { // the probe, 16 and 8 refused, then fours
		t.Errorf("%d calls, want %d", got, want)
	}
}

// A text that is too long for the model is embedded by its beginning, and alone.
func TestLongTextIsEmbeddedByItsBeginning(t *testing.T) {
	s := serve(t, llmtest.Options{Embed: letters, MaxText: 400})
	v := mustEmbed(t, embedder(t, s, nil), "short", "a"+strings.Repeat("杭", 500), strings.Repeat("y", 400))
	if v[0][0] != 5 || v[1][1] != 'a' || v[1][0] < 100 || v[1][0] > 400 || v[2][0] != 400 {
		t.Errorf("embedded as %v", v)
	}
}

func TestEmbeddingCache(t *testing.T) {
	s := serve(t, llmtest.Options{Embed: letters})
	cache := &llmtest.Cache{}
	e := embedder(t, s, func(o *llm.EmbedOptions) { o.Cache, o.QueryPrefix = cache, "query: " })
	first := mustEmbedFor(t, e, alice, "a", "b")
	calls := s.EmbeddingCalls()
	if again := mustEmbedFor(t, e, alice, "b", "a"); s.EmbeddingCalls() != calls || !slices.Equal(again[0], first[1]) || !slices.Equal(again[1], first[0]) {
		t.Errorf("%v after %v, with %d more calls", again, first, s.EmbeddingCalls()-calls)
	}
	if v := mustEmbedFor(t, e, alice, "c", "b", "d"); s.EmbeddingCalls() != calls+1 || v[0][1] != 'c' || v[1][1] != 'b' || v[2][1] != 'd' {
		t.Errorf("%v with %d more calls", v, s.EmbeddingCalls()-calls)
	}
	for name, ask := range map[string]func() [][]float32{
		"another owner": func() [][]float32 { return mustEmbedFor(t, e, memory.UserScope("acme", "bob"), "a") },
		"a query":       func() [][]float32 { return mustEmbedFor(t, e.Queries(), alice, "a") },
		"another model": func() [][]float32 {
			return mustEmbedFor(t, embedder(t, s, func(o *llm.EmbedOptions) { o.Cache, o.Model = cache, "other" }), alice, "a")
		},
	} {
		calls = s.EmbeddingCalls()
		if ask(); s.EmbeddingCalls() == calls {
			t.Errorf("%s is answered from the cache of others", name)
		}
	}
}

func mustEmbedFor(t *testing.T, e *llm.Embedder, scope memory.Scope, texts ...string) [][]float32 {
	t.Helper()
	v, err := e.EmbedFor(testContext(t), scope, texts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// brokenCache fails, which costs calls and nothing else.
type brokenCache struct{}

var errBroken = errors.New("broken")

func (brokenCache) Load(context.Context, memory.Scope, string, string) ([]float32, bool, error) {
	return nil, false, errBroken
}
func (brokenCache) Store(context.Context, memory.Scope, string, string, []float32) error {
	return errBroken
}

func TestBrokenCacheOnlyCostsCalls(t *testing.T) {
	s := serve(t, llmtest.Options{Embed: letters})
	e := embedder(t, s, func(o *llm.EmbedOptions) { o.Cache = brokenCache{} })
	if v := mustEmbedFor(t, e, alice, "a"); v[0][1] != 'a' {
		t.Errorf("embedded as %v", v)
	}
}

func TestEmbeddingFailures(t *testing.T) {
	for _, tt := range []struct {
		quirk             llmtest.Quirk
		outage, permanent bool
	}{
		{llmtest.QuirkUnavailable, true, false},
		{llmtest.QuirkErrorInside, true, false},
		{llmtest.QuirkNoModel, true, false},
		{llmtest.QuirkRejects, false, true},
		{llmtest.QuirkShortVectors, false, true},
		{llmtest.QuirkGarbled, false, false},
	} {
		s := serve(t, llmtest.Options{})
		e := embedder(t, s, nil)
		s.SetEmbeddingQuirk(tt.quirk)
		_, err := e.EmbedFor(testContext(t), alice, []string{"I live in Boston"})
		if err == nil || errors.Is(err, fault.ErrOutage) != tt.outage || fault.IsPermanent(err) != tt.permanent || strings.Contains(fmt.Sprint(err), "Boston") {
			t.Errorf("%s: %v, want outage %v, permanent %v", tt.quirk, err, tt.outage, tt.permanent)
		}
		if tt.quirk != llmtest.QuirkNoModel {
			continue
		}
		if err := e.Probe(testContext(t)); !errors.Is(err, fault.ErrOutage) || !strings.Contains(err.Error(), "scripted") {
			t.Errorf("probe: %v, want an outage that names the model", err)
		}
	}
}

func TestEmbeddingNeedsAnOwner(t *testing.T) {
	e := embedder(t, serve(t, llmtest.Options{}), nil)
	if _, err := e.EmbedFor(testContext(t), memory.Scope{}, []string{"x"}); !errors.Is(err, memory.ErrScope) {
		t.Errorf("error is %v, want %v", err, memory.ErrScope)
	}
}

// The length of vectors is fixed: a model that has another one is found out at the start.
func TestDimensionIsChecked(t *testing.T) {
	s := serve(t, llmtest.Options{Dimensions: 8})
	e, err := llm.NewEmbedder(llm.EmbedOptions{Endpoint: llm.Endpoint{BaseURL: s.URL(), Model: "m"}, Dimensions: 16})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.Probe(testContext(t)); !fault.IsPermanent(err) || !strings.Contains(err.Error(), "8 dimensions, want 16") {
		t.Errorf("error is %v, want one about the dimensions", err)
	}
}
