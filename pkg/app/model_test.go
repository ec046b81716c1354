package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/llm/llmtest"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/rules"
)

// startModel starts a scripted server whose model answers by the rules, and whose embeddings
// are the lexical embedder's.
func startModel(t *testing.T) *llmtest.Server {
	t.Helper()
	lexical := embed.NewLexical()
	m, err := llmtest.Start(llmtest.Options{Fallback: rules.Extractor{}, Embed: lexical.Embed, Dimensions: lexical.Dim()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// partly is a backend whose Qdrant is away for requests about some owners.
func partly(t *testing.T, away func(request string) bool) *app.Backend {
	t.Helper()
	b, err := app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: t.TempDir()}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	engine := qdrantmem.New()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	opts := append(engine.DialOptions(), grpc.WithChainUnaryInterceptor(
		func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, o ...grpc.CallOption) error {
			if away(fmt.Sprint(req)) {
				return status.Error(codes.Unavailable, "away for this owner")
			}
			return invoke(ctx, method, req, reply, cc, o...)
		}))
	if b.Qdrant, err = qdrantstore.ConnectWith(opts...); err != nil {
		t.Fatal(err)
	}
	qdrant := b.Qdrant
	t.Cleanup(func() {
		if err := qdrant.Close(); err != nil {
			t.Error(err)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return b
}

// TestBackPressureNotLoss is invariant 12: with the model down for one tenant and Qdrant for
// another, a third goes on undisturbed, however many of the others' threads wait; nothing of
// theirs is lost or parked, with one attempt allowed; the model is not asked without bound;
// and all of it is consolidated once both are back.
func TestBackPressureNotLoss(t *testing.T) {
	const waiting = 12 // threads of each of the two, more than there are workers
	var down atomic.Bool
	down.Store(true)
	b := partly(t, func(request string) bool { return down.Load() && strings.Contains(request, "no-qdrant/user/") })
	m := startModel(t)
	m.SetQuirkFor(func(p llmtest.Prompt) llmtest.Quirk {
		asked := func(msg memory.Message) bool { return strings.Contains(msg.Content, "Lima") }
		if down.Load() && slices.ContainsFunc(p.Messages, asked) {
			return llmtest.QuirkUnavailable
		}
		return llmtest.QuirkNone
	})
	c := crashConfig()
	c.Worker.MaxAttempts, c.Worker.Concurrency = 1, 2
	c.OpenAI.BaseURL, c.LLM.Model = m.URL(), "scripted"
	in := run(t, b, c, slog.New(slog.DiscardHandler))
	ref := func(tenant memory.Tenant, i int) memory.ThreadRef {
		return memory.ThreadRef{Tenant: tenant, User: memory.User(fmt.Sprint("u", i)), Thread: "t"}
	}
	send := func(r memory.ThreadRef, words string) {
		t.Helper()
		if err := post(in.url, said(r, day, words)); err != nil {
			t.Fatalf("an event is refused: %v", err)
		}
	}
	for i := range waiting {
		send(ref("no-model", i), "I live in Lima.")
		send(ref("no-qdrant", i), "I live in Cork.")
	}
	for i := range waiting {
		send(ref("fine", i), "I live in Oslo.")
	}
	city := func(r memory.ThreadRef) string {
		all, err := in.Recall.Memories(t.Context(), r.Scope())
		if err != nil || len(all) != 1 {
			return ""
		}
		return all[0].Value
	}
	await(t, "the third tenant is consolidated", func() bool {
		return !slices.ContainsFunc(numbers(waiting), func(i int) bool { return city(ref("fine", i)) != "Oslo" })
	})
	if calls := m.Calls(); calls > 12*waiting {
		t.Errorf("the model was asked %d times for %d threads", calls, 3*waiting)
	}
	for i := range waiting {
		for _, tenant := range []memory.Tenant{"no-model", "no-qdrant"} {
			if n := len(ledgerOf(t, in, ref(tenant, i))); n != 0 {
				t.Errorf("there are %d change sets of %s", n, tenant)
			}
		}
	}
	down.Store(false)
	await(t, "the others are consolidated", func() bool {
		return !slices.ContainsFunc(numbers(waiting), func(i int) bool {
			return city(ref("no-model", i)) != "Lima" || city(ref("no-qdrant", i)) != "Cork"
		})
	})
	if letters, err := in.DeadLetters(t.Context(), ""); len(letters) != 0 || err != nil {
		t.Errorf("%d dead letters, %v: an outage is no attempt", len(letters), err)
	}
}

func ledgerOf(t *testing.T, in *installation, r memory.ThreadRef) []ledger.Record {
	t.Helper()
	records, err := in.Recall.Records(t.Context(), r.Scope())
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// numbers counts from 0.
func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// await waits until something holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(60 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain until %s", what)
		}
		<-tick.C
	}
}

// TestABudgetIsACap: a tenant whose tokens are spent waits, and nothing of it is parked;
// another tenant goes on.
func TestABudgetIsACap(t *testing.T) {
	m := startModel(t)
	b, err := app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: t.TempDir()}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	c := crashConfig()
	c.Worker.MaxAttempts = 1
	c.OpenAI.BaseURL, c.LLM.Model, c.LLM.DailyTokens = m.URL(), "scripted", 12_000
	in := run(t, b, c, slog.New(slog.DiscardHandler))
	pending := func(tenant memory.Tenant) (n int) {
		for i := range 12 {
			r := memory.ThreadRef{Tenant: tenant, User: "u", Thread: memory.Thread(fmt.Sprint("t", i))}
			at, err := in.Consolidate.Checkpoint(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if at == 0 {
				n++
			}
		}
		return n
	}
	for i := range 12 {
		r := memory.ThreadRef{Tenant: "spender", User: "u", Thread: memory.Thread(fmt.Sprint("t", i))}
		if err := post(in.url, said(r, day, fmt.Sprintf("I have a dog named Rex%d.", i))); err != nil {
			t.Fatal(err)
		}
	}
	await(t, "some are consolidated and some wait", func() bool {
		calls := m.Calls()
		return calls > 0 && pending("spender") > 0 && pending("spender") < 12
	})
	other := memory.ThreadRef{Tenant: "saver", User: "u", Thread: "t0"}
	if err := post(in.url, said(other, day, "I live in Oslo.")); err != nil {
		t.Fatal(err)
	}
	await(t, "another tenant is consolidated", func() bool { return pending("saver") == 11 })
	usage, err := in.Budgets.Usage(t.Context(), "spender", 1)
	if err != nil || len(usage) != 1 || usage[0].Tokens > 12_000 || usage[0].Tokens == 0 {
		t.Errorf("usage %+v, %v, want some tokens, and no more than the cap", usage, err)
	}
	if letters, err := in.DeadLetters(t.Context(), ""); len(letters) != 0 || err != nil {
		t.Errorf("%d dead letters, %v", len(letters), err)
	}
}

// TestAnEmbeddingModelServesRecall, its vectors are cached for their owner and gone with
// them, and another model is refused until the collections are rebuilt.
func TestAnEmbeddingModelServesRecall(t *testing.T) {
	m := startModel(t)
	dir := t.TempDir()
	log := slog.New(slog.DiscardHandler)
	b, err := app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: dir}, log)
	if err != nil {
		t.Fatal(err)
	}
	c := crashConfig()
	c.OpenAI.BaseURL, c.LLM.Model, c.Embed.Model = m.URL(), "scripted", "vectors-1"
	in := run(t, b, c, log)
	r := memory.ThreadRef{Tenant: "acme", User: "u", Thread: "t"}
	if err := post(in.url, said(r, day, "I live in Oslo.")); err != nil {
		t.Fatal(err)
	}
	ask := func(s *app.Stack) int {
		got, err := s.Recall.Recall(t.Context(), recall.Request{Tenant: r.Tenant, User: r.User, Query: "where do I live?"})
		if err != nil {
			t.Fatal(err)
		}
		return len(got.Memories)
	}
	await(t, "it is remembered", func() bool { return ask(in.Stack) == 1 })
	before := m.EmbeddingCalls()
	if _, err := in.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if calls := m.EmbeddingCalls() - before; calls != 0 {
		t.Errorf("a rebuild with the same model asked for %d embeddings again", calls)
	}
	c.Embed.Model = "vectors-2"
	if _, err := app.NewStack(t.Context(), b, c, app.Options{Logger: log}); err == nil || !strings.Contains(err.Error(), "mnemond rebuild") {
		t.Errorf("a stack with another model starts: %v", err)
	}
	edge, err := app.NewEdge(t.Context(), b, c, app.Options{Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := edge.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	next, err := app.NewStack(t.Context(), b, c, app.Options{Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	if n := ask(next); n != 1 {
		t.Errorf("after the rebuild %d memories are recalled, want one", n)
	}
	if _, err := next.Curate.Erase(t.Context(), r.Scope()); err != nil {
		t.Fatal(err)
	}
	left, err := next.Curate.Verify(t.Context(), r.Scope())
	if err != nil {
		t.Fatal(err)
	}
	for place, n := range left.Removed {
		if n > 0 {
			t.Errorf("%d pieces are left in %s", n, place)
		}
	}
}
