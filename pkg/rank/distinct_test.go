package rank_test

import (
	"slices"
	"testing"

	"github.com/mnemond/mnemond/pkg/rank"
)

func TestDistinct(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		n     int
		want  []int
	}{
		{"nothing", nil, 3, nil},
		{"what differs keeps its place", []string{"I drink tea", "I drive a van", "My flat is small"}, 3, []int{0, 1, 2}},
		{"the same stands behind", []string{"I drink green tea", "I drink green tea!", "My flat is small"}, 3, []int{0, 2, 1}},
		{"and away where there is no room", []string{"I drink green tea", "I drink green tea!", "My flat is small"}, 2, []int{0, 2}},
		{"Chinese", []string{"我每天喝绿茶", "我每天喝绿茶。", "我住在杭州"}, 3, []int{0, 2, 1}},
		{"three of the same", []string{"green tea", "green tea.", "Green tea", "flat"}, 3, []int{0, 3, 1}},
		{"another figure", []string{"The rent of the flat is 900", "The rent of the flat is 950"}, 2, []int{0, 1}},
		{"another numeral", []string{"会议有三千人参加", "会议有五千人参加"}, 2, []int{0, 1}},
		{"the opposite", []string{"I drink green tea", "I don't drink green tea", "flat"}, 3, []int{0, 1, 2}},
		{"the opposite in Chinese", []string{"我喝绿茶", "我不喝绿茶", "公寓"}, 3, []int{0, 1, 2}},
		{"no room at all", []string{"tea"}, 0, nil},
		{"less than no room", []string{"tea"}, -1, nil},
	} {
		cs := said(c.texts...)
		var order []int
		for i := range cs {
			order = append(order, i)
		}
		if got := rank.Distinct(cs, order, c.n, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDistinctBySpeaker(t *testing.T) {
	cs := said("I drink tea", "I drink tea", "flat")
	cs[1].Speaker = "Ann"
	if got := rank.Distinct(cs, []int{0, 1, 2}, 3, nil); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("got %v", got)
	}
}

// The texts are read before they are compared, and no others.
func TestDistinctReadsWhatItCompares(t *testing.T) {
	cs := said("I paid 900", "I paid 950", "flat")
	texts := []string{cs[0].Text, cs[1].Text, cs[2].Text}
	// What is said of the figures is in the texts alone.
	cs[1].Terms = cs[0].Terms
	for i := range cs {
		cs[i].Text = ""
	}
	read := map[int]bool{}
	got := rank.Distinct(cs, []int{0, 1, 2}, 3, func(i int) { cs[i].Text, read[i] = texts[i], true })
	if !slices.Equal(got, []int{0, 1, 2}) || !read[0] || !read[1] || read[2] {
		t.Errorf("got %v, having read %v", got, read)
	}
}
