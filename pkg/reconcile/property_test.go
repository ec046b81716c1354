package reconcile_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

var cities = []string{"Boston", "Denver", "Oslo", "上海", "广州", "Lima"}

// order is a permutation of 0..n-1.
func order(t *rapid.T, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return rapid.Permutation(out).Draw(t, "order")
}

// Invariant 3: of marked statements the one said last is current, in whatever order they
// are decided, and the history is in the order of speech.
func TestOneCurrentValueTheOneSaidLast(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom(cities), 1, 8).Draw(rt, "values")
		b := newBook(t)
		for _, i := range order(rt, len(values)) {
			b.hear(marked(i, "user.city", values[i]))
			b.checkOneCurrent(rt)
		}
		if got, want := b.current(), "city="+values[len(values)-1]; got != want {
			rt.Fatalf("current is %s, want %s", got, want)
		}
		if got, want := b.history("user.city"), strings.Join(slices.Compact(values), ", "); got != want {
			rt.Fatalf("history is %s, want %s", got, want)
		}
	})
}

// mix is any statement on a few keys, values and texts, so that they meet often.
func mix(t *rapid.T, n int) reconcile.Statement {
	values := []string{"tea", "coffee", "cat", "cat named Mimi", "Hangzhou", "Hangzhou, Xihu district"}
	keys := []memory.Key{"user.city", "user.partner", "user.pets", "user.likes", "user.dislikes"}
	key, value := rapid.SampledFrom(keys).Draw(t, "key"), rapid.SampledFrom(values).Draw(t, "value")
	other := memory.Target{Key: rapid.SampledFrom(keys).Draw(t, "target key"), Value: rapid.SampledFrom(append(values, "")).Draw(t, "target")}
	other.Must = rapid.Bool().Draw(t, "must")
	var s reconcile.Statement
	switch rapid.IntRange(0, 9).Draw(t, "sort") {
	case 0, 1:
		s = say(n, key, value)
	case 2, 3:
		s = marked(n, key, value)
	case 4:
		s = marked(n, key, value)
		s.Text, s.Target = value+", and no longer "+other.Value, &other
	case 5:
		s = ends(n, "over: "+other.Value, other)
	case 6:
		s = moves(n, "plan of "+value, rapid.IntRange(n+1, 80).Draw(t, "until"), value)
		if rapid.Bool().Draw(t, "plain") {
			s.Relation, s.Target = memory.RelationNew, nil
		}
	case 7:
		s = tell(n, "all of "+value)
	case 8:
		s = ends(n, "over with "+value, memory.Target{Value: value, Must: other.Must})
		if rapid.Bool().Draw(t, "instead") {
			s.Relation, s.About = memory.RelationUpdates, key
		}
	default:
		s = cancels(n, "off: "+value, value)
	}
	if rapid.IntRange(0, 4).Draw(t, "dated") == 0 && s.ExpiresAt.IsZero() {
		s.ExpiresAt = day(rapid.IntRange(n+1, n+60).Draw(t, "expiry"))
	}
	return s
}

func TestOneCurrentValueUnderAnyMix(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBook(t)
		n := rapid.IntRange(1, 12).Draw(rt, "n")
		for _, i := range order(rt, n) {
			d := b.decide(mix(rt, i))
			b.checkOneCurrent(rt)
			b.checkQuestions(rt)
			checkChanges(rt, d)
		}
		entries := ledger.History(b.records, "user.city")
		if !slices.IsSortedFunc(entries, func(a, b ledger.Entry) int { return a.SaidAt.Compare(b.SaidAt) }) {
			rt.Fatalf("history is out of order: %+v", entries)
		}
	})
}

// checkChanges checks what holds of every change.
func checkChanges(t *rapid.T, d reconcile.Decision) {
	for _, c := range d.Changes {
		m := c.Memory
		want := memory.StatusCurrent
		switch c.Op {
		case ledger.OpEnd:
			want = memory.StatusEnded
		case ledger.OpDispute:
			want = memory.StatusDisputed
		case ledger.OpSettle:
			want = memory.StatusSettled
		case ledger.OpHistory:
			want = memory.StatusSuperseded
		case ledger.OpRefresh, ledger.OpMark:
			want = m.Status
		}
		switch {
		case m.Status != want:
			t.Fatalf("%s leaves the status %s", c.Op, m.Status)
		case c.Reason == "" || m.Scope != scope || len(m.Evidence) == 0 || len(m.Evidence) > 8:
			t.Fatalf("change is %+v", c)
		case (c.Op == ledger.OpSupersede || c.Op == ledger.OpRefine) && (c.Previous == nil || c.Previous.ID != m.ID):
			t.Fatalf("%s without what it replaces", c.Op)
		case m.SaidAt.After(m.ConfirmedAt):
			t.Fatalf("said at %v, but confirmed at %v", m.SaidAt, m.ConfirmedAt)
		}
	}
}

// What NeedsOf names is enough: with everything the owner has, the decision is the same.
func TestNeedsAreEnough(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBook(t)
		n := rapid.IntRange(1, 10).Draw(rt, "n")
		for _, i := range order(rt, n) {
			s := []reconcile.Statement{mix(rt, i)}
			whole := reconcile.Plan(b.input(b.all(), s))
			needed := reconcile.Plan(b.input(b.needed(s), s))
			if !reflect.DeepEqual(whole, needed) {
				rt.Fatalf("with everything:\n%+v\nwith what is needed:\n%+v", whole, needed)
			}
			b.apply(whole)
		}
	})
}

// The kinds of what else a decision looks at: what was said to be over after the statement,
// whatever has become of that note, and the free memories that a target describes.
func TestNeedsOfWhatIsOver(t *testing.T) {
	dated := func(s reconcile.Statement, until int) reconcile.Statement {
		s.ExpiresAt = day(until)
		return s
	}
	under := func(s reconcile.Statement, about memory.Key, target memory.Target) reconcile.Statement {
		s.About, s.Relation, s.Target = about, memory.RelationUpdates, &target
		return s
	}
	at := func(s reconcile.Statement, n int) reconcile.Statement {
		s.Evidence.At = day(n)
		return s
	}
	for _, tt := range []struct {
		name  string
		heard []reconcile.Statement
		late  reconcile.Statement
		want  ledger.Op
	}{
		{
			"a plan was called off again after the note of it had expired",
			says(dated(cancels(0, "off: tea", "tea"), 1), cancels(5, "off: tea", "tea")), moves(4, "plan of tea", 9, "tea"), ledger.OpHistory,
		},
		{
			"a plan was called off in one breath, which has expired",
			says(dated(at(cancels(5, "off: tea", "tea"), 4), 4)), plan(4, "plan of tea", 9), ledger.OpHistory,
		},
		{
			"计划取消了，说法里的日期已过", says(dated(cancels(6, "深圳不去了", "深圳"), 2)), plan(1, "去深圳出差", 9), ledger.OpHistory,
		},
		{
			"what is over was said of no key and of no plan",
			says(ends(5, "I gave up on Shenzhen", memory.Target{Value: "Shenzhen"})), plan(4, "flying to Shenzhen", 9), ledger.OpHistory,
		},
		{
			"a free memory that another one takes the place of",
			says(tell(1, "my favourite colour is green")),
			under(tell(2, "my favourite colour is blue now"), "user.likes", memory.Target{Value: "my favourite colour"}), ledger.OpAdd,
		},
		{
			"说过的一件事结束了", says(tell(1, "我在备考雅思")), ends(2, "不考雅思了", memory.Target{Value: "雅思"}), ledger.OpAdd,
		},
		{
			"a free memory that must be there",
			says(tell(1, "I am learning Dutch")), ends(2, "no more Dutch", memory.Target{Value: "Dutch", Must: true}), ledger.OpAdd,
		},
		{
			"a free memory takes the place of a value, and is about something else",
			says(under(tell(5, "I went for hot chocolate"), "user.diet", memory.Target{Key: "user.likes", Value: "tea"})),
			say(4, "user.likes", "tea"), ledger.OpHistory,
		},
		{
			"a note that once ended nothing",
			says(tell(2, "no more tea"), ends(5, "no more tea", memory.Target{Key: "user.likes", Value: "tea"})),
			say(4, "user.likes", "tea"), ledger.OpHistory,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			for _, s := range tt.heard {
				b.apply(reconcile.Plan(b.input(b.all(), says(s))))
			}
			whole := reconcile.Plan(b.input(b.all(), says(tt.late)))
			if n := len(whole.Changes); n == 0 || whole.Changes[n-1].Op != tt.want {
				t.Fatalf("with everything: %+v, want %s last", whole.Changes, tt.want)
			}
			if needed := reconcile.Plan(b.input(b.needed(says(tt.late)), says(tt.late))); !reflect.DeepEqual(whole, needed) {
				t.Errorf("with everything:\n%+v\nwith what is needed:\n%+v", whole, needed)
			}
		})
	}
}

// Decided once more, statements leave every memory as it is. The ledger may hold an
// earlier value once more, since it is not among the memories; its history does not.
func TestDecidingAgainChangesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBook(t)
		n := rapid.IntRange(1, 8).Draw(rt, "n")
		var heard []reconcile.Statement
		used := map[string]bool{}
		for _, i := range order(rt, n) {
			s := mix(rt, i)
			// A value that comes back after another took its place gains the evidence of
			// its first time: see TestValueThatCameBackGainsEvidence.
			about := cmp.Or(s.Value, s.Text)
			if used[about] {
				continue
			}
			used[about] = true
			// What found nothing to end was not recorded, and may find it later.
			if b.hear(s)[0] != reconcile.NoTarget {
				heard = append(heard, s)
			}
		}
		current, disputed, ended := b.current(), b.with(memory.StatusDisputed), b.with(memory.StatusEnded)
		history := b.history("user.city")
		for _, s := range heard {
			d := b.decide(s)
			for _, c := range d.Changes {
				if c.Op != ledger.OpHistory {
					rt.Fatalf("%q again gives %s (%s) of %+v", s.Text, c.Op, c.Reason, c.Memory)
				}
			}
		}
		if got := b.current(); got != current {
			rt.Fatalf("current is %s, was %s", got, current)
		}
		if got := b.with(memory.StatusDisputed); got != disputed {
			rt.Fatalf("disputed is %s, was %s", got, disputed)
		}
		if got := b.with(memory.StatusEnded); got != ended {
			rt.Fatalf("ended is %s, was %s", got, ended)
		}
		if got := b.history("user.city"); got != history {
			rt.Fatalf("history is %s, was %s", got, history)
		}
	})
}

// Invariant 3 for plans: moved and cancelled in any order of decision, what was said last
// about it holds.
func TestPlansInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(rt, "n")
		said := []reconcile.Statement{plan(0, "flying to Shenzhen, take 0", 60)}
		for i := 1; i < n; i++ {
			if rapid.Bool().Draw(rt, "cancel") {
				said = append(said, cancels(i, fmt.Sprintf("Shenzhen is off, take %d", i), "Shenzhen"))
			} else {
				said = append(said, moves(i, fmt.Sprintf("Shenzhen moved, take %d", i), 60+i, "Shenzhen"))
			}
		}
		b := newBook(t)
		for _, i := range order(rt, n) {
			b.hear(said[i])
		}
		want := said[n-1].Text
		if said[n-1].Relation == memory.RelationEnds {
			want = ""
		}
		if got := b.current(); got != want {
			rt.Fatalf("current is %q, want %q", got, want)
		}
	})
}

// The one exception: what was said before another value took its place for a time, and is
// decided again, is more evidence of the same value, and no other value.
func TestValueThatCameBackGainsEvidence(t *testing.T) {
	b := newBook(t)
	first := say(1, "user.city", "北京")
	b.hear(first, marked(2, "user.city", "上海"), marked(3, "user.city", "北京"))
	b.hear(first)
	if m := b.only("user.city"); m.Value != "北京" || len(m.Evidence) != 2 || !m.ConfirmedAt.Equal(day(3)) {
		t.Errorf("current is %+v", m)
	}
	if got := b.history("user.city"); got != "北京, 上海, 北京" {
		t.Errorf("history is %s", got)
	}
}

// Plan changes nothing that it is given.
func TestPlanLeavesItsInput(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := newBook(t)
		n := rapid.IntRange(2, 8).Draw(rt, "n")
		for i := range n - 1 {
			b.hear(mix(rt, i))
		}
		existing := b.all()
		before := fmt.Sprintf("%+v", existing)
		reconcile.Plan(b.input(existing, []reconcile.Statement{mix(rt, n)}))
		if after := fmt.Sprintf("%+v", existing); after != before {
			rt.Fatalf("before:\n%s\nafter:\n%s", before, after)
		}
	})
}
