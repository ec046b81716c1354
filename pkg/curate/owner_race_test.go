package curate_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/memory"
)

// editing starts an edit that stops when it is decided; the function lets it go on.
func (w *world) editing(t *testing.T, id memory.ID, c curate.Change) (finish func() error) {
	t.Helper()
	entered, open := w.gate.close()
	done := make(chan error, 1)
	go func() {
		_, err := w.Stack.Curate.Edit(context.WithoutCancel(t.Context()), scope, "", id, c)
		done <- err
	}()
	<-entered
	return func() error {
		open()
		return <-done
	}
}

// TestTwoEditsAtOnce: of two edits of one memory that overlap, what was asked for last stands,
// the other one is refused; and edits of different parts are both carried out.
func TestTwoEditsAtOnce(t *testing.T) {
	w := newWorld(t)
	out, err := w.Stack.Curate.Remember(t.Context(), scope, "", curate.Note{Text: "I live in Oslo."})
	if err != nil || len(out.Changed) != 1 {
		t.Fatalf("remembered: %+v, %v", out, err)
	}
	id := out.Changed[0].Memory
	finish := w.editing(t, id, curate.Change{Value: ptr("Bergen")})
	w.Clock.Advance(w.Clock.Now().Add(time.Minute))
	if _, err := w.Stack.Curate.Edit(t.Context(), scope, "", id, curate.Change{Value: ptr("Tromsø")}); err != nil {
		t.Fatal(err)
	}
	var late *curate.ConflictError
	if err := finish(); !errors.As(err, &late) {
		t.Errorf("the earlier edit: %v, want a conflict", err)
	}
	a, err := w.Stack.Curate.Memory(t.Context(), scope, id)
	if err != nil || a.Memory.Value != "Tromsø" {
		t.Errorf("it is %+v, %v", a.Memory, err)
	}

	w.Clock.Advance(w.Clock.Now().Add(time.Minute))
	finish = w.editing(t, id, curate.Change{Pinned: ptr(false)})
	if _, err := w.Stack.Curate.Edit(t.Context(), scope, "", id, curate.Change{Value: ptr("Alta")}); err != nil {
		t.Fatal(err)
	}
	if err := finish(); err != nil {
		t.Errorf("an edit of another part: %v", err)
	}
	a, err = w.Stack.Curate.Memory(t.Context(), scope, id)
	if err != nil || a.Memory.Value != "Alta" || a.Memory.Pinned {
		t.Errorf("it is %+v, %v", a.Memory, err)
	}
}

// TestRepeatedRequests: a request that comes again under its id changes nothing, whatever has
// become of the first one's reply.
func TestRepeatedRequests(t *testing.T) {
	w := newWorld(t)
	s := w.Stack.Curate
	requests := map[string]func() (curate.Written, error){
		"remember": func() (curate.Written, error) {
			return s.Remember(t.Context(), scope, "request:1", curate.Note{Text: "I live in Oslo."})
		},
		"contradict": func() (curate.Written, error) {
			return s.Remember(t.Context(), scope, "request:2", curate.Note{Key: "user.birthday", Value: "June 1"})
		},
		"patch": func() (curate.Written, error) {
			return s.PatchProfile(t.Context(), scope, "request:3", []curate.PatchOperation{{Op: "add", Path: "/user/likes/-", Value: "tea"}})
		},
	}
	for name, request := range requests {
		first, err := request()
		if err != nil || len(first.Changed) != 1 {
			t.Fatalf("%s: %+v, %v", name, first, err)
		}
		before := len(w.records(t))
		w.Clock.Advance(w.Clock.Now().Add(time.Hour))
		again, err := request()
		if err != nil || again.Result != curate.ResultUnchanged || len(w.records(t)) != before {
			t.Errorf("%s again: %+v, %v, and %d change sets more", name, again, err, len(w.records(t))-before)
		}
	}
}

// TestRememberAnswersQuestions: what is written settles an open question as what is said does.
func TestRememberAnswersQuestions(t *testing.T) {
	w := newWorld(t)
	if _, err := w.Stack.Curate.Remember(t.Context(), scope, "", curate.Note{Text: "Actually, my birthday is May 14."}); err != nil {
		t.Fatal(err)
	}
	open, err := w.Stack.Curate.Pending(t.Context(), scope)
	if err != nil || len(open) != 0 {
		t.Errorf("open are %+v, %v", open, err)
	}
	if value, n := w.current(t); value != "May 14" || n != 1 {
		t.Errorf("current is %q of %d", value, n)
	}
}
