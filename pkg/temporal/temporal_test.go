package temporal

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func instantIn(t testing.TB, loc *time.Location, s string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", s, loc)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// show writes a mention as the tables do: "2026-03-05 2026-03-06 day", with times of day where
// an end is not at midnight.
func show(m Mention) string {
	switch {
	case m.Recurring:
		return "recurring"
	case m.Duration:
		return "duration"
	}
	layout := "2006-01-02"
	for _, t := range []time.Time{m.Start, m.End} {
		if t.Hour() != 0 || t.Minute() != 0 {
			layout = "2006-01-02T15:04"
		}
	}
	return fmt.Sprintf("%s %s %s", m.Start.Format(layout), m.End.Format(layout), m.Granularity)
}

// check expects the whole text to be one mention that means want, or none for "".
func check(t *testing.T, text, want string, found []Mention) {
	t.Helper()
	if want == "" {
		if len(found) > 0 {
			t.Errorf("%q: found %q %s, want nothing", text, text[found[0].From:found[0].To], show(found[0]))
		}
		return
	}
	if len(found) != 1 {
		t.Errorf("%q: %d mentions %v, want one", text, len(found), found)
		return
	}
	m := found[0]
	if got := text[m.From:m.To]; got != text {
		t.Errorf("%q: found only %q", text, got)
	}
	if got := show(m); got != want {
		t.Errorf("%q:\n got %s\nwant %s", text, got, want)
	}
}

// The tables are read as said on the evening of Wednesday, 4 March 2026 in New York, and in
// Chinese at the same local time in Shanghai.
func TestEnglishPhrases(t *testing.T) {
	ref := instantIn(t, zone(t, "America/New_York"), "2026-03-04 22:30")
	for _, c := range englishPhrases {
		check(t, c.text, c.want, Find(c.text, ref))
		check(t, c.text, c.want, Find(strings.ToUpper(c.text[:1])+c.text[1:], ref))
	}
}

func TestChinesePhrases(t *testing.T) {
	ref := instantIn(t, zone(t, "Asia/Shanghai"), "2026-03-04 22:30")
	for _, c := range chinesePhrases {
		check(t, c.text, c.want, Find(c.text, ref))
	}
}

// What a phrase means locally does not depend on the zone, where no clocks change nearby.
func TestPhrasesInOtherZones(t *testing.T) {
	for _, name := range []string{"UTC", "Asia/Kolkata", "Pacific/Kiritimati", "Pacific/Pago_Pago"} {
		ref := instantIn(t, zone(t, name), "2026-03-04 22:30")
		for _, c := range slices.Concat(englishPhrases, chinesePhrases) {
			check(t, c.text, c.want, Find(c.text, ref))
		}
	}
}

func TestNoDates(t *testing.T) {
	ref := instantIn(t, zone(t, "Asia/Shanghai"), "2026-03-04 22:30")
	for _, text := range []string{
		"I may go", "You may 5 times do it", "this may be wrong", "march on", "I march 3 miles", "last march",
		"the sun is in the sky", "I sat at 9 tables", "He sat in the sun", "wait a second", "He was second",
		"fall down", "spring water", "version 3.5.2", "go 1.26.8", "24/7 support", "on 24/7", "call 555-123-4567",
		"+1 (555) 123-4567", "13812345678", "$2019", "¥2019", "ratio 3:1", "scale 16:9", "12/05", "1/2 cup",
		"v2019", "Room 2019", "model 3D", "2x", "50%", "from 40-50%", "1,000 people", "at 5", "3.30", "10.0.0.1",
		"the 15th floor", "on the 15th floor", "the 2nd time", "Feb 30", "2026-02-30", "13/13/2026", "April 31",
		"five years old", "two days later", "the morning", "in the evening", "at night", "2019", "June",
		"http://example.com/2026/12/05/post", "report_2026-12-05", "next", "the end", "happy new year", "now",
		"刚才", "现在", "三点", "有三点理由", "有三点建议", "明白了", "三年级", "第三天", "第二周", "第一个月", "90年代",
		"5号线", "3号楼", "302号", "早上", "下午", "我喜欢夏天", "马上", "本来", "上海", "下班", "这么多年", "后来",
		"二月三十号", "4月31日", "13月5日", "价格是3.5元", "版本2.0.1", "比例3:1", "电话138-1234-5678", "一起", "万一",
		"十分好", "不过", "月亮", "日本", "周围", "2050年春节", "2026年2月30日", "2026年2月30日下午3点", "", " ", "。", "\xff\xfe", "一二三四五六七八九十百零一二三",
	} {
		check(t, text, "", Find(text, ref))
	}
}

func TestWhatTheClocksDo(t *testing.T) {
	for _, c := range []struct{ zone, ref, text, want string }{
		// New York goes to summer time on 8 March 2026 at 02:00 and back on 1 November.
		{"America/New_York", "2026-03-07 23:30", "tomorrow", "2026-03-08 2026-03-09 day"},
		{"America/New_York", "2026-03-07 23:30", "in 2 days", "2026-03-09 2026-03-10 day"},
		{"America/New_York", "2026-03-07 23:30", "tomorrow at 3pm", "2026-03-08T15:00 2026-03-08T16:00 hour"},
		{"America/New_York", "2026-03-07 23:30", "明天早上", "2026-03-08T06:00 2026-03-08T09:00 part"},
		{"America/New_York", "2026-03-07 23:30", "in 3 hours", "2026-03-08T03:30 2026-03-08T04:30 hour"},
		{"America/New_York", "2026-03-08 01:30", "in an hour", "2026-03-08T03:30 2026-03-08T04:30 hour"},
		{"America/New_York", "2026-10-31 23:30", "in 3 hours", "2026-11-01T01:30 2026-11-01T02:30 hour"},
		{"America/New_York", "2026-10-31 12:00", "tomorrow", "2026-11-01 2026-11-02 day"},
		{"America/New_York", "2026-11-01 12:00", "昨天", "2026-10-31 2026-11-01 day"},
		{"America/New_York", "2026-11-01 23:00", "two days ago", "2026-10-30 2026-10-31 day"},
		{"America/New_York", "2026-11-02 00:30", "last week", "2026-10-26 2026-11-02 week"},
		// In Chile the day of 6 September 2026 begins at 01:00.
		{"America/Santiago", "2026-09-05 12:00", "tomorrow", "2026-09-06T01:00 2026-09-07T00:00 day"},
		{"America/Santiago", "2026-09-05 12:00", "今天", "2026-09-05T00:00 2026-09-06T01:00 day"},
		// Samoa had no 30 December 2011.
		{"Pacific/Apia", "2011-12-29 12:00", "the day after tomorrow", "2011-12-31 2012-01-01 day"},
		{"Pacific/Apia", "2011-12-29 12:00", "tomorrow", ""},
		// Month ends, leap years, year ends.
		{"UTC", "2026-01-31 10:00", "in a month", "2026-02-28 2026-03-01 day"},
		{"UTC", "2028-01-31 10:00", "一个月后", "2028-02-29 2028-03-01 day"},
		{"UTC", "2026-03-31 10:00", "a month ago", "2026-02-28 2026-03-01 day"},
		{"UTC", "2026-08-31 10:00", "半年后", "2027-02-28 2027-03-01 day"},
		{"UTC", "2026-03-31 10:00", "next month", "2026-04-01 2026-05-01 month"},
		{"UTC", "2026-03-31 10:00", "下个月", "2026-04-01 2026-05-01 month"},
		{"UTC", "2026-02-10 10:00", "the 30th", "2026-03-30 2026-03-31 day"},
		{"UTC", "2026-02-10 10:00", "31号", "2026-03-31 2026-04-01 day"},
		{"UTC", "2026-02-10 10:00", "月底", "2026-02-22 2026-03-01 week"},
		{"UTC", "2025-03-01 10:00", "February 29", "2028-02-29 2028-03-01 day"},
		{"UTC", "2025-03-01 10:00", "2月29日", "2028-02-29 2028-03-01 day"},
		{"UTC", "2028-02-29 10:00", "a year ago today", "2027-02-28 2027-03-01 day"},
		{"UTC", "2028-02-28 10:00", "tomorrow", "2028-02-29 2028-03-01 day"},
		{"UTC", "2026-12-31 23:59", "tomorrow", "2027-01-01 2027-01-02 day"},
		{"UTC", "2026-12-31 23:59", "明年", "2027-01-01 2028-01-01 year"},
		{"UTC", "2026-12-30 10:00", "next Friday", "2027-01-08 2027-01-09 day"},
		{"UTC", "2026-12-30 10:00", "下周三", "2027-01-06 2027-01-07 day"},
		{"UTC", "2026-12-30 10:00", "January 3", "2027-01-03 2027-01-04 day"},
		{"UTC", "2026-12-30 10:00", "元旦", "2027-01-01 2027-01-02 day"},
		{"UTC", "2027-01-02 10:00", "last year", "2026-01-01 2027-01-01 year"},
		{"UTC", "2027-01-02 10:00", "去年年底", "2026-12-01 2027-01-01 month"},
		{"UTC", "2027-01-15 10:00", "this winter", "2026-12-01 2027-03-01 season"},
		{"UTC", "2027-01-15 10:00", "next winter", "2027-12-01 2028-03-01 season"},
		{"UTC", "2026-12-31 23:30", "今晚12点", "2027-01-01T00:00 2027-01-01T01:00 hour"},
		// The same instant is Wednesday in New York and Thursday in Shanghai.
		{"Asia/Shanghai", "2026-03-05 11:30", "tomorrow", "2026-03-06 2026-03-07 day"},
		{"America/New_York", "2026-03-04 22:30", "明天", "2026-03-05 2026-03-06 day"},
		{"Asia/Shanghai", "2026-03-04 10:00", "2026-03-04T20:00:00Z", "2026-03-05T04:00 2026-03-05T05:00 minute"},
		{"Asia/Shanghai", "2026-03-04 10:00", "2026-03-04T20:00-05:00", "2026-03-05T09:00 2026-03-05T10:00 minute"},
		{"UTC", "2023-05-24 10:00", "last week", "2023-05-15 2023-05-22 week"},
		// Weeks end on Sunday.
		{"UTC", "2026-03-08 10:00", "next Friday", "2026-03-13 2026-03-14 day"},
		{"UTC", "2026-03-08 10:00", "this weekend", "2026-03-07 2026-03-09 weekend"},
		{"UTC", "2026-03-08 10:00", "last weekend", "2026-02-28 2026-03-02 weekend"},
		{"UTC", "2026-03-08 10:00", "last Friday", "2026-03-06 2026-03-07 day"},
		{"UTC", "2026-03-07 10:00", "this Friday", "2026-03-13 2026-03-14 day"},
		{"UTC", "2026-03-07 10:00", "这周五", "2026-03-06 2026-03-07 day"},
		{"UTC", "2026-03-08 10:00", "下周一", "2026-03-09 2026-03-10 day"},
		{"UTC", "2026-03-06 10:00", "Friday", "2026-03-06 2026-03-07 day"},
		{"UTC", "2026-03-06 10:00", "周五", "2026-03-06 2026-03-07 day"},
	} {
		check(t, c.text, c.want, Find(c.text, instantIn(t, zone(t, c.zone), c.ref)))
	}
}

func TestDirection(t *testing.T) {
	ref := instantIn(t, zone(t, "Asia/Shanghai"), "2026-03-04 10:00") // Wednesday
	for _, c := range []struct{ text, future, past string }{
		{"on Friday", "2026-03-06 2026-03-07 day", "2026-02-27 2026-02-28 day"},
		{"周五", "2026-03-06 2026-03-07 day", "2026-02-27 2026-02-28 day"},
		{"on Wednesday", "2026-03-04 2026-03-05 day", "2026-02-25 2026-02-26 day"},
		{"周二下午", "2026-03-10T12:00 2026-03-10T18:00 part", "2026-03-03T12:00 2026-03-03T18:00 part"},
		{"December 5", "2026-12-05 2026-12-06 day", "2025-12-05 2025-12-06 day"},
		{"12月5日", "2026-12-05 2026-12-06 day", "2025-12-05 2025-12-06 day"},
		{"the 15th", "2026-03-15 2026-03-16 day", "2026-02-15 2026-02-16 day"},
		{"31号", "2026-03-31 2026-04-01 day", "2026-01-31 2026-02-01 day"},
		{"Feb 29", "2028-02-29 2028-03-01 day", "2024-02-29 2024-03-01 day"},
		{"in June", "2026-06-01 2026-07-01 month", "2025-06-01 2025-07-01 month"},
		{"in March", "2026-03-01 2026-04-01 month", "2026-03-01 2026-04-01 month"},
		{"三月", "2026-03-01 2026-04-01 month", "2026-03-01 2026-04-01 month"},
		{"in the winter", "2026-12-01 2027-03-01 season", "2025-12-01 2026-03-01 season"},
		{"圣诞节", "2026-12-25 2026-12-26 day", "2025-12-25 2025-12-26 day"},
		{"春节", "2027-02-06 2027-02-07 day", "2026-02-17 2026-02-18 day"},
		{"at 3pm", "2026-03-04T15:00 2026-03-04T16:00 hour", "2026-03-04T15:00 2026-03-04T16:00 hour"},
		{"Monday to Wednesday", "2026-03-09 2026-03-12 day", "2026-03-02 2026-03-05 day"},
		{"next Friday", "2026-03-13 2026-03-14 day", "2026-03-13 2026-03-14 day"},
		{"昨天", "2026-03-03 2026-03-04 day", "2026-03-03 2026-03-04 day"},
		{"周末", "2026-03-07 2026-03-09 weekend", "2026-02-28 2026-03-02 weekend"},
	} {
		check(t, c.text, c.future, FindDirected(c.text, ref, Future))
		check(t, c.text, c.past, FindDirected(c.text, ref, Past))
	}
}

func TestFindInSentences(t *testing.T) {
	ref := instantIn(t, zone(t, "Asia/Shanghai"), "2026-03-04 10:00")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"I'm flying to Shenzhen next Friday for a trade fair, and tomorrow I have a dentist appointment.",
			[]string{"next Friday: 2026-03-13 2026-03-14 day", "tomorrow: 2026-03-05 2026-03-06 day"}},
		{"I went to Paris last week.", []string{"last week: 2026-02-23 2026-03-02 week"}},
		{"下周五回北京。", []string{"下周五: 2026-03-13 2026-03-14 day"}},
		{"我下周三去深圳开会。", []string{"下周三: 2026-03-11 2026-03-12 day"}},
		{"我在上海住了三年，明年三月搬到杭州，每周三游泳。",
			[]string{"三年: duration", "明年三月: 2027-03-01 2027-04-01 month", "每周三: recurring"}},
		{"超过三天没睡了", []string{"三天: duration"}},
		{"一周三次", []string{"一周三次: recurring"}},
		{"三天前天气很好", []string{"三天前: 2026-03-01 2026-03-02 day"}},
		{"三天后天津见", []string{"三天后: 2026-03-07 2026-03-08 day"}},
		{"Today's meeting moved; Friday's stays.",
			[]string{"Today: 2026-03-04 2026-03-05 day", "Friday: 2026-03-06 2026-03-07 day"}},
		{"See you tomorrow. Friday is fine too.",
			[]string{"tomorrow: 2026-03-05 2026-03-06 day", "Friday: 2026-03-06 2026-03-07 day"}},
		{"I'll be away tomorrow, Friday too", []string{
			"tomorrow: 2026-03-05 2026-03-06 day", "Friday: 2026-03-06 2026-03-07 day"}},
		{"next\n\nFriday", []string{"Friday: 2026-03-06 2026-03-07 day"}},
		{"next\nFriday", []string{"next\nFriday: 2026-03-13 2026-03-14 day"}},
		{"我明天，他后天", []string{"明天: 2026-03-05 2026-03-06 day", "后天: 2026-03-06 2026-03-07 day"}},
		{"It takes two weeks, so by the end of next month", []string{
			"two weeks: duration", "by the end of next month: 2026-04-24 2026-05-01 week"}},
		{"¿mañana? naïve café on Friday", []string{"on Friday: 2026-03-06 2026-03-07 day"}},
		{"Lunch on the 15th, dinner on the 16th floor", []string{"on the 15th: 2026-03-15 2026-03-16 day"}},
		{"后天下午三点要去看牙医", []string{"后天下午三点: 2026-03-06T15:00 2026-03-06T16:00 hour"}},
		{"明天三点没空", []string{"明天三点: 2026-03-05T15:00 2026-03-05T16:00 hour"}},
		{"今天一点也不累，前三天很累", []string{"今天: 2026-03-04 2026-03-05 day", "三天: duration"}},
		{"明天meeting at 3pm", []string{"明天: 2026-03-05 2026-03-06 day", "at 3pm: 2026-03-04T15:00 2026-03-04T16:00 hour"}},
	} {
		var got []string
		for _, m := range Find(c.text, ref) {
			got = append(got, c.text[m.From:m.To]+": "+show(m))
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	ref := instantIn(t, zone(t, "Asia/Shanghai"), "2026-03-04 10:00")
	span, ok := Parse("  下周三 \n", ref)
	if !ok || show(Mention{Span: span}) != "2026-03-11 2026-03-12 day" {
		t.Errorf("Parse = %v, %v", span, ok)
	}
	for _, text := range []string{"", "on Friday we go", "tomorrow and Friday", "every Friday", "三天", "hello", "每周三"} {
		if span, ok := Parse(text, ref); ok || span != (Span{}) {
			t.Errorf("Parse(%q) = %v, %v, want nothing", text, span, ok)
		}
	}
}
