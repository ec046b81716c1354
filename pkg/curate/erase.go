package curate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// Bounds say how far an erasure reaches: what comes after them belongs to who comes anew.
type Bounds struct {
	// EventHead is a sequence in MEM_EVENTS, LedgerSeq one in MEM_LEDGER: that of the
	// erasure's own change set.
	EventHead uint64 `json:"event_head"`
	LedgerSeq uint64 `json:"ledger_seq"`
	// At is when the fence was put up, by the broker's clock; zero until then.
	At time.Time `json:"-"`
}

// everything is bounds that nothing lies beyond.
var everything = Bounds{EventHead: math.MaxUint64, LedgerSeq: math.MaxUint64 - 1}

// Place is somewhere where an owner's data lies.
type Place interface {
	// Name stands in the receipt, such as "events".
	Name() string
	// Erase deletes what lies there of the owner within the bounds, so that its bytes are
	// gone, and returns how many pieces there were. It may be repeated.
	Erase(ctx context.Context, s memory.Scope, b Bounds) (int, error)
	// Count is how many pieces lie there within the bounds.
	Count(ctx context.Context, s memory.Scope, b Bounds) (int, error)
}

// Records keeps the bounds and receipts of erasures under keyed hashes of their owners. The
// bounds are a fence to whoever still holds what they erase.
type Records interface {
	// Load returns the owner's record and its revision; 0 when there is none.
	Load(ctx context.Context, s memory.Scope) (b Bounds, receipt []byte, revision uint64, err error)
	// Store replaces it if its revision is still the one given, and returns the new one.
	Store(ctx context.Context, s memory.Scope, b Bounds, receipt []byte, revision uint64) (uint64, error)
}

// Fences takes the change set of an erasure away, which is what names the owner last.
type Fences interface {
	Delete(ctx context.Context, s memory.Scope, seq uint64) error
}

// Owners lists the owners of a tenant.
type Owners interface {
	// Next is the owner of the tenant's first change set after the sequence, and its
	// sequence; ok is false when there are no more. An owner may come more than once.
	Next(ctx context.Context, t memory.Tenant, after uint64) (s memory.Scope, seq uint64, ok bool, err error)
}

// Receipt says what an erasure has removed. It names no one.
type Receipt struct {
	Bounds
	StartedAt  time.Time `json:"started_at"`
	FinishedAt time.Time `json:"finished_at,omitzero"`
	// Final is set when a further pass over every place has found nothing.
	Final bool `json:"final"`
	// Memories is how many memories were removed, whatever their state, tombstones apart.
	Memories int `json:"memories"`
	// Removed counts the pieces by place; in the answer of Verify, those that are left. It is
	// nil until they have been counted.
	Removed map[string]int `json:"removed"`
}

// maxPasses bounds the passes of one erasure: a place that is never found empty is being
// written to.
const maxPasses = 10

var errWrittenTo = errors.New("something still writes to it: try again")

// Erase removes everything of an owner from every place, so that nothing names them any
// more, and returns the receipt. One that was broken off is taken up again. Whoever comes
// anew under the same name starts empty.
func (s *Service) Erase(ctx context.Context, scope memory.Scope) (Receipt, error) {
	if err := scope.Validate(); err != nil {
		return Receipt{}, err
	}
	if scope.Owner.Kind == memory.OwnerTenant {
		return Receipt{}, fault.BadField("owner", "a tenant is erased with everybody in it, or not at all")
	}
	return s.erase(ctx, scope)
}

func (s *Service) erase(ctx context.Context, scope memory.Scope) (receipt Receipt, err error) {
	err = s.Alone(ctx, func(ctx context.Context) error {
		e, err := s.begin(ctx, scope)
		if err != nil {
			return err
		}
		err = e.run(ctx)
		receipt = e.Receipt
		return err
	})
	if err != nil {
		return Receipt{}, fmt.Errorf("erase: %w", err)
	}
	return receipt, nil
}

// EraseTenant erases every owner of a tenant, and then what is left of the tenant itself.
func (s *Service) EraseTenant(ctx context.Context, t memory.Tenant) (Receipt, error) {
	whole := memory.Scope{Tenant: t, Owner: memory.Owner{Kind: memory.OwnerTenant}}
	if err := whole.Validate(); err != nil {
		return Receipt{}, err
	}
	e, err := s.begin(ctx, whole) // the fence, for those that come now
	if err == nil {
		err = e.count(ctx)
	}
	if err != nil {
		return Receipt{}, fmt.Errorf("erase: %w", err)
	}
	for after := uint64(0); ; {
		scope, seq, ok, err := s.Owners.Next(ctx, t, after)
		if err != nil {
			return Receipt{}, fmt.Errorf("erase: %w", err)
		}
		if !ok {
			return s.erase(ctx, whole)
		}
		after = seq
		if scope == whole {
			continue
		}
		r, err := s.erase(ctx, scope)
		if err != nil {
			return Receipt{}, err
		}
		e.Memories += r.Memories
		if err := e.store(ctx); err != nil {
			return Receipt{}, fmt.Errorf("erase: %w", err)
		}
	}
}

// Verify counts what is left of an owner in every place. A finished erasure leaves nothing.
func (s *Service) Verify(ctx context.Context, scope memory.Scope) (Receipt, error) {
	if err := scope.Validate(); err != nil {
		return Receipt{}, err
	}
	r, revision, err := s.recorded(ctx, scope)
	if err != nil {
		return Receipt{}, fmt.Errorf("verify erasure: %w", err)
	}
	if revision == 0 { // never erased
		r.Bounds = everything
	}
	r.Removed = map[string]int{}
	for _, p := range s.Places {
		if r.Removed[p.Name()], err = p.Count(ctx, scope, r.Bounds); err != nil {
			return r, fmt.Errorf("count %s: %w", p.Name(), err)
		}
	}
	return r, nil
}

// recorded is the owner's receipt as it is on record; its revision is 0 when there is none.
func (s *Service) recorded(ctx context.Context, scope memory.Scope) (r Receipt, revision uint64, err error) {
	b, data, revision, err := s.Records.Load(ctx, scope)
	if err != nil {
		return r, 0, fmt.Errorf("read record: %w", err)
	}
	if len(data) > 0 {
		if err := json.Unmarshal(data, &r); err != nil {
			return r, 0, fault.Permanent(fmt.Errorf("decode record: %w", err))
		}
	}
	r.Bounds = b
	return r, revision, nil
}

// erasure is one that is going on.
type erasure struct {
	s        *Service
	scope    memory.Scope
	revision uint64
	// now counts, by place, the pieces that have been removed since this process took it up.
	now map[string]int
	// settled says that it reaches no further than its fence says, since what comes after has
	// not been taken over.
	settled bool
	Receipt
}

// begin puts the fence up. What an unfinished erasure has counted is kept.
func (s *Service) begin(ctx context.Context, scope memory.Scope) (*erasure, error) {
	head, err := s.lastEvent(ctx, scope)
	if err != nil {
		return nil, err
	}
	return s.takeUp(ctx, scope, head)
}

// takeUp puts the fence up to an event, or leaves it where it is beyond that.
func (s *Service) takeUp(ctx context.Context, scope memory.Scope, head uint64) (e *erasure, err error) {
	e = &erasure{s: s, scope: scope, now: map[string]int{}}
	if e.Receipt, e.revision, err = s.recorded(ctx, scope); err != nil {
		return nil, err
	}
	if e.Final || e.revision == 0 {
		e.Receipt = Receipt{Bounds: Bounds{EventHead: e.EventHead, LedgerSeq: e.LedgerSeq}, StartedAt: s.Now().UTC()}
	}
	e.EventHead = max(e.EventHead, head)
	return e, e.store(ctx)
}

func (s *Service) lastEvent(ctx context.Context, scope memory.Scope) (uint64, error) {
	head, err := s.Events.OwnerHead(ctx, scope)
	if err != nil {
		return 0, fmt.Errorf("read the owner's last event: %w", err)
	}
	return head, nil
}

func (e *erasure) store(ctx context.Context) error {
	data, err := json.Marshal(e.Receipt)
	if err != nil {
		return fmt.Errorf("encode record: %w", err)
	}
	if e.revision, err = e.s.Records.Store(ctx, e.scope, e.Bounds, data, e.revision); err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	return nil
}

// run fences every writer by a change set, and then goes over every place until there is
// nothing left. The change set itself goes last.
func (e *erasure) run(ctx context.Context) error {
	if err := e.count(ctx); err != nil {
		return err
	}
	if err := e.fence(ctx); err != nil {
		return err
	}
	for pass := 1; ; pass++ {
		removed, err := e.pass(ctx)
		if err != nil {
			return err
		}
		if removed == 0 {
			break
		}
		if pass == maxPasses {
			return fault.Outage(errWrittenTo, 0)
		}
	}
	if err := e.s.Fences.Delete(ctx, e.scope, e.LedgerSeq); err != nil {
		return fmt.Errorf("take the fence down: %w", err)
	}
	if _, err := e.pass(ctx); err != nil { // what the fence itself has left: a cursor
		return err
	}
	return e.finish(ctx)
}

// count notes what there is before anything is removed: who takes the erasure up again finds
// less, and the projection of the fence empties the collections already.
func (e *erasure) count(ctx context.Context) error {
	if e.Removed != nil {
		return nil // this erasure had come as far before
	}
	all, err := e.s.Memories.Needed(ctx, e.scope, reconcile.Needs{All: true, Past: true})
	if err != nil {
		return fmt.Errorf("count memories: %w", err)
	}
	for i := range all {
		if all[i].Status != memory.StatusDeleted {
			e.Memories++
		}
	}
	there := map[string]int{}
	for _, p := range e.s.Places {
		n, err := p.Count(ctx, e.scope, Bounds{EventHead: e.EventHead, LedgerSeq: everything.LedgerSeq})
		if err != nil {
			return fmt.Errorf("count %s: %w", p.Name(), err)
		}
		there[p.Name()] = n
	}
	e.Removed = there
	return e.store(ctx)
}

// fence appends the change set, if it does not stand at the owner's head already. It reaches
// every event that was decided about before it: what comes after is still to be consumed.
func (e *erasure) fence(ctx context.Context) error {
	stands := uint64(0)
	seq, err := e.s.Decider.Do(ctx, e.scope, func(ctx context.Context, head uint64) (*ledger.ChangeSet, error) {
		last, err := e.s.last(ctx, e.scope, head)
		if err == nil && !e.settled {
			err = e.advance(ctx)
		}
		if err != nil {
			return nil, err
		}
		fence := &ledger.Erased{EventHead: e.EventHead}
		if last.Erased != nil && *last.Erased == *fence {
			stands = head
			return nil, nil
		}
		return &ledger.ChangeSet{
			V: ledger.Version, At: e.s.Now().UTC(), Author: ledger.AuthorUser, Scope: e.scope, Erased: fence,
		}, nil
	})
	if err != nil {
		return err
	}
	e.LedgerSeq = max(seq, stands)
	return e.store(ctx)
}

// advance moves the fence up to the owner's last event, on record before anything else.
func (e *erasure) advance(ctx context.Context) error {
	head, err := e.s.lastEvent(ctx, e.scope)
	if err != nil || head <= e.EventHead {
		return err
	}
	e.EventHead = head
	return e.store(ctx)
}

// last is the owner's change set at head; empty when there is none.
func (s *Service) last(ctx context.Context, scope memory.Scope, head uint64) (c ledger.ChangeSet, err error) {
	if head == 0 {
		return c, nil
	}
	err = s.Ledger.Read(ctx, scope, head-1, head, func(_ uint64, _ time.Time, data []byte) (err error) {
		c, err = ledger.Decode(data, scope)
		return err
	})
	if err != nil {
		return c, fmt.Errorf("read change set %d: %w", head, err)
	}
	return c, nil
}

// pass goes over every place, and returns how many pieces it has removed.
func (e *erasure) pass(ctx context.Context) (int, error) {
	total := 0
	for _, p := range e.s.Places {
		n, err := p.Erase(ctx, e.scope, e.Bounds)
		if err != nil {
			return total, fmt.Errorf("erase from %s: %w", p.Name(), err)
		}
		total += n
		e.now[p.Name()] += n
		e.Removed[p.Name()] = max(e.Removed[p.Name()], e.now[p.Name()])
	}
	return total, e.store(ctx)
}

// finish makes the receipt final.
func (e *erasure) finish(ctx context.Context) error {
	e.Final, e.FinishedAt = true, e.s.Now().UTC()
	return e.store(ctx)
}
