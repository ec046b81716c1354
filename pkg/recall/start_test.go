package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

func keyed(kind memory.Kind, key memory.Key) func(*memory.Memory) {
	return func(m *memory.Memory) { m.Kind, m.Key, m.Value = kind, key, m.Text }
}

func saidAgo(days int) func(*memory.Memory) {
	return func(m *memory.Memory) {
		m.ConfirmedAt = noon.AddDate(0, 0, -days)
		m.CreatedAt, m.SaidAt = m.ConfirmedAt, m.ConfirmedAt
	}
}

func planned(days int) func(*memory.Memory) {
	return func(m *memory.Memory) { m.Plan, m.Lasting, m.ExpiresAt = true, true, noon.AddDate(0, 0, days) }
}

// life is what there is to know about alice at the start of a thread, in that order.
func life() []memory.Memory {
	pinned := func(m *memory.Memory) { m.Pinned = true }
	return []memory.Memory{
		fact(1, "no calls before nine", pinned, saidAgo(1)), fact(2, "allergic to wasps", keyed(memory.KindConstraint, "user.allergies"), saidAgo(80)),
		fact(3, "lives in Bergen", keyed(memory.KindProfile, "user.city"), saidAgo(2)), fact(4, "a sister called Eva", keyed(memory.KindRelation, "user.family"), saidAgo(3)),
		fact(5, "likes skiing", keyed(memory.KindPreference, "user.likes"), saidAgo(1)), fact(6, "likes rye bread", keyed(memory.KindPreference, "user.likes"), saidAgo(9)),
		fact(7, "a dentist", planned(1), saidAgo(20)), fact(8, "a concert", planned(13), saidAgo(1)),
		fact(9, "learns to weave", saidAgo(1)), fact(10, "a holiday in autumn", planned(150), saidAgo(4)), fact(11, "wrote a letter", saidAgo(5)),
	}
}

func TestTheStartOfAThread(t *testing.T) {
	w := newWorld(t)
	all := life()
	var want []string
	for _, m := range all {
		want = append(want, m.Text)
	}
	w.remember(all...)
	w.remember(
		fact(20, "suppressed", func(m *memory.Memory) { m.SuppressedBy = "x" }), fact(21, "over", func(m *memory.Memory) { m.ExpiresAt = noon }),
		fact(22, "cold", saidAgo(91)), fact(23, "ended", func(m *memory.Memory) { m.Status = memory.StatusEnded }),
	)
	for limit, n := range map[int]int{0: recall.DefaultLimit, 1: 1, recall.MaxLimit: len(want)} {
		if got := texts(w.recall(recall.Request{Limit: limit})); !slices.Equal(got, want[:n]) {
			t.Errorf("with the limit %d: %q, want %q", limit, got, want[:n])
		}
	}
	for _, c := range []struct {
		request recall.Request
		want    []string
	}{
		{recall.Request{Kinds: []memory.Kind{memory.KindPreference}}, want[4:6]},
		{recall.Request{Keys: []memory.Key{"user.city", "user.allergies"}}, want[1:3]},
		{recall.Request{Keys: []memory.Key{"user.city"}, Kinds: []memory.Kind{memory.KindFact}}, []string{}},
		{recall.Request{IncludeArchive: true, Limit: recall.MaxLimit}, append(slices.Clone(want), "cold")},
	} {
		if got := texts(w.recall(c.request)); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.request, got, c.want)
		}
	}
	got := w.recall(recall.Request{Limit: recall.MaxLimit, Explain: true})
	standings := []recall.Standing{
		recall.StandingCritical, recall.StandingCritical, recall.StandingProfile, recall.StandingProfile, recall.StandingPreference,
		recall.StandingPreference, recall.StandingPlan, recall.StandingPlan, recall.StandingRecent, recall.StandingRecent, recall.StandingRecent,
	}
	for i, m := range got.Memories {
		if m.Explain.Start != standings[i] || m.Score != 0 {
			t.Errorf("%q is %s with the score %v, want %s", m.Text, m.Explain.Start, m.Score, standings[i])
		}
	}
	if x := got.Explain; x.Candidates != x.Hidden+len(got.Memories) {
		t.Errorf("explained as %+v", *x)
	}
}

// TestTheStartOfAThreadSaysNothingTwice: what says the same as a better one takes no place of
// what says something else; it is there where there is room, and a figure, a denial or another
// speaker makes it something else.
func TestTheStartOfAThreadSaysNothingTwice(t *testing.T) {
	of := func(role memory.Role) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Evidence[0].Role = role }
	}
	for _, says := range [][]string{
		{"my sister Eva visits us from Bergen", "likes skiing"},
		{"我妹妹小美从杭州来看我们", "喜欢滑雪"},
	} {
		same, other := says[0], says[1]
		w := newWorld(t)
		w.remember(
			fact(1, same, planned(3), saidAgo(1)), fact(2, same, func(m *memory.Memory) { m.Kind = memory.KindRelation }, saidAgo(2)),
			fact(3, other, saidAgo(3)), fact(4, same+" 2", saidAgo(4)), fact(5, same, of(memory.RoleAssistant), saidAgo(5)),
		)
		want := []string{"1", "3", "4", "5", "2"}
		for _, limit := range []int{2, 4, 5} {
			var got []string
			for _, m := range w.recall(recall.Request{Limit: limit}).Memories {
				got = append(got, strings.TrimLeft(string(m.ID[:8]), "0"))
			}
			if !slices.Equal(got, want[:limit]) {
				t.Errorf("of %q with the limit %d: %q, want %q", same, limit, got, want[:limit])
			}
		}
	}
}

// TestTheStartOfAThreadIsStable: the order does not depend on that of the ids or of what was
// decided first.
func TestTheStartOfAThreadIsStable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := rapid.Permutation(life()).Draw(rt, "order")
		c := careless{all}
		w := &world{t: t, clock: noon}
		s := recall.New(recall.Config{Lists: c, Traces: w, Now: func() time.Time { return noon }})
		got, err := s.Recall(rt.Context(), recall.Request{User: "alice", Limit: recall.MaxLimit})
		if err != nil {
			rt.Fatal(err)
		}
		for i, m := range life() {
			if got.Memories[i].ID != m.ID {
				rt.Fatalf("%q", texts(got))
			}
		}
	})
}

func TestTheBlockSpeaksAsMostMemoriesDo(t *testing.T) {
	for _, c := range []struct {
		texts  []string
		notice string
	}{
		{[]string{"我住在杭州", "我喜欢喝茶", "I drink tea"}, guard.StaleNoticeZH},
		{[]string{"我住在杭州", "I live in Oslo", "I drink tea"}, guard.StaleNoticeEN},
		{[]string{"我住在杭州"}, guard.StaleNoticeZH},
		{[]string{"I drink 龙井"}, guard.StaleNoticeEN},
	} {
		if got := recall.Prompt("", results(c.texts...)); !strings.HasSuffix(got, c.notice) {
			t.Errorf("of %q the block is\n%s", c.texts, got)
		}
	}
}

// TestNothingIsAskedUnasked: without a query there is no question, however many are open.
func TestNothingIsAskedUnasked(t *testing.T) {
	w := newWorld(t)
	w.asked["q1"] = memory.Question{ID: "q1", Scope: alice, Status: memory.QuestionOpen}
	w.remember(fact(1, "lives in Bergen", keyed(memory.KindProfile, "user.city"), func(m *memory.Memory) { m.Question = "q1" }))
	yes := true
	for name, c := range map[string]struct {
		request recall.Request
		want    int
	}{
		"asked":           {recall.Request{Query: "where is Bergen?"}, 1},
		"not asked":       {recall.Request{IncludeQuestions: &yes}, 0},
		"asked of a past": {recall.Request{Query: "where is Bergen?", AsOf: noon, IncludeQuestions: &yes}, 0},
	} {
		got := w.recall(c.request)
		if len(got.Memories) != 1 || !got.Memories[0].Disputed || len(got.Questions) != c.want {
			t.Errorf("%s: %q with %d questions, want %d", name, texts(got), len(got.Questions), c.want)
		}
	}
}
