package qdrantstore

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// sweep is the ids of what is due, sorted; no page may be longer than limit.
func sweep(t testing.TB, s *Store, d index.Due, limit int) []memory.ID {
	t.Helper()
	out := []memory.ID{}
	err := s.Sweep(t.Context(), d, limit, func(refs []index.Ref) error {
		if len(refs) == 0 || len(refs) > limit {
			t.Errorf("a page of %d, the limit is %d", len(refs), limit)
		}
		for _, r := range refs {
			out = append(out, r.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// population has, for each job, what is due, what is not yet, and what only looks like it.
func population() []index.Entry {
	expires := func(hour int) func(*memory.Memory) { return func(m *memory.Memory) { m.ExpiresAt = hours(hour) } }
	usedAt := func(hour int) func(*memory.Memory) { return func(m *memory.Memory) { m.ConfirmedAt = hours(hour) } }
	archivedAt := func(hour int) func(*memory.Memory) { return func(m *memory.Memory) { m.ArchivedAt = hours(hour) } }
	purged := func(m *memory.Memory) { m.Tombstone.PurgedAt = hours(0) }
	rival := func(hour int, question memory.ID) func(*memory.Memory) {
		return func(m *memory.Memory) {
			m.Status = memory.StatusDisputed
			m.Dispute = &memory.Dispute{Of: id(1), Question: question, OpenedAt: hours(-20), TimeoutAt: hours(hour)}
		}
	}
	closed := func(m *memory.Memory) { m.Dispute.ClosedAt = hours(-1) }
	// Whatever is not of the job was used long after, and expires never.
	late := usedAt(100)
	return []index.Entry{
		entry(alice, 1, 1, "expired", late, expires(0)), entry(bob, 2, 1, "expired long ago", late, expires(-9)),
		entry(alice, 3, 1, "expires later", late, expires(1)), entry(alice, 4, 1, "ended", late, expires(0), inStatusOf(memory.StatusEnded)),
		moved(entry(alice, 5, 1, "expired, archived plan", late, expires(0), archivedAt(50), func(m *memory.Memory) { m.Plan = true })),
		entry(alice, 11, 1, "unused", usedAt(0)), entry(bob, 12, 1, "unused for long", usedAt(-9)), entry(alice, 13, 1, "used later", usedAt(1)),
		entry(alice, 14, 1, "pinned", usedAt(0), func(m *memory.Memory) { m.Pinned = true }),
		entry(alice, 15, 1, "lasting", usedAt(0), func(m *memory.Memory) { m.Lasting = true }),
		entry(alice, 16, 1, "superseded", usedAt(0), inStatusOf(memory.StatusSuperseded)),
		entry(alice, 17, 1, "standing", usedAt(0), inStatusOf(memory.StatusStanding)),
		moved(entry(alice, 18, 1, "unused, archived", usedAt(0), archivedAt(50))),
		moved(entry(alice, 21, 1, "", deleted(hours(0), "k", "h"))), moved(entry(bob, 22, 1, "", deleted(hours(-9), "k", "h"))),
		moved(entry(alice, 23, 1, "", deleted(hours(1), "k", "h"))),
		moved(entry(alice, 31, 1, "", deleted(hours(0), "k", "h"), purged)), moved(entry(bob, 32, 1, "", deleted(hours(-9), "k", "h"), purged)),
		moved(entry(alice, 33, 1, "", deleted(hours(1), "k", "h"), purged)),
		moved(entry(alice, 41, 1, "archived", late, archivedAt(0))), entry(bob, 42, 1, "past", past(1), archivedAt(-9)),
		moved(entry(alice, 43, 1, "archived later", late, archivedAt(1))),
		moved(entry(alice, 44, 1, "ended and archived", late, inStatusOf(memory.StatusEnded), archivedAt(0))),
		entry(alice, 51, 1, "rival", rival(0, "q")), entry(bob, 52, 1, "old rival", rival(-9, "q")), entry(alice, 53, 1, "young rival", rival(1, "q")),
		entry(alice, 54, 1, "rival without a question", rival(0, "")), entry(alice, 55, 1, "closed rival", rival(0, "q"), closed),
		entry(alice, 56, 1, "settled rival", rival(0, "q"), inStatusOf(memory.StatusSettled)),
		entry(alice, 57, 1, "rival for ever", rival(0, "q"), func(m *memory.Memory) { m.Dispute.TimeoutAt = time.Time{} }),
		entry(alice, 61, 1, "accessed", late), moved(entry(bob, 62, 1, "accessed in the archive", late, archivedAt(50))),
	}
}

func TestASweepFindsWhatIsDue(t *testing.T) {
	s := newStore(t)
	put(t, s, index.Batch{Entries: population(), Accessed: []index.Access{access(alice, 61, hours(200)), access(bob, 62, hours(200))}})
	for job, want := range map[index.DueJob][]memory.ID{
		index.DueExpired: ids(1, 2), index.DueUnused: ids(11, 12), index.DueDeleted: ids(21, 22), index.DueTombstones: ids(31, 32),
		index.DueArchived: ids(41, 42, 44), index.DueQuestions: ids(51, 52), index.DueAccessed: ids(61, 62),
	} {
		if got := sweep(t, s, index.Due{Job: job, Before: hours(0)}, 10); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", job, got, want)
		}
		if got := sweep(t, s, index.Due{Job: job, Before: hours(0)}, 1); !slices.Equal(got, want) {
			t.Errorf("%s, one by one: %q, want %q", job, got, want)
		}
		if got := sweep(t, s, index.Due{Job: job, Before: hours(-10)}, 10); len(got) != 0 && job != index.DueAccessed {
			t.Errorf("%s, before all: %q", job, got)
		}
	}
}

// dueOf is the ids of what is due of an owner, read in pages of limit.
func dueOf(t *testing.T, s *Store, scope memory.Scope, d index.Due, limit int) []memory.ID {
	t.Helper()
	out := []memory.ID{}
	for after := memory.ID(""); ; after = out[len(out)-1] {
		page, err := s.DueOf(t.Context(), scope, d, after, limit)
		if err != nil || len(page) > limit || len(page) > 0 && page[0].ID <= after {
			t.Fatalf("DueOf after %q = %q, %v, the limit is %d", after, idsOf(page), err, limit)
		}
		if out = append(out, idsOf(page)...); len(page) < limit {
			return out
		}
	}
}

// TestWhatIsDueOfAnOwner is what a sweep finds of them, from both collections in one order,
// and with the last use.
func TestWhatIsDueOfAnOwner(t *testing.T) {
	s := newStore(t)
	accessed := []index.Access{access(alice, 61, hours(200)), access(bob, 62, hours(200)), access(alice, 18, hours(200)), access(alice, 43, hours(200))}
	put(t, s, index.Batch{Entries: population(), Accessed: accessed})
	for job, want := range map[index.DueJob][]memory.ID{
		index.DueExpired: ids(1), index.DueUnused: ids(11), index.DueDeleted: ids(21), index.DueTombstones: ids(31),
		index.DueArchived: ids(41, 44), index.DueQuestions: ids(51), index.DueAccessed: ids(18, 43, 61),
	} {
		for _, limit := range []int{1, 2, 10} {
			if got := dueOf(t, s, alice, index.Due{Job: job, Before: hours(0), Tenant: "acme"}, limit); !slices.Equal(got, want) {
				t.Errorf("%s, in pages of %d: %q, want %q", job, limit, got, want)
			}
		}
		if got := dueOf(t, s, alice, index.Due{Job: job, Before: hours(0), Except: []memory.Tenant{"acme"}}, 10); len(got) != 0 {
			t.Errorf("%s, in another tenant: %q", job, got)
		}
	}
	got, err := s.DueOf(t.Context(), alice, index.Due{Job: index.DueAccessed}, "", 1)
	if err != nil || len(got) != 1 || !got[0].AccessedAt.Equal(hours(200)) {
		t.Errorf("DueOf = %+v, %v, want the use at %s", got, err, hours(200))
	}
	if _, err := s.DueOf(t.Context(), alice, index.Due{Job: "everything"}, "", 1); !fault.IsPermanent(err) {
		t.Errorf("DueOf for no such job = %v, want a permanent error", err)
	}
	if _, err := s.DueOf(t.Context(), memory.Scope{}, index.Due{Job: index.DueAccessed}, "", 1); !errors.Is(err, memory.ErrScope) {
		t.Errorf("DueOf of nobody = %v, want ErrScope", err)
	}
}

// TestMuchIsDueOfAnOwner: more than one answer of the server may hold.
func TestMuchIsDueOfAnOwner(t *testing.T) {
	s := newStore(t)
	const n = 2*maxPage + 300
	var b index.Batch
	for i := range n {
		b.Entries = append(b.Entries, entry(alice, i+1, 1, "unused"), entry(bob, n+i+1, 1, "unused"))
	}
	put(t, s, b)
	for _, limit := range []int{100, maxPage, n - 1, n, n + 1} {
		got := dueOf(t, s, alice, index.Due{Job: index.DueUnused, Before: noon}, limit)
		if len(got) != n || got[0] != id(1) || got[n-1] != id(n) || !slices.IsSorted(got) {
			t.Errorf("%d in pages of %d, want %d", len(got), limit, n)
		}
	}
}

// TestASweepNamesTheOwner, of whatever kind and name.
func TestASweepNamesTheOwner(t *testing.T) {
	s := newStore(t)
	want := []index.Ref{}
	for i, scope := range []memory.Scope{
		alice, memory.UserScope("ac/me:1", "al/ice"), {Tenant: "王", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "7:x/user/y"}},
		{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerTenant}},
	} {
		write(t, s, entry(scope, i+1, 1, "unused"))
		want = append(want, index.Ref{Scope: scope, ID: id(i + 1)})
	}
	var got []index.Ref
	err := s.Sweep(t.Context(), index.Due{Job: index.DueUnused, Before: noon}, 10, func(refs []index.Ref) error {
		got = append(got, refs...)
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Sweep = %+v, %v, want %+v", got, err, want)
	}
}

// TestASweepOfTenants: of one, or of all but some, more than one condition may name.
func TestASweepOfTenants(t *testing.T) {
	s := newStore(t)
	const n = 2 * maxList
	var entries []index.Entry
	var tenants []memory.Tenant
	for i := range n {
		tenants = append(tenants, memory.Tenant(fmt.Sprint("tenant ", i)))
		entries = append(entries, entry(memory.UserScope(tenants[i], "u"), i+1, 1, "unused"))
	}
	for chunk := range slices.Chunk(entries, 500) {
		put(t, s, index.Batch{Entries: chunk})
	}
	due := index.Due{Job: index.DueUnused, Before: noon, Tenant: tenants[41]}
	if got := sweep(t, s, due, 10); !slices.Equal(got, ids(42)) {
		t.Errorf("of one tenant: %q", got)
	}
	due.Tenant, due.Except = "", slices.Concat(tenants[:7], tenants[8:])
	if got := sweep(t, s, due, 10); !slices.Equal(got, ids(8)) {
		t.Errorf("of all but %d tenants: %q", len(due.Except), got)
	}
	due.Except = nil
	if got := sweep(t, s, due, 999); len(got) != n {
		t.Errorf("of all tenants: %d, want %d", len(got), n)
	}
}

// TestASweepIsCompleteWhileItIsWorkedOff: each page is archived before the next is read, and
// others write meanwhile.
func TestASweepIsCompleteWhileItIsWorkedOff(t *testing.T) {
	s := newStore(t)
	const n, limit = 1500, 64
	scopes := []memory.Scope{alice, bob, memory.UserScope("other", "alice")}
	states := map[memory.ID]index.Entry{}
	var entries []index.Entry
	want := []memory.ID{}
	for range n {
		// Ids in no order of what they are.
		e := entry(scopes[len(want)%3], 0, 1, "unused")
		e.Memory.ID = memory.ID(uuid.NewSHA1(uuid.Nil, fmt.Append(nil, len(want))).String())
		states[e.Memory.ID] = e
		entries, want = append(entries, e), append(want, e.Memory.ID)
	}
	slices.Sort(want)
	for chunk := range slices.Chunk(entries, 500) {
		put(t, s, index.Batch{Entries: chunk})
	}
	var got []memory.ID
	err := s.Sweep(t.Context(), index.Due{Job: index.DueUnused, Before: noon}, limit, func(refs []index.Ref) error {
		var b index.Batch
		for _, r := range refs {
			got = append(got, r.ID)
			e := moved(states[r.ID])
			if e.Memory.Scope != r.Scope {
				t.Errorf("%s is said to be of %+v", r.ID, r.Scope)
			}
			e.Memory.ArchivedAt, e.LedgerSeq = noon, 2
			b.Entries = append(b.Entries, e, entry(alice, n+len(got), 2, "new and used", func(m *memory.Memory) { m.ConfirmedAt = hours(1) }))
		}
		return s.Write(t.Context(), b)
	})
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d were found, %v, want each of the %d once", len(got), err, n)
	}
	if left := sweep(t, s, index.Due{Job: index.DueUnused, Before: noon}, limit); len(left) != 0 {
		t.Errorf("%d are due still", len(left))
	}
}

func TestASweepThatFails(t *testing.T) {
	s := newStore(t)
	write(t, s, entry(alice, 1, 1, "unused"), entry(bob, 2, 1, "unused"))
	due, stop := index.Due{Job: index.DueUnused, Before: noon}, errors.New("stop")
	pages := 0
	err := s.Sweep(t.Context(), due, 1, func([]index.Ref) error { pages++; return stop })
	if !errors.Is(err, stop) || pages != 1 {
		t.Errorf("Sweep = %v after %d pages, want the error of the first", err, pages)
	}
	if err := s.Sweep(t.Context(), index.Due{Job: "everything"}, 1, nil); !fault.IsPermanent(err) {
		t.Errorf("Sweep for no such job = %v, want a permanent error", err)
	}
	for _, limit := range []int{0, -1, maxPage + 1} {
		n := 0
		if err := s.Sweep(t.Context(), due, limit, func(refs []index.Ref) error { n += len(refs); return nil }); err != nil || n != 2 {
			t.Errorf("Sweep in pages of %d = %v with %d found", limit, err, n)
		}
	}
	_, err = s.client.SetPayload(t.Context(), &qdrant.SetPayloadPoints{
		CollectionName: s.hand, Wait: qdrant.PtrOf(true), Payload: qdrant.NewValueMap(map[string]any{fieldOwner: "nobody"}),
		PointsSelector: qdrant.NewPointsSelector(qdrant.NewIDUUID(string(id(1)))),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(t.Context(), due, 10, func([]index.Ref) error { return nil }); !fault.IsPermanent(err) {
		t.Errorf("Sweep over a point of nobody = %v, want a permanent error", err)
	}
}
