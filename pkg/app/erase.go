package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/stream"
)

// erasures serves consolidate.Erasures.
type erasures struct {
	*stream.Erasures
	log       *stream.Log
	questions *stream.Questions
	vectors   vectors
	store     func() *qdrantstore.Store
}

// Fence translates stream.Erasures.Fence.
func (e erasures) Fence(ctx context.Context, s memory.Scope) (uint64, error) {
	f, err := e.Erasures.Fence(ctx, s)
	return f.EventHead, err
}

// TakeBack deletes the change set, and what it has made. Its author took the owner's ledger
// for empty: what lies before it is the rest of the same decision. That it is erased is on
// record first, for whoever has read it and projects it when all is over.
func (e erasures) TakeBack(ctx context.Context, s memory.Scope, seq uint64) error {
	if err := e.Erasures.TakeBack(ctx, s, seq); err != nil {
		return err
	}
	err := e.log.Read(ctx, s, 0, seq, func(part uint64, _ time.Time, _ []byte) error { return e.log.Delete(ctx, s, part) })
	if err == nil {
		_, err = e.vectors.EraseOwner(ctx, s, seq)
	}
	if err == nil {
		_, err = e.questions.EraseOwner(ctx, s, seq)
	}
	if err == nil {
		_, err = e.store().Erase(ctx, s, seq+1) // the cursor tells of the rest: see project.Projector
	}
	return err
}

// vectors serves project.Vectors by their cache, which may be lost at any time.
type vectors struct{ *stream.Place }

// EraseOwner deletes all of the owner's.
func (v vectors) EraseOwner(ctx context.Context, s memory.Scope, _ uint64) (int, error) {
	return v.Erase(ctx, s, stream.Horizon{})
}

// records serves curate.Records.
type records struct{ *stream.Erasures }

// Load translates stream.Erasures.Load.
func (r records) Load(ctx context.Context, s memory.Scope) (curate.Bounds, []byte, uint64, error) {
	e, revision, err := r.Erasures.Load(ctx, s)
	if errors.Is(err, stream.ErrNotFound) {
		return curate.Bounds{}, nil, 0, nil
	}
	return curate.Bounds{EventHead: e.EventHead, LedgerSeq: e.Ledger, At: e.At}, e.Receipt, revision, err
}

// Store translates stream.Erasures.Store.
func (r records) Store(ctx context.Context, s memory.Scope, b curate.Bounds, receipt []byte, revision uint64) (uint64, error) {
	fence := stream.Fence{EventHead: b.EventHead, Ledger: b.LedgerSeq, At: b.At}
	return r.Erasures.Store(ctx, s, stream.Erasure{Fence: fence, Receipt: receipt}, revision)
}

// owners serves curate.Owners.
type owners struct{ *stream.Log }

// Next translates stream.Log.NextOwner.
func (o owners) Next(ctx context.Context, t memory.Tenant, after uint64) (memory.Scope, uint64, bool, error) {
	s, seq, err := o.NextOwner(ctx, t, after)
	if errors.Is(err, stream.ErrNotFound) {
		return s, 0, false, nil
	}
	return s, seq, err == nil, err
}

// logPlace serves curate.Place by a place in NATS.
type logPlace struct{ *stream.Place }

// Erase translates stream.Place.Erase.
func (p logPlace) Erase(ctx context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	return p.Place.Erase(ctx, s, stream.Horizon{Events: b.EventHead, Ledger: b.LedgerSeq - 1}) // the fence stays
}

// Count translates stream.Place.Count.
func (p logPlace) Count(ctx context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	return p.Place.Count(ctx, s, stream.Horizon{Events: b.EventHead, Ledger: b.LedgerSeq, At: b.At})
}

// collections serves curate.Place by the collections.
type collections struct{ store func() *qdrantstore.Store }

// Name is what the receipt calls them.
func (collections) Name() string { return "collections" }

// Erase translates qdrantstore.Store.Erase, or that of the whole tenant.
func (c collections) Erase(ctx context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	if s.Owner.Kind == memory.OwnerTenant {
		return c.store().EraseTenant(ctx, s.Tenant, b.LedgerSeq+1)
	}
	return c.store().Erase(ctx, s, b.LedgerSeq+1)
}

// Count translates qdrantstore.Store.CountOwner, or that of the whole tenant.
func (c collections) Count(ctx context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	if s.Owner.Kind == memory.OwnerTenant {
		return c.store().CountTenant(ctx, s.Tenant, b.LedgerSeq+1)
	}
	return c.store().CountOwner(ctx, s, b.LedgerSeq+1)
}

// places are where an owner's data lies, the collections first and the ledger last.
func (s *Stack) places() []curate.Place {
	out := []curate.Place{collections{s.store}}
	for _, p := range stream.Places(s.js, s.names) {
		out = append(out, logPlace{p})
	}
	return out
}

// place is one of the places in NATS where an owner's data lies.
func (s *Stack) place(name string) *stream.Place {
	places := stream.Places(s.js, s.names)
	return places[slices.IndexFunc(places, func(p *stream.Place) bool { return p.Name() == name })]
}

// store is the store that is open, which comes after what asks for it.
func (s *Stack) store() *qdrantstore.Store { return s.Store }

// heal takes back a change set that rests on erased events: the worker that appended it on
// an empty ledger died before it could. Others find out by the ledger's head.
func (s *Stack) heal(ctx context.Context, scope memory.Scope, seq uint64, data []byte) error {
	c, err := ledger.Decode(data, scope)
	if err != nil {
		return err
	}
	last := lastEvent(&c)
	if last == 0 {
		return nil
	}
	fence, err := s.erasures.Fence(ctx, scope)
	if err != nil {
		return fmt.Errorf("look for an erasure: %w", err)
	}
	if last > fence {
		return nil
	}
	s.options.Logger.InfoContext(ctx, "change set of an erased owner taken back", "seq", seq)
	return s.erasures.TakeBack(ctx, scope, seq)
}

// lastEvent is the last event that the extractor's change set rests on; 0 when it rests on
// none. Of a decision in several parts, only the last one has a checkpoint.
func lastEvent(c *ledger.ChangeSet) uint64 {
	if c.Checkpoint != nil {
		return c.Checkpoint.Seq
	}
	last := uint64(0)
	if c.Author != ledger.AuthorExtractor {
		return last
	}
	for _, change := range c.OfMemories() {
		for _, e := range change.Memory.Evidence {
			last = max(last, e.Seq)
		}
	}
	return last
}
