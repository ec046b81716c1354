package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// TestTheBlockStaysWithinItsBudget, whatever the budget, in both languages: it holds whole
// memories, those of the answer, and as many as there is room for.
func TestTheBlockStaysWithinItsBudget(t *testing.T) {
	w := newWorld(t)
	var all []memory.Memory
	for i := range 9 {
		all = append(all, fact(i, "I drink tea "+strings.Repeat("at the lake ", i)), fact(10+i, "我喝茶"+strings.Repeat("在湖边", i)))
	}
	w.remember(all...)
	rapid.Check(t, func(t *rapid.T) {
		r := recall.Request{
			User: "alice", Query: rapid.SampledFrom([]string{"tea", "茶", "which tea at the lake?", ""}).Draw(t, "query"), Explain: true,
			Limit: rapid.IntRange(1, recall.MaxLimit).Draw(t, "limit"), Budget: rapid.IntRange(1, 600).Draw(t, "budget"),
		}
		got, err := w.Recall(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		budget := r.Budget
		r.Budget, r.Limit = 0, recall.MaxLimit
		free, err := w.Recall(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if n := event.Tokens(got.Prompt); n > budget || n != got.Tokens || got.Explain.OverBudget+got.Explain.OverLimit+len(got.Memories) != len(free.Memories) {
			t.Fatalf("%d tokens, %d by the answer; %+v of %d", n, got.Tokens, *got.Explain, len(free.Memories))
		}
		if got.Prompt != recall.Prompt(r.Query, got.Memories) {
			t.Errorf("the block is not that of the memories:\n%s", got.Prompt)
		}
	})
}

func TestABudgetCountsEverything(t *testing.T) {
	w := newWorld(t)
	w.remember(fact(1, "tea at the lake, with the long story of how it came to be so"), fact(2, "tea", func(m *memory.Memory) { m.ConfirmedAt = noon.AddDate(0, -2, 0) }), fact(3, "我喝茶"))
	whole := w.recall(recall.Request{Query: "lake tea 茶"})
	if len(whole.Memories) != 3 {
		t.Fatalf("recall = %q, want all", texts(whole))
	}
	for budget := 1; budget <= whole.Tokens+1; budget++ {
		got := w.recall(recall.Request{Query: "lake tea 茶", Budget: budget, Explain: true})
		if got.Tokens > budget || got.Tokens != event.Tokens(got.Prompt) {
			t.Errorf("budget %d: %d tokens:\n%s", budget, got.Tokens, got.Prompt)
		}
		if (len(got.Memories) == 0) != (got.Prompt == "") {
			t.Errorf("budget %d: %d memories and the block %q", budget, len(got.Memories), got.Prompt)
		}
		if len(got.Memories)+got.Explain.OverBudget != 3 {
			t.Errorf("budget %d: %d memories, %d over it", budget, len(got.Memories), got.Explain.OverBudget)
		}
		if full := len(got.Memories) == 3; full != (budget >= whole.Tokens) {
			t.Errorf("budget %d of %d: all are there: %v", budget, whole.Tokens, full)
		}
	}
	frame := event.Tokens(guard.BlockOpen + "\n" + guard.BlockClose + "\n" + guard.StaleNoticeEN)
	if got := w.recall(recall.Request{Query: "tea", Budget: frame}); len(got.Memories) != 0 || got.Prompt != "" || got.Tokens != 0 {
		t.Errorf("a budget of the frame alone gives %q, %d tokens", got.Prompt, got.Tokens)
	}
}

func TestAShorterOneTakesThePlaceOfOneThatDoesNotFit(t *testing.T) {
	w := newWorld(t)
	long := "tea lake " + strings.Repeat("and so on and on ", 30)
	w.remember(fact(1, long), fact(2, "tea"))
	got := w.recall(recall.Request{Query: "tea lake", Budget: 80})
	if !slices.Equal(texts(got), []string{"tea"}) {
		t.Errorf("recall = %q, want the short one", texts(got))
	}
}

// TestExplainTellsTheSame: an explained recall is the same recall.
func TestExplainTellsTheSame(t *testing.T) {
	w := newWorld(t)
	for i := range 12 {
		w.remember(fact(i, fmt.Sprintf("tea of sort %d at the lake", i)))
	}
	w.remember(
		fact(20, "a bicycle"), fact(21, "tea that the coach may not know of", func(m *memory.Memory) { m.Agent = "chef" }),
		fact(22, "tea of long ago", func(m *memory.Memory) { m.CreatedAt, m.ConfirmedAt = noon.AddDate(-1, 0, 0), time.Time{} }),
	)
	plain := w.recall(recall.Request{Query: "tea at the lake", Agent: "coach"})
	told := w.recall(recall.Request{Query: "tea at the lake", Agent: "coach", Explain: true})
	if !slices.Equal(texts(plain), texts(told)) || plain.Prompt != told.Prompt || plain.Explain != nil {
		t.Errorf("explained %q, plain %q", texts(told), texts(plain))
	}
	x := told.Explain
	if x.Candidates != 13 || x.Hidden != 1 || x.OverLimit != 6 || x.BelowFloor != 0 || x.OverBudget != 0 || len(told.Memories) != 6 {
		t.Errorf("explained as %+v", *x)
	}
	if w := x.Weights; w.Similarity != 0.7 || w.Recency != 0.15 || w.Importance != 0.1 || w.Tier != 0.05 || w.HalfLife != "720h0m0s" || w.MinCosine < 0.349 || w.MinCosine > 0.351 {
		t.Errorf("the weights are %+v", w)
	}
	for i, m := range told.Memories {
		if m.Explain == nil || m.Explain.Match.Words <= 0 || !m.Explain.Match.Own || m.Explain.Score.Total != m.Score || m.Score != plain.Memories[i].Score {
			t.Errorf("%q is explained as %+v", m.Text, m.Explain)
		}
		if plain.Memories[i].Explain != nil {
			t.Errorf("%q is explained unasked", m.Text)
		}
	}
}
