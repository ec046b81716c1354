package answer

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/schemas"
)

// registry is that of the default schema.
var registry = sync.OnceValues(func() (*profile.Registry, error) { return profile.Parse(schemas.Profile) })

func defaults(tb testing.TB) *profile.Registry {
	tb.Helper()
	r, err := registry()
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// side is a side of a question in the tables: the key without "user.", the value, the text.
type side [3]string

// open makes a question of its sentence and its sides, the current one first.
func open(id memory.ID, text string, sides ...side) memory.Question {
	var all []memory.Side
	for i, s := range sides {
		all = append(all, memory.Side{
			Memory: id + memory.ID(rune('a'+i)), Key: memory.Key("user." + s[0]), Value: s[1], Text: s[2],
		})
	}
	return memory.Question{
		ID: id, Key: all[0].Key, Status: memory.QuestionOpen, Current: all[0], Rivals: all[1:],
		Options: memory.Decisions, Text: text, Default: memory.DecisionKeep,
	}
}

var (
	birthday = open("birthday", "You said that your birthday is May 4, and later that it is May 14. Which is right?",
		side{"birthday", "May 4", "My birthday is May 4"}, side{"birthday", "May 14", "My birthday is May 14"})
	city = open("city", "You said that you live in Hangzhou, and later that you live in Shanghai. Which is right?",
		side{"city", "Hangzhou", "I live in Hangzhou"}, side{"city", "Shanghai", "I live in Shanghai"})
	partner = open("partner", "You mentioned your girlfriend, and later your boyfriend. Which is right?",
		side{"partner", "girlfriend", "My girlfriend likes coffee"}, side{"partner", "boyfriend", "My boyfriend likes coffee too"})
	job = open("job", "You said that you're an optician, and later that you're a florist. Which is right?",
		side{"occupation", "optician", "I'm an optician"}, side{"occupation", "florist", "I'm a florist"})
	name = open("name", "You said that your name is Rita, and later that it is Vera. Which is right?",
		side{"name", "Rita", "My name is Rita"}, side{"name", "Vera", "My name is Vera"})
	bank = open("bank", "You said that you work at Tesco, and later that you work at Lidl. Which is right?",
		side{"employer", "Tesco", "I work at Tesco"}, side{"employer", "Lidl", "I work at Lidl"})
	opera = open("opera", "You said that you love opera, and later that you hate opera. Which is right?",
		side{"likes", "opera", "I love opera"}, side{"dislikes", "opera", "I hate opera"})
	towns = open("towns", "You said that you live in Berlin, in Hamburg and in Bremen. Which is right?",
		side{"city", "Berlin", "I live in Berlin"}, side{"city", "Hamburg", "I live in Hamburg"}, side{"city", "Bremen", "I live in Bremen"})

	shengri = open("生日", "您之前说生日是5月4日，后来又说是5月14日，哪个对？",
		side{"birthday", "5月4日", "我的生日是5月4日"}, side{"birthday", "5月14日", "我的生日是5月14日"})
	chengshi = open("城市", "您之前说住在杭州，后来又说住在上海，哪个对？",
		side{"city", "杭州", "我住在杭州"}, side{"city", "上海", "我住在上海"})
	duixiang = open("对象", "您之前提到女朋友，后来又提到男朋友，哪个对？",
		side{"partner", "女朋友", "我女朋友喜欢喝咖啡"}, side{"partner", "男朋友", "我男朋友也喜欢喝咖啡"})
	gongzuo = open("工作", "您之前说是牙医，后来又说是消防员，哪个对？",
		side{"occupation", "牙医", "我是牙医"}, side{"occupation", "消防员", "我是消防员"})
	mingzi = open("名字", "您之前说叫刘洋，后来又说叫赵强，哪个对？",
		side{"name", "刘洋", "我叫刘洋"}, side{"name", "赵强", "我叫赵强"})
	kafei = open("咖啡", "您之前说喜欢咖啡，后来又说讨厌咖啡，哪个对？",
		side{"likes", "咖啡", "我喜欢咖啡"}, side{"dislikes", "咖啡", "我讨厌咖啡"})
	yinhang = open("银行", "您之前说在工商银行上班，后来又说在建设银行上班，哪个对？",
		side{"employer", "工商银行", "我在工商银行上班"}, side{"employer", "建设银行", "我在建设银行上班"})
)

// said is when every test message is said.
var said = time.Date(2026, 3, 8, 9, 0, 0, 0, time.UTC)

// talk makes messages of lines: "A: " is the assistant, "T: " a tool, "S: " the system, "C: "
// the user in a message that was consolidated before, anything else the user.
func talk(lines ...string) []memory.Message {
	roles := map[string]memory.Role{"A: ": memory.RoleAssistant, "T: ": memory.RoleTool, "S: ": memory.RoleSystem, "C: ": memory.RoleUser}
	var out []memory.Message
	for i, line := range lines {
		m := memory.Message{Number: i + 1, Event: "e1", Index: i, Role: memory.RoleUser, At: said, Content: line}
		for prefix, role := range roles {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				m.Role, m.Content, m.Context = role, rest, prefix == "C: "
			}
		}
		out = append(out, m)
	}
	return out
}

// setting is what stands around the sentences of a table: the open questions, and what was
// said before. With named, the backend names the first question beside the sentence.
type setting struct {
	about  []memory.Question
	before []string
	named  bool
	// cases are what the user says and what it answers, as render has it: "" is nothing.
	cases [][2]string
}

func (s setting) ask(tb testing.TB, say string) []memory.Directive {
	in := Input{Registry: defaults(tb), Questions: s.about, Messages: talk(append(s.before[:len(s.before):len(s.before)], say)...)}
	if s.named {
		in.Named = map[int]memory.ID{len(in.Messages): s.about[0].ID}
	}
	out := Recognise(in)
	wellFormed(tb, in, out)
	return out
}

// render writes directives as the tables do: "keep", "replace May 14", "both (…)"; the
// question first where several are open.
func render(out []memory.Directive, several bool) string {
	var all []string
	for _, d := range out {
		s := string(d.Decision)
		if d.What != "" {
			s += " " + d.What
		}
		if several {
			s = string(d.Question) + " " + s
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

func run(t *testing.T, settings map[string]setting) {
	t.Helper()
	for about, s := range settings {
		t.Run(about, func(t *testing.T) {
			for _, c := range s.cases {
				if got := render(s.ask(t, c[0]), len(s.about) > 1); got != c[1] {
					t.Errorf("%q answers %q, want %q", c[0], got, c[1])
				}
			}
		})
	}
}

// wellFormed fails unless every directive answers one of the open questions by one of its
// options, and quotes its message.
func wellFormed(t interface {
	Helper()
	Fatalf(string, ...any)
}, in Input, out []memory.Directive) {
	t.Helper()
	answered := map[memory.ID]bool{}
	for _, d := range out {
		var q *memory.Question
		for i := range in.Questions {
			if in.Questions[i].ID == d.Question {
				q = &in.Questions[i]
			}
		}
		m := in.Messages[d.Source.Message-1]
		switch {
		case d.Action != memory.ActionAnswer || q == nil || answered[d.Question]:
			t.Fatalf("%+v is no answer to an open question", d)
		case !slices.Contains(q.Options, d.Decision):
			t.Fatalf("%+v is no option", d)
		case m.Role != memory.RoleUser || m.Context || d.Source.Quote == "" || !strings.Contains(m.Content, d.Source.Quote):
			t.Fatalf("%q is not said by the user in message %d", d.Source.Quote, d.Source.Message)
		case d.Decision == memory.DecisionReplace && !slices.ContainsFunc(q.Rivals, func(s memory.Side) bool { return s.Value == d.What }):
			t.Fatalf("%q is no rival", d.What)
		case (d.Decision == memory.DecisionKeep || d.Decision == memory.DecisionNeither) && d.What != "":
			t.Fatalf("%s brings %q", d.Decision, d.What)
		case (d.Decision == memory.DecisionBoth || d.Decision == memory.DecisionOther) && !strings.Contains(m.Content, d.What):
			t.Fatalf("%q is not in %q", d.What, m.Content)
		case d.Decision == memory.DecisionOther && d.What == "":
			t.Fatalf("other without a value")
		}
		answered[d.Question] = true
		if n := d.Source.AskedMessage; n != 0 {
			if a := in.Messages[n-1]; a.Role != memory.RoleAssistant || d.Source.AskedQuote == "" || !strings.Contains(a.Content, d.Source.AskedQuote) {
				t.Fatalf("%q is not asked in message %d", d.Source.AskedQuote, n)
			}
		}
	}
}
