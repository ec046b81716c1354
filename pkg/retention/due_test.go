package retention_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/retention"
)

func TestDue(t *testing.T) {
	expired := func(d time.Duration, f func(*memory.Memory)) memory.Memory {
		return current(0, func(m *memory.Memory) {
			m.ExpiresAt = ago(d)
			if f != nil {
				f(m)
			}
		})
	}
	archived := func(d time.Duration, f func(*memory.Memory)) memory.Memory {
		return current(1000*day, func(m *memory.Memory) {
			m.ArchivedAt = ago(d)
			if f != nil {
				f(m)
			}
		})
	}
	deleted := func(d time.Duration, purged time.Time) memory.Memory {
		return memory.Memory{Status: memory.StatusDeleted, Tombstone: &memory.Tombstone{At: ago(d), PurgedAt: purged}}
	}
	rival := func(f func(*memory.Memory)) memory.Memory {
		return current(0, func(m *memory.Memory) {
			m.Status, m.Dispute = memory.StatusDisputed, &memory.Dispute{Of: "c", Question: "q", TimeoutAt: now}
			if f != nil {
				f(m)
			}
		})
	}
	never := retention.Policy{
		ColdAfter: retention.Never, ExpiryGrace: retention.Never, ArchiveFor: retention.Never, UndoFor: retention.Never,
		TombstoneFor: retention.Never,
	}
	year := retention.Policy{ArchiveFor: 365 * day}
	tests := []struct {
		name   string
		policy retention.Policy
		memory memory.Memory
		want   []retention.Action
	}{
		{"just said", retention.Policy{}, current(0, nil), nil},
		{"expires later", retention.Policy{}, expired(-1, nil), nil},
		{"expires now", retention.Policy{}, expired(0, nil), []retention.Action{retention.Expire}},
		{"in its grace", retention.Policy{ExpiryGrace: day}, expired(day-1, nil), nil},
		{"after its grace", retention.Policy{ExpiryGrace: day}, expired(day, nil), []retention.Action{retention.Expire}},
		{"a grace without end", never, expired(day, nil), nil},
		{"pinned, expired", retention.Policy{}, expired(0, func(m *memory.Memory) { m.Pinned = true }), []retention.Action{retention.Expire}},
		{"expired, in the archive", retention.Policy{}, expired(day, func(m *memory.Memory) { m.ArchivedAt = now }), nil},
		{"expired, ended", retention.Policy{}, expired(day, func(m *memory.Memory) { m.Status = memory.StatusEnded }), nil},

		{"almost cold", retention.Policy{}, current(90*day-1, nil), nil},
		{"cold", retention.Policy{}, current(90*day, nil), []retention.Action{retention.Archive}},
		{"cold and suppressed", retention.Policy{}, current(90*day, func(m *memory.Memory) { m.SuppressedBy = "r" }), []retention.Action{retention.Archive}},
		{"cold, a note of an end", retention.Policy{}, current(90*day, func(m *memory.Memory) { m.Ends = &memory.Target{Value: "cat"} }), []retention.Action{retention.Archive}},
		{"cold and expired", retention.Policy{}, current(90*day, func(m *memory.Memory) { m.ExpiresAt = now }), []retention.Action{retention.Expire, retention.Archive}},
		{"lasting", retention.Policy{}, current(900*day, func(m *memory.Memory) { m.Lasting = true }), nil},
		{"pinned", retention.Policy{}, current(900*day, func(m *memory.Memory) { m.Pinned = true }), nil},
		{"standing", retention.Policy{}, current(900*day, func(m *memory.Memory) { m.Status = memory.StatusStanding }), nil},
		{"never cold", never, current(900*day, nil), nil},

		{"long in the archive", retention.Policy{}, archived(900*day, nil), nil},
		{"almost too long", year, archived(365*day-1, nil), nil},
		{"too long", year, archived(365*day, nil), []retention.Action{retention.Delete}},
		{"a past value, too long", year, archived(365*day, func(m *memory.Memory) { m.Status, m.Origin = memory.StatusSuperseded, "o" }), []retention.Action{retention.Delete}},
		{"in question, too long", year, archived(365*day, func(m *memory.Memory) { m.Question = "q" }), nil},
		{"pinned, too long", year, archived(365*day, func(m *memory.Memory) { m.Pinned = true }), []retention.Action{retention.Delete}},
		{"too long, but used since", year, archived(365*day, func(m *memory.Memory) { m.AccessedAt = ago(day) }), nil},

		{"just deleted", retention.Policy{}, deleted(7*day-1, time.Time{}), nil},
		{"beyond undoing", retention.Policy{}, deleted(7*day, time.Time{}), []retention.Action{retention.Purge}},
		{"undo without end", never, deleted(900*day, time.Time{}), nil},
		{"long deleted, not purged", retention.Policy{}, deleted(900*day, time.Time{}), []retention.Action{retention.Purge}},
		{"purged", retention.Policy{}, deleted(400*day-1, ago(day)), nil},
		{"purged, long ago", retention.Policy{}, deleted(400*day, ago(day)), []retention.Action{retention.Drop}},
		{"known for ever", never, deleted(900*day, ago(day)), nil},

		{"a question whose time is up", never, rival(nil), []retention.Action{retention.TimeOut}},
		{"a question with time left", retention.Policy{}, rival(func(m *memory.Memory) { m.Dispute.TimeoutAt = now.Add(1) }), nil},
		{"a question without end", retention.Policy{}, rival(func(m *memory.Memory) { m.Dispute.TimeoutAt = time.Time{} }), nil},
		{"a closed question", retention.Policy{}, rival(func(m *memory.Memory) { m.Dispute.ClosedAt = ago(day) }), nil},
		{"a rival that was not asked about", retention.Policy{}, rival(func(m *memory.Memory) { m.Dispute.Question = "" }), nil},
		{"a settled rival", retention.Policy{}, rival(func(m *memory.Memory) { m.Status = memory.StatusSettled }), nil},
		{"a rival of an earlier version", retention.Policy{}, rival(func(m *memory.Memory) { m.Dispute = nil }), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []retention.Action
			for _, a := range actions {
				if tt.policy.Due(a, &tt.memory, now) {
					got = append(got, a)
				}
			}
			if len(got) != len(tt.want) {
				t.Fatalf("due is %v, want %v", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Fatalf("due is %v, want %v", got, tt.want)
				}
			}
		})
	}
	if (retention.Policy{}).Due("nothing", &tests[0].memory, now) {
		t.Error("an unknown action is due")
	}
}

func TestBound(t *testing.T) {
	tests := []struct {
		action retention.Action
		policy retention.Policy
		want   time.Time
		never  bool
	}{
		{retention.Expire, retention.Policy{}, now, false},
		{retention.Expire, retention.Policy{ExpiryGrace: day}, ago(day), false},
		{retention.Expire, retention.Policy{ExpiryGrace: retention.Never}, time.Time{}, true},
		{retention.Archive, retention.Policy{}, ago(90 * day), false},
		{retention.Delete, retention.Policy{}, time.Time{}, true},
		{retention.Delete, retention.Policy{ArchiveFor: day}, ago(day), false},
		{retention.Purge, retention.Policy{}, ago(7 * day), false},
		{retention.Drop, retention.Policy{}, ago(400 * day), false},
		{retention.TimeOut, retention.Policy{QuestionFor: retention.Never}, now, false},
		{"nothing", retention.Policy{}, time.Time{}, true},
	}
	for _, tt := range tests {
		got, ok := tt.policy.Bound(tt.action, now)
		if ok == tt.never || ok && !got.Equal(tt.want) {
			t.Errorf("%s under %+v: bound is %v, %v", tt.action, tt.policy, got, ok)
		}
	}
}

// A search by the bound finds all that is due: whoever waits for a bound to reach a memory's
// date misses nothing.
func TestNothingIsDueBeyondItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, p := drawn(t), drawnPolicy(t, "policy")
		dates := map[retention.Action]time.Time{
			retention.Expire: m.ExpiresAt, retention.Archive: m.UsedAt(), retention.Delete: m.ArchivedAt,
		}
		if m.Tombstone != nil {
			dates[retention.Purge], dates[retention.Drop] = m.Tombstone.At, m.Tombstone.At
		}
		if m.Dispute != nil {
			dates[retention.TimeOut] = m.Dispute.TimeoutAt
		}
		for _, a := range actions {
			if !p.Due(a, &m, now) {
				continue
			}
			if bound, ok := p.Bound(a, now); !ok || dates[a].After(bound) {
				t.Errorf("%s is due for %v, the bound is %v, %v", a, dates[a], bound, ok)
			}
		}
	})
}
