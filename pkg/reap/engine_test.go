package reap_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/reap"
)

// newStore is an empty store on an engine of the test's own.
func newStore(t testing.TB) *qdrantstore.Store {
	t.Helper()
	engine := qdrantmem.New()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	c, err := qdrantstore.ConnectWith(engine.DialOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := c.Close()
		stop()
		if err := errors.Join(err, <-done); err != nil {
			t.Error(err)
		}
	})
	r, err := qdrantstore.StartRebuild(t.Context(), c, qdrantstore.Model{Name: "test", Dim: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r.Published()
}

// onEngine moves the world's memories, with the uses that its ledger does not know of, to a
// store, and the reaper with them.
func (w *world) onEngine(t *testing.T, store *qdrantstore.Store) *reap.Service {
	t.Helper()
	p := w.projector(store)
	for _, s := range w.owners() {
		if _, err := p.CatchUp(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	var uses []index.Access
	for _, p := range w.store.points {
		if p.accessed {
			uses = append(uses, index.Access{Scope: p.Memory.Scope, ID: p.Memory.ID, At: p.used})
		}
	}
	if err := store.Write(t.Context(), index.Batch{Accessed: uses}); err != nil {
		t.Fatal(err)
	}
	w.decider.Projector = p
	service := w.service()
	service.Memories = store
	return service
}

// all is everything that the store has of an owner, by id.
func all(t *testing.T, store *qdrantstore.Store, s memory.Scope) []memory.Memory {
	t.Helper()
	var out []memory.Memory
	for _, list := range []func(context.Context, memory.Scope) ([]memory.Memory, error){store.List, store.ListArchive, store.Tombstones} {
		some, err := list(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, some...)
	}
	slices.SortFunc(out, func(a, b memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// What the jobs do to the collections of the engine is what they do to the ones above, which
// answer by the words of pkg/index: the same change sets, and the same memories, each in one
// place.
func TestJobsOnTheEngine(t *testing.T) {
	want, have := crowd(t, 120, 7), crowd(t, 120, 7)
	store := newStore(t)
	service := have.onEngine(t, store)
	for _, job := range reap.Jobs {
		expected := want.run(t, job)
		report, err := service.RunOnce(t.Context(), job, now, nil)
		if err != nil {
			t.Fatal(err)
		}
		report.TookMS = expected.TookMS
		if !reflect.DeepEqual(report, expected) {
			t.Errorf("report is %+v, want %+v", report, expected)
		}
		for _, s := range have.owners() {
			if got, want := ops(have.sets(t, s)), ops(want.sets(t, s)); !slices.Equal(got, want) {
				t.Errorf("%s %v: decided %v, want %v", job, s, got, want)
			}
			if got, want := all(t, store, s), want.store.of(s); !reflect.DeepEqual(got, want) {
				t.Errorf("%s %v: there is\n%+v\nwant\n%+v", job, s, got, want)
			}
		}
	}
}

// The cost of a memory that is due depends on nothing that is not due.
func BenchmarkExpire(b *testing.B) {
	const due, owners = 1000, 100
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			store, w := newStore(b), newWorld(b)
			for i := range owners { // a ledger of their own
				w.known(b, owner(i), "known", 0, nil)
			}
			fill := func(count int, text string, f func(*memory.Memory)) {
				var entries []index.Entry
				for i := range count {
					s := owner(i % owners)
					m := memory.Memory{ID: idOf(s, fmt.Sprint(text, i)), Scope: s, Text: text, Status: memory.StatusCurrent, ConfirmedAt: now}
					f(&m)
					entries = append(entries, index.Entry{Memory: m, LedgerSeq: 1, Dense: []float32{1, 0}})
					if len(entries) < 500 && i < count-1 {
						continue
					}
					if err := store.Write(b.Context(), index.Batch{Entries: entries}); err != nil {
						b.Fatal(err)
					}
					entries = nil
				}
			}
			fill(n, "later ", expiring(-day))
			service := w.service()
			service.Memories = store
			w.decider.Projector = w.projector(store)
			for run := 0; b.Loop(); run++ {
				b.StopTimer()
				fill(due, fmt.Sprint("over ", run, " "), expiring(day))
				b.StartTimer()
				if r, err := service.RunOnce(b.Context(), reap.JobExpire, now, nil); err != nil || r.Memories != due {
					b.Fatalf("%+v, %v", r, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*due), "µs/memory")
		})
	}
}

// owner is one of the benchmark's owners.
func owner(i int) memory.Scope { return memory.UserScope("acme", memory.User(fmt.Sprint("user ", i))) }
