package rank_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/rank"
)

func TestRenew(t *testing.T) {
	old, changed := "The deadline of the draft is 20 April", "The deadline of the draft has moved to 25 April"
	asked := "What is the deadline of the draft?"
	for _, c := range []struct {
		name   string
		query  string
		texts  []string
		change func(cs []rank.Candidate)
		totals []float64
		want   []int
	}{
		{"what changed comes first", asked, []string{old, changed}, nil, []float64{1, 0.6}, []int{1, 0}},
		{"Chinese", "初稿的截止日期是哪天？", []string{"初稿的截止日期是4月20日", "初稿的截止日期推迟到4月25日"}, nil, []float64{1, 0.6}, []int{1, 0}},
		{"far less near", asked, []string{old, changed}, nil, []float64{1, 0.4}, []int{0, 1}},
		{"nothing changed", asked, []string{old, "The deadline of the draft is 25 April"}, nil, []float64{1, 0.6}, []int{0, 1}},
		{"said earlier", asked, []string{old, changed}, func(cs []rank.Candidate) { cs[1].At = cs[1].At.Add(-time.Hour) }, []float64{1, 0.6}, []int{0, 1}},
		{"said later, stored earlier", asked, []string{old, changed}, func(cs []rank.Candidate) {
			cs[0].Seq, cs[1].Seq, cs[1].At = 5, 4, cs[1].At.Add(time.Hour)
		}, []float64{1, 0.6}, []int{1, 0}},
		{"said by another", asked, []string{old, changed}, func(cs []rank.Candidate) { cs[1].Speaker = "assistant" }, []float64{1, 0.6}, []int{0, 1}},
		{"about something else", "What is the deadline of the draft?", []string{old, "My flat is now bigger"}, nil, []float64{1, 0.6}, []int{0, 1}},
		{"alike, but not in what is asked", "When is the bakery open?", []string{"The bakery is open at six", "The garage is now ready at six"}, nil, []float64{1, 0.9}, []int{0, 1}},
		{"above all that it replaces", asked, []string{old, "The draft has a deadline in April", changed}, nil, []float64{1, 0.9, 0.6}, []int{2, 0, 1}},
		{"below what it does not", asked, []string{"Which draft has no deadline?", old, changed}, func(cs []rank.Candidate) {
			cs[0].Speaker = "assistant"
		}, []float64{1, 0.9, 0.6}, []int{0, 2, 1}},
		{"only the best five", asked, []string{old, "a", "b", "c", "d", changed}, nil, []float64{1, 0.9, 0.9, 0.9, 0.9, 0.9}, []int{0, 1, 2, 3, 4, 5}},
		{"nothing", asked, nil, nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			cs := said(c.texts...)
			if c.change != nil {
				c.change(cs)
			}
			var order []int
			for i := range cs {
				order = append(order, i)
			}
			before := slices.Clone(order)
			if got := rank.Renew(rank.NewQuery(c.query), cs, order, c.totals); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if !slices.Equal(order, before) {
				t.Errorf("the order that was given is now %v", order)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	for _, text := range []string{
		"I've MOVED to Oslo", "the call was rescheduled", "I no longer smoke", "We don't meet any more.", "it was pushed back to May",
		"my new job", "Now it's 78%.", "budget increased", "Actually, I'm a vegan",
		"我搬到杭州了", "会议改到周五", "现在喝茶", "我不再抽烟", "預算調整了", "現在喝茶", "其实我吃素",
	} {
		if !rank.Changes(text) {
			t.Errorf("%q says that something changed", text)
		}
	}
	for _, text := range []string{"", "I live in Oslo", "I know the renewal date", "nowhere near the moveable bridge", "我住在杭州", "会议在周五"} {
		if rank.Changes(text) {
			t.Errorf("%q says nothing of a change", text)
		}
	}
}
