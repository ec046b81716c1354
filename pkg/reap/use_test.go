package reap_test

import (
	"errors"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
)

// archived is a memory that has been in the archive for that long.
func (w *world) archived(t failer, s memory.Scope, text string, since time.Duration, f func(*memory.Memory)) memory.Memory {
	t.Helper()
	m := w.known(t, s, text, since+100*day, f)
	m.ArchivedAt = ago(since)
	w.decides(t, s, ledger.Change{Op: ledger.OpArchive, Memory: m, Reason: "unused"})
	return m
}

func used(at time.Duration, memories ...memory.Memory) []index.Access {
	var out []index.Access
	for _, m := range memories {
		out = append(out, index.Access{Scope: m.Scope, ID: m.ID, At: ago(at)})
	}
	return out
}

func TestUse(t *testing.T) {
	w := newWorld(t)
	hand := w.known(t, alice, "at hand", 50*day, nil)
	cold := w.archived(t, alice, "in the archive", 20*day, nil)
	over := w.archived(t, alice, "over", 20*day, expiring(30*day))
	other := w.archived(t, bob, "in the archive", 20*day, nil)
	unused := w.archived(t, bob, "not used", 20*day, nil)
	stranger := used(day, unused)
	stranger[0].Scope = alice
	uses := append(used(day, hand, cold, over, other), stranger...)
	for range 2 {
		if err := w.service().Use(t.Context(), uses); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []memory.Memory{hand, cold, other} {
		if got := w.get(m.ID); !got.ArchivedAt.IsZero() || !got.AccessedAt.Equal(ago(day)) {
			t.Errorf("%s is %+v", m.Text, got)
		}
	}
	if got := w.get(over.ID); got.ArchivedAt.IsZero() {
		t.Error("what is over came back")
	}
	if got := w.get(unused.ID); got.ArchivedAt.IsZero() || !got.AccessedAt.IsZero() {
		t.Error("a use touched another owner's memory")
	}
	for _, s := range []memory.Scope{alice, bob} {
		if sets := w.reaped(t, s); len(sets) != 1 || len(sets[0].Changes) != 1 || sets[0].Changes[0].Op != ledger.OpReturn {
			t.Errorf("%v: changes are %v", s, ops(sets))
		}
	}
	r := w.run(t, reap.JobTier)
	if r.ByOp[reap.OpAccess] != 2 || r.ByOp["return"] != 0 {
		t.Errorf("the ledger then heard of %v", r.ByOp)
	}
}

func TestUseOfWhoIsErasedMeanwhile(t *testing.T) {
	w := newWorld(t)
	cold := w.archived(t, alice, "in the archive", 20*day, nil)
	clear(w.ledger.sets)
	if err := w.service().Use(t.Context(), used(day, cold)); err != nil || len(w.ledger.sets[alice]) != 0 {
		t.Errorf("%d change sets, %v", len(w.ledger.sets[alice]), err)
	}
}

// One owner's failure does not keep the others' memories in the archive.
func TestUseOfSeveralOwners(t *testing.T) {
	w := newWorld(t)
	mine, yours := w.archived(t, alice, "mine", 20*day, nil), w.archived(t, bob, "yours", 20*day, nil)
	w.store.failing[alice] = errBroken
	if err := w.service().Use(t.Context(), used(day, mine, yours)); !errors.Is(err, errBroken) {
		t.Errorf("error is %v", err)
	}
	if got := w.get(yours.ID); !got.ArchivedAt.IsZero() {
		t.Errorf("it is %+v", got)
	}
	delete(w.store.failing, alice)
	w.run(t, reap.JobTier) // which finishes what was left
	if got := w.get(mine.ID); !got.ArchivedAt.IsZero() {
		t.Errorf("it is %+v", got)
	}
}
