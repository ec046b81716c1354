package story

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
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
	all, err := r.sim.Stack.Recall.Memories(ctx, scope)
	if err != nil {
		return nil, err
	}
	records, err := r.sim.Stack.Recall.Records(ctx, scope)
	if err != nil {
		return nil, err
	}
	var f faults
	e.memories(all, r.sim.Clock.Now(), &f)
	e.ledger(records, &f)
	if err := r.counts(ctx, e, tenant, &f); err != nil {
		return nil, err
	}
	for _, part := range e.Nowhere {
		if err := r.nowhere(ctx, part, &f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// memories checks the collection.
func (e *Expect) memories(all []memory.Memory, now time.Time, f *faults) {
	var active []memory.Memory
	disputed := 0
	for _, m := range all {
		if m.Live(now) {
			active = append(active, m)
		}
		if m.Status == memory.StatusDisputed {
			disputed++
		}
	}
	for _, want := range slices.Concat(e.Current, e.ArchivedOrCurrent) {
		if !slices.ContainsFunc(active, func(m memory.Memory) bool { return want.fits(&m) }) {
			f.addf("current: no active memory fits %s; active: %s", want.String(), brief(active))
		}
	}
	if e.Count != nil && len(active) != *e.Count {
		f.addf("count: %d active memories, want %d; active: %s", len(active), *e.Count, brief(active))
	}
	for _, want := range e.CountWithKey {
		n := 0
		for _, m := range active {
			if string(m.Key) == want.Key {
				n++
			}
		}
		if n != want.N {
			f.addf("count_with_key: %d of %s, want %d; active: %s", n, want.Key, want.N, brief(active))
		}
	}
	for _, part := range e.NotCurrent {
		for _, m := range active {
			if contains(m.Text, part) || contains(m.Value, part) {
				f.addf("not_current: %q is active", m.Text)
			}
		}
	}
	for _, want := range e.ConfirmedAt {
		want.check(active, f)
	}
	if e.Confirmations != nil && disputed != *e.Confirmations {
		f.addf("confirmations: %d disputed values, want %d", disputed, *e.Confirmations)
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
	for _, part := range e.HistoryContains {
		if !slices.ContainsFunc(changes, func(c ledger.Entry) bool { return contains(c.Text, part) || contains(c.Value, part) }) {
			f.addf("history_contains: no change has %q", part)
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
	err := filepath.WalkDir(r.sim.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read store file: %w", err)
		}
		found(filepath.Base(path), raw)
		return nil
	})
	if err != nil {
		return err
	}
	for _, ref := range r.sim.Threads() {
		all, err := r.sim.Stack.Recall.Memories(ctx, ref.Scope())
		if err != nil {
			return err
		}
		raw, err := json.Marshal(all)
		if err != nil {
			return err
		}
		found("the collection", raw)
	}
	found("the log", r.sim.LogOutput())
	found("an answer", r.sim.Answers())
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
