package temporal

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// wellFormed says what is wrong with the mentions of a text, or "".
func wellFormed(text string, ref time.Time, found []Mention) string {
	last := 0
	for _, m := range found {
		switch {
		case m.From < last || m.To <= m.From || m.To > len(text):
			return "out of order or bounds"
		case utf8.ValidString(text) && !utf8.ValidString(text[m.From:m.To]):
			return "off a rune boundary"
		case m.Recurring && m.Duration:
			return "recurring and a duration"
		case (m.Recurring || m.Duration) && m.Span != (Span{}):
			return "a span without a date"
		case !m.Recurring && !m.Duration && !m.Start.Before(m.End):
			return "an empty span"
		case !m.Recurring && !m.Duration && (m.Granularity == "" || m.Start.Location() != ref.Location()):
			return "no granularity, or in another location"
		}
		last = m.To
	}
	return ""
}

func FuzzFind(f *testing.F) {
	for _, c := range englishPhrases {
		f.Add(c.text, int64(1772681400))
	}
	for _, c := range chinesePhrases {
		f.Add(c.text, int64(1772681400))
	}
	f.Add("next \xff Friday", int64(0))
	f.Add("９９９９年后 9999 years ago in 9999 years", int64(-62135596800))
	f.Add("Jan 1 9999 end of 2199", int64(253402300799))
	zones := []*time.Location{time.UTC, zone(f, "America/New_York"), zone(f, "Asia/Shanghai"), zone(f, "Pacific/Apia")}
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		ref := time.Unix(unix%300_000_000_000, 0).In(zones[uint64(unix)%uint64(len(zones))])
		for _, d := range []Direction{Future, Past} {
			found := FindDirected(text, ref, d)
			if problem := wellFormed(text, ref, found); problem != "" {
				t.Errorf("%q at %v: %s: %+v", text, ref, problem, found)
			}
		}
		Parse(text, ref)
	})
}

// drawWord is a word that a pattern element accepts.
func drawWord(t *rapid.T, e element) string {
	s := rapid.SampledFrom(e.alternatives).Draw(t, "alternative")
	switch {
	case s.value == "<amount>":
		return rapid.SampledFrom([]string{"two weeks", "三个月", "half a year", "几天", "90 minutes", "999年"}).Draw(t, "amount")
	case s.value != "":
		return rapid.SampledFrom([]string{"Friday", "June 5", "周三", "5号", "tomorrow", "2019年", "春节", "3pm"}).Draw(t, "value")
	}
	switch s.class {
	case digits:
		return rapid.SampledFrom([]string{"0", "1", "5", "12", "15", "29", "31", "99", "2019", "9999"}).Draw(t, "digits")
	case hanzi:
		return rapid.SampledFrom([]string{"零", "一", "五", "十二", "三十一", "九十九", "二〇一九"}).Draw(t, "hanzi")
	case hanPair:
		return rapid.SampledFrom([]string{"两三", "七八", "三二"}).Draw(t, "pair")
	case ordinal:
		return rapid.SampledFrom([]string{"1st", "22nd", "31st", "99th"}).Draw(t, "ordinal")
	}
	if figure, ok := map[class]string{
		ymd: "2026-12-05", monthDay: "12/05", clockTok: "15:00", timeTok: "3pm",
		instant: "2026-12-05T15:00Z", localDay: "2026-12-05T15:00",
	}[s.class]; ok {
		return figure
	}
	var words []string
	for w, entry := range lexicon.words {
		if s.id != 0 && entry.id == s.id || s.id == 0 && entry.class == s.class {
			words = append(words, w)
		}
	}
	return rapid.SampledFrom(slices.Sorted(slices.Values(words))).Draw(t, "word")
}

// Any row of words that rules accept, in any order, is read without harm.
func TestRulesReadAnything(t *testing.T) {
	rules := append(append([]compiled(nil), atomRules.rules...), amountRules.rules...)
	loc := zone(t, "America/New_York")
	rapid.Check(t, func(t *rapid.T) {
		var words []string
		for range rapid.IntRange(1, 3).Draw(t, "rules") {
			for _, e := range rapid.SampledFrom(rules).Draw(t, "rule").elements {
				if !e.optional || rapid.Bool().Draw(t, "keep") {
					words = append(words, drawWord(t, e))
				}
			}
		}
		text := strings.Join(words, rapid.SampledFrom([]string{" ", ""}).Draw(t, "space"))
		ref := time.Unix(rapid.Int64Range(0, 4_000_000_000).Draw(t, "ref"), 0).In(loc)
		if problem := wellFormed(text, ref, Find(text, ref)); problem != "" {
			t.Fatalf("%q at %v: %s", text, ref, problem)
		}
	})
}

// Every rule can be reached: some text of its own words gives it a meaning or is refused by it,
// and no rule panics on what its pattern accepts.
func TestEveryRuleRuns(t *testing.T) {
	ref := instantIn(t, zone(t, "Asia/Shanghai"), "2026-03-04 10:00")
	for _, x := range []*ruleIndex{amountRules, atomRules} {
		for i, r := range x.rules {
			called := false
			watched := compiled{r.elements, func(c context, m match) (value, bool) {
				called = true
				return r.mean(c, m)
			}}
			gen := rapid.Custom(func(t *rapid.T) string {
				var words []string
				for _, e := range watched.elements {
					if !e.optional || rapid.Bool().Draw(t, "keep") {
						words = append(words, drawWord(t, e))
					}
				}
				return strings.Join(words, " ")
			})
			for seed := 0; seed < 60 && !called; seed++ {
				newParser(lex(gen.Example(seed)), ref, Future).try(watched, 0, nil)
			}
			if !called {
				t.Errorf("rule %d is never reached, as by %q", i, gen.Example(0))
			}
		}
	}
}

var weekdayPhrases = []string{
	"Friday", "next Friday", "this weekend", "last Monday", "next week", "周三", "下周三", "上周五", "这周日", "周末",
	"tomorrow", "后天", "in 3 days", "两周后", "last week", "Monday to Friday", "下周三下午三点", "a week from Friday",
}

// Shifting the instant by whole weeks shifts what weekdays and days mean by as many weeks.
func TestWeeksShiftAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		phrase := rapid.SampledFrom(weekdayPhrases).Draw(t, "phrase")
		weeks := rapid.IntRange(-500, 500).Draw(t, "weeks")
		d := rapid.SampledFrom([]Direction{Future, Past}).Draw(t, "direction")
		ref := time.Unix(rapid.Int64Range(1_000_000_000, 3_000_000_000).Draw(t, "ref"), 0).UTC()
		a := FindDirected(phrase, ref, d)
		b := FindDirected(phrase, ref.AddDate(0, 0, 7*weeks), d)
		if len(a) != 1 || len(b) != 1 {
			t.Fatalf("%q: %v and %v", phrase, a, b)
		}
		if !a[0].Start.AddDate(0, 0, 7*weeks).Equal(b[0].Start) || !a[0].End.AddDate(0, 0, 7*weeks).Equal(b[0].End) {
			t.Fatalf("%q: %v + %d weeks is %v", phrase, a[0].Span, weeks, b[0].Span)
		}
	})
}

// A bare weekday is the named one, today or within a week of it, on the side that was asked.
func TestNearestWeekday(t *testing.T) {
	loc := zone(t, "America/New_York")
	english := []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	chinese := []string{"周日", "星期一", "礼拜二", "周三", "週四", "星期五", "周六"}
	rapid.Check(t, func(t *rapid.T) {
		day := rapid.IntRange(0, 6).Draw(t, "weekday")
		ref := time.Unix(rapid.Int64Range(1_000_000_000, 3_000_000_000).Draw(t, "ref"), 0).In(loc)
		today := startOfDay(ref)
		for _, text := range []string{english[day], chinese[day]} {
			ahead, back := FindDirected(text, ref, Future)[0], FindDirected(text, ref, Past)[0]
			if int(ahead.Start.Weekday()) != day || ahead.Start.Before(today) || !ahead.Start.Before(addDays(today, 7)) {
				t.Fatalf("%s ahead of %v: %v", text, ref, ahead.Start)
			}
			if int(back.Start.Weekday()) != day || !back.Start.Before(today) || back.Start.Before(addDays(today, -7)) {
				t.Fatalf("%s behind %v: %v", text, ref, back.Start)
			}
		}
	})
}

// A date that is written out is read back, in each of its forms, whatever the instant.
func TestWrittenDatesReadBack(t *testing.T) {
	loc := zone(t, "Asia/Shanghai")
	rapid.Check(t, func(t *rapid.T) {
		day := date(1950, 1, 1+rapid.IntRange(0, 80_000).Draw(t, "day"), loc)
		ref := time.Unix(rapid.Int64Range(0, 4_000_000_000).Draw(t, "ref"), 0).In(loc)
		for _, layout := range []string{
			"2006-01-02", "2006/1/2", "January 2, 2006", "Jan 2 2006", "2 January 2006", "2006年1月2日", "2006年01月02號",
			"Monday, January 2, 2006", "01/02/2006",
		} {
			text := day.Format(layout)
			span, ok := Parse(text, ref)
			if !ok || !span.Start.Equal(day) || span.Granularity != Day {
				t.Fatalf("%q: %v, %v", text, span, ok)
			}
		}
	})
}

// Traditional and simplified writing mean the same.
func TestTraditionalMeansTheSame(t *testing.T) {
	ref := instantIn(t, zone(t, "Asia/Shanghai"), "2026-03-04 22:30")
	back := map[rune]rune{}
	for traditional, simplified := range traditional {
		if simplified != '里' && simplified != '钟' {
			back[simplified] = traditional
		}
	}
	back['钟'] = '鐘'
	for _, c := range chinesePhrases {
		text := strings.Map(func(r rune) rune {
			if t, ok := back[r]; ok && r != '后' {
				return t
			}
			return r
		}, c.text)
		check(t, text, c.want, Find(text, ref))
	}
}

// hostile texts nest or repeat what rules look for.
var hostile = []string{
	"the day after ", "end of ", "every other ", "from Monday to ", "June ", "5", "一", "下", "2019年", "3-", "in ",
	"of the ", "12/", "三天后", "half past ", "a week from ", "week of ", "mid-", "back in ", "年", "on the ",
}

// The work is linear: eight times the text allocates no more than some eight times as often.
func TestLinearWork(t *testing.T) {
	ref := instantIn(t, time.UTC, "2026-03-04 10:00")
	work := func(text string) float64 { return testing.AllocsPerRun(1, func() { Find(text, ref) }) }
	for _, unit := range hostile {
		a := work(strings.Repeat(unit, 2<<10/len(unit)))
		b := work(strings.Repeat(unit, 16<<10/len(unit)))
		if b > 10*a+100 {
			t.Errorf("%q: %v allocations for 2 KB, %v for 16 KB", unit, a, b)
		}
	}
}

func BenchmarkFind100KB(b *testing.B) {
	ref := instantIn(b, time.UTC, "2026-03-04 10:00")
	const en = "I'm flying to Shenzhen next Friday for a trade fair, and the hotel has a pool with 3 lanes. "
	const zh = "我下周三去深圳开会，住在一家很安静的酒店，明天下午3点先给客户打个电话。"
	text := strings.Repeat(en+zh, 100<<10/len(en+zh))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Find(text, ref)
	}
}

func BenchmarkFindTurn(b *testing.B) {
	ref := instantIn(b, time.UTC, "2026-03-04 10:00")
	const text = "I'm flying to Shenzhen next Friday for a trade fair, and tomorrow I have a dentist appointment."
	b.ReportAllocs()
	for b.Loop() {
		Find(text, ref)
	}
}
