package curate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/sim"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"),
		goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"), goleak.IgnoreTopFunction("internal/poll.runtime_pollWait"))
}

const birthday = memory.Key("user.birthday")

var (
	scope = memory.UserScope(memory.DefaultTenant, "u1")
	start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
)

// gate stops the next decision that has been made and not appended yet, until it is opened.
type gate struct {
	mu             sync.Mutex
	entered, opens chan struct{}
}

// close makes the next decision stop; the first channel says that it has.
func (g *gate) close() (entered <-chan struct{}, open func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.entered, g.opens = make(chan struct{}), make(chan struct{})
	return g.entered, sync.OnceFunc(func() { close(g.opens) })
}

func (g *gate) reached(s decide.Step) {
	if s != decide.StepDecided {
		return
	}
	g.mu.Lock()
	entered, opens := g.entered, g.opens
	g.entered = nil
	g.mu.Unlock()
	if entered != nil {
		close(entered)
		<-opens
	}
}

// world is an installation in which a user has said two birthdays, and been asked.
type world struct {
	*sim.Sim
	gate   gate
	asked  memory.Question
	events int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{}
	var err error
	if w.Sim, err = sim.Start(t.Context(), sim.Options{Reached: w.gate.reached}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	for day, said := range []string{"My birthday is May 4.", "My birthday is May 14."} {
		if err := w.say(t.Context(), day, said); err != nil {
			t.Fatal(err)
		}
	}
	open, err := w.Stack.Curate.Pending(t.Context(), scope)
	if err != nil || len(open) != 1 {
		t.Fatalf("open are %+v, %v", open, err)
	}
	w.asked = open[0]
	return w
}

// say has the user say something on a day, in a thread of its own.
func (w *world) say(ctx context.Context, day int, content string) error {
	w.Clock.Advance(start.AddDate(0, 0, day))
	return w.sayAt(ctx, start.AddDate(0, 0, day), content)
}

// sayAt leaves the clock where it is.
func (w *world) sayAt(ctx context.Context, at time.Time, content string) error {
	w.events++
	e := event.Event{
		SpecVersion: "1.0", ID: fmt.Sprint("e", w.events), Source: "/test", Type: event.TypeTurn, Time: at,
		User: memory.User(scope.Owner.ID), Thread: memory.Thread(fmt.Sprint("t", w.events)),
	}
	if err := e.SetTurn(event.Turn{Messages: []event.Message{{Role: memory.RoleUser, Content: content}}}); err != nil {
		return err
	}
	seq, err := w.Publish(ctx, e)
	if err != nil {
		return err
	}
	return w.Settle(ctx, e.Ref(), seq)
}

func (w *world) answer(ctx context.Context, d memory.Decision) (memory.Question, error) {
	return w.Stack.Curate.Answer(ctx, scope, w.asked.ID, d, "")
}

func (w *world) forget(ctx context.Context, contains string) error {
	_, err := w.Stack.Curate.Forget(ctx, scope, curate.Selection{Contains: contains})
	return err
}

// records is the owner's ledger.
func (w *world) records(t *testing.T) []ledger.Record {
	t.Helper()
	records, err := w.Stack.Recall.Records(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// current is the birthday that is served, and how many there are.
func (w *world) current(t *testing.T) (string, int) {
	t.Helper()
	if _, err := w.Stack.Projector.CatchUp(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	all, err := w.Stack.Recall.Memories(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	value, n := "", 0
	for _, m := range all {
		if m.Key == birthday && m.Live(w.Clock.Now()) {
			value, n = m.Value, n+1
		}
	}
	return value, n
}

// closings are how the question was closed, each time.
func (w *world) closings(t *testing.T) []memory.Closing {
	t.Helper()
	var out []memory.Closing
	for _, r := range w.records(t) {
		for _, q := range r.QuestionClosed {
			if q.ID == w.asked.ID {
				out = append(out, q.Closing)
			}
		}
	}
	return out
}

// stated are the birthdays that the ledger holds.
func (w *world) stated(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, c := range ledger.Changes(w.records(t)) {
		if c.Key == birthday && c.Value != "" && !slices.Contains(out, c.Value) {
			out = append(out, c.Value)
		}
	}
	slices.Sort(out)
	return out
}

// TestAnAnswerIsOvertaken has an answer decided and not appended yet when something else is:
// the one that is appended first wins, and the answer is decided anew.
func TestAnAnswerIsOvertaken(t *testing.T) {
	for name, tt := range map[string]struct {
		by func(ctx context.Context, w *world) error
		// conflict is a part of what the loser hears; "" where the answer counts all the same.
		conflict string
		missing  bool
		current  string
		closing  memory.Closing
		// lost is what a deletion is meant to take away.
		lost string
	}{
		"another answer": {
			by: func(ctx context.Context, w *world) error {
				_, err := w.answer(ctx, memory.DecisionKeep)
				return err
			},
			conflict: "answered, keep", current: "May 4", closing: memory.ClosedByAnswer,
		},
		"an answer in conversation": {
			by: func(ctx context.Context, w *world) error {
				return w.say(ctx, 2, "My birthday is May 4, May 14 was a typo.")
			},
			conflict: "answered, keep", current: "May 4", closing: memory.ClosedByAnswer,
		},
		"a change": {
			by:       func(ctx context.Context, w *world) error { return w.say(ctx, 2, "Actually, my birthday is May 24.") },
			conflict: "answered, other", current: "May 24", closing: memory.ClosedByAnswer,
		},
		"the end of a value": {
			by:       func(ctx context.Context, w *world) error { return w.say(ctx, 2, "My birthday is not May 4.") },
			conflict: "answered, replace", current: "May 14", closing: memory.ClosedByAnswer,
		},
		"the old value said again": {
			by:       func(ctx context.Context, w *world) error { return w.say(ctx, 2, "My birthday is May 4.") },
			conflict: "decided_by_later_statement, keep", current: "May 4", closing: memory.ClosedByStatement,
		},
		"a third value, which was not in the question that was answered": {
			by:      func(ctx context.Context, w *world) error { return w.say(ctx, 2, "My birthday is May 24.") },
			current: "May 14", closing: memory.ClosedByAnswer,
		},
		"the deletion of what the answer takes": {
			by:       func(ctx context.Context, w *world) error { return w.forget(ctx, "May 14") },
			conflict: "deleted", current: "May 4", closing: memory.ClosedByDeletion, lost: "May 14",
		},
		"the deletion of both": {
			by:       func(ctx context.Context, w *world) error { return w.forget(ctx, "birthday") },
			conflict: "deleted", current: "", closing: memory.ClosedByDeletion,
		},
		"erasure": {
			by: func(ctx context.Context, w *world) error {
				_, err := w.Stack.Curate.Erase(ctx, scope)
				return err
			},
			missing: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			entered, open := w.gate.close()
			defer open()
			var err error
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, err = w.answer(t.Context(), memory.DecisionReplace)
			}()
			<-entered
			if err := tt.by(t.Context(), w); err != nil {
				t.Fatal(err)
			}
			open()
			<-done
			var conflict *curate.ConflictError
			switch {
			case tt.missing && !errors.Is(err, curate.ErrNotFound):
				t.Errorf("the loser hears %v, want that there is no such question", err)
			case tt.conflict != "" && (!errors.As(err, &conflict) || !strings.Contains(conflict.How, tt.conflict)):
				t.Errorf("the loser hears %v, want a conflict: %s", err, tt.conflict)
			case !tt.missing && tt.conflict == "" && err != nil:
				t.Errorf("the answer fails: %v", err)
			}
			w.check(t, tt.current, tt.closing)
			if tt.missing {
				if n := len(w.records(t)); n > 0 {
					t.Errorf("%d change sets are left", n)
				}
				return
			}
			for _, value := range []string{"May 4", "May 14", "May 24"} {
				if value == "May 24" && tt.current != value && tt.conflict != "" {
					continue // it was never said
				}
				if value != tt.lost && !slices.Contains(w.stated(t), value) {
					t.Errorf("%s is not in the ledger: %q", value, w.stated(t))
				}
			}
		})
	}
}

// check fails when something other is served, or the question is not closed just once.
func (w *world) check(t *testing.T, current string, closing memory.Closing) {
	t.Helper()
	value, n := w.current(t)
	if value != current || n > 1 || n == 0 && current != "" {
		t.Errorf("%d are served, the last %q, want %q", n, value, current)
	}
	if open, err := w.Stack.Curate.Pending(t.Context(), scope); err != nil || len(open) > 0 {
		t.Errorf("open are %+v, %v", open, err)
	}
	want := []memory.Closing{closing}
	if closing == "" {
		want = nil
	}
	if got := w.closings(t); !slices.Equal(got, want) {
		t.Errorf("closed %q, want %q", got, want)
	}
}

// TestAnAnswerOvertakes has something else decided and not appended yet when the answer is.
func TestAnAnswerOvertakes(t *testing.T) {
	for name, tt := range map[string]struct {
		late    func(ctx context.Context, w *world) error
		current string
		// gone is set where nothing at all is left.
		gone bool
	}{
		"a change said after the answer": {
			late: func(ctx context.Context, w *world) error {
				return w.sayAt(ctx, w.Clock.Now().Add(time.Minute), "Actually, my birthday is May 24.")
			},
			current: "May 24",
		},
		"a change said before the answer": {
			late:    func(ctx context.Context, w *world) error { return w.say(ctx, 2, "Actually, my birthday is May 24.") },
			current: "May 14",
		},
		"the rival said again": {
			late:    func(ctx context.Context, w *world) error { return w.say(ctx, 2, "My birthday is May 14.") },
			current: "May 14",
		},
		"a third value": {
			late:    func(ctx context.Context, w *world) error { return w.say(ctx, 2, "My birthday is May 24.") },
			current: "May 14",
		},
		"the deletion of what the answer takes": {
			late: func(ctx context.Context, w *world) error { return w.forget(ctx, "May 14") },
		},
		"the deletion of what the answer replaces": {
			late:    func(ctx context.Context, w *world) error { return w.forget(ctx, "May 4") },
			current: "May 14",
		},
		"erasure": {
			late: func(ctx context.Context, w *world) error {
				_, err := w.Stack.Curate.Erase(ctx, scope)
				return err
			},
			gone: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Clock.Advance(start.AddDate(0, 0, 1).Add(time.Hour))
			entered, open := w.gate.close()
			defer open()
			late := make(chan error, 1)
			go func() { late <- tt.late(t.Context(), w) }()
			<-entered
			if _, err := w.answer(t.Context(), memory.DecisionReplace); err != nil {
				t.Fatal(err)
			}
			open()
			if err := <-late; err != nil {
				t.Fatal(err)
			}
			if tt.gone {
				w.check(t, "", "")
				if _, err := w.answer(t.Context(), memory.DecisionKeep); !errors.Is(err, curate.ErrNotFound) {
					t.Errorf("an answer after the erasure: %v", err)
				}
				return
			}
			w.check(t, tt.current, memory.ClosedByAnswer)
		})
	}
}

// TestAnAnswerCountsWhateverTheClocksSay answers a question about words of which the time is
// a little ahead of ours.
func TestAnAnswerCountsWhateverTheClocksSay(t *testing.T) {
	w := newWorld(t)
	now := w.Clock.Now()
	for n, said := range []string{"I live in Oslo.", "I live in Bergen."} {
		if err := w.sayAt(t.Context(), now.Add(time.Duration(n+1)*time.Minute), said); err != nil {
			t.Fatal(err)
		}
	}
	open, err := w.Stack.Curate.Pending(t.Context(), scope)
	at := slices.IndexFunc(open, func(q memory.Question) bool { return q.Key == "user.city" })
	if err != nil || at < 0 {
		t.Fatalf("open are %+v, %v", open, err)
	}
	q, err := w.Stack.Curate.Answer(t.Context(), scope, open[at].ID, memory.DecisionReplace, "")
	if err != nil || q.Status != memory.QuestionClosed || q.Value != "Bergen" {
		t.Errorf("the question is %+v, %v", q, err)
	}
}

// TestOneAnswerOfManyCounts has all answers given at once.
func TestOneAnswerOfManyCounts(t *testing.T) {
	w := newWorld(t)
	decisions := []memory.Decision{memory.DecisionKeep, memory.DecisionReplace, memory.DecisionBoth, memory.DecisionNeither}
	type outcome struct {
		q   memory.Question
		err error
	}
	outcomes := make([]outcome, 4*len(decisions))
	var wg sync.WaitGroup
	for i := range outcomes {
		wg.Go(func() {
			outcomes[i].q, outcomes[i].err = w.answer(t.Context(), decisions[i%len(decisions)])
		})
	}
	wg.Wait()
	var won []memory.Decision
	for _, o := range outcomes {
		if o.err == nil {
			won = append(won, o.q.Decision)
		}
	}
	if len(won) != 1 {
		t.Fatalf("%d answers count: %q", len(won), won)
	}
	for _, o := range outcomes {
		var conflict *curate.ConflictError
		if o.err != nil && (!errors.As(o.err, &conflict) || !strings.Contains(conflict.How, "answered, "+string(won[0]))) {
			t.Errorf("a loser hears %v, want that %q was answered", o.err, won[0])
		}
	}
	want := map[memory.Decision]string{memory.DecisionKeep: "May 4", memory.DecisionReplace: "May 14", memory.DecisionBoth: "May 4"}
	w.check(t, want[won[0]], memory.ClosedByAnswer)
}
