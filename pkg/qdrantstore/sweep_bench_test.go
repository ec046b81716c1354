package qdrantstore

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// dueEach is how many memories are due for each job, in a population of any size.
const dueEach = 1000

// populate fills a store with as many memories of as many owners as have 100 each. Of every
// job, dueEach are due, spread evenly; half of the others are lasting and old.
func populate(b *testing.B, s *Store, n int) {
	b.Helper()
	states := []func(*memory.Memory){
		func(m *memory.Memory) { m.ExpiresAt, m.AccessedAt = hours(-1), hours(9) },
		func(*memory.Memory) {},
		deleted(hours(-1), "user.tea", "h"),
		func(m *memory.Memory) { deleted(hours(-1), "user.tea", "h")(m); m.Tombstone.PurgedAt = noon },
		cold,
		func(m *memory.Memory) {
			m.Status, m.Dispute = memory.StatusDisputed, &memory.Dispute{Of: id(1), Question: "q", TimeoutAt: noon}
		},
	}
	batch := index.Batch{}
	var accessed []index.Access
	for i := range n {
		scope := memory.UserScope("acme", memory.User(fmt.Sprint("user ", i/100)))
		change := func(m *memory.Memory) { m.AccessedAt, m.Lasting = hours(9), i%2 == 0 }
		if kind := i % (n / dueEach); kind < len(states) {
			change = states[kind]
		} else if kind == len(states) {
			accessed = append(accessed, access(scope, i+1, hours(10)))
		} else if i%2 == 0 {
			change = func(m *memory.Memory) { m.Lasting, m.ExpiresAt = true, hours(9) }
		}
		e := entry(scope, i+1, 1, "The user moved from Berlin to Hangzhou (杭州) and likes green tea", change)
		batch.Entries = append(batch.Entries, moved(e))
		if !inArchive(&e.Memory) {
			batch.Entries[len(batch.Entries)-1].Moved = false
		}
		if len(batch.Entries) == 500 {
			put(b, s, batch)
			batch = index.Batch{}
		}
	}
	batch.Accessed = accessed
	put(b, s, batch)
}

// BenchmarkSweep is what it costs to find what is due, per due memory, over the wire: it must
// not grow with the population. MNEMOND_BENCH_MILLION adds a million memories.
func BenchmarkSweep(b *testing.B) {
	sizes := []int{10_000, 100_000}
	if os.Getenv("MNEMOND_BENCH_MILLION") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			s := newStore(b)
			before := heap()
			populate(b, s, n)
			perMemory := float64(heap()-before) / float64(n)
			for _, job := range []index.DueJob{
				index.DueExpired, index.DueUnused, index.DueAccessed, index.DueDeleted, index.DueTombstones, index.DueArchived, index.DueQuestions,
			} {
				b.Run(string(job), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if found := sweep(b, s, index.Due{Job: job, Before: noon}, 256); len(found) != dueEach {
							b.Fatalf("%d are due, want %d", len(found), dueEach)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*dueEach), "ns/due")
					b.ReportMetric(perMemory, "B/memory")
				})
			}
		})
	}
}

// heap is what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
