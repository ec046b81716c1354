package reconcile_test

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

func TestEndings(t *testing.T) {
	const pets, job = memory.Key("user.pets"), memory.Key("user.employer")
	cat := memory.Target{Key: pets, Value: "猫"}
	runStories(t, []story{
		{
			name: "after", says: says(say(1, pets, "猫，叫咪咪"), ends(2, "我家猫去世了", cat)),
			current: "我家猫去世了", key: pets, history: "猫，叫咪咪",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "after, by the animal", says: says(say(1, pets, "cat named Mimi"), ends(2, "my cat died", memory.Target{Key: pets, Value: "cat"})),
			current: "my cat died", key: pets, history: "cat named Mimi",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "after, in the plural", says: says(say(1, pets, "two cats"), ends(2, "I gave my cats away", memory.Target{Key: pets, Value: "cats"})),
			current: "I gave my cats away", key: pets, history: "two cats",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "after, in the other language", says: says(say(1, pets, "cat named Mimi"), ends(2, "我家猫去世了", cat)),
			current: "我家猫去世了", key: pets, history: "cat named Mimi",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "after, by name", says: says(say(1, pets, "cat named Mimi"), ends(2, "Mimi died", memory.Target{Key: pets, Value: "Mimi", Must: true})),
			current: "Mimi died", key: pets, history: "cat named Mimi",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "decided before what it ends", says: says(ends(2, "我家猫去世了", cat), say(1, pets, "猫，叫咪咪")),
			current: "我家猫去世了", key: pets, history: "猫，叫咪咪",
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "said before a later statement, and decided late", says: says(say(1, job, "Acme"), say(3, job, "Acme"), ends(2, "I quit my job", memory.Target{Key: job})),
			current: "I quit my job; employer=Acme", key: job, history: "Acme",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "does not come back by what was said before", says: says(say(1, job, "Acme"), ends(3, "I quit my job", memory.Target{Key: job}), say(2, job, "Initech")),
			current: "I quit my job", key: job, history: "Acme, Initech",
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "comes back by what is said after", says: says(say(1, job, "Acme"), ends(2, "I quit my job", memory.Target{Key: job}), say(3, job, "Acme")),
			current: "I quit my job; employer=Acme", key: job, history: "Acme",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonSaidAgain,
		},
		{
			name: "a new value after it", says: says(say(1, job, "Acme"), ends(2, "I quit my job", memory.Target{Key: job}), say(3, job, "Initech")),
			current: "I quit my job; employer=Initech", key: job, history: "Acme, Initech",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "of another value", says: says(say(1, job, "Initech"), ends(2, "I left Acme", memory.Target{Key: job, Value: "Acme"})),
			current: "I left Acme; employer=Initech", key: job, history: "Initech",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "several fit: none", says: says(say(1, pets, "cat named Mimi"), say(1, pets, "cat named Kiki"), ends(2, "my cat died", memory.Target{Key: pets, Value: "cat"})),
			current: "my cat died; pets=cat named Kiki; pets=cat named Mimi",
			last:    reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "several fit, one exactly", says: says(say(1, pets, "cat"), say(1, pets, "cat named Kiki"), ends(2, "my cat died", memory.Target{Key: pets, Value: "cat"})),
			current: "my cat died; pets=cat named Kiki",
			last:    reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "a part of a word is no name", says: says(say(1, pets, "caterpillar"), ends(2, "my cat died", memory.Target{Key: pets, Value: "cat"})),
			current: "my cat died; pets=caterpillar",
			last:    reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "Must, and there is none", says: says(say(1, pets, "cat named Kiki"), ends(2, "Mimi died", memory.Target{Key: pets, Value: "Mimi", Must: true})),
			current: "pets=cat named Kiki", last: reconcile.NoTarget,
		},
		{
			name: "必须有对象，而没有", says: says(ends(2, "咪咪走了", memory.Target{Key: pets, Value: "咪咪", Must: true})),
			last: reconcile.NoTarget,
		},
		{
			name: "Must, and it was said later", says: says(say(5, pets, "cat named Mimi"), ends(2, "Mimi died", memory.Target{Key: pets, Value: "Mimi", Must: true})),
			current: "pets=cat named Mimi", last: reconcile.NoTarget,
		},
		{
			name: "the same evidence again", says: says(say(1, pets, "cat"), ends(2, "my cat died", memory.Target{Key: pets, Value: "cat"}), ends(2, "my cat died", memory.Target{Key: pets, Value: "cat"})),
			current: "my cat died", last: reconcile.Unchanged,
		},
		{
			name: "said again", says: says(say(1, pets, "cat"), ends(2, "my cat died", memory.Target{Key: pets, Value: "cat"}), ends(3, "my cat died", memory.Target{Key: pets, Value: "cat"})),
			current: "my cat died", last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "said again after another one came", says: says(say(1, pets, "cat"), ends(2, "my cat died", memory.Target{Key: pets, Value: "cat"}),
				say(3, pets, "cat"), ends(4, "my cat died", memory.Target{Key: pets, Value: "cat"})),
			current: "my cat died", last: reconcile.Remembered, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "with the key and value on the statement itself",
			says: says(say(1, job, "Acme"), func() reconcile.Statement {
				s := ends(2, "I left Acme", memory.Target{})
				s.Key, s.Value, s.Target = job, "Acme", nil
				return s
			}()),
			current: "I left Acme", key: job, history: "Acme",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "without any target it is a free memory", says: says(func() reconcile.Statement {
				s := ends(2, "it is over", memory.Target{})
				s.Target = nil
				return s
			}()),
			current: "it is over", last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "an ending ends no ending", says: says(say(1, pets, "cat"), ends(2, "my cat died", memory.Target{Key: pets, Value: "cat"}),
				cancels(3, "the cat show is off", "cat")),
			current: "my cat died", last: reconcile.Remembered, op: ledger.OpEnd, reason: reconcile.ReasonNew,
		},
	})
}

// "I gave up tennis for squash" is about two values of a key with many.
func TestReplacedUnderAnotherIdentity(t *testing.T) {
	const hobbies = memory.Key("user.hobbies")
	swap := marked(2, hobbies, "squash")
	swap.Text = "I gave up tennis for squash"
	swap.Target = &memory.Target{Key: hobbies, Value: "tennis"}
	runStories(t, []story{
		{
			name: "in order", says: says(say(1, hobbies, "tennis"), swap), current: "hobbies=squash", key: hobbies, history: "tennis, squash",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "out of order", says: says(swap, say(1, hobbies, "tennis")), current: "hobbies=squash", key: hobbies, history: "tennis, squash",
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "taken up again", says: says(swap, say(3, hobbies, "tennis")), current: "hobbies=squash; hobbies=tennis",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "the new one was known", says: says(say(0, hobbies, "squash"), say(1, hobbies, "tennis"), swap), current: "hobbies=squash",
			last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "again", says: says(say(1, hobbies, "tennis"), swap, swap), current: "hobbies=squash", last: reconcile.Unchanged,
		},
		{
			name: "of another key", says: says(say(1, "user.occupation", "nurse"), say(1, "user.employer", "Acme"), func() reconcile.Statement {
				s := marked(2, "user.employer", "Initech")
				s.Target = &memory.Target{Key: "user.occupation", Value: "nurse"}
				return s
			}()),
			current: "employer=Initech", last: reconcile.Remembered, op: ledger.OpSupersede, reason: reconcile.ReasonChanged,
		},
	})
}

// TestFullerValue: "my cat Mimi" takes the place of the cat without a name, and of no other
// cat; and what says more ends nothing by itself.
func TestFullerValue(t *testing.T) {
	const pets = memory.Key("user.pets")
	mimi := marked(2, pets, "cat named Mimi")
	mimi.Target = &memory.Target{Key: pets, Value: "cat"}
	runStories(t, []story{
		{
			name: "of the one without a name", says: says(say(1, pets, "cat"), mimi), current: "pets=cat named Mimi",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "beside another", says: says(say(1, pets, "cat named Tom"), mimi), current: "pets=cat named Mimi; pets=cat named Tom",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "of none", says: says(mimi), current: "pets=cat named Mimi", last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
	})
}

func TestPlans(t *testing.T) {
	trip := plan(1, "I'm flying to Shenzhen on Friday", 60)
	moved := moves(2, "the Shenzhen trip is now on the 20th", 70, "Shenzhen")
	again := moves(3, "Shenzhen got moved to the 25th", 75, "Shenzhen")
	off := cancels(4, "the Shenzhen trip is cancelled", "Shenzhen")
	runStories(t, []story{
		{
			name: "moved", says: says(trip, moved), current: moved.Text,
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "moved, decided out of order", says: says(moved, trip), current: moved.Text,
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "moved twice", says: says(trip, moved, again), current: again.Text,
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "moved twice, decided backwards", says: says(again, moved, trip), current: again.Text,
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "moved twice, the middle one last", says: says(trip, again, moved), current: again.Text,
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "cancelled", says: says(trip, off), last: reconcile.Remembered, op: ledger.OpEnd, reason: reconcile.ReasonNew,
		},
		{
			name: "取消", says: says(plan(1, "我下周三去深圳开会", 60), cancels(2, "深圳的会取消了", "深圳")),
			last: reconcile.Remembered, op: ledger.OpEnd, reason: reconcile.ReasonNew,
		},
		{
			name: "改期", says: says(plan(1, "我下周三去深圳开会", 60), moves(2, "深圳的会改到下周五了", 62, "深圳")), current: "深圳的会改到下周五了",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "cancelled, decided out of order", says: says(off, trip), last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "moved and cancelled", says: says(trip, moved, off), last: reconcile.Remembered, op: ledger.OpEnd, reason: reconcile.ReasonNew,
		},
		{
			name: "moved and cancelled, decided backwards", says: says(off, moved, trip), last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "planned anew after it was cancelled", says: says(trip, off, plan(5, "Shenzhen is on again, on Monday", 80)), current: "Shenzhen is on again, on Monday",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "a long cancelled plan that is cancelled again in the same words, decided late",
			says: says(off, cancels(2, off.Text, "Shenzhen"), plan(3, "Shenzhen on Monday", 80)),
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "planned anew, cancelled anew", says: says(trip, off, plan(5, "Shenzhen on Monday", 80), cancels(6, off.Text, "Shenzhen")),
			last: reconcile.Remembered, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "a cancellation that is not marked as transient is nothing to recall either",
			says: says(trip, ends(4, "I won't go to Shenzhen after all", memory.Target{Value: "Shenzhen", Plan: true})),
			last: reconcile.Remembered, op: ledger.OpEnd, reason: reconcile.ReasonNew,
		},
		{
			name: "another plan stays", says: says(trip, plan(1, "dentist on Monday", 60), off), current: "dentist on Monday",
			last: reconcile.Remembered, op: ledger.OpEnd, reason: reconcile.ReasonNew,
		},
		{
			name: "several plans fit: none", says: says(trip, plan(1, "the Shenzhen fair opens on Monday", 60), off),
			current: trip.Text + "; the Shenzhen fair opens on Monday",
			last:    reconcile.Remembered, op: ledger.OpEnd, reason: reconcile.ReasonNew,
		},
		{
			name: "a fact is no plan", says: says(tell(1, "I was in Shenzhen last year"), off), current: "I was in Shenzhen last year",
			last: reconcile.Remembered, op: ledger.OpEnd, reason: reconcile.ReasonNew,
		},
		{
			name: "moved back in the same words", says: says(moves(1, "dentist moved to Monday", 70, "dentist"), moves(2, "dentist is now on Tuesday", 71, "dentist"),
				moves(3, "dentist moved to Monday", 77, "dentist")),
			current: "dentist moved to Monday", last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonSaidAgain,
		},
		{
			name: "the same again", says: says(trip, moved, trip), current: moved.Text, last: reconcile.Unchanged,
		},
	})
}

func TestFreeMemories(t *testing.T) {
	expired := plan(1, "I have a dentist appointment on Friday", 5)
	runStories(t, []story{
		{
			name: "said again", says: says(tell(1, "I'm training for a marathon"), tell(2, "I'm still training for a marathon")),
			current: "I'm training for a marathon", last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "又说了一遍", says: says(tell(1, "我在备考雅思"), tell(2, "我还在备考雅思")),
			current: "我在备考雅思", last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "another", says: says(tell(1, "我考过了CPA"), tell(2, "我跑了马拉松")),
			current: "我考过了CPA; 我跑了马拉松", last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "an expired plan, planned anew in the same words", says: says(expired, plan(40, expired.Text, 60)),
			current: expired.Text, last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonSaidAgain,
		},
		{
			name: "a live plan, in the same words with a later date", says: says(plan(1, "dentist on Friday", 60), plan(8, "dentist on Friday", 67)),
			current: "dentist on Friday", last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "an expired plan, decided once more", says: says(expired, expired), last: reconcile.Unchanged,
		},
	})
}

func TestEndedMemoryRestsOnItsEnding(t *testing.T) {
	b := newBook(t)
	b.hear(say(1, "user.pets", "cat"))
	d := b.decide(ends(2, "my cat died", memory.Target{Key: "user.pets", Value: "cat"}))
	if len(d.Changes) != 2 || d.Changes[0].Op != ledger.OpEnd || d.Changes[0].Reason != reconcile.ReasonEnded {
		t.Fatalf("changes are %+v", d.Changes)
	}
	m, p := d.Changes[0].Memory, d.Changes[0].Previous
	if m.Status != memory.StatusEnded || m.LastEvidence().Quote != "my cat died" || m.Value != "cat" {
		t.Errorf("ended memory is %+v", m)
	}
	if p == nil || p.Status != memory.StatusCurrent || len(p.Evidence) != 1 {
		t.Errorf("previous is %+v", p)
	}
	note := d.Changes[1].Memory
	if note.Key != "" || note.About != "user.pets" || note.Ends == nil || note.Ends.Value != "cat" {
		t.Errorf("the ending is %+v", note)
	}
}
