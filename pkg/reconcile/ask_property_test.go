package reconcile_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// model is what must be true of one key with one value: what is served, what contradicts it,
// and about what the user has been asked. It knows nothing of memories.
type model struct {
	// cur is what is served; empty for nothing.
	cur string
	// disputed are the values that contradict it: true for those in the open question.
	disputed map[string]bool
	// asked are the values about which the user was asked while cur was served, or that
	// lost by the answer that put it there.
	asked     map[string]bool
	timeoutAt time.Time
	answered  time.Time
	ever      bool
}

func newModel() *model {
	return &model{disputed: map[string]bool{}, asked: map[string]bool{}}
}

// question are the values in the open question, sorted.
func (m *model) question() []string {
	var out []string
	for v, in := range m.disputed {
		if in {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

func (m *model) serve(v string, asked ...string) {
	m.cur, m.ever = v, true
	m.disputed, m.asked = map[string]bool{}, map[string]bool{}
	for _, a := range asked {
		m.asked[a] = a != v
	}
}

func (m *model) say(v string, change bool, now time.Time) {
	switch {
	case m.cur == "" || change && v != m.cur:
		m.serve(v)
	case v == m.cur:
		m.disputed = map[string]bool{}
	case m.disputed[v]:
		// It stands in the question.
	case m.asked[v]:
		m.disputed[v] = false // recorded, and not asked about again
	case len(m.question()) > 0:
		m.disputed[v], m.asked[v] = true, true
	case now.Before(m.answered.AddDate(0, 0, 30)):
		m.disputed[v] = false
	default:
		m.disputed[v] = false
		for d := range m.disputed {
			m.disputed[d] = !m.asked[d]
			m.asked[d] = true
		}
		m.timeoutAt = now.AddDate(0, 0, 14)
	}
}

// answer is what an answer does, and what becomes of it.
func (m *model) answer(d memory.Decision, value, last string, now time.Time) reconcile.Outcome {
	in := m.question()
	switch {
	case d == memory.DecisionReplace && value == "":
		value = last
	case d == memory.DecisionReplace && !slices.Contains(in, value), d == memory.DecisionOther && value == "":
		return reconcile.NoOption
	}
	m.answered = now
	switch {
	case d == memory.DecisionNeither:
		m.serve("")
	case d == memory.DecisionReplace, d == memory.DecisionOther && value != m.cur:
		m.serve(value, append(in, m.cur)...)
	default:
		m.disputed = map[string]bool{}
	}
	return reconcile.Done
}

func (m *model) timeOut(now time.Time) {
	if len(m.question()) > 0 && !now.Before(m.timeoutAt) {
		maps.DeleteFunc(m.disputed, func(_ string, in bool) bool { return in })
	}
}

// teller plays what an owner says to a book and to the model of one key.
type teller struct {
	*book
	want *model
	day  int
	// stated are the places at which something was said, with the value.
	stated map[string]string
	closed map[memory.ID]bool
}

func (w *teller) wait(t *rapid.T) {
	w.day += rapid.SampledFrom([]int{1, 1, 1, 2, 9, 15, 31}).Draw(t, "days")
	w.now = day(w.day)
}

// Invariant 5: whatever is said, answered or left to its time-out, no value that the user
// stated is lost from the ledger, at most one question is open about the key, and what is
// served is what was settled last, or its rival after an answer.
func TestNoSilentOverwrite(t *testing.T) {
	values := []string{"Boston", "Denver", "Oslo", "上海", "Lima"}
	rapid.Check(t, func(rt *rapid.T) {
		w := &teller{book: newBook(t), want: newModel(), stated: map[string]string{}, closed: map[memory.ID]bool{}}
		value := func() string { return rapid.SampledFrom(values).Draw(rt, "value") }
		tell := func(s reconcile.Statement) {
			w.stated[s.Evidence.Event] = s.Value
			w.check(rt, w.decide(s))
		}
		rt.Repeat(map[string]func(*rapid.T){
			"say": func(rt *rapid.T) {
				w.wait(rt)
				v := value()
				w.want.say(v, false, w.now)
				tell(say(w.day, city, v))
			},
			"say again": func(rt *rapid.T) {
				said := append(w.want.question(), w.want.cur)
				v := rapid.SampledFrom(said).Draw(rt, "value")
				if v == "" {
					rt.Skip("nothing has been said")
				}
				w.wait(rt)
				w.want.say(v, false, w.now)
				tell(say(w.day, city, v))
			},
			"change": func(rt *rapid.T) {
				w.wait(rt)
				v := value()
				w.want.say(v, true, w.now)
				tell(marked(w.day, city, v))
			},
			"end": func(rt *rapid.T) {
				w.wait(rt)
				w.want.serve("")
				w.check(rt, w.decide(ends(w.day, fmt.Sprintf("I left on day %d", w.day), memory.Target{Key: city})))
			},
			"end by name": func(rt *rapid.T) {
				if w.want.cur == "" {
					rt.Skip("nothing is current")
				}
				w.wait(rt)
				over, left := w.want.cur, ""
				if len(w.want.disputed) == 1 {
					left = slices.Collect(maps.Keys(w.want.disputed))[0]
				}
				w.want.serve(left)
				w.check(rt, w.decide(ends(w.day, fmt.Sprintf("I left %s on day %d", over, w.day), memory.Target{Key: city, Value: over})))
			},
			"late": func(rt *rapid.T) {
				if !w.want.ever {
					rt.Skip("nothing has been said")
				}
				s := say(w.day, city, value()) // before anything else that was said
				s.Evidence.At, s.Evidence.Event = start.AddDate(-1, 0, w.day), "late "+s.Evidence.Event
				if rapid.Bool().Draw(rt, "marked") {
					s.Relation = memory.RelationUpdates
				}
				w.wait(rt)
				tell(s)
			},
			"answer": func(rt *rapid.T) {
				if len(w.open) == 0 {
					rt.Skip("nothing is asked")
				}
				w.wait(rt)
				q := w.question()
				d := rapid.SampledFrom(memory.Decisions).Draw(rt, "decision")
				v := ""
				if d == memory.DecisionReplace || d == memory.DecisionOther {
					v = rapid.SampledFrom(append(values, "")).Draw(rt, "value")
				}
				want := w.want.answer(d, v, q.Rivals[len(q.Rivals)-1].Value, w.now)
				a := answers(w.day, q, d, v)
				got := w.answer(a)
				if got.Answered[0] != want {
					rt.Fatalf("%s %q is %s, want %s", d, v, got.Answered[0], want)
				}
				if want == reconcile.Done && d == memory.DecisionOther {
					w.stated[a.Evidence.Event] = v
				}
				w.check(rt, got)
			},
			"answer what is not asked": func(rt *rapid.T) {
				w.wait(rt)
				for id := range w.closed {
					if got := w.answer(answers(w.day, memory.Question{ID: id, Key: city}, memory.DecisionReplace, "")); got.Answered[0] != reconcile.NoTarget {
						rt.Fatalf("an answer to closed question is %s", got.Answered[0])
					}
				}
			},
			"time out": func(rt *rapid.T) {
				w.wait(rt)
				w.want.timeOut(w.now)
				w.check(rt, w.timeOut())
			},
			"": func(rt *rapid.T) { w.compare(rt) },
		})
	})
}

// check fails when a decision closes what was not open, or loses what was said.
func (w *teller) check(t *rapid.T, d reconcile.Decision) {
	checkChanges(t, d)
	for _, q := range d.Closed {
		if w.closed[q.ID] || q.ClosedAt.IsZero() || q.Closing == "" || len(q.Rivals) == 0 || q.Text == "" {
			t.Fatalf("closed is %+v", q)
		}
		w.closed[q.ID] = true
	}
	for _, q := range d.Opened {
		if w.closed[q.ID] {
			t.Fatalf("closed and open is %+v", q)
		}
	}
}

// compare fails when the book says other than the model.
func (w *teller) compare(t *rapid.T) {
	w.checkOneCurrent(t)
	w.checkQuestions(t)
	served := ""
	for _, m := range w.memories {
		if m.Key == city && m.Status == memory.StatusCurrent {
			served = m.Value
		}
	}
	if served != w.want.cur {
		t.Fatalf("served is %q, want %q", served, w.want.cur)
	}
	var inQuestion, disputed []string
	for _, q := range w.open {
		if w.want.cur == "" || !q.TimeoutAt.Equal(w.want.timeoutAt) {
			t.Fatalf("question is %+v, want a time-out at %v", q, w.want.timeoutAt)
		}
		for _, r := range q.Rivals {
			inQuestion = append(inQuestion, r.Value)
		}
	}
	for _, m := range w.memories {
		if m.Status == memory.StatusDisputed {
			disputed = append(disputed, m.Value)
		}
	}
	slices.Sort(inQuestion)
	slices.Sort(disputed)
	if !slices.Equal(inQuestion, w.want.question()) {
		t.Fatalf("asked about %q, want %q", inQuestion, w.want.question())
	}
	if want := slices.Sorted(maps.Keys(w.want.disputed)); !slices.Equal(disputed, want) {
		t.Fatalf("disputed is %q, want %q", disputed, want)
	}
	for event, value := range w.stated {
		if !w.recorded(event, value) {
			t.Fatalf("%q, said in %s, is nowhere in the ledger", value, event)
		}
	}
}

// recorded reports whether a change holds a value, with the event in which it was said.
func (b *book) recorded(event, value string) bool {
	for _, r := range b.records {
		for _, c := range r.Changes {
			says := canon.Same(c.Memory.Value, value, canon.ClassPlace) || strings.Contains(c.Memory.Text, value)
			if says && slices.ContainsFunc(c.Memory.Evidence, func(e memory.Evidence) bool { return e.Event == event }) {
				return true
			}
		}
	}
	return false
}

// Whatever is said of any key, in whatever order it is decided, the documents say what the
// memories do, each is closed once, and what no sign of a change contradicts is still served.
func TestQuestionsUnderAnyMix(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBook(t)
		w := &teller{book: b, closed: map[memory.ID]bool{}}
		n := rapid.IntRange(2, 14).Draw(rt, "n")
		said := order(rt, n)
		for len(said) > 0 {
			k := min(len(said), rapid.IntRange(1, 3).Draw(rt, "together"))
			var statements []reconcile.Statement
			unmarked := true
			for _, i := range said[:k] {
				s := mix(rt, i)
				// Without a change, an ending, or a date by which it is over anyway.
				unmarked = unmarked && (s.Relation == memory.RelationNew && s.ExpiresAt.IsZero() || s.Plan)
				statements = append(statements, s)
			}
			said = said[k:]
			b.now = b.now.Add(time.Hour)
			before := b.all()
			w.check(rt, b.decide(statements...))
			b.checkQuestions(rt)
			b.checkOneCurrent(rt)
			if unmarked {
				stillServed(rt, b, before)
			}
			answerAny(rt, w)
		}
	})
}

// stillServed fails when a value that was served is not served any more, except by one that
// says more.
func stillServed(t *rapid.T, b *book, before []memory.Memory) {
	for _, m := range before {
		if m.Key == "" || !m.Live(b.now) {
			continue
		}
		f, _ := registry.Field(m.Key)
		now := b.memories[m.ID]
		more, refined := canon.Refines(m.Value, now.Value, f.Class)
		if now.Key != m.Key || now.Status != memory.StatusCurrent || now.Value != m.Value && (!refined || more != now.Value) {
			t.Fatalf("%q was served, and now is %+v", m.Value, now)
		}
	}
}

// answerAny answers one of the open questions, or lets one time out, or neither.
func answerAny(t *rapid.T, w *teller) {
	if len(w.open) == 0 {
		return
	}
	switch rapid.IntRange(0, 5).Draw(t, "then") {
	case 0:
		w.now = w.now.AddDate(0, 0, 20)
		w.check(t, w.timeOut())
		if len(w.open) != 0 {
			t.Fatalf("still open are %+v", w.open)
		}
	case 1:
		id := rapid.SampledFrom(slices.Sorted(maps.Keys(w.open))).Draw(t, "question")
		q := w.open[id]
		a := answers(rapid.IntRange(0, 30).Draw(t, "day"), q, rapid.SampledFrom(memory.Decisions).Draw(t, "decision"), "")
		a.Value = rapid.SampledFrom([]string{"", "tea", q.Rivals[0].Value}).Draw(t, "value")
		in := w.input(nil, nil)
		in.Answers = []reconcile.Answer{a}
		in.Existing = w.load(reconcile.NeedsOf(in))
		d := reconcile.Plan(in)
		in.Existing = w.all()
		if whole := reconcile.Plan(in); !reflect.DeepEqual(d, whole) {
			t.Fatalf("with everything:\n%+v\nwith what is needed:\n%+v", whole, d)
		}
		if done := d.Answered[0] == reconcile.Done; done != (len(d.Closed) == 1) || done == (len(d.Changes) == 0) {
			t.Fatalf("%s: %+v", d.Answered[0], d)
		}
		w.apply(d)
		w.check(t, d)
	}
	w.checkQuestions(t)
	w.checkOneCurrent(t)
}

// A decided rival is kept as it was, whatever decided it: only the ledger's history of the
// key must not list it, unless it came to be served.
func TestARivalIsNoHistory(t *testing.T) {
	b := newBook(t)
	b.hear(say(1, city, "Boston"), say(2, city, "Denver"), say(3, city, "Boston"))
	if got := b.history(city); got != "Boston" {
		t.Errorf("history is %s", got)
	}
	if !slices.ContainsFunc(ledger.Changes(b.records), func(e ledger.Entry) bool { return e.Value == "Denver" && e.Status == memory.StatusSettled }) {
		t.Error("the rival is not in the ledger")
	}
}
