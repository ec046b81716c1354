package recall_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/recall"
)

// city is alice's city as she said it on a day.
func city(value string, day int) memory.Memory {
	return fact(1, "my tea house is in "+value, func(m *memory.Memory) {
		m.Kind, m.Key, m.Value = memory.KindProfile, "user.city", value
		m.SaidAt = noon.AddDate(0, 0, day)
		m.CreatedAt, m.ConfirmedAt = m.SaidAt, m.SaidAt
	})
}

func tombstone(m memory.Memory, at time.Time) memory.Memory {
	return memory.Memory{
		ID: m.ID, Scope: m.Scope, Kind: m.Kind, Key: m.Key, Status: memory.StatusDeleted, SaidAt: m.SaidAt, CreatedAt: m.CreatedAt,
		ConfirmedAt: m.ConfirmedAt, Origin: m.Origin, ArchivedAt: m.ArchivedAt, Tombstone: &memory.Tombstone{At: at},
	}
}

// past is a value that a memory had, as the archive knows it.
func past(m memory.Memory) memory.Memory {
	m.Origin, m.ID, m.Status, m.ArchivedAt = m.ID, profile.PastIdentity(m.ID, m.Value), memory.StatusSuperseded, noon
	return m
}

// moved is a world in which alice lived in Ghent from the first day on and in Bruges from
// the tenth; it is the twentieth.
func moved(t *testing.T) *world {
	w := newWorld(t)
	ghent, bruges := city("Ghent", 0), city("Bruges", 10)
	w.remember(ghent)
	w.clock = noon.AddDate(0, 0, 10)
	w.decide(alice, ledger.Change{Op: ledger.OpSupersede, Memory: bruges, Previous: &ghent, Reason: "change_said"})
	w.clock = noon.AddDate(0, 0, 20)
	return w
}

func TestWhatWasBelievedThen(t *testing.T) {
	w := moved(t)
	for at, want := range map[time.Time][]string{
		noon.Add(-time.Nanosecond):     {},
		noon:                           {"my tea house is in Ghent"},
		noon.AddDate(0, 0, 10).Add(-1): {"my tea house is in Ghent"},
		noon.AddDate(0, 0, 10):         {"my tea house is in Bruges"},
		noon.AddDate(0, 0, 20).In(time.FixedZone("", 3600)): {"my tea house is in Bruges"},
	} {
		for _, query := range []string{"tea", ""} {
			if got := texts(w.recall(recall.Request{Query: query, AsOf: at})); !slices.Equal(got, want) {
				t.Errorf("as of %s, of %q: %q, want %q", at, query, got, want)
			}
		}
	}
}

// TestTheRetentionOfThen: expiry, tiers and scores are those of the instant.
func TestTheRetentionOfThen(t *testing.T) {
	w := newWorld(t)
	w.remember(
		fact(1, "tea with Eva", func(m *memory.Memory) { m.Plan, m.Lasting, m.ExpiresAt = true, true, noon.AddDate(0, 0, 3) }),
		fact(2, "tea from Assam"),
	)
	w.clock = noon.AddDate(0, 0, 80)
	w.log.sets = append(w.log.sets, ledger.ChangeSet{
		V: ledger.Version, At: w.clock, Author: ledger.AuthorReaper, Scope: alice, Accessed: []ledger.Access{{ID: fact(2, "").ID, At: w.clock}},
	})
	w.clock = noon.AddDate(1, 0, 0)
	for days, want := range map[int][]string{2: {"tea from Assam", "tea with Eva"}, 3: {"tea from Assam"}, 79: {"tea from Assam"}, 89: {"tea from Assam"}, 171: {}} {
		got := w.recall(recall.Request{Query: "tea with Eva or from Assam", AsOf: noon.AddDate(0, 0, days)})
		if !slices.Equal(slices.Sorted(slices.Values(texts(got))), want) {
			t.Errorf("after %d days: %q, want %q", days, texts(got), want)
		}
		for _, m := range got.Memories {
			if warm := days == 79 && m.Tier == memory.TierWarm; warm != (days == 79) {
				t.Errorf("after %d days %q is %s", days, m.Text, m.Tier)
			}
		}
	}
	if got := texts(w.recall(recall.Request{Query: "tea", AsOf: noon.AddDate(0, 0, 171), IncludeArchive: true})); !slices.Equal(got, []string{"tea from Assam"}) {
		t.Errorf("with the archive: %q", got)
	}
}

// TestGoneIsGoneFromThePastToo: what was taken back since is not believed at any time.
func TestGoneIsGoneFromThePastToo(t *testing.T) {
	ghent, bruges := city("Ghent", 0), city("Bruges", 10)
	at := noon.AddDate(0, 0, 20)
	suppressed := func(m memory.Memory) memory.Memory { m.SuppressedBy = "r"; return m }
	request := fact(9, "never mention Ghent again", func(m *memory.Memory) {
		m.Status, m.Kind, m.Suppresses = memory.StatusStanding, memory.KindProcedural, &memory.Topic{Words: "Ghent"}
	})
	lifted := request
	lifted.Status = memory.StatusLifted
	redacted := bruges
	redacted.Text = "my tea house is in […]"
	change := func(op ledger.Op, m memory.Memory) ledger.Change {
		return ledger.Change{Op: op, Memory: m, Reason: "x"}
	}
	deleted := change(ledger.OpDelete, tombstone(bruges, at))
	for name, c := range map[string]struct {
		changes       []ledger.Change
		ghent, bruges bool
	}{
		"nothing":                       {nil, true, true},
		"deleted":                       {[]ledger.Change{deleted}, false, false},
		"deleted and restored":          {[]ledger.Change{deleted, change(ledger.OpRestore, bruges)}, true, true},
		"deleted, restored and deleted": {[]ledger.Change{deleted, change(ledger.OpRestore, bruges), deleted}, false, false},
		"deleted and learnt anew":       {[]ledger.Change{deleted, change(ledger.OpAdd, bruges)}, false, false},
		"dropped":                       {[]ledger.Change{deleted, change(ledger.OpDrop, tombstone(bruges, at))}, false, false},
		"the past value deleted":        {[]ledger.Change{change(ledger.OpDelete, tombstone(past(ghent), at))}, false, true},
		"suppressed":                    {[]ledger.Change{change(ledger.OpSuppress, suppressed(bruges))}, false, false},
		"suppressed and given back":     {[]ledger.Change{change(ledger.OpSuppress, suppressed(bruges)), change(ledger.OpUnsuppress, bruges)}, true, true},
		"the past value suppressed":     {[]ledger.Change{change(ledger.OpSuppress, suppressed(past(ghent)))}, false, true},
		"its topic suppressed":          {[]ledger.Change{change(ledger.OpRequest, request)}, false, true},
		"its topic given back":          {[]ledger.Change{change(ledger.OpRequest, request), change(ledger.OpLift, lifted)}, true, true},
		"redacted":                      {[]ledger.Change{change(ledger.OpRedact, redacted)}, false, false},
		"the past value redacted":       {[]ledger.Change{change(ledger.OpRedact, past(ghent))}, false, true},
		"another one deleted":           {[]ledger.Change{change(ledger.OpAdd, fact(2, "a cat")), change(ledger.OpDelete, tombstone(fact(2, "a cat"), at))}, true, true},
		"superseded once more":          {[]ledger.Change{{Op: ledger.OpSupersede, Memory: city("Lier", 20), Previous: &bruges, Reason: "x"}}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := moved(t)
			for _, ch := range c.changes {
				w.decide(alice, ch)
			}
			w.clock = at.AddDate(0, 0, 1)
			for day, want := range map[int]bool{5: c.ghent, 15: c.bruges} {
				for _, query := range []string{"tea", ""} {
					got := w.recall(recall.Request{Query: query, AsOf: noon.AddDate(0, 0, day)})
					if (len(got.Memories) == 1) != want {
						t.Errorf("on day %d, of %q: %q, want it there: %v", day, query, texts(got), want)
					}
				}
			}
		})
	}
}

func TestAnErasureLeavesNoPast(t *testing.T) {
	w := moved(t)
	w.log.sets = append(w.log.sets, ledger.ChangeSet{V: ledger.Version, At: w.clock, Author: ledger.AuthorUser, Scope: alice, Erased: &ledger.Erased{EventHead: 1}})
	w.clock = w.clock.AddDate(0, 0, 1)
	for _, day := range []int{5, 15, 20} {
		if got := w.recall(recall.Request{Query: "tea", AsOf: noon.AddDate(0, 0, day)}); len(got.Memories) > 0 {
			t.Errorf("on day %d: %q", day, texts(got))
		}
	}
}

// TestThisMomentIsNoOtherThanThePresent: what was believed at this very moment is what is
// recalled, in the same order and with the same scores.
func TestThisMomentIsNoOtherThanThePresent(t *testing.T) {
	words := []string{"tea", "coffee", "lake", "Bergen", "skiing", "茶", "西湖", "滑雪"}
	w := newWorld(t)
	lives := 0
	rapid.Check(t, func(rt *rapid.T) {
		lives++
		user := fmt.Sprint("user ", lives)
		for i := range rapid.IntRange(1, 12).Draw(rt, "memories") {
			text := ""
			for _, word := range rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(rt, "words") {
				text += word + " "
			}
			w.remember(fact(100*lives+i, text, of(memory.DefaultTenant, memory.OwnerUser, user), saidAgo(rapid.IntRange(0, 100).Draw(rt, "days")), func(m *memory.Memory) {
				m.Pinned = rapid.Bool().Draw(rt, "pinned")
				if rapid.Bool().Draw(rt, "suppressed") {
					m.SuppressedBy = "x"
				}
			}))
		}
		for _, r := range []recall.Request{{}, {Query: "tea at the lake"}, {Query: "去西湖喝茶"}, {Query: "skiing", IncludeArchive: true}} {
			r.User, r.Limit, r.Explain = memory.User(user), recall.MaxLimit, true
			now := w.recall(r)
			r.AsOf = w.clock
			then := w.recall(r)
			if !slices.Equal(texts(now), texts(then)) {
				rt.Fatalf("of %q: now %q, then %q", r.Query, texts(now), texts(then))
			}
			for i := range now.Memories {
				if d := now.Memories[i].Score - then.Memories[i].Score; d > 1e-6 || d < -1e-6 {
					rt.Errorf("of %q: %q scores %v now, %v then", r.Query, now.Memories[i].Text, now.Memories[i].Score, then.Memories[i].Score)
				}
			}
		}
	})
}
