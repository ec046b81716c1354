package reconcile_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/schemas"
)

var (
	scope    = memory.UserScope("acme", "u1")
	registry = func() *profile.Registry {
		r, err := profile.Parse(schemas.Profile)
		if err != nil {
			panic(err)
		}
		return r
	}()
	start = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	// late is when everything is decided, unless a test says otherwise.
	late = day(50)
)

// day is the n-th day on which something is said.
func day(n int) time.Time { return start.AddDate(0, 0, n) }

// say is the statement of a value under a key on a day, in an event of its own.
func say(n int, key memory.Key, value string) reconcile.Statement {
	return reconcile.Statement{
		Candidate: memory.Candidate{
			Kind: memory.KindProfile, Key: key, Value: value, Text: "it is " + value,
			Language: "en", Stability: memory.Stable, Confidence: 0.9, Relation: memory.RelationNew,
		},
		Evidence: memory.Evidence{
			Event: fmt.Sprintf("e%d", n), Seq: uint64(1000 + n), Thread: "t", Role: memory.RoleUser,
			At: day(n), Quote: "it is " + value,
		},
	}
}

// marked is say with words that tell a change.
func marked(n int, key memory.Key, value string) reconcile.Statement {
	s := say(n, key, value)
	s.Relation = memory.RelationUpdates
	return s
}

// tell is the statement of a free memory.
func tell(n int, text string) reconcile.Statement {
	s := say(n, "", "")
	s.Kind, s.Text, s.Evidence.Quote = memory.KindFact, text, text
	return s
}

// ends is the statement that something under a key is over.
func ends(n int, text string, target memory.Target) reconcile.Statement {
	s := tell(n, text)
	s.Relation, s.Target, s.About = memory.RelationEnds, &target, target.Key
	return s
}

// plan is the statement of a plan that is over on day until.
func plan(n int, text string, until int) reconcile.Statement {
	s := tell(n, text)
	s.Plan, s.Stability, s.ExpiresAt = true, memory.Dated, day(until)
	return s
}

// moves is a plan that replaces the plan that value names.
func moves(n int, text string, until int, value string) reconcile.Statement {
	s := plan(n, text, until)
	s.Relation, s.Target = memory.RelationUpdates, &memory.Target{Value: value, Plan: true}
	return s
}

// cancels is the statement that the plan that value names will not be.
func cancels(n int, text, value string) reconcile.Statement {
	s := ends(n, text, memory.Target{Value: value, Plan: true})
	s.Stability = memory.Transient
	return s
}

// book is one owner's memories and ledger, kept as a projector keeps them.
type book struct {
	t        testing.TB
	now      time.Time
	policy   retention.Policy
	memories map[memory.ID]memory.Memory
	records  []ledger.Record
	// open are the questions as a projector keeps them, closed all that were closed.
	open   map[memory.ID]memory.Question
	closed []memory.Question
}

func newBook(t testing.TB) *book {
	return &book{t: t, now: late, memories: map[memory.ID]memory.Memory{}, open: map[memory.ID]memory.Question{}}
}

type fatal interface{ Fatalf(string, ...any) }

// hear decides the statements one at a time.
func (b *book) hear(statements ...reconcile.Statement) []reconcile.Outcome {
	var out []reconcile.Outcome
	for _, s := range statements {
		out = append(out, b.decide(s).Outcomes...)
	}
	return out
}

// decide decides the statements together, with no more of the memories than they need.
func (b *book) decide(statements ...reconcile.Statement) reconcile.Decision {
	d := reconcile.Plan(b.input(b.needed(statements), statements))
	if len(d.Outcomes) != len(statements) {
		b.t.Fatalf("%d outcomes of %d statements", len(d.Outcomes), len(statements))
	}
	b.apply(d)
	return d
}

func (b *book) input(existing []memory.Memory, statements []reconcile.Statement) reconcile.Input {
	return reconcile.Input{
		Now: b.now, Scope: scope, Registry: registry, Policy: b.policy, Statements: statements, Existing: existing,
	}
}

func (b *book) apply(d reconcile.Decision) {
	for _, q := range d.Opened {
		b.open[q.ID] = q
	}
	for _, q := range d.Closed {
		delete(b.open, q.ID)
		b.closed = append(b.closed, q)
	}
	if len(d.Changes) == 0 {
		return
	}
	for _, c := range d.Changes {
		if c.Op != ledger.OpHistory {
			b.memories[c.Memory.ID] = c.Memory
		}
	}
	b.records = append(b.records, ledger.Record{
		Seq: uint64(len(b.records) + 1), ChangeSet: ledger.ChangeSet{V: 1, At: b.now, Scope: scope, Changes: d.Changes},
	})
}

func (b *book) all() []memory.Memory {
	var out []memory.Memory
	for _, m := range b.memories {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// needed is what a store returns for the Needs of statements.
func (b *book) needed(statements []reconcile.Statement) []memory.Memory {
	return b.load(reconcile.NeedsOf(reconcile.Input{Registry: registry, Scope: scope, Statements: statements}))
}

// load is what a store returns for Needs.
func (b *book) load(n reconcile.Needs) []memory.Memory {
	contradicted := map[memory.ID]bool{}
	for _, m := range b.memories {
		if m.Status == memory.StatusDisputed && m.Dispute != nil {
			contradicted[m.Dispute.Of] = true
		}
	}
	return slices.DeleteFunc(b.all(), func(m memory.Memory) bool { return !wants(n, &m, contradicted[m.ID]) })
}

// wants reports whether a store returns a memory for Needs.
func wants(n reconcile.Needs, m *memory.Memory, contradicted bool) bool {
	rival := m.Status == memory.StatusDisputed || m.Status == memory.StatusSettled
	t := m.Tombstone
	switch {
	case m.Origin != "":
		return n.Past
	case n.All, slices.Contains(n.IDs, m.ID), m.Status == memory.StatusStanding, m.SuppressedBy != "":
	case t != nil && slices.ContainsFunc(t.Keys, func(k memory.Key) bool { return slices.Contains(n.Keys, k) }):
	case t != nil && slices.ContainsFunc(t.Hashes, func(h string) bool { return slices.Contains(n.Hashes, h) }):
	case slices.Contains(n.Keys, m.Key) && rival:
	case n.Open && (m.Status == memory.StatusDisputed || contradicted):
	case slices.ContainsFunc(reconcile.AboutOf(m), func(k memory.Key) bool { return slices.Contains(n.Keys, k) }):
	case slices.Contains(n.Whole, m.Key) && m.Status == memory.StatusCurrent:
	case n.Free && m.Key == "" && m.Status == memory.StatusCurrent:
	case !n.PlansSince.IsZero() && plannedAt(m, n.PlansSince):
	default:
		return false
	}
	return true
}

// plannedAt reports whether m concerns plans at that instant or later.
func plannedAt(m *memory.Memory, at time.Time) bool {
	until, ok := reconcile.PlanUntil(m)
	return ok && (until.IsZero() || !until.Before(at))
}

// current lists "key=value", or the text of free memories, of what would be recalled.
func (b *book) current() string { return b.with(memory.StatusCurrent) }

func (b *book) with(status memory.Status) string {
	var out []string
	for _, m := range b.memories {
		if m.Status != status || status == memory.StatusCurrent && !m.Live(b.now) {
			continue
		}
		if m.Key == "" {
			out = append(out, m.Text)
			continue
		}
		out = append(out, strings.TrimPrefix(string(m.Key), "user.")+"="+m.Value)
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func (b *book) history(key memory.Key) string {
	var out []string
	for _, e := range ledger.History(b.records, key) {
		out = append(out, e.Value)
	}
	return strings.Join(out, ", ")
}

// only is the one memory of a book.
func (b *book) only(key memory.Key) memory.Memory {
	b.t.Helper()
	var found []memory.Memory
	for _, m := range b.memories {
		if m.Key == key && m.Status == memory.StatusCurrent {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		b.t.Fatalf("%d current memories under %q, want 1", len(found), key)
	}
	return found[0]
}

// story is a sequence of statements, decided one after the other, and what it leaves.
type story struct {
	name     string
	says     []reconcile.Statement
	current  string
	disputed string
	// key and history are what a key has been.
	key     memory.Key
	history string
	// last is what became of the last statement.
	last reconcile.Outcome
	// op and reason are the last change; empty means that there was none.
	op     ledger.Op
	reason string
}

func runStories(t *testing.T, stories []story) {
	for _, tt := range stories {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			var d reconcile.Decision
			for _, s := range tt.says {
				d = b.decide(s)
			}
			if got := b.current(); got != tt.current {
				t.Errorf("current: %s\nwant:    %s", got, tt.current)
			}
			if got := b.with(memory.StatusDisputed); got != tt.disputed {
				t.Errorf("disputed: %s\nwant:     %s", got, tt.disputed)
			}
			if got := b.history(tt.key); tt.key != "" && got != tt.history {
				t.Errorf("history: %s\nwant:    %s", got, tt.history)
			}
			if got := d.Outcomes[len(d.Outcomes)-1]; got != tt.last {
				t.Errorf("outcome is %s, want %s", got, tt.last)
			}
			var op ledger.Op
			var reason string
			if n := len(d.Changes); n > 0 {
				op, reason = d.Changes[n-1].Op, d.Changes[n-1].Reason
			}
			if op != tt.op || reason != tt.reason {
				t.Errorf("last change is %q (%s), want %q (%s)", op, reason, tt.op, tt.reason)
			}
			b.checkOneCurrent(t)
			b.checkQuestions(t)
		})
	}
}

// checkOneCurrent fails when a single-valued key has two current values, or a value stands
// under a key and its opposite.
func (b *book) checkOneCurrent(t fatal) {
	seen := map[string]memory.ID{}
	for _, m := range b.memories {
		if m.Status != memory.StatusCurrent || m.Key == "" {
			continue
		}
		f, ok := registry.Field(m.Key)
		if !ok {
			t.Fatalf("memory under the unknown key %q", m.Key)
		}
		slots := []string{string(m.Key)}
		if f.Multi {
			form := canon.Identity(m.Value, f.Class)
			slots = []string{string(m.Key) + "\x00" + form}
			if f.Opposite != "" {
				slots = append(slots, string(f.Opposite)+"\x00"+form)
			}
		}
		for _, s := range slots {
			if other, ok := seen[s]; ok {
				t.Fatalf("%q is current twice: %s and %s", s, other, m.ID)
			}
			seen[s] = m.ID
		}
	}
}
