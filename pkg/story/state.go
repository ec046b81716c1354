package story

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// state checks what must be true of a user now.
func (r *run) state(ctx context.Context, e *Expect) (faults, error) {
	tenant, user := e.Tenant, e.User
	if tenant == "" {
		tenant = memory.DefaultTenant
	}
	if user == "" {
		user = "u1"
	}
	scope := memory.UserScope(tenant, user)
	if _, err := r.sim.Stack.Projector.CatchUp(ctx, scope); err != nil {
		return nil, err
	}
	records, err := r.sim.Stack.Recall.Records(ctx, scope)
	if err != nil {
		return nil, err
	}
	held, err := r.held(ctx, scope)
	if err != nil {
		return nil, err
	}
	var f faults
	e.memories(held, &f)
	e.ledger(records, &f)
	if err := r.counts(ctx, e, tenant, &f); err != nil {
		return nil, err
	}
	for _, part := range e.Nowhere {
		if err := r.nowhere(ctx, part, &f); err != nil {
			return nil, err
		}
	}
	if e.NowhereUser != "" {
		return f, r.nowhereUser(ctx, Owner{tenant, e.NowhereUser}.scope(), &f)
	}
	return f, nil
}

// held is everything there is of an owner.
type held struct {
	active, suppressed, archived []memory.Memory
	tier                         func(*memory.Memory) memory.Tier
	questions                    []memory.Question
}

func (r *run) held(ctx context.Context, scope memory.Scope) (held, error) {
	now, policy := r.sim.Clock.Now(), r.sim.Stack.Policies.For(scope.Tenant)
	h := held{tier: func(m *memory.Memory) memory.Tier { return policy.Tier(m, now) }}
	all, err := r.sim.Stack.Recall.Memories(ctx, scope)
	if err != nil {
		return h, err
	}
	for _, m := range all {
		switch {
		case policy.Recallable(&m, now):
			h.active = append(h.active, m)
		case m.SuppressedBy != "":
			h.suppressed = append(h.suppressed, m)
		}
	}
	if h.archived, err = r.sim.Stack.Recall.Archive(ctx, scope); err != nil {
		return h, err
	}
	h.questions, err = r.sim.Stack.Curate.Pending(ctx, scope)
	return h, err
}

// memories checks the collections, and the questions.
func (e *Expect) memories(h held, f *faults) {
	for _, want := range e.Current {
		want.among("current", h.active, f)
	}
	for _, want := range e.ArchivedOrCurrent {
		want.among("archived_or_current", slices.Concat(h.active, h.archived), f)
	}
	for _, part := range e.Suppressed {
		(&Match{Contains: part}).among("suppressed", h.suppressed, f)
	}
	for _, part := range e.Archived {
		(&Match{Contains: part}).among("archived", h.archived, f)
	}
	if e.Count != nil && len(h.active) != *e.Count {
		f.addf("count: %d active memories, want %d; active: %s", len(h.active), *e.Count, brief(h.active))
	}
	for _, want := range e.CountWithKey {
		n := 0
		for _, m := range h.active {
			if string(m.Key) == want.Key {
				n++
			}
		}
		if n != want.N {
			f.addf("count_with_key: %d of %s, want %d; active: %s", n, want.Key, want.N, brief(h.active))
		}
	}
	for _, part := range e.NotCurrent {
		for _, m := range h.active {
			if contains(m.Text, part) || contains(m.Value, part) {
				f.addf("not_current: %q is active", m.Text)
			}
		}
	}
	for _, want := range e.ConfirmedAt {
		want.check(slices.Concat(h.active, h.archived), f)
	}
	for _, want := range e.Tier {
		want.check(h, f)
	}
	e.asked(h.questions, f)
}

// among says that no memory fits, if none does.
func (m *Match) among(name string, memories []memory.Memory, f *faults) {
	if !slices.ContainsFunc(memories, func(got memory.Memory) bool { return m.fits(&got) }) {
		f.addf("%s: no memory fits %s; there are: %s", name, m.String(), brief(memories))
	}
}

func (t *TierOf) check(h held, f *faults) {
	match := Match{Contains: t.Contains}
	for _, m := range slices.Concat(h.active, h.archived) {
		if match.fits(&m) && m.Origin == "" {
			if got := h.tier(&m); got != t.Tier {
				f.addf("tier: %q is %s, want %s", m.Text, got, t.Tier)
			}
			return
		}
	}
	f.addf("tier: no memory contains %q", t.Contains)
}

// asked checks the open questions.
func (e *Expect) asked(open []memory.Question, f *faults) {
	if e.Confirmations != nil && len(open) != *e.Confirmations {
		f.addf("confirmations: %d open questions, want %d", len(open), *e.Confirmations)
	}
	if len(e.QuestionContains) == 0 {
		return
	}
	if len(open) != 1 {
		f.addf("question_contains: %d open questions, want one", len(open))
		return
	}
	for _, part := range e.QuestionContains {
		if !contains(open[0].Text, part) {
			f.addf("question_contains: %q lacks %q", open[0].Text, part)
		}
	}
}

func (c *Confirmed) check(active []memory.Memory, f *faults) {
	match := Match{Key: c.Key, Contains: c.Contains}
	for _, m := range active {
		if !match.fits(&m) {
			continue
		}
		if !m.ConfirmedAt.Equal(c.Equals) {
			f.addf("confirmed_at: %q at %s, want %s", m.Text, m.ConfirmedAt, c.Equals)
		}
		return
	}
	f.addf("confirmed_at: no active memory fits %s; active: %s", match.String(), brief(active))
}

// ledger checks the owner's change sets.
func (e *Expect) ledger(records []ledger.Record, f *faults) {
	for _, want := range e.History {
		var got []string
		for _, entry := range ledger.History(records, memory.Key(want.Key)) {
			got = append(got, entry.Value)
		}
		if !slices.EqualFunc(got, want.Values, sameText) {
			f.addf("history of %s: %q, want %q", want.Key, got, want.Values)
		}
	}
	changes := ledger.Changes(records)
	has := func(part string) bool {
		return slices.ContainsFunc(changes, func(c ledger.Entry) bool { return contains(c.Text, part) || contains(c.Value, part) })
	}
	for _, part := range e.HistoryContains {
		if !has(part) {
			f.addf("history_contains: no change has %q", part)
		}
	}
	for _, part := range e.HistoryLacks {
		if has(part) {
			f.addf("history_lacks: a change has %q", part)
		}
	}
	rejected := 0
	moved := map[memory.Thread]int{}
	for _, r := range records {
		for _, x := range r.Rejections {
			rejected += x.Count
		}
		if r.Checkpoint != nil {
			moved[r.Checkpoint.Thread]++
		}
	}
	if e.RejectedAtLeast != nil && rejected < *e.RejectedAtLeast {
		f.addf("rejected_at_least: %d, want %d", rejected, *e.RejectedAtLeast)
	}
	for _, want := range e.Consolidations {
		if n := moved[want.Thread]; n < want.AtLeast || want.AtMost > 0 && n > want.AtMost {
			f.addf("consolidations of %s: %d, want %d to %d", want.Thread, n, want.AtLeast, want.AtMost)
		}
	}
}

// counts checks what concerns a tenant.
func (r *run) counts(ctx context.Context, e *Expect, tenant memory.Tenant, f *faults) error {
	if e.DeadLetters != nil {
		n, err := r.sim.DeadLetters(ctx, tenant)
		if err != nil {
			return err
		}
		if n != *e.DeadLetters {
			f.addf("dead_letters: %d, want %d", n, *e.DeadLetters)
		}
	}
	calls := r.sim.ModelCalls()
	if e.ModelCallsAtLeast != nil && calls < *e.ModelCallsAtLeast {
		f.addf("model_calls_at_least: %d, want %d", calls, *e.ModelCallsAtLeast)
	}
	if e.ModelCallsAtMost != nil && calls > *e.ModelCallsAtMost {
		f.addf("model_calls_at_most: %d, want %d", calls, *e.ModelCallsAtMost)
	}
	if e.Pending != nil {
		n, err := r.sim.Pending(ctx, tenant)
		if err != nil {
			return err
		}
		if n != *e.Pending {
			f.addf("pending: %d, want %d", n, *e.Pending)
		}
	}
	return nil
}

// nowhere looks for a text, as it is and as JSON escapes, in every store file, collection,
// log line and answer.
func (r *run) nowhere(ctx context.Context, part string, f *faults) error {
	forms := [][]byte{[]byte(part), []byte(escaped(part))}
	found := func(place string, raw []byte) {
		for _, form := range forms {
			if bytes.Contains(raw, form) {
				f.addf("nowhere: %q is in %s", part, place)
				return
			}
		}
	}
	files, err := r.sim.Files()
	if err != nil {
		return err
	}
	for path, raw := range files {
		found(filepath.Base(path), raw)
	}
	for _, ref := range r.sim.Threads() {
		h, err := r.held(ctx, ref.Scope())
		if err != nil {
			return err
		}
		all, err := r.sim.Stack.Recall.Memories(ctx, ref.Scope())
		if err != nil {
			return err
		}
		raw, err := json.Marshal([]any{all, h.archived, h.questions})
		if err != nil {
			return err
		}
		found("the collections", raw)
	}
	documents, err := r.documents(ctx)
	if err != nil {
		return err
	}
	found("the documents", documents)
	found("the log", r.sim.LogOutput())
	found("an answer", r.sim.Answers())
	return nil
}

// nowhereUser looks for what names a user of a tenant, and for the user's seeds, in every
// store file, and for points in every collection.
func (r *run) nowhereUser(ctx context.Context, scope memory.Scope, f *faults) error {
	left, err := r.sim.Stack.Curate.Verify(ctx, scope)
	if err != nil {
		return err
	}
	for place, n := range left.Removed {
		if n > 0 {
			f.addf("nowhere_user: %d pieces in %s", n, place)
		}
	}
	names := r.sim.Names(scope)
	if texts := r.seeded[scope]; len(texts) > 0 {
		names = append(names, texts[0], texts[len(texts)/2], texts[len(texts)-1])
	}
	files, err := r.sim.Files()
	if err != nil {
		return err
	}
	for path, raw := range files {
		raw = append([]byte(path), raw...)
		for _, name := range names {
			if bytes.Contains(raw, []byte(name)) {
				f.addf("nowhere_user: %q is in %s", name, filepath.Base(path))
			}
		}
	}
	return nil
}

// escaped writes every character beyond ASCII as \uXXXX.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			b.WriteString(`\u` + strings.ToLower(fmt.Sprintf("%04x", u)))
		}
	}
	return b.String()
}

func brief(ms []memory.Memory) string {
	out := make([]string, len(ms))
	for i, m := range ms {
		out[i] = string(m.Key) + "=" + strconv.Quote(m.Value) + " " + strconv.Quote(m.Text)
		if !m.ExpiresAt.IsZero() {
			out[i] += " until " + m.ExpiresAt.Format(time.RFC3339)
		}
		if !m.ValidFrom.IsZero() {
			out[i] += " from " + m.ValidFrom.Format(time.RFC3339)
		}
	}
	return "[" + strings.Join(out, "; ") + "]"
}
