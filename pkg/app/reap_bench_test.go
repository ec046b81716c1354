package app_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/pkg/stream"
)

// What is due for a job, in a population of any size: so many memories of as many owners as
// have ten each.
const (
	benchDue      = 1000
	benchDueEach  = 10
	benchDueOwner = benchDue / benchDueEach
)

const benchDay = 24 * time.Hour

// reapStand is an installation whose memories, of which nothing is due, are in the
// collections alone: the jobs never come to them.
type reapStand struct {
	*still
	secret []byte
	// batches counts what was made due.
	batches int
}

func startReapStand(b *testing.B, population int) *reapStand {
	b.Helper()
	x := &reapStand{still: startStill(b, stillOptions{policies: retention.Policies{
		Default: retention.Policy{ArchiveFor: 365 * benchDay},
	}})}
	x.secret = x.Curate.Secret
	x.pass(1000 * benchDay)
	now := x.clock.Now()
	dense := make([]float32, 256)
	dense[0] = 1
	var entries []index.Entry
	for i := range population {
		s := memory.UserScope("acme", memory.User(fmt.Sprintf("owner %d", i/100)))
		m := x.remembered(s, fmt.Sprint("fact ", i), now)
		switch i % 8 {
		case 0, 1:
			m.ExpiresAt = now.Add(benchDay)
		case 2, 3:
			m.Lasting, m.CreatedAt, m.ConfirmedAt = true, now.Add(-900*benchDay), now.Add(-900*benchDay)
		case 4:
			m.ArchivedAt = now.Add(-benchDay)
		case 5:
			m = x.buried(m, now.Add(-benchDay), time.Time{})
		case 6:
			m = x.buried(m, now.Add(-100*benchDay), now)
		}
		if entries = append(entries, index.Entry{Memory: m, LedgerSeq: 1, Dense: dense}); len(entries) == 500 || i == population-1 {
			must(b, x.Store.Write(b.Context(), index.Batch{Entries: entries}))
			entries = entries[:0]
		}
	}
	return x
}

// remembered is a free memory of what was said at a time.
func (x *reapStand) remembered(s memory.Scope, text string, at time.Time) memory.Memory {
	return memory.Memory{
		ID: x.Registry.Identity(s, "", "", text), Scope: s, Kind: memory.KindFact, Text: text, Language: "en",
		Stability: memory.Stable, Status: memory.StatusCurrent, SaidAt: at, CreatedAt: at, ConfirmedAt: at, Confidence: 1,
		Evidence: []memory.Evidence{{Event: "e", Thread: "t", Role: memory.RoleUser, At: at, Quote: text}},
	}
}

// buried is the tombstone of m.
func (x *reapStand) buried(m memory.Memory, at, purged time.Time) memory.Memory {
	t := reconcile.Tombstone(x.Registry, x.secret, &m, memory.Evidence{At: at}, nil)
	t.Tombstone.PurgedAt = purged
	return t
}

// decide appends what each change set of an owner makes of their memories, and projects it.
func (x *reapStand) decide(b *testing.B, sets ...func(m memory.Memory) ledger.ChangeSet) {
	b.Helper()
	x.batches++
	long := x.clock.Now().Add(-600 * benchDay)
	heads := make([]uint64, benchDueOwner)
	for _, set := range sets {
		entries := make([]stream.LogEntry, benchDueOwner)
		for i := range entries {
			s := memory.UserScope("acme", memory.User(fmt.Sprintf("owner %d-%d", x.batches, i)))
			c := ledger.ChangeSet{V: ledger.Version, At: long, Author: ledger.AuthorExtractor, Scope: s}
			for n := range benchDueEach {
				one := set(x.remembered(s, fmt.Sprint("due ", n), long))
				c.Changes = append(c.Changes, one.Changes...)
				c.QuestionOpened = append(c.QuestionOpened, one.QuestionOpened...)
			}
			data, err := c.Encode()
			must(b, err)
			entries[i] = stream.LogEntry{Scope: s, Expect: heads[i], Data: data}
		}
		var err error
		heads, err = x.Log.AppendAll(b.Context(), entries)
		must(b, err)
	}
	for i := range heads {
		_, err := x.Projector.CatchUp(b.Context(), memory.UserScope("acme", memory.User(fmt.Sprintf("owner %d-%d", x.batches, i))))
		must(b, err)
	}
}

// changes is a change set that takes a memory as f leaves it.
func changes(op ledger.Op, f func(*memory.Memory)) func(memory.Memory) ledger.ChangeSet {
	return func(m memory.Memory) ledger.ChangeSet {
		f(&m)
		return ledger.ChangeSet{Changes: []ledger.Change{{Op: op, Memory: m, Reason: "bench"}}}
	}
}

// asked is a memory in question, and its rival.
func (x *reapStand) asked(m memory.Memory) ledger.ChangeSet {
	now := x.clock.Now()
	m.CreatedAt, m.ConfirmedAt = now, now
	rival := m
	rival.ID = x.Registry.Identity(m.Scope, "", "", "rival of "+m.Text)
	q := memory.Question{
		ID: x.Registry.Identity(m.Scope, "", "", "question of "+m.Text), Scope: m.Scope, Status: memory.QuestionOpen,
		Current:  memory.Side{Memory: m.ID, Text: m.Text, SaidAt: m.SaidAt},
		Rivals:   []memory.Side{{Memory: rival.ID, Text: rival.Text, SaidAt: m.SaidAt}},
		OpenedAt: now.Add(-15 * benchDay), TimeoutAt: now, Default: memory.DecisionKeep,
	}
	m.Question = q.ID
	rival.Status = memory.StatusDisputed
	rival.Dispute = &memory.Dispute{Of: m.ID, Question: q.ID, OpenedAt: q.OpenedAt, TimeoutAt: q.TimeoutAt}
	return ledger.ChangeSet{
		Changes:        []ledger.Change{{Op: ledger.OpAdd, Memory: m, Reason: "bench"}, {Op: ledger.OpDispute, Memory: rival, Reason: "bench"}},
		QuestionOpened: []memory.Question{q},
	}
}

// dues makes benchDue memories due for one of the things that a job looks for.
func (x *reapStand) dues() []struct {
	name string
	job  reap.Job
	make func(*testing.B)
} {
	now := x.clock.Now()
	add := func(f func(*memory.Memory)) func(memory.Memory) ledger.ChangeSet { return changes(ledger.OpAdd, f) }
	fresh := func(m *memory.Memory) { m.CreatedAt, m.ConfirmedAt = now, now }
	return []struct {
		name string
		job  reap.Job
		make func(*testing.B)
	}{
		{"expire", reap.JobExpire, func(b *testing.B) {
			x.decide(b, add(func(m *memory.Memory) { fresh(m); m.ExpiresAt = now.Add(-time.Hour) }))
		}},
		{"tier/unused", reap.JobTier, func(b *testing.B) { x.decide(b, add(func(*memory.Memory) {})) }},
		{"tier/used", reap.JobTier, func(b *testing.B) {
			var uses []index.Access
			x.decide(b, add(func(m *memory.Memory) {
				fresh(m)
				uses = append(uses, index.Access{Scope: m.Scope, ID: m.ID, At: now.Add(time.Minute)})
			}))
			must(b, x.Store.Write(b.Context(), index.Batch{Accessed: uses}))
		}},
		{"purge/archived", reap.JobPurge, func(b *testing.B) {
			x.decide(b, add(func(m *memory.Memory) { m.ArchivedAt = now.Add(-366 * benchDay) }))
		}},
		{"purge/deleted", reap.JobPurge, func(b *testing.B) {
			x.decide(b, add(func(*memory.Memory) {}), changes(ledger.OpDelete, func(m *memory.Memory) {
				*m = x.buried(*m, now.Add(-8*benchDay), time.Time{})
			}))
		}},
		{"purge/tombstones", reap.JobPurge, func(b *testing.B) {
			x.decide(b, changes(ledger.OpDelete, func(m *memory.Memory) { *m = x.buried(*m, now.Add(-401*benchDay), now) }))
		}},
		{"questions", reap.JobQuestions, func(b *testing.B) { x.decide(b, x.asked) }},
	}
}

// BenchmarkReap is what each job costs for each memory that is due, among as many of which
// nothing is: it must not grow with these. MNEMOND_BENCH_MILLION adds a million.
func BenchmarkReap(b *testing.B) {
	sizes := []int{10_000, 100_000}
	if os.Getenv("MNEMOND_BENCH_MILLION") != "" {
		sizes = append(sizes, 1_000_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			x := startReapStand(b, n)
			for _, due := range x.dues() {
				b.Run(due.name, func(b *testing.B) {
					cpu := time.Duration(0)
					for b.Loop() {
						b.StopTimer()
						due.make(b)
						before := cpuTime()
						b.StartTimer()
						report, err := x.Reap.RunOnce(context.WithoutCancel(b.Context()), due.job, x.clock.Now(), nil)
						if err != nil || report.Memories < benchDue || report.Skipped > 0 {
							b.Fatalf("%+v, %v, want %d memories", report, err, benchDue)
						}
						b.StopTimer()
						cpu += cpuTime() - before
						b.StartTimer()
					}
					b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*benchDue), "µs/memory")
					b.ReportMetric(float64(cpu.Microseconds())/float64(b.N*benchDue), "cpu-µs/memory")
				})
			}
		})
	}
}
