package recall

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// believedThen is what an owner's ledger says of the instant that is asked about, without
// what must not come back, ordered by id.
func (l *look) believedThen(ctx context.Context, scope memory.Scope) ([]memory.Memory, error) {
	records, err := l.Records(ctx, scope)
	if err != nil {
		return nil, err
	}
	return asOf(l.Find.Registry, records, l.at), nil
}

// shelf is what was believed at that instant, to be searched.
func (l *look) shelf(ctx context.Context) (*find.Shelf, error) {
	var entries []find.ShelfEntry
	for _, scope := range l.r.scopes() {
		all, err := l.believedThen(ctx, scope)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(m memory.Memory) bool { return !l.policy.RecallableFromArchive(&m, l.at) })
		texts := make([]string, len(all))
		for i := range all {
			texts[i] = index.Text(&all[i])
		}
		dense, err := l.Passages.EmbedFor(ctx, scope, texts)
		if err != nil {
			return nil, fmt.Errorf("embed %d memories: %w", len(all), err)
		}
		for i := range all {
			hit := index.Hit{Memory: all[i], Terms: index.SparseOf(&all[i], texts[i])}
			entries = append(entries, find.ShelfEntry{Hit: hit, Dense: dense[i]})
		}
	}
	return find.NewShelf(entries...), nil
}

// asOf folds an owner's change sets up to an instant into the last state of each memory. It
// leaves out what was forgotten or redacted since, and what is suppressed now, whatever value
// the memory had then.
func asOf(r *profile.Registry, records []ledger.Record, at time.Time) []memory.Memory {
	then, now := states{}, states{}
	g := &gone{ids: map[memory.ID]bool{}}
	for i := range records {
		c := &records[i].ChangeSet
		later := c.At.After(at)
		if !later {
			then.apply(c)
		} else {
			g.apply(c)
		}
		if c.Erased != nil { // also what was believed before it
			clear(then)
		}
		now.apply(c)
	}
	g.suppressed(r, now)
	var out []memory.Memory
	for _, id := range slices.Sorted(maps.Keys(then)) {
		if m := then[id]; !g.has(&m) {
			out = append(out, m)
		}
	}
	return out
}

// states are the memories of an owner by id.
type states map[memory.ID]memory.Memory

// apply takes the next change set. Past values are no state of their own until something is
// done to them.
func (s states) apply(c *ledger.ChangeSet) {
	if c.Erased != nil {
		clear(s)
	}
	for _, ch := range c.OfMemories() {
		switch ch.Op {
		case ledger.OpHistory:
		case ledger.OpDrop:
			delete(s, ch.Memory.ID)
		default:
			s[ch.Memory.ID] = ch.Memory
		}
	}
	for _, a := range c.Accessed {
		if m, ok := s[a.ID]; ok && a.At.After(m.AccessedAt) {
			m.AccessedAt = a.At.UTC()
			s[a.ID] = m
		}
	}
}

// gone is what must not come back from the past.
type gone struct {
	ids    map[memory.ID]bool
	topics []*reconcile.Matcher
}

// apply takes a change set that was made after the instant that is asked about. What was
// learnt anew after it was forgotten does not bring the old statement back; an undone
// deletion does.
func (g *gone) apply(c *ledger.ChangeSet) {
	for _, ch := range c.OfMemories() {
		switch ch.Op {
		case ledger.OpDelete, ledger.OpRedact, ledger.OpPurge, ledger.OpDrop:
			g.ids[ch.Memory.ID] = true
		case ledger.OpRestore:
			delete(g.ids, ch.Memory.ID)
		}
	}
}

// suppressed takes what is not to be mentioned now, memories and topics.
func (g *gone) suppressed(r *profile.Registry, now states) {
	for id, m := range now {
		if m.SuppressedBy != "" {
			g.ids[id] = true
		}
		if m.Status == memory.StatusStanding && m.Suppresses != nil {
			g.topics = append(g.topics, reconcile.About(r, *m.Suppresses))
		}
	}
}

// has reports whether a memory, or the value that it had, must not come back.
func (g *gone) has(m *memory.Memory) bool {
	return g.ids[m.ID] || g.ids[profile.PastIdentity(m.ID, m.Value)] ||
		slices.ContainsFunc(g.topics, func(t *reconcile.Matcher) bool { return t.Mentions(m) })
}
