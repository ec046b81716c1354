package bench_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// kept keeps what is written, or fails from the fail-th write on.
type kept struct {
	mu      sync.Mutex
	entries map[memory.ID]index.Entry
	cursors map[memory.Scope]index.Step
	writes  int
	fail    int
}

func (k *kept) Write(_ context.Context, b index.Batch) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.writes++; k.fail > 0 && k.writes >= k.fail {
		return errRefused
	}
	for _, e := range b.Entries {
		k.entries[e.Memory.ID] = e
	}
	for s, step := range b.Cursors {
		k.cursors[s] = step
	}
	return nil
}

func TestFill(t *testing.T) {
	p := population(t, 1, 30, 3000)
	k := &kept{entries: map[memory.ID]index.Entry{}, cursors: map[memory.Scope]index.Step{}}
	told := 0
	got, err := bench.Fill(t.Context(), p, k, embed.NewLexical(), func(done int) { told = max(told, done) })
	if err != nil {
		t.Fatal(err)
	}
	if got.Memories != 3000 || told != 3000 || len(k.entries) != 3000 || len(k.cursors) != 30 || k.writes < 3 {
		t.Errorf("%+v, told %d; %d entries, %d cursors in %d writes", got, told, len(k.entries), len(k.cursors), k.writes)
	}
	if got.Recallable+got.Archived+got.Expired+got.Suppressed != 3000 || got.Archived == 0 || got.Expired == 0 || got.Suppressed == 0 {
		t.Errorf("stored %+v", got)
	}
	for i := range 30 {
		step := k.cursors[p.Scope(i)]
		for _, m := range p.Of(i) {
			if e := k.entries[m.ID]; e.Memory.Text != m.Text || e.LedgerSeq != step.To || len(e.Dense) != 256 || len(e.Sparse.Indices) == 0 {
				t.Fatalf("entry %+v of owner %d at %d", e, i, step.To)
			}
		}
	}
}

func TestFillErrors(t *testing.T) {
	p := population(t, 1, 30, 3000)
	k := &kept{entries: map[memory.ID]index.Entry{}, cursors: map[memory.Scope]index.Step{}, fail: 2}
	if _, err := bench.Fill(t.Context(), p, k, embed.NewLexical(), nil); !errors.Is(err, errRefused) {
		t.Errorf("a write fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k.fail = 0
	if _, err := bench.Fill(ctx, p, k, embed.NewLexical(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cut off: %v", err)
	}
}
