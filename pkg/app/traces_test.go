package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/stream"
)

// recalled asks something, waits for its trace, and returns its id.
func (x *still) recalled(t testing.TB, r memory.ThreadRef, query string) string {
	t.Helper()
	answer, err := x.Recall.Recall(t.Context(), recall.Request{Tenant: r.Tenant, User: r.User, Thread: r.Thread, Query: query})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), usedTimeout)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := x.Teller.Trace(ctx, r.Scope(), answer.RecallID); err == nil {
			return answer.RecallID
		} else if !errors.Is(err, recall.ErrNoTrace) {
			t.Fatal(err)
		}
		<-tick.C
	}
}

// answers has the model's answer to a recall stored.
func (x *still) answers(t testing.TB, r memory.ThreadRef, id, content string) event.Event {
	t.Helper()
	e := said(r, x.clock.Now(), "")
	e.Type = event.TypeAnswer
	var err error
	if e.Data, err = json.Marshal(event.Answer{RecallID: id, Content: content}); err != nil {
		t.Fatal(err)
	}
	x.publish(t, e)
	return e
}

// traced is what MEM_RECALLS holds of a user.
func (x *still) traced(t testing.TB, r memory.ThreadRef) []string {
	t.Helper()
	var out []string
	err := x.Recalls.Of(t.Context(), r.Tenant, r.User, time.Time{}, func(_ context.Context, st stream.Trace) error {
		out = append(out, string(st.Data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestForgottenLeavesTheTraces is invariant 10 for recalls: with the purge, the blocks and the
// answers from before the deletion are gone, also those that came later.
func TestForgottenLeavesTheTraces(t *testing.T) {
	x := startStill(t, stillOptions{})
	r := memory.ThreadRef{Tenant: "acme", User: "robin 知更鸟", Thread: "talk"}
	x.say(t, r, "I like marblewort.")
	x.say(t, r, "I like pottery.")
	x.pass(time.Hour)
	id := x.recalled(t, r, "Do I like marblewort?")
	x.answers(t, r, id, "You like marblewort.")
	x.consolidate(t, r)
	x.pass(time.Hour)
	out, err := x.Curate.Forget(t.Context(), r.Scope(), curate.Selection{Contains: "marblewort"})
	if err != nil || len(out.Memories) != 1 {
		t.Fatalf("Forget = %+v, %v", out, err)
	}
	x.pass(time.Minute)
	x.answers(t, r, id, "As I said, marblewort.")
	x.consolidate(t, r)
	if n := len(x.traced(t, r)); n != 3 {
		t.Errorf("%d pieces are kept until the purge, want 3", n)
	}
	account, err := x.Teller.Trace(t.Context(), r.Scope(), id)
	raw, merr := json.Marshal(account)
	if err = errors.Join(err, merr); err != nil || strings.Contains(string(raw), "marblewort") || account.Memories[0].State != recall.StateForgotten {
		t.Errorf("until then it is told %s, %v", raw, err)
	}
	x.pass(6 * 24 * time.Hour)
	other := x.recalled(t, r, "Do I like pottery?")
	x.pass(2 * 24 * time.Hour)
	x.reap(t, reap.JobPurge)
	left := x.traced(t, r)
	if len(left) != 1 || !strings.Contains(left[0], other) || strings.Contains(left[0], "marblewort") {
		t.Errorf("after the purge there is %q, want the recall of pottery alone", left)
	}
	if _, err := x.Teller.Trace(t.Context(), r.Scope(), id); !errors.Is(err, recall.ErrNoTrace) {
		t.Errorf("Trace = %v, want ErrNoTrace", err)
	}
}

// TestAnAnswerIsKeptOnce is invariant 2 for answers: a crash between keeping one and the
// decision repeats it without effect.
func TestAnAnswerIsKeptOnce(t *testing.T) {
	crashing, crash := context.WithCancel(t.Context())
	defer crash()
	armed := false
	x := startStill(t, stillOptions{reached: func(s decide.Step) {
		if armed && s == consolidate.StepExtracted {
			crash()
		}
	}})
	r := memory.ThreadRef{Tenant: "acme", User: "robin", Thread: "talk"}
	x.say(t, r, "I like pottery.")
	id := x.recalled(t, r, "Do I like pottery?")
	x.answers(t, r, id, "You like pottery.")
	armed = true
	if err := x.Consolidate.Thread(crashing, r); !errors.Is(err, context.Canceled) {
		t.Fatalf("Thread = %v, want that it is broken off", err)
	}
	armed = false
	x.consolidate(t, r)
	if got := x.traced(t, r); len(got) != 2 {
		t.Errorf("kept are %q, want a trace and an answer", got)
	}
	long := strings.Repeat("\x01长", 60<<10/4)
	x.answers(t, r, id, long)
	x.consolidate(t, r)
	got, err := x.Teller.Trace(t.Context(), r.Scope(), id)
	if err != nil || got.Answer == nil || !got.Answer.Cut || got.Answer.Content == "" || !strings.HasPrefix(long, got.Answer.Content) {
		t.Errorf("the long answer is %+v, %v, want its beginning", got.Answer, err)
	}
}

// TestErasureOvertakesAnswers is invariant 8 for an answer that is about to be kept.
func TestErasureOvertakesAnswers(t *testing.T) {
	g := &gate{}
	x := startStill(t, stillOptions{reached: g.pass})
	h := heir{memory.ThreadRef{Tenant: "acme", User: "robin 知更鸟"}, "marblewort", "蓝铃石风车"}
	other := heir{memory.ThreadRef{Tenant: "acme", User: "wren 鹪鹩"}, "sourdough", "紫藤摇椅"}
	h.tells(t, x, "talk", "I like {word}.")
	other.tells(t, x, "talk", "I like {word}.")
	id := x.recalled(t, h.in("talk"), "Do I like marblewort?")
	x.answers(t, h.in("talk"), id, "You like marblewort.")
	g.arm(consolidate.StepGathered)
	done := make(chan error, 1)
	go func() { done <- x.Consolidate.Thread(context.WithoutCancel(t.Context()), h.in("talk")) }()
	<-g.reached
	_, err := x.Curate.Erase(t.Context(), h.Scope())
	close(g.open)
	must(t, err, <-done)
	x.pass(time.Hour)
	if got := x.ask(t, other.Scope(), "Do I like sourdough?", false); len(got) != 1 {
		t.Errorf("of the other one, %+v is recalled", got)
	}
	x.hasNothing(t, "answered", h)
	// One that had found the trace before it was erased.
	late, err := recall.Told{Recall: id, RecalledAt: x.clock.Now(), Scope: h.Scope(), Event: "1", Answer: "You like marblewort."}.Encode()
	must(t, err, x.Recalls.Put(t.Context(), stream.Trace{Tenant: h.Tenant, User: h.User, Data: late}))
	x.pass(time.Hour)
	if got := x.ask(t, other.Scope(), "Do I like sourdough?", false); len(got) != 1 {
		t.Errorf("of the other one, %+v is recalled", got)
	}
	x.hasNothing(t, "kept late", h)
}

func TestTracesAreFoundAndListed(t *testing.T) {
	x := startStill(t, stillOptions{})
	r := memory.ThreadRef{Tenant: "acme", User: "robin", Thread: "a"}
	scope := r.Scope()
	var ids []string
	for i := range 110 {
		x.pass(time.Second)
		r.Thread = memory.Thread([]string{"a", "b"}[i%2])
		raw, err := recall.Trace{ID: fmt.Sprint("old-", i), Scope: scope, Thread: r.Thread, At: x.clock.Now(), Query: fmt.Sprint("query ", i)}.Encode(stream.MaxTraceBytes)
		must(t, err, x.Recalls.Put(t.Context(), stream.Trace{Tenant: r.Tenant, User: r.User, Data: raw}))
		ids = append(ids, fmt.Sprint("old-", i))
	}
	for _, c := range []struct {
		thread      memory.Thread
		limit, want int
		first       string
	}{{"", 0, recall.DefaultTraces, "old-109"}, {"", 100, 100, "old-109"}, {"a", 3, 3, "old-108"}, {"a", 100, 55, "old-108"}, {"c", 5, 0, ""}} {
		got, err := x.Teller.Latest(t.Context(), scope, c.thread, c.limit)
		if err != nil || len(got) != c.want || len(got) > 0 && got[0].RecallID != c.first {
			t.Errorf("Latest(%q, %d) = %d traces, %v, want %d from %s on", c.thread, c.limit, len(got), err, c.want, c.first)
		}
	}
	if got, err := x.Teller.Trace(t.Context(), scope, ids[3]); err != nil || got.Query != "query 3" {
		t.Errorf("Trace = %+v, %v", got, err)
	}
	for _, s := range []memory.Scope{memory.UserScope("acme", "wren"), memory.UserScope("globex", "robin"), {Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "robin"}}} {
		if _, err := x.Teller.Trace(t.Context(), s, ids[3]); !errors.Is(err, recall.ErrNoTrace) {
			t.Errorf("of %v: Trace = %v, want ErrNoTrace", s, err)
		}
		if got, err := x.Teller.Latest(t.Context(), s, "", 5); err != nil || len(got) != 0 {
			t.Errorf("of %v: Latest = %v, %v", s, got, err)
		}
	}
}

// schemaFile is a file with a profile schema.
func schemaFile(t *testing.T, schema string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "profile.schema.json")
	must(t, os.WriteFile(file, []byte(schema), 0o600))
	return file
}

func TestAnotherProfileSchema(t *testing.T) {
	x := startStill(t, stillOptions{})
	for _, u := range []memory.User{"robin", "wren", "知更鸟"} {
		r := memory.ThreadRef{Tenant: "acme", User: u, Thread: "talk"}
		x.say(t, r, "I like pottery.")
		if u != "wren" {
			x.say(t, r, "I moved to Oslo.")
		}
	}
	c := app.DefaultConfig()
	check := func(s *app.Stack, users ...memory.User) (out []app.Misfits, looked int) {
		t.Helper()
		looked, err := s.CheckProfiles(t.Context(), "acme", users, func(m app.Misfits) error {
			out = append(out, m)
			return nil
		})
		must(t, err)
		return out, looked
	}
	if got, n := check(x.Stack); len(got) != 0 || n != 3 {
		t.Errorf("with the built-in schema, of %d users %+v", n, got)
	}
	c.Profile.Schema = schemaFile(t, `{"type":"object","properties":{"user":{"type":"object","properties":{"likes":{"type":"array","items":{"type":"string"}}}}}}`)
	o := app.Options{Now: x.clock.Now, Logger: slog.New(slog.DiscardHandler)}
	s, err := app.NewStack(t.Context(), x.backend, c, o)
	must(t, err)
	got, n := check(s)
	if len(got) != 2 || n != 3 || got[0].User != "robin" || got[1].User != "知更鸟" || len(got[0].Unfit) != 1 {
		t.Fatalf("with another schema, of %d users %+v", n, got)
	}
	if u := got[0].Unfit[0]; u.Key != "user.city" || u.Value != "Oslo" || u.Memory != x.Registry.Identity(memory.UserScope("acme", "robin"), "user.city", "Oslo", "") {
		t.Errorf("unfit is %+v", u)
	}
	if got, n := check(s, "wren"); len(got) != 0 || n != 1 {
		t.Errorf("of wren alone, of %d users %+v", n, got)
	}
	c.Profile.Schema = schemaFile(t, `{"type":"object","properties":{"a":{"type":"text"},"b":{"type":"string","x-mnemond-ages":3}}}`)
	_, err = app.NewEdge(t.Context(), x.backend, c, o)
	for _, part := range []string{"MNEMOND_PROFILE_SCHEMA", c.Profile.Schema, "/properties/a/type", "/properties/b/x-mnemond-ages"} {
		if !errors.Is(err, profile.ErrSchema) || !strings.Contains(err.Error(), part) {
			t.Errorf("with a bad schema: %v, want every fault, and %s", err, part)
		}
	}
	c.Profile.Schema = filepath.Join(t.TempDir(), "missing.json")
	if _, err = app.NewEdge(t.Context(), x.backend, c, o); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "MNEMOND_PROFILE_SCHEMA") {
		t.Errorf("with a missing schema: %v", err)
	}
}
