package app_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reap"
)

// envLives is how many lives each of the tests below tries; default 2.
const envLives = "MNEMOND_TEST_LIVES"

// lives has several lives begin, each in a test of its own.
func lives(t *testing.T, from uint64, live func(t *testing.T, l *life)) {
	n := uint64(2)
	if v := os.Getenv(envLives); v != "" {
		if _, err := fmt.Sscan(v, &n); err != nil {
			t.Fatalf("%s: %v", envLives, err)
		}
	}
	for seed := from; seed < from+n; seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { live(t, startLife(t, seed)) })
	}
}

// TestGoneIsGone is invariant 6: whatever happens, what has expired, is suppressed, deleted,
// cold or erased is not recalled, and everything else is.
func TestGoneIsGone(t *testing.T) {
	lives(t, 600, func(t *testing.T, l *life) {
		for n := range 120 {
			l.goneIsGone(t, l.happen(t))
			if n%5 == 0 { // time has passed for the others as well
				for _, p := range l.people {
					l.goneIsGone(t, p)
				}
			}
			if t.Failed() {
				return
			}
		}
	})
}

// TestRebuildEqualsLiveThroughALife is invariant 7 for everything that can be decided: after
// each step, a rebuild gives the same in both collections, to the markers and the times of
// use.
func TestRebuildEqualsLiveThroughALife(t *testing.T) {
	lives(t, 700, func(t *testing.T, l *life) {
		for n := range 200 {
			l.happen(t)
			if n%4 > 0 {
				continue
			}
			live := l.everything(t)
			l.rebuild(t)
			differences(t, live, l.everything(t))
			if t.Failed() {
				return
			}
		}
	})
}

// TestRebuildEqualsLiveWhereMemoriesMove is invariant 7 where a memory, or a value that it
// has had, is dealt with in the archive, or is there anew.
func TestRebuildEqualsLiveWhereMemoriesMove(t *testing.T) {
	l := startLife(t, 0)
	home := func(word string) memory.ID { return l.Registry.Identity(l.people[0].scope, city, word, "") }
	say := func(content string) { l.say(t, l.people[0].thread(0), content) }
	forget := func(ids ...memory.ID) {
		if _, err := l.Curate.Forget(t.Context(), l.people[0].scope, curate.Selection{IDs: ids}); err != nil {
			t.Fatal(err)
		}
	}
	restore := func(id memory.ID) {
		if err := l.Curate.Restore(t.Context(), l.people[0].scope, id); err != nil {
			t.Fatal(err)
		}
	}
	oslo := func() memory.ID { return profile.PastIdentity(home("Oslo"), "Oslo") }
	for _, c := range []struct {
		name   string
		tenant memory.Tenant
		steps  []func()
	}{
		{"what is cold is contradicted, and nobody answers", "globex", []func(){
			func() { say("I moved to Oslo.") }, func() { l.pass(100 * 24 * time.Hour); l.reap(t, reap.JobTier) },
			func() { say("I live in Lima.") }, func() { l.pass(15 * 24 * time.Hour); l.reap(t, reap.JobQuestions) },
			func() {
				for _, m := range l.holdings(t, l.people[0].scope) {
					if m.Question != "" {
						t.Errorf("%s is in question still", m.Text)
					}
				}
			},
		}},
		{"a past value is forgotten, and past again", "globex", []func(){
			func() { say("I moved to Oslo.") }, func() { say("I moved to Lima.") }, func() { forget(oslo()) },
			func() { say("I moved to Oslo.") }, func() { say("我搬到青岛了。") },
			func() { l.pass(8 * 24 * time.Hour); l.reap(t, reap.JobPurge) }, func() { forget(oslo()) }, func() { restore(oslo()) },
			func() { forget(oslo()) }, func() { l.pass(8 * 24 * time.Hour); l.reap(t, reap.JobPurge) },
		}},
		{"what is cold is forgotten, restored, forgotten and said anew", "globex", []func(){
			func() { say("I moved to Oslo.") }, func() { l.pass(100 * 24 * time.Hour); l.reap(t, reap.JobTier) },
			func() { forget(home("Oslo")) }, func() { restore(home("Oslo")) }, func() { forget(home("Oslo")) },
			func() { say("I moved to Oslo.") },
		}},
		{"the value that took another one's place is forgotten", "globex", []func(){
			func() { say("我搬到青岛了。") }, func() { say("I moved to Oslo.") }, func() { say("Please forget what I told you about Oslo.") },
			func() { l.pass(8 * 24 * time.Hour); l.reap(t, reap.JobPurge) },
		}},
		{"a tombstone is dropped, and its change set purged of something else", fleeting, []func(){
			func() { say("I like pottery.") }, func() { say("Please forget what I told you about pottery. I like sourdough.") },
			func() { l.pass(2 * 24 * time.Hour); l.reap(t, reap.JobPurge) }, func() { l.pass(40 * 24 * time.Hour); l.reap(t, reap.JobPurge) },
			func() { forget(l.Registry.Identity(l.people[0].scope, likes, "sourdough", "")) },
			func() { l.pass(2 * 24 * time.Hour); l.reap(t, reap.JobPurge) },
			func() {
				for _, m := range l.holdings(t, l.people[0].scope) {
					if m.Tombstone.At.Before(l.clock.Now().Add(-30 * 24 * time.Hour)) {
						t.Errorf("a tombstone has come back: %+v", m)
					}
				}
			},
		}},
		{"what is cold is suppressed, said again and given back", "globex", []func(){
			func() { say("I moved to Oslo.") }, func() { l.pass(100 * 24 * time.Hour); l.reap(t, reap.JobTier) },
			func() { say("Don't mention Oslo again.") }, func() { say("I moved to Oslo.") },
			func() { l.pass(100 * 24 * time.Hour); l.reap(t, reap.JobTier) }, func() { say("You can mention Oslo again.") },
		}},
	} {
		for _, often := range []bool{false, true} {
			l.people = []*person{newPerson(c.tenant, memory.User(fmt.Sprint(c.name, often)))}
			for i, step := range c.steps {
				step()
				if often || i == len(c.steps)-1 {
					live := l.everything(t)
					l.rebuild(t)
					differences(t, live, l.everything(t))
				}
				if t.Failed() {
					t.Fatalf("%s: step %d, rebuilt before: %v", c.name, i+1, often)
				}
				l.pass(time.Hour)
			}
		}
	}
}

// everything is what the collections hold, by where it stands.
func (l *life) everything(t *testing.T) map[string]string {
	t.Helper()
	out := l.points(t)
	for _, p := range l.people {
		for _, m := range l.holdings(t, p.scope) {
			out[fmt.Sprint("memory ", m.ID, " ", m.Status)] = encoded(t, m)
		}
	}
	return out
}

// differences fails the test for what is not the same.
func differences(t *testing.T, want, got map[string]string) {
	t.Helper()
	for k, w := range want {
		if got[k] != w {
			t.Errorf("%s:\nwant %s\ngot  %s", k, w, got[k])
		}
	}
	for k, g := range got {
		if _, ok := want[k]; !ok {
			t.Errorf("%s:\nwant nothing\ngot  %s", k, g)
		}
	}
}

// TestForgottenStaysForgotten is invariant 10: what was deleted is not learnt again from what
// was said before, however that comes back, and its words are gone.
func TestForgottenStaysForgotten(t *testing.T) {
	t.Run("in every way", inEveryWay)
	lives(t, 1000, func(t *testing.T, l *life) {
		for range 120 {
			l.forgottenStays(t, l.happen(t))
			if t.Failed() {
				return
			}
		}
	})
}
