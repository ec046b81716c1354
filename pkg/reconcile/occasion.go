package reconcile

import (
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/sign"
)

// axis is a respect in which times come again.
type axis int

const (
	week axis = iota
	seasons
	hours
	weather
	axes
)

// The times on each axis; those of the week are single days.
const (
	monday = 1 << iota
	tuesday
	wednesday
	thursday
	friday
	saturday
	sunday

	weekdays = monday | tuesday | wednesday | thursday | friday
	weekend  = saturday | sunday

	spring, summer, autumn, winter      = 1, 2, 4, 8
	morning, noon, afternoon, lateHours = 1, 2, 4, 8
	wet, dry                            = 1, 2
)

// times are those, coming again and again, to which a statement is limited ("on
// weekdays", 冬天). Zero on an axis is no limit.
type times [axes]uint8

// spells are the words for times that come again. A single one ("this weekend", 明天早上) is
// none. Texts are matched in small letters and simplified characters.
var spells = []struct {
	on    axis
	which uint8
	words *regexp.Regexp
}{
	{week, weekdays, regexp.MustCompile(`\b(?:weekdays|every weekday|workdays|work days|weeknights|(?:during|in) the week|mon(?:day)? ?(?:to|through|-|–) ?fri(?:day)?)\b|工作日|平日|平时|周中|(?:周|星期|礼拜)一(?:到|至|-)(?:周|星期|礼拜)?五`)},
	{week, weekend, regexp.MustCompile(`\bweekends\b|\b(?:on|at|over) the weekend\b|\bevery weekend\b|(?:^|[^这那上下本个])(?:周末|双休日|休息日)`)},
	{week, monday, daysOf("mondays", "一")},
	{week, tuesday, daysOf("tuesdays", "二")},
	{week, wednesday, daysOf("wednesdays", "三")},
	{week, thursday, daysOf("thursdays", "四")},
	{week, friday, daysOf("fridays", "五")},
	{week, saturday, daysOf("saturdays", "六")},
	{week, sunday, daysOf("sundays", "[日天]")},
	{seasons, spring, seasonOf("spring", "春")},
	{seasons, summer, seasonOf("summer", "夏")},
	{seasons, autumn, seasonOf("(?:autumn|fall)", "秋")},
	{seasons, winter, seasonOf("winter", "冬")},
	{hours, morning, hoursOf("mornings?", "早上|早晨|清晨|上午|早饭|早餐")},
	{hours, noon, regexp.MustCompile(`\bat (?:noon|lunch(?:time)?)\b|(?:^|每天|[^今明昨那当天])中午`)},
	{hours, afternoon, hoursOf("afternoons?", "下午")},
	{hours, lateHours, regexp.MustCompile(hoursOf("(?:evenings?|nights)", "傍晚|晚上|夜里|夜晚|深夜|半夜|睡前").String() + `|\bat night\b|\bbefore bed\b`)},
	{weather, wet, regexp.MustCompile(`\bwhen(?:ever)? it(?: is|'s|s)? (?:rains?|raining|wet|snows?|snowing)\b|\bin the rain\b|\b(?:on|in) (?:rainy|wet) (?:days|weather)\b|(?:^|[^不没])下[雨雪]|雨天|雪天`)},
	{weather, dry, regexp.MustCompile(`\bwhen(?:ever)? it(?: is|'s|s)? (?:dry|sunny|nice|warm)\b|\b(?:on|in) (?:dry|sunny|nice|good|fine) (?:days|weather)\b|晴天|不下[雨雪]|天气好`)},
}

// daysOf matches a day of the week where every one is meant: 周六 is, 这周六 is not.
func daysOf(en, zh string) *regexp.Regexp {
	return regexp.MustCompile(`\b(?:` + en + `|every ` + strings.TrimSuffix(en, "s") + `)\b|(?:^|[^这那上下本个])(?:周|星期|礼拜)` + zh)
}

// seasonOf matches a season where every one is meant: 去年夏天 is another.
func seasonOf(en, zh string) *regexp.Regexp {
	return regexp.MustCompile(`\b(?:(?:in|during|over|every) (?:the )?` + en + `|` + en + `s)\b|(?:^|每年|[^年这那上个])` + zh + `[天季日]`)
}

// hoursOf matches a part of the day where every day's is meant.
func hoursOf(en, zh string) *regexp.Regexp {
	return regexp.MustCompile(`\b(?:in|during) the ` + en + `\b|\bevery ` + strings.TrimSuffix(en, "?") + `\b|(?:^|每天|[^今明昨那当天])(?:` + zh + `)`)
}

// timesOf are the times to which a text limits what it says.
func timesOf(text string) times {
	var out times
	text = canon.Simplify(strings.ToLower(strings.ReplaceAll(text, "’", "'")))
	for _, s := range spells {
		if s.words.MatchString(text) {
			out[s.on] |= s.which
		}
	}
	return out
}

// apart reports whether o and p never hold at one time.
func (o times) apart(p times) bool {
	for a := range o {
		if o[a] != 0 && p[a] != 0 && o[a]&p[a] == 0 {
			return true
		}
	}
	return false
}

// within reports whether o is limited to some of the times of p: an exception to a rule.
func (o times) within(p times) bool {
	limited := false
	for a := range o {
		switch {
		case p[a] != 0 && (o[a] == 0 || o[a]&^p[a] != 0):
			return false
		case o[a] != p[a]:
			limited = true
		}
	}
	return limited
}

// compatible reports whether s and the current value can both be true, by what they are or
// by what the words say of when each holds: vegetarian and gluten-free, "on weekdays" and
// "on weekends", a rule and its exception, or "also" and "sometimes". What never changes holds always, and of a person in the user's life such
// words say something else: 我男朋友周末加班.
func (p *planner) compatible(cur *memory.Memory, s Statement) bool {
	f, known := p.Registry.Field(s.Key)
	if !known || f.Kind == memory.KindRelation || f.Mutability == profile.MutabilityStable {
		return false
	}
	if s.Relation != memory.RelationUpdates && cur.Key == s.Key && canon.Together(cur.Value, s.Value) {
		return true
	}
	before, now := timesOf(cur.Text), timesOf(s.Text)
	if s.Relation == memory.RelationUpdates {
		return now.apart(before)
	}
	return now.apart(before) || now.within(before) || sign.Of(s.Text).Has(sign.Addition)
}
