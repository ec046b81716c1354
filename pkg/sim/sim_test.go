package sim_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/sim"
)

func start(t *testing.T, o sim.Options) *sim.Sim {
	t.Helper()
	s, err := sim.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func stop(t *testing.T, s *sim.Sim) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

var ref = memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}

func said(r memory.ThreadRef, id, content string) event.Event {
	e := event.Event{
		SpecVersion: "1.0", ID: id, Source: "/test", Type: event.TypeTurn, Time: time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC),
		Tenant: r.Tenant, User: r.User, Thread: r.Thread,
	}
	if err := e.SetTurn(event.Turn{Messages: []event.Message{{Role: memory.RoleUser, Content: content}}}); err != nil {
		panic(err)
	}
	return e
}

func TestTheClockNeverGoesBack(t *testing.T) {
	var c sim.Clock
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c.Advance(noon)
	c.Advance(noon.Add(-time.Hour))
	if got := c.Now(); !got.Equal(noon) {
		t.Errorf("Now = %s, want %s", got, noon)
	}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() { c.Advance(noon.Add(time.Duration(i) * time.Minute)) })
	}
	wg.Wait()
	if got, want := c.Now(), noon.Add(49*time.Minute); !got.Equal(want) {
		t.Errorf("Now = %s, want %s", got, want)
	}
}

// TestASimulationDecidesByItsOwnClock: from what is said to what is remembered.
func TestASimulationDecidesByItsOwnClock(t *testing.T) {
	var mu sync.Mutex
	var steps []decide.Step
	begin := time.Date(2019, 5, 6, 9, 0, 0, 0, time.FixedZone("", 3600))
	s := start(t, sim.Options{Start: begin, Reached: func(step decide.Step) {
		mu.Lock()
		defer mu.Unlock()
		steps = append(steps, step)
	}})
	defer stop(t, s)
	if got := s.Clock.Now(); !got.Equal(begin) || got.Location() != time.UTC {
		t.Errorf("the clock starts at %s, want %s in UTC", got, begin)
	}
	now := time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC)
	s.Clock.Advance(now)
	seq, err := s.Publish(t.Context(), said(ref, "1", "I live in Oslo."))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Pending(t.Context(), ref.Tenant); err != nil || n > 1 {
		t.Errorf("Pending = %d, %v, want at most the one event", n, err)
	}
	if err := s.Settle(t.Context(), ref, seq); err != nil {
		t.Fatal(err)
	}
	all, err := s.Stack.Recall.Memories(t.Context(), ref.Scope())
	if err != nil || len(all) != 1 || !all[0].CreatedAt.Equal(now) {
		t.Errorf("memories %+v, %v, want one, decided at %s", all, err, now)
	}
	if n, err := s.Pending(t.Context(), ref.Tenant); err != nil || n != 0 {
		t.Errorf("Pending = %d, %v, want none", n, err)
	}
	if n, err := s.DeadLetters(t.Context(), ref.Tenant); err != nil || n != 0 {
		t.Errorf("DeadLetters = %d, %v, want none", n, err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range consolidate.Steps {
		found := false
		for _, got := range steps {
			found = found || got == want
		}
		if !found {
			t.Errorf("the step %q was not reached: %q", want, steps)
		}
	}
}

func TestARefusalIsAnErrorWithTheAnswer(t *testing.T) {
	s := start(t, sim.Options{})
	defer stop(t, s)
	if _, err := s.Post(t.Context(), "/v1/recall", map[string]any{"query": "tea"}); err == nil || !strings.Contains(err.Error(), "user") {
		t.Errorf("Post = %v, want the answer's field", err)
	}
	if _, err := s.Post(t.Context(), "/v1/recall", func() {}); err == nil {
		t.Error("what is no JSON was posted")
	}
	if _, err := s.Publish(t.Context(), event.Event{}); err == nil {
		t.Error("an empty event was accepted")
	}
	if !strings.Contains(string(s.Answers()), "user") {
		t.Error("the answers are not kept")
	}
}

func TestThreadsAreThosePublishedTo(t *testing.T) {
	s := start(t, sim.Options{})
	defer stop(t, s)
	other := memory.ThreadRef{Tenant: "acme", User: "v", Thread: "t"}
	for i, r := range []memory.ThreadRef{ref, other, ref} {
		if _, err := s.Publish(t.Context(), said(r, string(rune('a'+i)), "ok")); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Threads(); len(got) != 2 || got[0] != other && got[1] != other {
		t.Errorf("Threads = %v, want both, each once", got)
	}
}

func TestASimulationLeavesNothing(t *testing.T) {
	s := start(t, sim.Options{})
	stop(t, s)
	if _, err := os.Stat(s.Dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", s.Dir, err)
	}
}

// Every file of the store is there while the server replaces some of them.
func TestFilesWhileTheServerWorks(t *testing.T) {
	s := start(t, sim.Options{})
	defer stop(t, s)
	gone := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-gone:
				return
			default:
			}
			name := filepath.Join(s.Dir, fmt.Sprint("replaced", i%5))
			if err := os.WriteFile(name+".tmp", []byte("words"), 0o600); err != nil || os.Rename(name+".tmp", name) != nil {
				t.Errorf("replace %s: %v", name, err)
				return
			}
		}
	}()
	for range 20 {
		files, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for path := range files {
			if filepath.Base(path) == "meta.inf" {
				n++
			}
		}
		if n == 0 {
			t.Fatalf("no stream's description among %d files", len(files))
		}
	}
	close(gone)
	<-done
}
