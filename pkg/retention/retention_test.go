package retention_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/retention"
)

const day = 24 * time.Hour

var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) time.Time { return now.Add(-d) }

// current is a memory that was confirmed that long ago, and changed by f.
func current(unused time.Duration, f func(*memory.Memory)) memory.Memory {
	m := memory.Memory{ID: "m", Status: memory.StatusCurrent, Text: "I like window seats", ConfirmedAt: ago(unused)}
	if f != nil {
		f(&m)
	}
	return m
}

func TestTierAndRecall(t *testing.T) {
	const hot, warm, cold = memory.TierHot, memory.TierWarm, memory.TierCold
	tests := []struct {
		name   string
		policy retention.Policy
		memory memory.Memory
		tier   memory.Tier
		// recall says whether recall hands it out, archive whether it does for who asks for
		// the archive too.
		recall, archive bool
	}{
		{"just said", retention.Policy{}, current(0, nil), hot, true, true},
		{"said in the future", retention.Policy{}, current(-day, nil), hot, true, true},
		{"almost warm", retention.Policy{}, current(30*day-1, nil), hot, true, true},
		{"warm", retention.Policy{}, current(30*day, nil), warm, true, true},
		{"almost cold", retention.Policy{}, current(90*day-1, nil), warm, true, true},
		{"cold before the reaper came", retention.Policy{}, current(90*day, nil), cold, false, true},
		{"used since", retention.Policy{}, current(200*day, func(m *memory.Memory) { m.AccessedAt = ago(day) }), hot, true, true},
		{"used before it was said again", retention.Policy{}, current(40*day, func(m *memory.Memory) { m.AccessedAt = ago(80 * day) }), warm, true, true},
		{"lasting", retention.Policy{}, current(4000*day, func(m *memory.Memory) { m.Lasting = true }), hot, true, true},
		{"pinned", retention.Policy{}, current(4000*day, func(m *memory.Memory) { m.Pinned = true }), hot, true, true},
		{"in the archive", retention.Policy{}, current(day, func(m *memory.Memory) { m.ArchivedAt = ago(2 * day) }), cold, false, true},
		{"other limits", retention.Policy{WarmAfter: day, ColdAfter: 2 * day}, current(day, nil), warm, true, true},
		{"never warm", retention.Policy{WarmAfter: retention.Never}, current(89*day, nil), hot, true, true},
		{"never cold", retention.Policy{ColdAfter: retention.Never}, current(4000*day, nil), warm, true, true},
		{"a note that something is over", retention.Policy{}, current(90*day, func(m *memory.Memory) { m.Ends = &memory.Target{Value: "cat"} }), cold, false, true},
		{"with an open question", retention.Policy{}, current(0, func(m *memory.Memory) { m.Question = "q" }), hot, true, true},

		{"expires later", retention.Policy{}, current(0, func(m *memory.Memory) { m.ExpiresAt = now.Add(1) }), hot, true, true},
		{"expires now", retention.Policy{}, current(0, func(m *memory.Memory) { m.ExpiresAt = now }), hot, false, false},
		{"expired, in its grace", retention.Policy{ExpiryGrace: day}, current(0, func(m *memory.Memory) { m.ExpiresAt = now }), hot, false, false},
		{"pinned and expired", retention.Policy{}, current(0, func(m *memory.Memory) { m.Pinned, m.ExpiresAt = true, now }), hot, false, false},
		{"suppressed", retention.Policy{}, current(0, func(m *memory.Memory) { m.SuppressedBy = "r" }), hot, false, false},
		{"a past value", retention.Policy{}, current(0, func(m *memory.Memory) {
			m.Status, m.Origin, m.ArchivedAt = memory.StatusSuperseded, "o", now
		}), cold, false, false},
		{"a past value that says it is current", retention.Policy{}, current(0, func(m *memory.Memory) { m.Origin = "o" }), hot, false, false},
		{"ended", retention.Policy{}, current(400*day, func(m *memory.Memory) { m.Status = memory.StatusEnded }), hot, false, false},
		{"a rival", retention.Policy{}, current(0, func(m *memory.Memory) { m.Status = memory.StatusDisputed }), hot, false, false},
		{"a standing request", retention.Policy{}, current(400*day, func(m *memory.Memory) { m.Status = memory.StatusStanding }), hot, false, false},
		{"deleted", retention.Policy{}, current(0, func(m *memory.Memory) {
			m.Status, m.Tombstone = memory.StatusDeleted, &memory.Tombstone{At: now}
		}), hot, false, false},
		{"a tombstone that says it is current", retention.Policy{}, current(0, func(m *memory.Memory) { m.Tombstone = &memory.Tombstone{At: now} }), hot, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.policy.Tier(&tt.memory, now); got != tt.tier {
				t.Errorf("tier is %s, want %s", got, tt.tier)
			}
			if got := tt.policy.Recallable(&tt.memory, now); got != tt.recall {
				t.Errorf("recallable is %v, want %v", got, tt.recall)
			}
			if got := tt.policy.RecallableFromArchive(&tt.memory, now); got != tt.archive {
				t.Errorf("recallable from the archive is %v, want %v", got, tt.archive)
			}
		})
	}
}

func TestReturns(t *testing.T) {
	archived := func(f func(*memory.Memory)) memory.Memory {
		return current(100*day, func(m *memory.Memory) {
			m.ArchivedAt = ago(10 * day)
			if f != nil {
				f(m)
			}
		})
	}
	tests := []struct {
		name   string
		memory memory.Memory
		want   bool
	}{
		{"not used", archived(nil), false},
		{"used before it moved", archived(func(m *memory.Memory) { m.AccessedAt = ago(11 * day) }), false},
		{"used since", archived(func(m *memory.Memory) { m.AccessedAt = ago(day) }), true},
		{"said since", archived(func(m *memory.Memory) { m.ConfirmedAt = ago(day) }), true},
		{"used since, but long ago", archived(func(m *memory.Memory) { m.ArchivedAt, m.AccessedAt = ago(95*day), ago(90*day) }), false},
		{"expired", archived(func(m *memory.Memory) { m.AccessedAt, m.ExpiresAt = ago(day), ago(20*day) }), false},
		{"a past value", archived(func(m *memory.Memory) { m.AccessedAt, m.Origin = ago(day), "o" }), false},
		{"at hand", current(0, nil), false},
	}
	for _, tt := range tests {
		if got := (retention.Policy{}).Returns(&tt.memory, now); got != tt.want {
			t.Errorf("%s: returns is %v, want %v", tt.name, got, tt.want)
		}
		if tt.want && (retention.Policy{ArchiveFor: day}).Due(retention.Delete, &tt.memory, now) {
			t.Errorf("%s: it is due to be deleted and to come back", tt.name)
		}
	}
}

// drawn are memories in any state, those that cannot be included: what is denied is denied
// whatever else a memory says.
func drawn(t *rapid.T) memory.Memory {
	at := func(name string) time.Time {
		if rapid.Bool().Draw(t, "no "+name) {
			return time.Time{}
		}
		return now.Add(time.Duration(rapid.IntRange(-500*24, 10*24).Draw(t, name)) * time.Hour)
	}
	m := memory.Memory{
		Status: rapid.SampledFrom([]memory.Status{
			memory.StatusCurrent, memory.StatusCurrent, memory.StatusCurrent, memory.StatusSuperseded, memory.StatusEnded,
			memory.StatusDisputed, memory.StatusSettled, memory.StatusStanding, memory.StatusLifted, memory.StatusDeleted,
		}).Draw(t, "status"),
		ConfirmedAt: at("confirmed"), AccessedAt: at("accessed"), ExpiresAt: at("expires"), ArchivedAt: at("archived"),
		Pinned: rapid.Bool().Draw(t, "pinned"), Lasting: rapid.Bool().Draw(t, "lasting"),
		Origin:       memory.ID(rapid.SampledFrom([]string{"", "", "o"}).Draw(t, "origin")),
		SuppressedBy: memory.ID(rapid.SampledFrom([]string{"", "", "r"}).Draw(t, "suppressed by")),
	}
	if m.Status == memory.StatusDeleted || rapid.IntRange(0, 9).Draw(t, "tombstone") == 0 {
		m.Tombstone = &memory.Tombstone{At: at("deleted"), PurgedAt: at("purged")}
	}
	if m.Status == memory.StatusDisputed {
		m.Dispute = &memory.Dispute{Question: "q", TimeoutAt: at("time-out"), ClosedAt: at("closed")}
	}
	return m
}

func drawnPolicy(t *rapid.T, name string) retention.Policy {
	limit := func(field string) time.Duration {
		hours := rapid.IntRange(-1, 450*24).Draw(t, name+" "+field)
		if hours < 0 {
			return retention.Never
		}
		return time.Duration(hours) * time.Hour
	}
	p := retention.Policy{
		WarmAfter: limit("warm"), ColdAfter: limit("cold"), ExpiryGrace: limit("grace"), ArchiveFor: limit("archive"),
		UndoFor: limit("undo"), TombstoneFor: limit("tombstone"), QuestionFor: limit("question"), Cooldown: limit("cooldown"),
	}
	return p
}

var actions = []retention.Action{
	retention.Expire, retention.Archive, retention.Delete, retention.Purge, retention.Drop, retention.TimeOut,
}

// What recall hands out is believed, unexpired, unsuppressed and not on its way out; asking
// for the archive adds what is cold and nothing else.
func TestRecallReturnsNothingThatRetentionDenies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, p := drawn(t), drawnPolicy(t, "policy")
		cold := p.Tier(&m, now) == memory.TierCold
		if got, want := p.Recallable(&m, now), p.RecallableFromArchive(&m, now) && !cold; got != want {
			t.Errorf("recallable is %v, from the archive and not cold is %v", got, want)
		}
		if !p.RecallableFromArchive(&m, now) {
			return
		}
		if m.Status != memory.StatusCurrent || m.Tombstone != nil || m.Origin != "" || m.SuppressedBy != "" ||
			!m.ExpiresAt.IsZero() && !now.Before(m.ExpiresAt) {
			t.Errorf("recalled %+v", m)
		}
		for _, a := range actions {
			due := p.Due(a, &m, now)
			if due && a != retention.Archive && a != retention.Delete || due && !cold {
				t.Errorf("recalled what is due to %s", a)
			}
		}
	})
}

// longer is d with more on top, and sometimes for ever.
func longer(t *rapid.T, d time.Duration) time.Duration {
	if d < 0 || rapid.IntRange(0, 5).Draw(t, "for ever") == 0 {
		return retention.Never
	}
	return d + time.Duration(rapid.IntRange(0, 300).Draw(t, "days more"))*day
}

func TestRaisingALimitMakesNothingMoreDue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, p := drawn(t), drawnPolicy(t, "policy")
		raised := retention.Policy{
			WarmAfter: longer(t, p.WarmAfter), ColdAfter: longer(t, p.ColdAfter), ExpiryGrace: longer(t, p.ExpiryGrace),
			ArchiveFor: longer(t, p.ArchiveFor), UndoFor: longer(t, p.UndoFor), TombstoneFor: longer(t, p.TombstoneFor),
		}
		p, raised = named(p), named(raised)
		for _, a := range actions {
			if raised.Due(a, &m, now) && !p.Due(a, &m, now) {
				t.Errorf("%s is due under %+v, but not under %+v", a, raised, p)
			}
		}
		if p.Recallable(&m, now) && !raised.Recallable(&m, now) {
			t.Errorf("recalled under %+v, but not under %+v", p, raised)
		}
	})
}

// named is p without zero fields, which mean a default instead of nothing.
func named(p retention.Policy) retention.Policy {
	for _, d := range []*time.Duration{
		&p.WarmAfter, &p.ColdAfter, &p.ExpiryGrace, &p.ArchiveFor, &p.UndoFor, &p.TombstoneFor, &p.QuestionFor, &p.Cooldown,
	} {
		if *d == 0 {
			*d = 1
		}
	}
	return p
}

// Time alone moves a memory away from hand, never back, and what is due stays due.
func TestTimeGoesOneWay(t *testing.T) {
	order := map[memory.Tier]int{memory.TierHot: 0, memory.TierWarm: 1, memory.TierCold: 2}
	rapid.Check(t, func(t *rapid.T) {
		m, p := drawn(t), drawnPolicy(t, "policy")
		later := now.Add(time.Duration(rapid.IntRange(0, 1000).Draw(t, "days later")) * day)
		if before, after := p.Tier(&m, now), p.Tier(&m, later); order[after] < order[before] {
			t.Errorf("from %s to %s", before, after)
		}
		if !p.Recallable(&m, now) && p.Recallable(&m, later) {
			t.Error("recalled later only")
		}
		for _, a := range actions {
			if p.Due(a, &m, now) && !p.Due(a, &m, later) {
				t.Errorf("%s was due and is not any more", a)
			}
		}
		if m.Pinned || m.Lasting {
			if p.Due(retention.Archive, &m, later) || m.ArchivedAt.IsZero() && p.Tier(&m, later) != memory.TierHot {
				t.Error("what does not age has aged")
			}
		}
	})
}
