package reconcile

import (
	"regexp"
	"slices"
	"strings"
)

// sortOfPlan tells some plans from others by what people call them.
type sortOfPlan struct {
	name string
	// called are words for the sort, says those of a plan that is of it.
	called, says map[string]bool
}

// sortsOfPlan are the sorts whose plans need not say what they are called: who flies to
// Rome is on a trip.
var sortsOfPlan = []sortOfPlan{
	{
		"trip", planWords("trip travel flight journey holiday vacation 旅行 旅程 旅游 出差 航班 机票"),
		planWords("trip travel flight fly journey holiday vacation visit train airport cruise tour 旅行 旅程 旅游 出差 航班 机票 飞 高铁 火车 度假 出国"),
	},
	{
		"appointment", planWords("appointment 预约 约会"),
		planWords("appointment dentist doctor haircut interview 预约 约会 约 牙医 医生 看病 复查 体检 面试"),
	},
	{
		"meeting", planWords("meeting 会议"),
		planWords("meeting conference 会议 开会 会面 见面"),
	},
	{
		"deadline", planWords("deadline"),
		planWords("deadline due submit 截止 提交 交"),
	},
}

// sortOther is of a plan that must say what the topic calls it.
const sortOther = "other"

// anyPlan are the words that mean plans of every sort.
var anyPlan = planWords("plan schedule agenda calendar itinerary 安排 行程 计划 日程")

// onePlan names a plan that was made, rather than all of them.
var onePlan = regexp.MustCompile(`(?i)\bplan\b`)

// planWords is a list of words in the form in which a text holds them.
func planWords(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		if strings.ContainsFunc(w, isHan) {
			set[w] = true
			continue
		}
		for _, p := range pieces(w) {
			set[p] = true
		}
	}
	return set
}

// sortNamed is the sort of plan that the pieces of a name mean; empty is every sort.
func sortNamed(name []string) string {
	in := func(set map[string]bool) bool {
		return slices.ContainsFunc(name, func(p string) bool { return set[p] })
	}
	for _, s := range sortsOfPlan {
		if in(s.called) {
			return s.name
		}
	}
	if in(anyPlan) {
		return ""
	}
	return sortOther
}

// areSorts reports whether all of the pieces call plans by their sort.
func areSorts(pieces []string) bool {
	return !slices.ContainsFunc(pieces, func(p string) bool {
		return !slices.ContainsFunc(sortsOfPlan, func(s sortOfPlan) bool { return s.called[p] })
	})
}

// plan reports whether a plan is one of those that the topic names.
func (x *Matcher) plan(c *content) bool {
	for _, s := range sortsOfPlan {
		if s.name != x.sort {
			continue
		}
		for p := range c.all() {
			if s.says[p] {
				return true
			}
		}
		return false
	}
	return x.sort == "" || x.finds(x.name, c.all())
}
