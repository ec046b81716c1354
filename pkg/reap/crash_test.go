package reap_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/retention"
)

// populate fills the world with n memories of a handful of owners, in every state that the
// jobs look for and some others, always the same.
func (w *world) populate(t failer, n int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(n)))
	owners := []memory.Scope{alice, bob, carol, memory.UserScope("third", "dave"), {Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "helper"}}}
	for i, s := range owners {
		w.asked(t, s, 20*day, ago(time.Duration(i-2)*day))
	}
	for i := range n {
		s := owners[r.IntN(len(owners))]
		said := time.Duration(r.IntN(200)) * day
		text := fmt.Sprint("fact ", i)
		switch r.IntN(7) {
		case 0:
			w.known(t, s, text, said, nil)
		case 1:
			w.known(t, s, text, said, expiring(time.Duration(r.IntN(20)-10)*day))
		case 2:
			w.known(t, s, text, said, func(m *memory.Memory) { m.Lasting = true })
		case 3:
			w.use(t, w.known(t, s, text, said, nil), time.Duration(r.IntN(150))*day)
		case 4:
			m := w.known(t, s, text, 300*day, nil)
			m.ArchivedAt = ago(time.Duration(r.IntN(300)) * day)
			w.decides(t, s, ledger.Change{Op: ledger.OpArchive, Memory: m, Reason: "unused"})
			if r.IntN(2) == 0 {
				w.use(t, m, time.Duration(r.IntN(300))*day)
			}
		case 5:
			w.deleted(t, w.known(t, s, text, 500*day, nil), time.Duration(r.IntN(20))*day, time.Time{})
		case 6:
			w.deleted(t, w.known(t, s, text, 500*day, nil), time.Duration(300+r.IntN(200))*day, ago(200*day))
		}
	}
}

// states are the owners' states.
func (w *world) states(t failer) map[memory.Scope]string {
	t.Helper()
	out := map[memory.Scope]string{}
	for _, s := range w.owners() {
		out[s] = w.state(t, s)
	}
	return out
}

// crowd is a populated world under policies of several tenants.
func crowd(t failer, n, pageSize int) *world {
	w := newWorld(t)
	w.pageSize = pageSize
	w.policies = retention.Policies{
		Default: retention.Policy{ArchiveFor: 150 * day},
		Tenants: map[memory.Tenant]retention.Policy{
			"globex": {ColdAfter: 60 * day, UndoFor: day, ExpiryGrace: 3 * day},
			"third":  {ColdAfter: retention.Never, ArchiveFor: retention.Never, TombstoneFor: 350 * day},
		},
	}
	w.populate(t, n)
	return w
}

// killed runs a job until it reaches its n-th step, as if the process died there: whatever
// it has not done by then, it does not do. It reports whether it got that far.
func (w *world) killed(t failer, job reap.Job, n int) bool {
	t.Helper()
	ctx, kill := context.WithCancel(context.Background())
	defer kill()
	w.reached = func(decide.Step) {
		if n--; n == 0 {
			kill()
		}
	}
	defer func() { w.reached = func(decide.Step) {} }()
	_, err := w.service().RunOnce(ctx, job, now, nil)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatalf("%s: %v", job, err)
	}
	return n <= 0
}

// Killed at any point, as often as it may be, a job is finished by its next run, and what
// there is in the end is what there would have been: the same memories, and the same change
// sets, none of them twice.
func TestKilledAnywhereEqualsNeverKilled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, pageSize := rapid.IntRange(10, 60).Draw(t, "memories"), rapid.IntRange(1, 12).Draw(t, "page size")
		jobs := rapid.SliceOfN(rapid.SampledFrom(reap.Jobs), 1, 4).Draw(t, "jobs")
		never, killed := crowd(t, n, pageSize), crowd(t, n, pageSize)
		for _, job := range jobs {
			never.run(t, job)
			for range rapid.IntRange(1, 3).Draw(t, "kills") {
				killed.killed(t, job, rapid.IntRange(1, 60).Draw(t, "step"))
			}
			killed.run(t, job)
			if want, got := never.states(t), killed.states(t); !reflect.DeepEqual(got, want) {
				for s := range want {
					if got[s] != want[s] {
						t.Errorf("%s: %v is\n%s\nand never killed\n%s", job, s, got[s], want[s])
					}
				}
			}
		}
	})
}

// Every point of each job is a point to die at.
func TestKilledAtEachStep(t *testing.T) {
	for _, job := range reap.Jobs {
		t.Run(string(job), func(t *testing.T) {
			want := func() map[memory.Scope]string {
				w := crowd(t, 30, 4)
				w.run(t, job)
				return w.states(t)
			}()
			for n := 1; ; n++ {
				w := crowd(t, 30, 4)
				reached := w.killed(t, job, n)
				w.run(t, job)
				if got := w.states(t); !reflect.DeepEqual(got, want) {
					t.Fatalf("killed at step %d, it ends otherwise", n)
				}
				if !reached {
					if n < 5 {
						t.Errorf("the job has %d steps only", n-1)
					}
					return
				}
			}
		})
	}
}
