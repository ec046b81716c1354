package app_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/pkg/stream"
)

// fleeting is the tenant whose memories are deleted for their age within days.
const fleeting memory.Tenant = "fleeting"

// forgetful is a user of whom one thing was forgotten, in one of the ways there are.
type forgetful struct {
	name string
	ref  memory.ThreadRef
	fact fact
	// then is said before it is forgotten, elsewhere: the fact is a past value then.
	then string
	// forget has it forgotten; nil leaves that to time.
	forget func(t *testing.T, x *still, u *forgetful)
	said   event.Event
}

// selecting forgets by a selection.
func selecting(of func(*still, *forgetful) curate.Selection) func(*testing.T, *still, *forgetful) {
	return func(t *testing.T, x *still, u *forgetful) {
		t.Helper()
		out, err := x.Curate.Forget(t.Context(), u.ref.Scope(), of(x, u))
		if err != nil || len(out.Memories) == 0 {
			t.Errorf("%s: forgets %+v, %v", u.name, out, err)
		}
	}
}

var waysToForget = map[string]func(*testing.T, *still, *forgetful){
	"by topic":            selecting(func(_ *still, u *forgetful) curate.Selection { return curate.Selection{Topic: u.fact.word} }),
	"by what it contains": selecting(func(_ *still, u *forgetful) curate.Selection { return curate.Selection{Contains: u.fact.word} }),
	"by key":              selecting(func(_ *still, u *forgetful) curate.Selection { return curate.Selection{Keys: []memory.Key{u.fact.key}} }),
	"by kind": selecting(func(x *still, u *forgetful) curate.Selection {
		f, _ := x.Registry.Field(u.fact.key)
		return curate.Selection{Kinds: []memory.Kind{f.Kind}}
	}),
	"by thread":    selecting(func(_ *still, u *forgetful) curate.Selection { return curate.Selection{Thread: u.ref.Thread} }),
	"by event":     selecting(func(_ *still, u *forgetful) curate.Selection { return curate.Selection{Event: u.said.ID} }),
	"with the lot": selecting(func(*still, *forgetful) curate.Selection { return curate.Selection{All: true} }),
	"by id": selecting(func(x *still, u *forgetful) curate.Selection {
		return curate.Selection{IDs: []memory.ID{u.fact.id(x, u.ref.Scope())}}
	}),
	"in words": func(t *testing.T, x *still, u *forgetful) {
		t.Helper()
		if chinese(u.fact.word) {
			x.say(t, u.ref, "忘掉我说过的关于"+u.fact.word+"的事。")
		} else {
			x.say(t, u.ref, "Please forget what I told you about "+u.fact.word+".")
		}
	},
	"for its age": nil,
}

// forgetfuls are users for each of the ways: in both languages, of one value, a past one or
// many.
func forgetfuls() []*forgetful {
	var out []*forgetful
	add := func(way, what string, f fact, then string) {
		u := &forgetful{name: way + " " + what, fact: f, then: then, forget: waysToForget[way]}
		u.ref = memory.ThreadRef{Tenant: memory.DefaultTenant, User: memory.User(fmt.Sprintf("u%d", len(out))), Thread: "t"}
		if u.forget == nil {
			u.ref.Tenant = fleeting
		}
		out = append(out, u)
	}
	for way := range waysToForget {
		for _, f := range []fact{facts[0], facts[3], facts[11], facts[13]} {
			add(way, f.word, f, "")
		}
		add(way, "a past home", facts[11], facts[12].says)
		add(way, "以前的住处", facts[13], facts[12].says)
	}
	return out
}

// park has what the user says become a dead letter.
func (x *still) park(t testing.TB, r memory.ThreadRef, content string) {
	t.Helper()
	x.publish(t, said(r, x.clock.Now(), content))
	if err := x.Consolidate.Park(t.Context(), r, 1, "test", ""); err != nil {
		t.Fatal(err)
	}
}

// replay replays the user's first dead letter.
func (x *still) replay(t testing.TB, s memory.Scope) {
	t.Helper()
	letters, _, err := x.Dead.List(t.Context(), stream.DeadFilter{Tenant: s.Tenant, Owner: s.Owner}, 0, 1)
	if err != nil || len(letters) != 1 {
		t.Fatalf("%d dead letters, want one (%v)", len(letters), err)
	}
	if err := x.Dead.Replay(t.Context(), letters[0].Seq, x.clock.Now()); err != nil {
		t.Fatal(err)
	}
	x.consolidate(t, letters[0].Ref)
}

// comeAgain has an event come once more, long after the broker has forgotten its id.
func (x *still) comeAgain(t testing.TB, e event.Event) {
	t.Helper()
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	events.Lock()
	events.n++
	id := fmt.Sprint(e.ID, " again ", events.n)
	events.Unlock()
	_, err = x.Events.Publish(t.Context(), []stream.OutgoingEvent{{Ref: e.Ref(), EventID: id, Data: data, ReceivedAt: x.clock.Now()}})
	if err != nil {
		t.Fatal(err)
	}
	x.consolidate(t, e.Ref())
}

// inEveryWay: in whatever way something was forgotten, and in whatever way its source comes
// back, it is not learnt again; said anew it is learnt anew.
func inEveryWay(t *testing.T) {
	days := 24 * time.Hour
	x := startStill(t, stillOptions{policies: retention.Policies{
		Default: retention.Policy{TombstoneFor: retention.Never},
		Tenants: map[memory.Tenant]retention.Policy{fleeting: {WarmAfter: days, ColdAfter: days, ArchiveFor: days}},
	}})
	users := forgetfuls()
	for _, u := range users {
		u.said = x.say(t, u.ref, u.fact.says)
		if u.then != "" {
			x.say(t, memory.ThreadRef{Tenant: u.ref.Tenant, User: u.ref.User, Thread: "then"}, u.then)
		}
		for _, thread := range []memory.Thread{"parked", "parked too"} {
			x.park(t, memory.ThreadRef{Tenant: u.ref.Tenant, User: u.ref.User, Thread: thread}, u.fact.says)
		}
	}
	x.pass(time.Hour)
	for _, u := range users {
		if u.forget != nil {
			u.forget(t, x, u)
		}
	}
	for range 2 { // into the archive, and out of it
		x.pass(2 * days)
		x.reap(t, reap.JobTier, reap.JobPurge)
	}
	again := func(u *forgetful) {
		if err := x.Consolidate.Again(t.Context(), u.ref); err != nil {
			t.Fatal(err)
		}
	}
	comesAgain := func(u *forgetful) { x.comeAgain(t, u.said) }
	replayed := func(u *forgetful) { x.replay(t, u.ref.Scope()) }
	stages := []struct {
		name  string
		first func()
		each  func(*forgetful)
	}{
		{"consolidated again", nil, again}, {"a late duplicate", nil, comesAgain}, {"a dead letter", nil, replayed},
		{"a rebuild", func() { x.rebuild(t) }, again},
		{"the purge", func() { x.pass(8 * days); x.reap(t, reap.JobPurge) }, again},
		{"a late duplicate after the purge", nil, comesAgain}, {"a dead letter after the purge", nil, replayed},
		{"a rebuild after the purge", func() { x.rebuild(t) }, again},
	}
	for _, s := range stages {
		if s.first != nil {
			s.first()
		}
		for _, u := range users {
			s.each(u)
			for _, m := range x.holdings(t, u.ref.Scope()) {
				if strings.Contains(encoded(t, m), u.fact.word) {
					t.Errorf("%s: %s brings it back: %s", u.name, s.name, encoded(t, m))
				}
			}
		}
	}
	for _, u := range users {
		err := x.Log.Read(t.Context(), u.ref.Scope(), 0, math.MaxUint64, func(seq uint64, _ time.Time, data []byte) error {
			if strings.Contains(string(data), u.fact.word) {
				t.Errorf("%s: after the purge it is in the ledger at %d: %s", u.name, seq, data)
			}
			return nil
		})
		must(t, err)
	}
	x.pass(days)
	for _, u := range users {
		x.say(t, u.ref, u.fact.says)
		if got := x.ask(t, u.ref.Scope(), u.fact.asks, false); len(got) != 1 || got[0].Value != u.fact.word {
			t.Errorf("%s: said anew, %+v is recalled", u.name, got)
		}
	}
}

// TestWhatIsInQuestionStaysUntilItIsAnswered: time deletes neither side of an open question,
// which holds the words of both.
func TestWhatIsInQuestionStaysUntilItIsAnswered(t *testing.T) {
	days := 24 * time.Hour
	x := startStill(t, stillOptions{policies: retention.Policies{
		Default: retention.Policy{WarmAfter: days, ColdAfter: days, ArchiveFor: days},
	}})
	r := memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}
	x.say(t, r, "I moved to Oslo.")
	x.pass(2 * days)
	x.reap(t, reap.JobTier)
	x.say(t, r, "I live in Lima.")
	x.pass(2 * days)
	x.reap(t, reap.JobTier, reap.JobPurge)
	open, err := x.Curate.Pending(t.Context(), r.Scope())
	if err != nil || len(open) != 1 {
		t.Fatalf("%d open questions, want one (%v)", len(open), err)
	}
	if _, err := x.Curate.Answer(t.Context(), r.Scope(), open[0].ID, memory.DecisionKeep, ""); err != nil {
		t.Error(err)
	}
	if got := x.ask(t, r.Scope(), "Do I live in Oslo?", true); len(got) != 1 || got[0].Value != "Oslo" {
		t.Errorf("kept is %+v, want Oslo", got)
	}
}
