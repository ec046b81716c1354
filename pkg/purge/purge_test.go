package purge_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/purge"
	"github.com/mnemond/mnemond/pkg/reconcile"
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
	secret = []byte("a secret of the tests")
	purger = purge.Purger{Registry: registry, Secret: secret}
	start  = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
)

// life is an owner's ledger, and what it adds up to.
type life struct {
	t       testing.TB
	n       int // what was said so far
	seq     uint64
	records []ledger.Record
	// log is what was lived, for a test that fails.
	log []string
}

func (l *life) note(format string, args ...any) { l.log = append(l.log, fmt.Sprintf(format, args...)) }

func (l *life) now() time.Time { return start.AddDate(0, 0, l.n) }

func (l *life) append(c ledger.ChangeSet) {
	l.seq++
	c.V, c.Scope, c.Author = ledger.Version, scope, ledger.AuthorExtractor
	if c.At.IsZero() {
		c.At = l.now()
	}
	l.records = append(l.records, ledger.Record{Seq: l.seq, ChangeSet: c})
}

// fold is the state of every memory, past values included, as the projector makes it.
func (l *life) fold() map[memory.ID]memory.Memory {
	out := map[memory.ID]memory.Memory{}
	past := func(m memory.Memory, at time.Time) {
		m.Origin, m.ID = m.ID, profile.PastIdentity(m.ID, m.Value)
		m.Status, m.ArchivedAt, m.Question = memory.StatusSuperseded, at.UTC(), ""
		out[m.ID] = m
	}
	for _, r := range ledger.InEffect(slices.Clone(l.records)) {
		for _, c := range r.Changes {
			if c.Op == ledger.OpHistory {
				past(c.Memory, r.At)
				continue
			}
			out[c.Memory.ID] = c.Memory
			if c.Op == ledger.OpSupersede && c.Previous != nil {
				past(*c.Previous, r.At)
			}
		}
	}
	return out
}

func (l *life) memories() []memory.Memory {
	return slices.SortedFunc(maps.Values(l.fold()), func(a, b memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
}

// decide appends what is decided of an input, on everything that is known.
func (l *life) decide(in reconcile.Input) reconcile.Decision {
	in.Now, in.Scope, in.Registry, in.Secret, in.Existing = l.now(), scope, registry, secret, l.memories()
	d := reconcile.Plan(in)
	l.append(ledger.ChangeSet{
		Changes: d.Changes, QuestionOpened: d.Opened, QuestionClosed: d.Closed,
		Checkpoint: &ledger.Checkpoint{Thread: "t", Seq: uint64(1000 + l.n), Events: []ledger.EventHash{}},
	})
	return d
}

// evidence is the place of what is said next.
func (l *life) evidence(quote string) memory.Evidence {
	return memory.Evidence{
		Event: fmt.Sprintf("e%d", l.n), Seq: uint64(1000 + l.n), Thread: "t", Role: memory.RoleUser, At: l.now(), Quote: quote,
	}
}

// fact is a value under a key, or a free memory.
type fact struct {
	key   memory.Key
	value string
}

// say has facts said in one message, each in a clause of its own and with the whole as its
// quote.
func (l *life) say(relation memory.Relation, facts ...fact) {
	l.n++
	l.note("%d: say %s %v", l.n, relation, facts)
	var clauses []string
	for _, f := range facts {
		clauses = append(clauses, "it is "+f.value)
	}
	var in reconcile.Input
	for i, f := range facts {
		s := reconcile.Statement{Evidence: l.evidence(strings.Join(clauses, " and ")), Candidate: memory.Candidate{
			Kind: memory.KindProfile, Key: f.key, Value: f.value, Text: clauses[i], Language: "en", Stability: memory.Stable,
			Confidence: 1, Relation: relation,
		}}
		if f.key == "" {
			s.Kind, s.Value = memory.KindFact, ""
		}
		in.Statements = append(in.Statements, s)
	}
	l.decide(in)
}

func (l *life) ask(action memory.Action, topic memory.Topic) reconcile.Outcome {
	l.n++
	l.note("%d: %s %+v", l.n, action, topic)
	return l.decide(reconcile.Input{Requests: []reconcile.Request{{Action: action, Topic: topic, Evidence: l.evidence("")}}}).Requested[0]
}

// restore undoes a deletion, and reports whether there was one to undo.
func (l *life) restore(id memory.ID) bool {
	l.n++
	m, ok := purge.Undo(l.records, id)
	l.note("%d: restore %s %q: %v", l.n, id, m.Text, ok)
	if ok {
		d := reconcile.Restore(reconcile.Input{Now: l.now(), Scope: scope, Registry: registry, Secret: secret, Existing: l.memories()}, m)
		l.append(ledger.ChangeSet{Changes: d.Changes})
	}
	return ok
}

func (l *life) tombstones() []memory.Memory {
	return slices.DeleteFunc(l.memories(), func(m memory.Memory) bool { return m.Status != memory.StatusDeleted })
}

// purge rewrites the ledger as a reaper does: each change set is appended again, and the
// original deleted.
func (l *life) purge(due []memory.Memory) []ledger.Record {
	l.note("purge")
	changed := purger.Rewrite(l.records, due)
	for _, r := range changed {
		l.records = slices.DeleteFunc(l.records, func(o ledger.Record) bool { return o.Seq == r.Seq })
		l.append(r.ChangeSet)
	}
	return changed
}

// encoded is the ledger as it is stored.
func (l *life) encoded() string {
	var b strings.Builder
	for _, r := range l.records {
		data, err := r.Encode()
		if err != nil {
			l.t.Fatal(err)
		}
		b.Write(data)
		b.WriteByte('\n')
	}
	return b.String()
}

// difference is what differs between two states, a line each.
func difference(before, after []memory.Memory) string {
	missing := func(of, in []memory.Memory, sign string) (out string) {
		for _, m := range of {
			if !slices.ContainsFunc(in, func(o memory.Memory) bool { return reflect.DeepEqual(o, m) }) {
				out += fmt.Sprintf("%s %+v\n", sign, m)
			}
		}
		return out
	}
	return missing(before, after, "-") + missing(after, before, "+")
}

func idOf(f fact) memory.ID {
	if f.key == "" {
		return registry.Identity(scope, "", "", "it is "+f.value)
	}
	return registry.Identity(scope, f.key, f.value, "")
}

func TestRewrite(t *testing.T) {
	city, cat, dog := fact{"user.city", "Boston"}, fact{"user.pets", "cat"}, fact{"user.pets", "dog"}
	free := fact{"", "ielts that I prepare for"}
	for _, tt := range []struct {
		name string
		live func(l *life)
		gone []string
		kept []string
	}{
		{"nothing is deleted", func(l *life) { l.say("new", city, cat) }, nil, []string{"Boston", "cat"}},
		{"one of a message", func(l *life) {
			l.say("new", cat, dog)
			l.say("new", city)
			l.ask(memory.ActionForget, memory.Topic{Words: "my cat"})
		}, []string{"cat"}, []string{"dog", "Boston", "it is […] and it is dog"}},
		{"a free memory", func(l *life) {
			l.say("new", free, dog)
			l.ask(memory.ActionForget, memory.Topic{IDs: []memory.ID{idOf(free)}})
		}, []string{"ielts", "prepare"}, []string{"dog"}},
		{"every value of a key", func(l *life) {
			l.say("new", city)
			l.say("updates", fact{"user.city", "Denver"})
			l.say("updates", fact{"user.city", "Oslo"}, dog)
			l.ask(memory.ActionForget, memory.Topic{Words: "where I live"})
		}, []string{"Boston", "Denver", "Oslo"}, []string{"dog"}},
		{"one past value of a key", func(l *life) {
			l.say("new", city)
			l.say("updates", fact{"user.city", "Denver"})
			l.ask(memory.ActionForget, memory.Topic{Words: "that I live in Boston"})
		}, []string{"Boston"}, []string{"Denver"}},
		{"a past value that has come back", func(l *life) {
			l.say("new", city)
			l.say("updates", fact{"user.city", "Denver"})
			l.say("updates", city)
			l.ask(memory.ActionForget, memory.Topic{Words: "that I live in Denver"})
		}, []string{"Denver"}, []string{"Boston"}},
		{"a question", func(l *life) {
			l.say("new", city)
			l.say("new", fact{"user.city", "Denver"})
			l.ask(memory.ActionForget, memory.Topic{Words: "where I live"})
		}, []string{"Boston", "Denver"}, []string{string(memory.ClosedByDeletion)}},
		{"another question", func(l *life) {
			l.say("new", fact{"user.partner", "Anna"}, dog)
			l.say("new", fact{"user.partner", "Berta"}, cat)
			l.ask(memory.ActionForget, memory.Topic{Words: "my cat"})
		}, []string{"cat"}, []string{"Anna", "Berta", "dog"}},
		{"what was learnt anew", func(l *life) {
			l.say("new", cat, city)
			l.ask(memory.ActionForget, memory.Topic{Words: "my cat"})
			l.say("new", fact{"user.pets", "cats"}, dog)
		}, []string{"is cat "}, []string{"cats", "dog", "Boston"}},
		{"what was restored", func(l *life) {
			l.say("new", cat)
			l.say("new", dog)
			l.ask(memory.ActionForget, memory.Topic{Words: "my cat"})
			l.restore(idOf(cat))
		}, nil, []string{"cat", "dog"}},
		{"a past value that was restored, beside what replaced it in the same message", func(l *life) {
			boston := fact{"user.city", "Boston"}
			l.say("new", boston)
			l.say("updates", boston, fact{"user.city", "Oslo"})
			l.ask(memory.ActionForget, memory.Topic{IDs: []memory.ID{idOf(boston)}})
			l.say("new", boston)
			l.restore(profile.PastIdentity(idOf(boston), "Boston"))
		}, []string{"Oslo"}, []string{"Boston"}},
		{"a request not to mention it", func(l *life) {
			l.say("new", cat)
			l.ask(memory.ActionSuppress, memory.Topic{Words: "zoo"})
			l.ask(memory.ActionForget, memory.Topic{Words: "everything about me"})
		}, []string{"cat", "zoo"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := &life{t: t}
			tt.live(l)
			for _, w := range append(tt.gone, tt.kept...) {
				if !strings.Contains(l.encoded(), w) {
					t.Fatalf("%q was never in the ledger:\n%s", w, l.encoded())
				}
			}
			before := l.memories()
			changed := l.purge(l.tombstones())
			if (len(changed) > 0) != (len(tt.gone) > 0) {
				t.Errorf("%d change sets are rewritten", len(changed))
			}
			for _, r := range changed {
				if r.InPlaceOf == 0 || r.InPlaceOf != r.Seq {
					t.Errorf("the record at %d is in place of %d", r.Seq, r.InPlaceOf)
				}
			}
			for _, w := range tt.gone {
				if strings.Contains(l.encoded(), w) {
					t.Errorf("%q is left in the ledger:\n%s", w, l.encoded())
				}
			}
			for _, w := range tt.kept {
				if !strings.Contains(l.encoded(), w) {
					t.Errorf("%q is missing from the ledger:\n%s", w, l.encoded())
				}
			}
			if diff := difference(before, l.memories()); diff != "" {
				t.Errorf("it adds up to something else:\n%s", diff)
			}
		})
	}
}

// Only what is due is taken out; a deletion that has time left can still be undone.
func TestRewriteOnlyWhatIsDue(t *testing.T) {
	l := &life{t: t}
	cat, dog := fact{"user.pets", "cat"}, fact{"user.pets", "dog"}
	l.say("new", cat)
	l.say("new", dog)
	l.ask(memory.ActionForget, memory.Topic{IDs: []memory.ID{idOf(cat)}})
	first := l.tombstones()
	l.ask(memory.ActionForget, memory.Topic{IDs: []memory.ID{idOf(dog)}})
	l.purge(first)
	if s := l.encoded(); strings.Contains(s, "cat") || !strings.Contains(s, "dog") {
		t.Errorf("the ledger is\n%s", s)
	}
	if l.restore(idOf(cat)) || !l.restore(idOf(dog)) {
		t.Error("the cat can be restored, or the dog cannot")
	}
}

func TestRewriteLeavesItsInput(t *testing.T) {
	l := &life{t: t}
	l.say("new", fact{"user.pets", "cat"}, fact{"user.pets", "dog"})
	l.ask(memory.ActionForget, memory.Topic{Words: "my cat"})
	before := fmt.Sprintf("%+v", l.records) + l.encoded()
	purger.Rewrite(l.records, l.tombstones())
	if after := fmt.Sprintf("%+v", l.records) + l.encoded(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	if got := purger.Rewrite(nil, l.tombstones()); got != nil {
		t.Errorf("of nothing it makes %+v", got)
	}
}

func TestUndo(t *testing.T) {
	city, cat := fact{"user.city", "Boston"}, fact{"user.pets", "cat"}
	past := profile.PastIdentity(idOf(city), "Boston")
	l := &life{t: t}
	l.say("new", city)
	l.say("new", cat)
	l.say("updates", fact{"user.city", "Denver"})
	before := l.fold()
	if _, ok := purge.Undo(l.records, idOf(cat)); ok {
		t.Error("what is not deleted can be restored")
	}
	l.ask(memory.ActionForget, memory.Topic{Words: "everything about me"})
	for _, id := range []memory.ID{idOf(city), idOf(cat), past} {
		if got, ok := purge.Undo(l.records, id); !ok || !reflect.DeepEqual(got, before[id]) {
			t.Errorf("undone, %s is %v %+v\nwant %+v", id, ok, got, before[id])
		}
	}
	if _, ok := purge.Undo(l.records, "of nobody"); ok {
		t.Error("what never was can be restored")
	}
	l.restore(idOf(cat))
	if _, ok := purge.Undo(l.records, idOf(cat)); ok {
		t.Error("what was restored can be restored again")
	}
	if got := l.fold()[idOf(cat)]; !reflect.DeepEqual(got, before[idOf(cat)]) {
		t.Errorf("restored it is %+v\nwant %+v", got, before[idOf(cat)])
	}
}

// A side of a question is restored as the deletion left it: decided.
func TestUndoOfAQuestion(t *testing.T) {
	l := &life{t: t}
	l.say("new", fact{"user.city", "Boston"})
	l.say("new", fact{"user.city", "Denver"})
	rival := registry.DisputeIdentity(scope, "user.city", "Denver")
	l.ask(memory.ActionForget, memory.Topic{Words: "where I live"})
	current, ok := purge.Undo(l.records, idOf(fact{"user.city", ""}))
	if !ok || current.Value != "Boston" || current.Question != "" || current.Status != memory.StatusCurrent {
		t.Errorf("the current value is %+v", current)
	}
	m, ok := purge.Undo(l.records, rival)
	if !ok || m.Value != "Denver" || m.Status != memory.StatusSettled || m.Dispute.Closing != memory.ClosedByDeletion || m.Dispute.ClosedAt.IsZero() {
		t.Errorf("the rival is %+v, %+v", m, m.Dispute)
	}
}

// values are words of which each belongs to one key.
var values = []fact{
	{"user.city", "Boston"}, {"user.city", "Denver"}, {"user.city", "Oslo"}, {"user.partner", "Anna"}, {"user.partner", "Berta"},
	{"user.pets", "cat named Mimi"}, {"user.pets", "dog named Rex"}, {"user.pets", "parrot"}, {"user.likes", "tea"}, {"user.likes", "chess"},
	{"", "ielts that I prepare for"}, {"", "raining on Fridays"},
}

// live makes one step of a life.
func (l *life) live(t *rapid.T) {
	pick := func() fact { return rapid.SampledFrom(values).Draw(t, "fact") }
	relation := rapid.SampledFrom([]memory.Relation{memory.RelationNew, memory.RelationUpdates}).Draw(t, "relation")
	switch rapid.IntRange(0, 7).Draw(t, "step") {
	default:
		l.say(relation, pick())
	case 3:
		l.say(relation, pick(), pick())
	case 4, 5:
		words := rapid.SampledFrom([]string{"where I live", "my girlfriend", "my cat", "my pets", "Mimi", "what I like", "raining", "everything about me"}).Draw(t, "topic")
		l.ask(memory.ActionForget, memory.Topic{Words: words})
	case 6:
		if all := l.memories(); len(all) > 0 {
			id := rapid.SampledFrom(all).Draw(t, "memory").ID
			l.ask(rapid.SampledFrom([]memory.Action{memory.ActionForget, memory.ActionSuppress}).Draw(t, "action"), memory.Topic{IDs: []memory.ID{id}})
		}
	case 7:
		if gone := l.tombstones(); len(gone) > 0 {
			l.restore(rapid.SampledFrom(gone).Draw(t, "restored").ID)
		}
	}
}

// Whatever was lived: once what is deleted has been purged, no word of it is in the ledger
// that does not stand in the value of what is left; and the ledger adds up to the same.
func TestAPurgedLedger(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := &life{t: t}
		for range rapid.IntRange(2, 14).Draw(rt, "steps") {
			l.live(rt)
			if rapid.IntRange(0, 4).Draw(rt, "purge") > 0 {
				continue
			}
			l.check(rt)
		}
		l.check(rt)
	})
}

// check purges all that is deleted.
func (l *life) check(t *rapid.T) {
	before, progress := l.memories(), l.checkpoints()
	l.purge(l.tombstones())
	if diff := difference(before, l.memories()); diff != "" {
		t.Fatalf("after\n%s\nit adds up to something else:\n%s", strings.Join(l.log, "\n"), diff)
	}
	if got := l.checkpoints(); !reflect.DeepEqual(got, progress) {
		t.Fatalf("the checkpoints are %+v, were %+v", got, progress)
	}
	if again := purger.Rewrite(l.records, l.tombstones()); len(again) > 0 {
		t.Fatalf("purged again, %d change sets change: %+v", len(again), again)
	}
	data, err := json.Marshal(slices.DeleteFunc(before, func(m memory.Memory) bool { return m.Status == memory.StatusDeleted }))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range words {
		if strings.Contains(l.encoded(), word) && !strings.Contains(string(data), word) {
			t.Fatalf("%q is left after\n%s\nin\n%s", word, strings.Join(l.log, "\n"), l.encoded())
		}
	}
}

// words are those of the values.
var words = []string{"Boston", "Denver", "Oslo", "Anna", "Berta", "Mimi", "Rex", "parrot", "tea", "chess", "ielts", "prepare", "raining", "Fridays"}

func (l *life) checkpoints() map[uint64]ledger.Checkpoint {
	out := map[uint64]ledger.Checkpoint{}
	for _, r := range l.records {
		if r.Checkpoint != nil {
			out[r.Effective(r.Seq)] = *r.Checkpoint
		}
	}
	return out
}
