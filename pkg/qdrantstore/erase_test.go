package qdrantstore

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// lifetime is everything there can be of an owner: n memories, of which a tenth each are
// cold, past and deleted, each made by a change set of its own from 1 on.
func lifetime(s memory.Scope, first, n int) index.Batch {
	var b index.Batch
	for i := range n {
		number, seq := first+i, uint64(i+1)
		e := entry(s, number, seq, fmt.Sprint("memory ", number))
		switch i % 10 {
		case 0:
			e = moved(entry(s, number, seq, "cold", cold))
		case 1:
			e = entry(s, number, seq, "past", past(number-1))
		case 2:
			e = moved(entry(s, number, seq, "", deleted(noon, "k", "h")))
		}
		b.Entries = append(b.Entries, e)
		b.Checkpoints = append(b.Checkpoints, index.Checkpoint{
			Scope: s, LedgerSeq: seq, Checkpoint: ledger.Checkpoint{Thread: "t", Seq: seq},
		})
	}
	b.Cursors = map[memory.Scope]index.Step{s: {To: uint64(n)}}
	return b
}

// everything is all points of a collection but those of the owner, by id.
func everything(t *testing.T, s *Store, collection string, but ...memory.Scope) map[string]*qdrant.RetrievedPoint {
	t.Helper()
	out := map[string]*qdrant.RetrievedPoint{}
	for points, err := range s.pages(t.Context(), collection, &qdrant.Filter{}, maxPage, append(memoryFields, fieldOwner, fieldSeq, fieldType)...) {
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range points {
			if !slices.ContainsFunc(but, func(b memory.Scope) bool { return ownerOf(b) == p.GetPayload()[fieldOwner].GetStringValue() }) {
				out[p.GetId().GetUuid()] = p
			}
		}
	}
	return out
}

func wantCount(t *testing.T, s *Store, scope memory.Scope, want int) {
	t.Helper()
	if n, err := s.CountOwner(t.Context(), scope, math.MaxUint64); n != want || err != nil {
		t.Errorf("%s has %d points, %v, want %d", scope.Owner.ID, n, err, want)
	}
}

// TestErasureLeavesNothing of 1500 memories, and everything of who has 20: in the pair that
// is read, in one that is being filled, and in one that nobody names any more.
func TestErasureLeavesNothing(t *testing.T) {
	c := newClient(t)
	storeOn(t, c)
	s := storeOn(t, c)
	filling := startRebuild(t, c, Model{Name: "three other numbers", Dim: 3})
	cutOff := startRebuild(t, c, Model{Name: "yet another three", Dim: 3})
	forgotten := &Store{client: c, pair: small.collections(1), model: small}
	all := []*Store{s, filling.Store, cutOff.Store, forgotten}
	for _, store := range all {
		n := 1500
		if store != s {
			n = 800
		}
		put(t, store, lifetime(alice, 1, n))
		put(t, store, lifetime(bob, 10_001, 20))
	}
	var before []map[string]*qdrant.RetrievedPoint
	for _, store := range all {
		before = append(before, everything(t, store, store.hand, alice), everything(t, store, store.archive, alice))
	}
	// 1500 memories and as many checkpoints, a marker for a fifth of them, and a cursor.
	wantCount(t, s, alice, 3000+300+1+3*(1600+160+1))
	n, err := s.Erase(t.Context(), alice, math.MaxUint64)
	if err != nil || n != 1350 {
		t.Errorf("Erase = %d, %v, want the 1350 memories that are no tombstones", n, err)
	}
	wantCount(t, s, alice, 0)
	wantCount(t, s, bob, 4*(40+4+1))
	var after []map[string]*qdrant.RetrievedPoint
	for _, store := range all {
		after = append(after, everything(t, store, store.hand), everything(t, store, store.archive))
	}
	for i := range before {
		if !reflect.DeepEqual(keys(before[i]), keys(after[i])) {
			t.Errorf("collection %d holds %d points, want the %d of others", i, len(after[i]), len(before[i]))
		}
	}
	if n, err = s.Erase(t.Context(), alice, math.MaxUint64); n != 0 || err != nil {
		t.Errorf("Erase again = %d, %v, want 0", n, err)
	}
}

func keys(points map[string]*qdrant.RetrievedPoint) map[string]string {
	out := map[string]string{}
	for id, p := range points {
		out[id] = p.GetPayload()[fieldMemory].GetStringValue()
	}
	return out
}

// TestErasureBelowAChangeSet leaves what a re-created owner has said since.
func TestErasureBelowAChangeSet(t *testing.T) {
	erase := map[string]func(*Store, uint64) error{
		"Erase": func(s *Store, below uint64) error { _, err := s.Erase(t.Context(), alice, below); return err },
		"Write": func(s *Store, below uint64) error {
			return s.Write(t.Context(), index.Batch{
				Erased:  map[memory.Scope]uint64{alice: below},
				Entries: []index.Entry{entry(alice, 999, below, "after the erasure")}, Cursors: map[memory.Scope]index.Step{alice: {To: below}},
			})
		},
	}
	for name, f := range erase {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			put(t, s, lifetime(alice, 1, 40))
			put(t, s, lifetime(bob, 101, 40))
			if err := f(s, 31); err != nil {
				t.Fatal(err)
			}
			for collection, points := range map[string]map[string]*qdrant.RetrievedPoint{
				s.hand: everything(t, s, s.hand, bob), s.archive: everything(t, s, s.archive, bob),
			} {
				if len(points) == 0 {
					t.Errorf("%s holds nothing of what came later", collection)
				}
				for id, p := range points {
					if seq := sequence(p.GetPayload()); seq < 31 {
						t.Errorf("%s holds %s of change set %d", collection, id, seq)
					}
				}
			}
			if seq, err := s.Cursor(t.Context(), alice); seq != 40 || err != nil {
				t.Errorf("Cursor = %d, %v, want 40", seq, err)
			}
			wantCount(t, s, bob, 80+8+1)
			for below, want := range map[uint64]int{31: 0, 32: 2 + 1, 41: 20 + 2 + 1} {
				if name == "Write" && below > 31 {
					want++
				}
				if n, err := s.CountOwner(t.Context(), alice, below); n != want || err != nil {
					t.Errorf("%d points below %d, %v, want %d", n, below, err, want)
				}
			}
		})
	}
}

// TestAnErasedOwnerBeginsAgain: the cursor that was below is gone, and is set anew.
func TestAnErasedOwnerBeginsAgain(t *testing.T) {
	s := newStore(t)
	put(t, s, lifetime(alice, 1, 20))
	put(t, s, index.Batch{
		Erased: map[memory.Scope]uint64{alice: 30}, Entries: []index.Entry{entry(alice, 1, 31, "I am new here")},
		Cursors: map[memory.Scope]index.Step{alice: {To: 31}},
	})
	if got := texts(list(t, s, alice)); !slices.Equal(got, []string{"I am new here"}) {
		t.Errorf("memories %q", got)
	}
	if seq, err := s.Cursor(t.Context(), alice); seq != 31 || err != nil {
		t.Errorf("Cursor = %d, %v, want 31", seq, err)
	}
	wantCount(t, s, alice, 2)
}

func TestErasureOfATenant(t *testing.T) {
	s := newStore(t)
	agent := memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "helper"}}
	shared := memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerTenant}}
	neighbour := memory.UserScope("acme/user", "alice")
	for i, scope := range []memory.Scope{alice, bob, agent, shared, neighbour} {
		put(t, s, lifetime(scope, 1+1000*i, 20))
	}
	if n, err := s.CountTenant(t.Context(), "acme", math.MaxUint64); n != 4*45 || err != nil {
		t.Errorf("CountTenant = %d, %v, want %d", n, err, 4*45)
	}
	if n, err := s.EraseTenant(t.Context(), "acme", math.MaxUint64); n != 4*18 || err != nil {
		t.Errorf("EraseTenant = %d, %v, want %d", n, err, 4*18)
	}
	if n, err := s.CountTenant(t.Context(), "acme", math.MaxUint64); n != 0 || err != nil {
		t.Errorf("CountTenant = %d, %v, want 0", n, err)
	}
	wantCount(t, s, neighbour, 45)
	for _, tenant := range []memory.Tenant{"", "a\x00"} {
		if _, err := s.EraseTenant(t.Context(), tenant, math.MaxUint64); !errors.Is(err, memory.ErrScope) {
			t.Errorf("EraseTenant(%q) = %v, want ErrScope", tenant, err)
		}
		if _, err := s.CountTenant(t.Context(), tenant, math.MaxUint64); !errors.Is(err, memory.ErrScope) {
			t.Errorf("CountTenant(%q) = %v, want ErrScope", tenant, err)
		}
	}
}

// TestADeletionTakesNothingNewer: what was put anew between the look and the deletion stays.
func TestADeletionTakesNothingNewer(t *testing.T) {
	c, calls := newRecordedClient(t)
	s := storeOn(t, c)
	write(t, s, entry(alice, 1, 1, "old"), entry(alice, 2, 1, "old too"))
	calls.answerWith(func(method string, _, _ any) (bool, error) {
		if method == "UpdateBatch" {
			calls.answerWith(nil)
			write(t, s, entry(alice, 1, 7, "said anew"))
		}
		return false, nil
	})
	if n, err := s.Erase(t.Context(), alice, 5); n != 2 || err != nil {
		t.Errorf("Erase = %d, %v, want the two that it saw", n, err)
	}
	if got := texts(list(t, s, alice)); !slices.Equal(got, []string{"said anew"}) {
		t.Errorf("memories %q, want what was said anew", got)
	}
}

// TestAnErasureEnds: while somebody goes on writing, or a collection goes.
func TestAnErasureEnds(t *testing.T) {
	c, calls := newRecordedClient(t)
	s := storeOn(t, c)
	write(t, s, entry(alice, 1, 1, "tea"))
	calls.answerWith(func(method string, _, reply any) (bool, error) {
		if method == "UpdateBatch" { // as if the point were put again at once
			reply.(*qdrant.UpdateBatchResponse).Result = []*qdrant.UpdateResult{{Status: qdrant.UpdateStatus_Completed}}
			return true, nil
		}
		return false, nil
	})
	if _, err := s.Erase(t.Context(), alice, math.MaxUint64); !errors.Is(err, errRefilled) || fault.IsPermanent(err) {
		t.Errorf("Erase = %v, want an error that is worth trying again", err)
	}
	old := startRebuild(t, c, Model{Name: "three other numbers", Dim: 3})
	calls.answerWith(func(method string, req, _ any) (bool, error) {
		if scroll, ok := req.(*qdrant.ScrollPoints); ok && scroll.GetCollectionName() == old.archive {
			calls.answerWith(nil)
			return false, c.DeleteCollection(t.Context(), old.archive)
		}
		return false, nil
	})
	if n, err := s.Erase(t.Context(), alice, math.MaxUint64); n != 1 || err != nil {
		t.Errorf("Erase while a collection is dropped = %d, %v, want 1", n, err)
	}
}
