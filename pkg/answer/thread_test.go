package answer

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
)

const whichDay = "A: Is your birthday May 4 or May 14?"

// TestThread is about what stands around an answer. Lines are as in talk.
func TestThread(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		named map[int]memory.ID
		want  string
	}{
		"thanks between":                   {[]string{whichDay, "thanks for asking!", "May 14"}, nil, "replace May 14"},
		"no idea, then an idea":            {[]string{whichDay, "not sure", "It's May 14"}, nil, "replace May 14"},
		"something else between":           {[]string{whichDay, "I have a dentist appointment", "May 14"}, nil, ""},
		"a tool between":                   {[]string{whichDay, "T: {\"day\": 4}", "S: be brief", "May 14"}, nil, "replace May 14"},
		"another word of the assistant":    {[]string{whichDay, "A: When is the dentist?", "May 14"}, nil, ""},
		"corrected in the next message":    {[]string{whichDay, "The first one", "no sorry, the second"}, nil, "replace May 14"},
		"corrected after a thank-you":      {[]string{whichDay, "May 14", "A: Thanks, noted.", "Oh sorry, I mean May 4."}, nil, "keep"},
		"something else after a thank-you": {[]string{whichDay, "May 14", "A: Thanks, noted.", "Sorry, I'm late"}, nil, "replace May 14"},
		"taken back in one breath":         {[]string{whichDay, "May 14... no wait, May 4."}, nil, "keep"},
		"taken back with a dash":           {[]string{whichDay, "May 14 - sorry, May 4"}, nil, "keep"},
		"an answer that did not count":     {[]string{whichDay, "the third one", "It's May 14, sorry."}, nil, "replace May 14"},
		"said twice":                       {[]string{whichDay, "May 14", "May 14"}, nil, "replace May 14"},
		"asked and answered again":         {[]string{whichDay, "May 14", whichDay, "the second"}, nil, "replace May 14"},
		"the assistant answers":            {[]string{whichDay, "A: May 14"}, nil, ""},
		"a tool answers":                   {[]string{whichDay, "T: May 14"}, nil, ""},
		"the system answers":               {[]string{whichDay, "S: May 14"}, nil, ""},
		"answered before this piece":       {[]string{whichDay, "C: May 14"}, nil, ""},
		"asked before this piece":          {[]string{"C: hello", whichDay, "May 14"}, nil, "replace May 14"},
		"the backend names the asking":     {[]string{"A: Which day shall I note?", "May 14"}, map[int]memory.ID{1: "birthday"}, "replace May 14"},
		"the backend names both":           {[]string{"A: Which day shall I note?", "the first"}, map[int]memory.ID{1: "birthday", 2: "birthday"}, "keep"},
		"the backend names another":        {[]string{whichDay, "May 14"}, map[int]memory.ID{2: "closed"}, ""},
		"the order of the named asking":    {[]string{"A: Is your birthday May 14 or May 4?", "the first"}, map[int]memory.ID{2: "birthday"}, "replace May 14"},
		"what was said before is about it": {[]string{"My birthday is May 4", "Sorry, it's May 14"}, nil, "replace May 14"},
		"what was said before is not":      {[]string{"The meeting is on May 4", "Sorry, it's May 14"}, nil, ""},
		"the assistant has noted it":       {[]string{"A: Noted, your birthday is May 4.", "Actually, May 14"}, nil, "replace May 14"},
		"the assistant has noted a date":   {[]string{"A: Noted, the meeting is on May 4.", "Actually, May 14"}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			in := Input{Registry: defaults(t), Questions: only(birthday), Messages: talk(c.lines...), Named: c.named}
			out := Recognise(in)
			wellFormed(t, in, out)
			if got := render(out, false); got != c.want {
				t.Errorf("%q answers %q, want %q", c.lines, got, c.want)
			}
		})
	}
}

func TestSource(t *testing.T) {
	in := Input{Registry: defaults(t), Questions: only(birthday), Messages: talk("A: One thing. Is your birthday May 4 or May 14?", "I checked. It's May 14, sorry. Bye!")}
	want := memory.Source{Message: 2, Quote: "It's May 14, sorry.", AskedMessage: 1, AskedQuote: "Is your birthday May 4 or May 14?"}
	if out := Recognise(in); len(out) != 1 || out[0].Source != want {
		t.Errorf("got %+v, want %+v", out, want)
	}
}

func TestOptions(t *testing.T) {
	q := birthday
	q.Options = []memory.Decision{memory.DecisionKeep, memory.DecisionReplace}
	for say, want := range map[string]string{"both": "", "neither": "", "June 1": "", "the second": "replace May 14"} {
		s := setting{about: only(q), before: []string{whichDay}}
		if got := render(s.ask(t, say), false); got != want {
			t.Errorf("%q answers %q, want %q", say, got, want)
		}
	}
}

func TestPreferences(t *testing.T) {
	drink := open("drink", "你最喜欢咖啡还是茶？", side{"drink", "咖啡", "我最喜欢咖啡"}, side{"drink", "茶", "我最喜欢茶"})
	run(t, map[string]setting{"": {about: only(drink), before: []string{"A: " + drink.Text}, cases: [][2]string{
		{"都喜欢", "both"},
		{"都喜欢，早上咖啡，晚上茶", "both 早上咖啡，晚上茶"},
		{"茶", "replace 茶"},
		{"都喜欢看", ""},
	}}})
}

func TestAbsorbs(t *testing.T) {
	r := defaults(t)
	said := func(d memory.Decision, what string) memory.Directive {
		return memory.Directive{Decision: d, What: what, Source: memory.Source{Message: 2, Quote: "It's May 4, or rather May 14, 1990."}}
	}
	for name, c := range map[string]struct {
		d       memory.Directive
		key     memory.Key
		value   string
		message int
		want    bool
	}{
		"the value chosen":    {said(memory.DecisionReplace, "May 14"), "user.birthday", "May 14", 2, true},
		"a side that was not": {said(memory.DecisionReplace, "May 14"), "user.birthday", "May 4", 2, true},
		"more specific":       {said(memory.DecisionReplace, "May 14"), "user.birthday", "May 14, 1990", 2, false},
		"kept":                {said(memory.DecisionKeep, ""), "user.birthday", "May 4", 2, true},
		"both, more specific": {said(memory.DecisionBoth, ""), "user.birthday", "May 14, 1990", 2, true},
		"beside neither":      {said(memory.DecisionNeither, ""), "user.birthday", "May 24", 2, false},
		"refused by neither":  {said(memory.DecisionNeither, ""), "user.birthday", "May 14", 2, true},
		"taken back":          {said(memory.DecisionKeep, ""), "user.birthday", "May 14", 1, true},
		"said before it":      {said(memory.DecisionKeep, ""), "user.birthday", "May 24", 1, false},
		"another key":         {said(memory.DecisionReplace, "May 14"), "user.city", "May 14", 2, false},
		"in another message":  {said(memory.DecisionReplace, "May 14"), "user.birthday", "May 14", 3, false},
	} {
		candidate := &memory.Candidate{Key: c.key, Value: c.value, Source: memory.Source{Message: c.message, Quote: c.value}}
		if got := Absorbs(r, &birthday, c.d, candidate); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// words are combined to sentences nobody thought of.
var pieces = []string{
	"May 4", "May 14", "the 14th", "14号", "5月14日", "5月4日", "Shanghai", "杭州", "上海", "the first one", "第二个", "both", "neither",
	"都对", "都不是", "It's", "my birthday is", "我的生日是", "not", "不是", "actually", "其实", "sorry", "maybe", "不确定", "or", "and", "和",
	"my sister's", "我妹妹", "if", "如果", ", ", ". ", "？", "?", "，", "。", " ", "\n", "“", "”", "\"", "'", "(", "I'm", "a", "florist", "Suzhou", "住在",
	"苏州", "yes", "对", "no", "没有", "吧", "by the lunar calendar", "农历", "on weekends", "June 1", "6月1日", "\xff", "é", "ﬁ", "臺", "１４號", "吗", "𠮷", "-",
}

func drawSentence(t *rapid.T, label string) string {
	s := ""
	for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, label) {
		s += p + rapid.SampledFrom([]string{"", " "}).Draw(t, "gap")
	}
	return s
}

// TestAnswersAreWellFormed: whatever is said, an answer is to an open question, by one of its
// options, and quoted.
func TestAnswersAreWellFormed(t *testing.T) {
	r := defaults(t)
	all := []memory.Question{birthday, city, partner, job, opera, towns, shengri, chengshi, kafei}
	rapid.Check(t, func(t *rapid.T) {
		in := Input{Registry: r, Questions: rapid.Permutation(all).Draw(t, "questions")[:rapid.IntRange(0, 4).Draw(t, "open")]}
		var lines []string
		for range rapid.IntRange(1, 3).Draw(t, "turns") {
			asked := rapid.SampledFrom(all).Draw(t, "asked").Text
			lines = append(lines, "A: "+rapid.SampledFrom([]string{asked, drawSentence(t, "assistant")}).Draw(t, "put"), drawSentence(t, "user"))
		}
		in.Messages = talk(lines...)
		if len(in.Questions) > 0 && rapid.Bool().Draw(t, "named") {
			in.Named = map[int]memory.ID{rapid.IntRange(1, len(lines)).Draw(t, "number"): in.Questions[0].ID}
		}
		wellFormed(t, in, Recognise(in))
	})
}

func FuzzRecognise(f *testing.F) {
	for _, seed := range [][2]string{
		{birthday.Text, "It's May 14, sorry."}, {chengshi.Text, "工作日在杭州，周末在上海"}, {partner.Text, "neither, it's \"Tom\""},
		{"你的生日还是5月4日吗？", "不是，５月１４號"}, {"", "\xffboth\xfe"}, {opera.Text, "I don't like it"}, {"İs ıt?", "İ'm in SHANGHAİ"},
	} {
		f.Add(seed[0], seed[1])
	}
	r := defaults(f)
	all := []memory.Question{birthday, city, partner, job, opera, towns, shengri, chengshi, kafei}
	f.Fuzz(func(t *testing.T, asked, say string) {
		in := Input{Registry: r, Questions: all, Messages: talk("A: "+asked, say)}
		wellFormed(t, in, Recognise(in))
	})
}
