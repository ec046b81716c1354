package reap_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
)

// recalls is the traces of recalls: up to when they were deleted, by owner.
type recalls struct {
	mu    sync.Mutex
	until map[memory.Scope]time.Time
	err   error
}

func (r *recalls) Forget(_ context.Context, s memory.Scope, until time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	if r.until == nil {
		r.until = map[memory.Scope]time.Time{}
	}
	r.until[s] = until
	return nil
}

// TestAPurgeTakesTheRecallsBeforeTheDeletion: what is purged may stand in their blocks, and
// what stands in them is purged before that is noted.
func TestAPurgeTakesTheRecallsBeforeTheDeletion(t *testing.T) {
	w := newWorld(t)
	gone := w.known(t, alice, "a secret word", 20*day, nil)
	w.known(t, bob, "kept", 20*day, nil)
	w.deleted(t, gone, 8*day, time.Time{})
	sets := w.sets(t, alice)
	deleted := sets[len(sets)-1].At
	w.recalls.err = errors.New("no stream")
	if _, err := w.service().RunOnce(t.Context(), reap.JobPurge, now, nil); !errors.Is(err, w.recalls.err) {
		t.Errorf("RunOnce = %v, want the error of the traces", err)
	}
	if got := w.get(gone.ID).Tombstone; got == nil || !got.PurgedAt.IsZero() || !strings.Contains(w.state(t, alice), "secret word") {
		t.Errorf("the purge is noted, or done in part, while the traces could not be deleted: %+v", got)
	}
	w.recalls.err = nil
	w.run(t, reap.JobPurge)
	if got := w.recalls.until; len(got) != 1 || !got[alice].Equal(deleted) {
		t.Errorf("recalls are forgotten until %v, want alice's until %s", got, deleted)
	}
	if got := w.get(gone.ID).Tombstone; got == nil || !got.PurgedAt.Equal(now) {
		t.Errorf("the tombstone is %+v", got)
	}
}
