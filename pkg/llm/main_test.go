package llm_test

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/llm"
	"github.com/mnemond/mnemond/pkg/llm/llmtest"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rules"
	"github.com/mnemond/mnemond/schemas"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var registry = func() *profile.Registry {
	r, err := profile.Parse(schemas.Profile)
	if err != nil {
		panic(err)
	}
	return r
}()

var (
	alice = memory.UserScope("acme", "alice")
	// noon is a Sunday.
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// testWait bounds what a test waits for; reaching it is a failure.
const testWait = 60 * time.Second

func testContext(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testWait)
	t.Cleanup(cancel)
	return ctx
}

// serve starts a server, which ends with the test. What is not scripted, the rules answer.
func serve(t testing.TB, o llmtest.Options) *llmtest.Server {
	t.Helper()
	if o.Fallback == nil {
		o.Fallback = rules.Extractor{}
	}
	s, err := llmtest.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// extractor is an extractor that asks the server; change adapts its options.
func extractor(t testing.TB, s *llmtest.Server, change func(*llm.Options)) *llm.Extractor {
	t.Helper()
	o := llm.Options{Endpoint: llm.Endpoint{BaseURL: s.URL(), Model: "scripted", Timeout: testWait}, Registry: registry}
	if change != nil {
		change(&o)
	}
	x, err := llm.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

// told are messages of the user, each an event of its own.
func told(contents ...string) memory.Extraction {
	in := memory.Extraction{Scope: alice}
	for i, c := range contents {
		in.Messages = append(in.Messages, memory.Message{
			Number: i + 1, Event: "e", Seq: uint64(i + 1), Role: memory.RoleUser, At: noon, Content: c,
		})
	}
	return in
}

// boston is a conversation in which one thing is learnt.
func boston() memory.Extraction { return told("I live in Boston.") }

func expectBoston(t *testing.T, x *llm.Extractor) {
	t.Helper()
	candidates, directives, err := x.Extract(testContext(t), boston())
	if err != nil {
		t.Fatal(err)
	}
	if len(candidates) != 1 || candidates[0].Key != "user.city" || candidates[0].Value != "Boston" || candidates[0].Source.Message != 1 || len(directives) != 0 {
		t.Fatalf("extracted %+v, %+v, want Boston as user.city", candidates, directives)
	}
}

func expectCalls(t *testing.T, s *llmtest.Server, want int) {
	t.Helper()
	if got := s.Calls(); got != want {
		t.Fatalf("%d calls so far, want %d", got, want)
	}
}
