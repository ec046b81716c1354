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

// TestTheBundledScriptShowsEverything: in each language a fact, small talk, a change, a pet
// that died, a duplicate, a dated plan, two users kept apart, a disputed value and a secret.
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
		{"My birthday is May 14.", "? disputed   user.birthday = May 14"},
		{"please don't lose it.", "x redacted   1 secret(s)  (cut out before anything is stored)"},
		{"今天天气好热", "+ remembered user.city = 北京"},
		{"今天天气好热", "· ignored    2 message(s)"},
		{"其实我现在搬到上海了。", "~ superseded user.city = 上海  (a change was said; before: 北京)"},
		{"我家猫去世了。", "- ended      user.pets = 猫，叫咪咪"},
		{"提醒你，我对花生过敏。", "= refreshed  user.allergies = 花生"},
		{"我下周三去深圳开会。", "(until 2026-03-11 16:00 UTC)"},
		{"我的生日是5月14日。", "? disputed   user.birthday = 5月14日"},
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
}

func TestPlayFailsWithItsWriter(t *testing.T) {
	broken := errors.New("broken")
	lines := []demo.Line{{At: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), User: "u", Thread: "t", Role: memory.RoleUser, Content: "hi"}}
	if _, err := demo.Play(t.Context(), failing{broken}, demo.Script{Lines: lines}); !errors.Is(err, broken) {
		t.Errorf("Play = %v, want the writer's error", err)
	}
}
