package app

import (
	"context"
	"strings"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/llm"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/terms"
)

// known serves consolidate.Known: what an extractor has to know of an owner to say how what
// is said now stands to it.
type known struct{ s *Stack }

// Bounds of what is looked up: the memories nearest to what is said, and how much of it is
// compared.
const (
	maxNearest   = 40
	maxSaidBytes = 4 << 10
)

// Known returns every value of a single-valued key, what stands in an open question, and the
// memories nearest to what the user says, each once, the nearest first.
func (k known) Known(ctx context.Context, scope memory.Scope, messages []memory.Message) ([]memory.Memory, error) {
	if llm.Trivial(messages) {
		return nil, nil // no model is going to be asked
	}
	var said strings.Builder
	for _, m := range messages {
		if m.Role == memory.RoleUser && !m.Context && said.Len() < maxSaidBytes {
			said.WriteString(m.Content)
			said.WriteByte('\n')
		}
	}
	vectors, err := k.s.models.query.EmbedFor(ctx, scope, []string{said.String()})
	if err != nil {
		return nil, err
	}
	now := k.s.options.Now()
	hits, err := k.s.Store.Search(ctx, scope, index.Query{
		Now: now, Dense: vectors[0], Sparse: terms.Query(said.String()), MinDense: k.s.models.minDense, Limit: maxNearest, Near: maxNearest, Archive: true,
	})
	if err != nil {
		return nil, err
	}
	var single []memory.Key
	for _, key := range k.s.Registry.Keys() {
		if f, _ := k.s.Registry.Field(key); !f.Multi {
			single = append(single, key)
		}
	}
	rest, err := k.s.Store.Needed(ctx, scope, reconcile.Needs{Whole: single, Open: true})
	if err != nil {
		return nil, err
	}
	var out []memory.Memory
	seen := map[memory.ID]bool{}
	add := func(m memory.Memory) {
		if !seen[m.ID] && (m.Live(now) || m.Status == memory.StatusDisputed) {
			seen[m.ID] = true
			out = append(out, m)
		}
	}
	for _, h := range hits[:min(len(hits), maxNearest)] {
		add(h.Memory)
	}
	for _, m := range rest {
		add(m)
	}
	return out, nil
}
