package demo_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/demo"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

func TestParseReadsALineAMessage(t *testing.T) {
	got, err := demo.Parse(strings.NewReader("\n" +
		`{"at":"2026-03-01T09:00:00+08:00","user":"u","content":"hi"}` + "\r\n  \n" +
		`{"at":"2026-03-01T09:00:00Z","user":"u","thread":"t","role":"assistant","content":"hello"}`))
	if err != nil || len(got) != 2 {
		t.Fatalf("Parse = %+v, %v, want two lines", got, err)
	}
	if l := got[0]; l.Thread != "main" || l.Role != memory.RoleUser || l.At.Format(time.RFC3339) != "2026-03-01T09:00:00+08:00" {
		t.Errorf("the first line is %+v, want the user's, in the thread main, with its offset", l)
	}
	if l := got[1]; l.Thread != "t" || l.Role != memory.RoleAssistant {
		t.Errorf("the second line is %+v", l)
	}
}

func TestParseIsStrictAndNamesTheLine(t *testing.T) {
	const good = `{"at":"2026-03-01T09:00:00Z","user":"u","content":"hi"}` + "\n"
	for name, c := range map[string]struct{ line, want string }{
		"not JSON":            {`hello`, "invalid character"},
		"a list":              {`[]`, "cannot unmarshal"},
		"an unknown field":    {`{"at":"2026-03-01T09:00:00Z","user":"u","content":"hi","mood":"good"}`, `"mood"`},
		"two values":          {strings.TrimSpace(good) + ` {}`, "more than one"},
		"something after it":  {strings.TrimSpace(good) + ` x`, "more than one"},
		"no time":             {`{"user":"u","content":"hi"}`, "at: is required"},
		"no time zone":        {`{"at":"2026-03-01T09:00:00","user":"u","content":"hi"}`, "parsing time"},
		"a time before chats": {`{"at":"1926-03-01T09:00:00Z","user":"u","content":"hi"}`, "at: must not be before 1970"},
		"no user":             {`{"at":"2026-03-01T09:00:00Z","content":"hi"}`, "user: is required"},
		"a long user":         {`{"at":"2026-03-01T09:00:00Z","user":"` + strings.Repeat("u", 300) + `","content":"hi"}`, "user: "},
		"a long thread":       {`{"at":"2026-03-01T09:00:00Z","user":"u","thread":"` + strings.Repeat("长", 100) + `","content":"hi"}`, "thread: "},
		"no content":          {`{"at":"2026-03-01T09:00:00Z","user":"u","content":""}`, "content: is required"},
		"endless content":     {`{"at":"2026-03-01T09:00:00Z","user":"u","content":"` + strings.Repeat("x", 100_001) + `"}`, "content: "},
		"an unknown role":     {`{"at":"2026-03-01T09:00:00Z","user":"u","role":"boss","content":"hi"}`, "role: "},
		"an endless line":     {strings.Repeat(" ", 2<<20), "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := demo.Parse(strings.NewReader(good + "\n" + c.line + "\n" + good))
			if err == nil || !strings.HasPrefix(err.Error(), "line 3: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Parse = %.200v, want line 3 and %q", err, c.want)
			}
		})
	}
	for _, empty := range []string{"", "\n\n  \n"} {
		if _, err := demo.Parse(strings.NewReader(empty)); err == nil {
			t.Errorf("Parse(%q) accepts it", empty)
		}
	}
}

func TestParseFailsWithItsReader(t *testing.T) {
	broken := errors.New("broken")
	if _, err := demo.Parse(failing{broken}); !errors.Is(err, broken) {
		t.Errorf("Parse = %v, want the reader's error", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

func play(t *testing.T, s demo.Script) (demo.Summary, string) {
	t.Helper()
	var out bytes.Buffer
	summary, err := demo.Play(t.Context(), &out, s)
	if err != nil {
		t.Fatalf("Play: %v\n%s", err, out.String())
	}
	return summary, out.String()
}

// block is what is told between start and the next blank line: of an exchange, what was made
// of it stands after its last message.
func block(t *testing.T, text, start string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, start)
	if !ok {
		t.Errorf("nothing is told of %q", start)
	}
	rest, _, _ = strings.Cut(rest, "\n\n")
	return rest
}

// told is what is told between start and the next blank line, with its line breaks undone.
func told(t *testing.T, text, start string) string {
	t.Helper()
	return strings.Join(strings.Fields(block(t, text, start)), " ")
}

// TestTheBundledScriptShowsEverything: in each language a fact, small talk, a change, a pet
// that died, a duplicate, a dated plan, two users kept apart, a question and a secret.
func TestTheBundledScriptShowsEverything(t *testing.T) {
	script, err := demo.Bundled()
	if err != nil {
		t.Fatal(err)
	}
	summary, text := play(t, script)
	for _, c := range []struct{ said, told string }{
		{"haha cold as ever", "+ remembered user.city = Boston"},
		{"haha cold as ever", "· ignored    2 message(s)"},
		{"We moved to Denver last month", "~ superseded user.city = Denver  (a change was said; before: Boston)"},
		{"Miso passed away yesterday.", "- ended      user.pets = cat named Miso"},
		{"Reminder: I'm allergic to peanuts.", "= refreshed  user.allergies = peanuts  (said again: confirmed 2026-01-20)"},
		{"I'm flying to Lisbon next Friday", "(until 2026-03-14 05:00 UTC)"},
		{"My birthday is May 14.", "? asked      user.birthday = May 14"},
		{"please don't lose it.", "x redacted   1 secret(s)  (cut out before anything is stored)"},
		{"今天天气好热", "+ remembered user.city = 北京"},
		{"今天天气好热", "· ignored    2 message(s)"},
		{"其实我现在搬到上海了。", "~ superseded user.city = 上海  (a change was said; before: 北京)"},
		{"我家猫去世了。", "- ended      user.pets = 猫，叫咪咪"},
		{"提醒你，我对花生过敏。", "= refreshed  user.allergies = 花生"},
		{"我下周三去深圳开会。", "(until 2026-03-11 16:00 UTC)"},
		{"我的生日是5月14日。", "? asked      user.birthday = 5月14日"},
		{"你别弄丢了。", "x redacted   1 secret(s)"},
	} {
		if got := block(t, text, c.said); !strings.Contains(got, c.told) {
			t.Errorf("of %q is told:\n%s\nwant %q", c.said, got, c.told)
		}
	}
	raw, err := json.Marshal(summary)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"sk-proj-", "AbCdEf0123", "Tq7#kLm2x"} {
		if strings.Contains(text, secret) || strings.Contains(string(raw), secret) {
			t.Errorf("the secret %q is shown", secret)
		}
	}
	checkSummary(t, summary, len(script.Lines))
	checkQuestions(t, summary, script.Lines)
	checkFates(t, summary)
	checkGone(t, summary)
	checkErased(t, summary)
	checkForgetting(t, text)
	for line := range strings.Lines(text) {
		if n := columnsOf(strings.TrimSuffix(line, "\n")); n > 100 {
			t.Errorf("%d columns wide: %s", n, line)
		}
	}
}

// checkForgetting looks for what is told of asking and forgetting.
func checkForgetting(t *testing.T, text string) {
	t.Helper()
	for _, c := range []struct{ start, told string }{
		{"My birthday is May 14.", `? question "On 10 February you said your birthday is May 4; on 14 February, that it is May 14. Which is right?" (waits`},
		{"proofread my cover letter?", "? waiting 1 question(s) (nothing that was said is about it)"},
		{"does my cat need a vaccination?", "? waiting 1 question(s) (not brought up: this is not about it)"},
		{"how many days until my birthday?", `(disputed; thread birthday) ? offered "On 10 February you said`},
		{"how many days until my birthday?", "beside the memories, and no part of the block to inject, which is this) | <memories>"},
		{"It's May 14, sorry.", "~ superseded user.birthday = May 14 (the user's answer; before: May 4) ? closed the question about user.birthday (answered: replace)"},
		{"2026-03-14 05:01 UTC  alex asks", "· recalled nothing"},
		{"2026-03-14 05:07 UTC  the reaper's job expire", `v expired alex: "I'm flying to Lisbon next Friday for a conference" (moved to the archive; over since 2026-03-14 05:00 UTC)`},
		{"Please don't bring up IELTS again.", `- suppressed "I'm preparing for IELTS"`},
		{"2026-03-19 20:00 UTC  alex asks", "· recalled nothing"},
		{"You can bring up IELTS again.", `+ given back "I'm preparing for IELTS"`},
		{"Please forget where I work.", "x forgotten user.employer = bakery"},
		{`sam's thread "work" is consolidated again`, "· learnt nothing (1 message(s) read: what was forgotten stays forgotten)"},
		{"2026-04-01 03:37 UTC  the reaper's job purge", "x purged sam: user.employer = bakery"},
		{"2026-04-06 09:00 UTC  alex looks", "· warm user.likes = Thai food (not used for 86 days: it ranks lower, and after 90 moves to the archive)"},
		{"2026-04-10 03:17 UTC  the reaper's job tier", "v archived alex: user.likes = Thai food (cold; not used since 2026-01-10)"},
		{"alex asks: which cuisine", "· recalled nothing"},
		{"alex asks, of the archive too: which cuisine", "(cold; thread dinner) ^ returned user.likes = Thai food"},
		{"robin is erased", "x erased 2 memories = receipt change_sets"},
		{"robin is erased", "= verified 0 left in 14 places"},

		{"我的生日是5月14日。", `? question "2月17日你说生日是5月4日，2月21日又说是5月14日。哪个是对的？"`},
		{"帮我把这段话翻译成英文。", "? waiting 1 question(s) (nothing that was said is about it)"},
		{"我的猫要打疫苗吗？", "? waiting 1 question(s) (not brought up: this is not about it)"},
		{"我的生日是哪天？", `(disputed; thread 生日) ? offered "2月17日你说`},
		{"是5月14日，之前说错了。", "~ superseded user.birthday = 5月14日 (the user's answer; before: 5月4日) ? closed the question about user.birthday (answered: replace)"},
		{"2026-03-11 16:01 UTC  小岚 asks", "· recalled nothing"},
		{"2026-03-11 16:07 UTC  the reaper's job expire", `v expired 小岚: "我下周三去深圳开会" (moved to the archive; over since 2026-03-11 16:00 UTC)`},
		{"不要再提雅思。", `- suppressed "我在备考雅思"`},
		{"2026-03-19 20:00 UTC  小岚 asks", "· recalled nothing"},
		{"可以再提雅思了。", `+ given back "我在备考雅思"`},
		{"忘掉我在哪里上班。", "x forgotten user.employer = 面包店"},
		{`阿杰's thread "工作" is consolidated again`, "· learnt nothing (1 message(s) read: what was forgotten stays forgotten)"},
		{"2026-04-01 03:37 UTC  the reaper's job purge", "x purged 阿杰: user.employer = 面包店"},
		{"2026-04-06 09:00 UTC  小岚 looks", "· warm user.likes = 川菜 (not used for 70 days"},
		{"2026-04-27 03:17 UTC  the reaper's job tier", "v archived 小岚: user.likes = 川菜 (cold; not used since 2026-01-26)"},
		{"小岚 asks: 我偏爱哪个菜系？", "· recalled nothing"},
		{"小岚 asks, of the archive too: 我偏爱哪个菜系？", "(cold; thread 点菜) ^ returned user.likes = 川菜"},
		{"阿明 is erased", "x erased 2 memories = receipt change_sets"},
		{"阿明 is erased", "= verified 0 left in 14 places"},
	} {
		if got := told(t, text, c.start); !strings.Contains(got, c.told) {
			t.Errorf("of %q is told:\n%s\nwant %q", c.start, got, c.told)
		}
	}
}

// checkQuestions: one in each language, put word by word as memory has it, answered, and
// offered beside nothing but the memory that it is about.
func checkQuestions(t *testing.T, s demo.Summary, lines []demo.Line) {
	t.Helper()
	if len(s.Questions) != 2 {
		t.Fatalf("questions %+v, want two", s.Questions)
	}
	for i, want := range []struct {
		user         memory.User
		value, about string
	}{{"alex", "May 14", "birthday"}, {"小岚", "5月14日", "生日"}} {
		q := s.Questions[i]
		if q.User != want.user || q.Closing != memory.ClosedByAnswer || q.Decision != memory.DecisionReplace ||
			q.Value != want.value || !q.ClosedAt.After(q.OpenedAt) {
			t.Errorf("question %+v, want one to %s, answered with %s", q, want.user, want.value)
		}
		if !slices.ContainsFunc(lines, func(l demo.Line) bool { return l.Role == memory.RoleAssistant && l.Content == q.Question }) {
			t.Errorf("nobody asks %q", q.Question)
		}
		offered, kept := 0, 0
		for _, r := range s.Recalls {
			switch related := strings.Contains(r.Query, want.about); {
			case r.User != want.user || r.At.Before(q.OpenedAt) || r.At.After(q.ClosedAt):
			case slices.Equal(r.Offered, []string{q.Question}) && related && len(r.Memories) == 1 && !strings.Contains(r.Block, q.Question):
				offered++
			case r.Offered == nil && !related && len(r.Memories) > 0:
				kept++
			default:
				t.Errorf("while the question is open, the recall is %+v", r)
			}
		}
		if offered != 1 || kept != 1 {
			t.Errorf("%q is offered %d times and kept back %d times, want once each", q.Question, offered, kept)
		}
	}
}

// checkFates: what happens to memories, to whose, and when.
func checkFates(t *testing.T, s demo.Summary) {
	t.Helper()
	for name, c := range map[string]struct {
		got  []demo.Fate
		want []string
	}{
		"expired": {s.Expired, []string{
			"03-11 16:07 小岚 我下周三去深圳开会", "03-14 05:07 alex I'm flying to Lisbon next Friday for a conference",
		}},
		"archived": {s.Archived, []string{
			"04-10 03:17 alex user.likes = Thai food", "04-24 03:17 小岚 user.commute = 地铁", "04-27 03:17 小岚 user.likes = 川菜",
		}},
		"returned":   {s.Returned, []string{"05-04 12:01 alex user.likes = Thai food", "05-04 12:03 小岚 user.likes = 川菜"}},
		"suppressed": {s.Suppressed, []string{"03-18 14:00 alex I'm preparing for IELTS", "03-19 10:00 小岚 我在备考雅思"}},
		"lifted":     {s.Lifted, []string{"03-20 14:00 alex I'm preparing for IELTS", "03-21 10:00 小岚 我在备考雅思"}},
		"forgotten":  {s.Forgotten, []string{"03-24 08:00 sam user.employer = bakery", "03-24 10:00 阿杰 user.employer = 面包店"}},
		"purged":     {s.Purged, []string{"04-01 03:37 sam user.employer = bakery", "04-01 03:37 阿杰 user.employer = 面包店"}},
	} {
		var got []string
		for _, f := range c.got {
			got = append(got, fmt.Sprintf("%s %s %s", f.At.UTC().Format("01-02 15:04"), f.User, f.Memory))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s is %q, want %q", name, got, c.want)
		}
	}
}

// checkGone: what is over, cold, suppressed or forgotten is not handed out, and comes back
// where it should.
func checkGone(t *testing.T, s demo.Summary) {
	t.Helper()
	for query, want := range map[string][]string{
		"what trips are on my schedule?":          {"Lisbon", "", ""},
		"我最近有什么出差安排？":                             {"深圳", ""},
		"how should I plan my IELTS preparation?": {"IELTS", "", "IELTS"},
		"雅思备考要怎么安排？":                              {"雅思", "", "雅思"},
		"which cuisine do I like?":                {"", "Thai"},
		"我偏爱哪个菜系？":                                {"", "川菜"},
	} {
		var got []string
		for _, r := range s.Recalls {
			if r.Query == query {
				got = append(got, strings.Join(r.Memories, "\n"))
			}
		}
		ok := slices.EqualFunc(got, want, func(got, want string) bool {
			return want == "" && got == "" || want != "" && strings.Contains(got, want)
		})
		if !ok {
			t.Errorf("%q gets %q in turn, want %q", query, got, want)
		}
	}
	for user, word := range map[memory.User]string{"sam": "bakery", "阿杰": "面包店"} {
		if all := strings.Join(s.Memories[user], "\n"); strings.Contains(all, word) {
			t.Errorf("of %s is remembered %q, which was forgotten", user, all)
		}
	}
}

// checkErased: two users, of whom nothing is left anywhere.
func checkErased(t *testing.T, s demo.Summary) {
	t.Helper()
	if len(s.Erased) != 2 || s.Erased[0].User != "robin" || s.Erased[1].User != "阿明" {
		t.Fatalf("erased %+v, want robin and 阿明", s.Erased)
	}
	for _, e := range s.Erased {
		r := e.Receipt
		if !r.Final || r.Memories != 2 || r.FinishedAt.IsZero() {
			t.Errorf("the receipt of %s is %+v, want a final one of two memories", e.User, r)
		}
		for place, least := range map[string]int{"events": 1, "change_sets": 1, "collections": 2, "recall_traces": 1} {
			if r.Removed[place] < least {
				t.Errorf("the receipt of %s counts %d in %s, want %d or more", e.User, r.Removed[place], place, least)
			}
		}
		if len(e.Left) != len(r.Removed) {
			t.Errorf("of %s is verified %v, want every place of %v", e.User, e.Left, r.Removed)
		}
		for place, n := range e.Left {
			if n != 0 {
				t.Errorf("of %s %d are left in %s", e.User, n, place)
			}
		}
		if all, ok := s.Memories[e.User]; !ok || len(all) != 0 {
			t.Errorf("of %s is remembered %q", e.User, all)
		}
	}
}

func checkSummary(t *testing.T, s demo.Summary, lines int) {
	t.Helper()
	if !s.Messages.Balanced() || s.Messages.Messages != lines || s.Messages.Parked != 0 || s.Redacted != 2 {
		t.Errorf("messages %+v, %d redacted, want all %d accounted for, and 2 secrets", s.Messages, s.Redacted, lines)
	}
	for op, n := range map[ledger.Op]int{
		ledger.OpSupersede: 3, ledger.OpEnd: 2, ledger.OpRefresh: 2, ledger.OpDispute: 2,
	} {
		if s.Changes[op] < n {
			t.Errorf("%d changes are %s, want at least %d", s.Changes[op], op, n)
		}
	}
	for user, want := range map[memory.User][2]string{
		"alex": {"We moved to Denver last month", "I live in Boston"}, "sam": {"I live in Turin", "Denver"},
		"小岚": {"其实我现在搬到上海了", "北京"}, "阿杰": {"我住在广州", "上海"},
	} {
		all := s.Memories[user]
		if !slices.Contains(all, want[0]) || strings.Contains(strings.Join(all, "\n"), want[1]) {
			t.Errorf("of %s is remembered %q, want %q and nothing of %q", user, all, want[0], want[1])
		}
	}
	for _, c := range []struct {
		month time.Month
		user  memory.User
		query string
		want  string
	}{
		{3, "alex", "trips", "Lisbon"}, {6, "alex", "trips", ""}, {3, "小岚", "出差", "深圳"}, {6, "alex", "pet", "Miso passed away"},
		{6, "小岚", "宠物", "我家猫去世了"}, {6, "sam", "where", "Turin"}, {6, "阿杰", "哪里", "广州"},
	} {
		i := slices.IndexFunc(s.Recalls, func(r demo.Recalled) bool {
			return r.At.Month() == c.month && r.User == c.user && strings.Contains(r.Query, c.query)
		})
		if i < 0 {
			t.Errorf("%s does not ask about %q", c.user, c.query)
			continue
		}
		got := strings.Join(s.Recalls[i].Memories, "\n")
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("in month %d %s gets %q about %q, want %q", c.month, c.user, got, c.query, c.want)
		}
	}
}

// TestOnesOwnLines: more of them than one event holds, out of order, of a year long past.
func TestOnesOwnLines(t *testing.T) {
	var file strings.Builder
	at := time.Date(2019, 5, 6, 9, 0, 0, 0, time.UTC)
	for i := range 130 {
		content := "haha ok"
		switch i {
		case 100:
			content = "I'm flying to Rome next Friday."
		case 120:
			content = "我住在杭州。"
		}
		fmt.Fprintf(&file, `{"at":%q,"user":"u","content":%q}`+"\n", at.Add(time.Duration(130-i)*time.Second).Format(time.RFC3339), content)
	}
	lines, err := demo.Parse(strings.NewReader(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	summary, text := play(t, demo.Script{Lines: lines})
	if n := summary.Messages; n.Messages != 130 || n.Remembered != 2 || n.Nothing != 128 {
		t.Errorf("messages %+v, want 130, two of them remembered", n)
	}
	if got, want := summary.Memories["u"], []string{"I'm flying to Rome next Friday", "我住在杭州"}; !slices.Equal(got, want) {
		t.Errorf("remembered %q, want %q: the plan is still to come when the last line is said", got, want)
	}
	if a, b := strings.Index(text, "杭州"), strings.Index(text, "Rome"); a < 0 || a > b {
		t.Error("the lines are not told in the order in which they were said")
	}
	if strings.Contains(text, "reaper") || strings.Contains(text, "What an agent") {
		t.Error("the story tells of what only the bundled script has")
	}
}

// TestTheReaperComesAtItsTimes: a question that nobody answers times out within the hour, if
// the script has a reaper; those that are answered do not.
func TestTheReaperComesAtItsTimes(t *testing.T) {
	begin := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var s demo.Script
	say := func(user memory.User, thread memory.Thread, role memory.Role, after time.Duration, content string) {
		s.Lines = append(s.Lines, demo.Line{At: begin.Add(after), User: user, Thread: thread, Role: role, Content: content})
	}
	const day = 24 * time.Hour
	for _, user := range []memory.User{"kim", "lee", "pat"} {
		say(user, "a", memory.RoleUser, 0, "My birthday is May 4.")
		say(user, "b", memory.RoleUser, day, "My birthday is May 14.")
		say(user, "c", memory.RoleAssistant, 2*day, "You said your birthday is May 4, then that it is May 14. Which is right?")
	}
	say("lee", "c", memory.RoleUser, 2*day+time.Minute, "Neither.")
	say("pat", "c", memory.RoleUser, 2*day+time.Minute, "Both are true.")
	say("kim", "c", memory.RoleUser, 20*day, "haha ok")
	summary, text := play(t, s)
	kims := func(q demo.Asked) bool { return q.User == "kim" }
	i := slices.IndexFunc(summary.Questions, kims)
	if i < 0 || !summary.Questions[i].ClosedAt.IsZero() || strings.Contains(text, "reaper") {
		t.Errorf("without a reaper the questions are %+v", summary.Questions)
	}
	s.Reaper = true
	summary, text = play(t, s)
	q := summary.Questions[slices.IndexFunc(summary.Questions, kims)]
	want := time.Date(2026, 3, 17, 9, 27, 0, 0, time.UTC)
	if q.User != "kim" || q.Closing != memory.ClosedByTimeout || q.Decision != memory.DecisionKeep || !q.ClosedAt.Equal(want) {
		t.Errorf("kim's question is %+v, want it to time out at %s", q, want)
	}
	if got := told(t, text, "2026-03-17 09:27 UTC  the reaper's job questions"); got != "? closed kim: the question about user.birthday (timed out: keep)" {
		t.Errorf("of the time-out is told: %s", got)
	}
	for _, c := range []struct{ answer, told string }{
		{"Neither.", "- ended user.birthday = May 4 (the user's answer) ? closed the question about user.birthday (answered: neither)"},
		{"Both are true.", `+ remembered "My birthday is May 14" (the user's answer) ? closed the question about user.birthday (answered: both)`},
	} {
		if got := told(t, text, c.answer); !strings.Contains(got, c.told) {
			t.Errorf("of %q is told: %s\nwant %s", c.answer, got, c.told)
		}
	}
	for user, want := range map[memory.User][]string{
		"kim": {"My birthday is May 4"}, "lee": {}, "pat": {"My birthday is May 14", "My birthday is May 4"},
	} {
		if got := summary.Memories[user]; !slices.Equal(got, want) {
			t.Errorf("%s's memories are %q, want %q", user, got, want)
		}
	}
}

func TestPlayFailsWithItsWriter(t *testing.T) {
	broken := errors.New("broken")
	lines := []demo.Line{{At: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), User: "u", Thread: "t", Role: memory.RoleUser, Content: "hi"}}
	if _, err := demo.Play(t.Context(), failing{broken}, demo.Script{Lines: lines}); !errors.Is(err, broken) {
		t.Errorf("Play = %v, want the writer's error", err)
	}
}
