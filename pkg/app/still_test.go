package app_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/pkg/sim"
)

// still is a real stack on a simulated clock in which nothing is decided but when a test
// says so: only the logs take what comes, and uses of memories are noted.
type still struct {
	*app.Stack
	clock   *sim.Clock
	backend *app.Backend
	dir     string
	// close stops everything; at the end of the test at the latest.
	close func(t testing.TB)
}

// stillOptions are what tests choose about it.
type stillOptions struct {
	policies retention.Policies
	reached  func(decide.Step)
	// backend is one that is open already; nil opens an embedded one in dir, by default a
	// temporary folder.
	backend *app.Backend
	dir     string
	clock   *sim.Clock
	// busy has everything run, as in one process of an installation. Timers wait for long.
	busy bool
}

func startStill(t testing.TB, o stillOptions) *still {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	x := &still{clock: o.clock, backend: o.backend, dir: o.dir}
	if x.clock == nil {
		x.clock = &sim.Clock{}
		x.clock.Advance(day)
	}
	if x.dir == "" {
		x.dir = t.TempDir()
	}
	var err error
	if x.backend == nil {
		if x.backend, err = app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: x.dir}, log); err != nil {
			t.Fatal(err)
		}
	}
	c := app.DefaultConfig()
	c.Stream.Duplicates = sim.Duplicates
	c.Recalls.Interval = time.Millisecond
	c.Retention.Policies = o.policies
	c.Timers = never
	if x.Stack, err = app.NewStack(t.Context(), x.backend, c, app.Options{Now: x.clock.Now, Logger: log, Reached: o.reached}); err != nil {
		t.Fatal(errors.Join(err, x.backend.Close()))
	}
	runs := []func(context.Context) error{x.Events.Run, x.Recalls.Run, x.NoteUses}
	if o.busy {
		l, err := net.Listen("tcp", anywhere)
		if err != nil {
			t.Fatal(errors.Join(err, x.backend.Close()))
		}
		runs = []func(context.Context) error{func(ctx context.Context) error { return x.RunAll(ctx, l) }}
	}
	x.run(t, runs)
	return x
}

// run has the runs go on until the end.
func (x *still) run(t testing.TB, runs []func(context.Context) error) {
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, len(runs))
	for _, run := range runs {
		go func() { done <- run(ctx) }()
	}
	var once sync.Once
	x.close = func(t testing.TB) {
		once.Do(func() {
			stop()
			errs := make([]error, len(runs))
			for i := range errs {
				errs[i] = <-done
			}
			if err := errors.Join(append(errs, x.backend.Close())...); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() { x.close(t) })
}

// pass lets time go by.
func (x *still) pass(d time.Duration) { x.clock.Advance(x.clock.Now().Add(d)) }

// publish has the edge take an event.
func (x *still) publish(t testing.TB, e event.Event) uint64 {
	t.Helper()
	raw, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := x.Ingest.Accept(t.Context(), [][]byte{raw}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return accepted[0].Seq
}

// consolidate brings a thread up to its head.
func (x *still) consolidate(t testing.TB, r memory.ThreadRef) {
	t.Helper()
	if err := x.Consolidate.Thread(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

// say has a user say something now, and has it consolidated.
func (x *still) say(t testing.TB, r memory.ThreadRef, content string) event.Event {
	t.Helper()
	e := said(r, x.clock.Now(), content)
	x.publish(t, e)
	x.consolidate(t, r)
	return e
}

// reap does a job of the reaper.
func (x *still) reap(t testing.TB, jobs ...reap.Job) {
	t.Helper()
	for _, job := range jobs {
		if _, err := x.Reap.RunOnce(t.Context(), job, x.clock.Now(), nil); err != nil {
			t.Fatal(err)
		}
	}
}

func (x *still) rebuild(t testing.TB) {
	t.Helper()
	if _, err := x.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// usedTimeout bounds the wait for a use to be noted.
const usedTimeout = 20 * time.Second

// ask recalls, and waits until the use of what was handed out is noted.
func (x *still) ask(t testing.TB, s memory.Scope, query string, archive bool) []recall.Result {
	t.Helper()
	answer, err := x.Recall.Recall(t.Context(), recall.Request{
		Tenant: s.Tenant, User: memory.User(s.Owner.ID), Query: query, Limit: recall.MaxLimit, IncludeArchive: archive,
	})
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]memory.ID, len(answer.Memories))
	for i, m := range answer.Memories {
		ids[i] = m.ID
	}
	now := x.clock.Now()
	ctx, cancel := context.WithTimeout(t.Context(), usedTimeout)
	defer cancel()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		found, err := x.Store.Get(ctx, s, ids)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(found, func(m memory.Memory) bool { return m.UsedAt().Before(now) || !m.ArchivedAt.IsZero() }) {
			// What has come back may not have been projected to its end.
			if _, err := x.Projector.CatchUp(ctx, s); err != nil {
				t.Fatal(err)
			}
			return answer.Memories
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("the use of memories was not noted within %s", usedTimeout)
		}
	}
}

// holdings are all memories of an owner, wherever they stand, and the tombstones.
func (x *still) holdings(t testing.TB, s memory.Scope) []memory.Memory {
	t.Helper()
	var out []memory.Memory
	for _, list := range []func(context.Context, memory.Scope) ([]memory.Memory, error){
		x.Store.List, x.Store.ListArchive, x.Store.Tombstones,
	} {
		some, err := list(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, some...)
	}
	return out
}

// points are everything in both collections: markers, cursors and checkpoints as well, each
// with its fields and vectors, but for the memory itself, which holdings has: the use of one
// may stand in it or beside it. Of a marker, which change set made it is left out, and of one
// in the archive, where nothing is looked for by it, all that it says of its memory.
func (x *still) points(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, collection := range []string{qdrantstore.Alias, qdrantstore.ArchiveAlias} {
		for _, p := range x.scroll(t, collection) {
			fields := p.GetPayload()
			delete(fields, "memory")
			if fields["type"].GetStringValue() == "marker" {
				delete(fields, "ledger_seq")
				if collection == qdrantstore.ArchiveAlias {
					delete(fields, "status")
					delete(fields, "asked")
					delete(fields, "suppressed")
				}
			}
			out[collection+" "+p.GetId().GetUuid()] = fmt.Sprint(p)
		}
	}
	return out
}

// scroll is everything in a collection.
func (x *still) scroll(t testing.TB, collection string) []*qdrant.RetrievedPoint {
	t.Helper()
	var out []*qdrant.RetrievedPoint
	var offset *qdrant.PointId
	for more := true; more; more = offset != nil {
		points, next, err := x.backend.Qdrant.ScrollAndOffset(t.Context(), &qdrant.ScrollPoints{
			CollectionName: collection, Offset: offset, Limit: qdrant.PtrOf(uint32(1000)),
			WithPayload: qdrant.NewWithPayload(true), WithVectors: qdrant.NewWithVectors(true),
		})
		if err != nil {
			t.Fatal(err)
		}
		out, offset = append(out, points...), next
	}
	return out
}
