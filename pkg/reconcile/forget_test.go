package reconcile_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/rules"
)

// diary is one owner's memories as the projector keeps them, past values and tombstones
// included, fed by what is said.
type diary struct {
	t        testing.TB
	now      time.Time
	memories map[memory.ID]memory.Memory
	records  []ledger.Record
}

func newDiary(t testing.TB) *diary {
	return &diary{t: t, now: late, memories: map[memory.ID]memory.Memory{}}
}

var secret = []byte("a secret of the tests")

func (d *diary) input(in reconcile.Input) reconcile.Input {
	in.Now, in.Scope, in.Registry, in.Secret = d.now, scope, registry, secret
	return in
}

// plan decides with no more of the memories than is needed.
func (d *diary) plan(in reconcile.Input) reconcile.Decision {
	in = d.input(in)
	in.Existing = d.load(reconcile.NeedsOf(in))
	out := reconcile.Plan(in)
	d.apply(out)
	return out
}

func (d *diary) apply(out reconcile.Decision) {
	for _, c := range out.Changes {
		if c.Op == ledger.OpHistory {
			d.past(c.Memory)
			continue
		}
		d.memories[c.Memory.ID] = c.Memory
		if c.Op == ledger.OpSupersede {
			d.past(*c.Previous)
		}
	}
	d.records = append(d.records, ledger.Record{Seq: uint64(len(d.records) + 1), ChangeSet: ledger.ChangeSet{
		V: ledger.Version, At: d.now, Author: ledger.AuthorExtractor, Scope: scope,
		Changes: out.Changes, QuestionOpened: out.Opened, QuestionClosed: out.Closed,
	}})
}

// past keeps a value that a memory has had, as the projector does.
func (d *diary) past(m memory.Memory) {
	m.Origin = m.ID
	m.ID = profile.PastIdentity(m.Origin, m.Value)
	m.Status, m.ArchivedAt, m.Question = memory.StatusSuperseded, d.now, ""
	if d.memories[m.ID].Status != memory.StatusDeleted {
		d.memories[m.ID] = m
	}
}

func (d *diary) all() []memory.Memory {
	b := book{memories: d.memories}
	return b.all()
}

// load is what a store returns for Needs.
func (d *diary) load(n reconcile.Needs) []memory.Memory {
	contradicted := map[memory.ID]bool{}
	for _, m := range d.memories {
		if m.Status == memory.StatusDisputed && m.Dispute != nil {
			contradicted[m.Dispute.Of] = true
		}
	}
	return slices.DeleteFunc(d.all(), func(m memory.Memory) bool { return !wants(n, &m, contradicted[m.ID]) })
}

// hear decides statements together.
func (d *diary) hear(s ...reconcile.Statement) []reconcile.Outcome {
	return d.plan(reconcile.Input{Statements: s}).Outcomes
}

// ask has a request carried out.
func (d *diary) ask(r reconcile.Request) reconcile.Outcome {
	return d.plan(reconcile.Input{Requests: []reconcile.Request{r}}).Requested[0]
}

// forget is the request to forget a topic on a day.
func forget(n int, words string) reconcile.Request {
	return request(memory.ActionForget, n, memory.Topic{Words: words})
}

func request(action memory.Action, n int, topic memory.Topic) reconcile.Request {
	return reconcile.Request{Action: action, Topic: topic, Evidence: memory.Evidence{
		Event: fmt.Sprintf("e%d", n), Seq: uint64(1000 + n), Thread: "t", Role: memory.RoleUser, At: day(n),
		Quote: fmt.Sprintf("%s %s", action, topic.Words),
	}}
}

// read is what the built-in rules make of something that is said on a day.
func read(t testing.TB, n int, content string) reconcile.Input {
	t.Helper()
	e := say(n, "", "").Evidence
	in := memory.Extraction{Scope: scope, Messages: []memory.Message{{
		Number: 1, Event: e.Event, Seq: e.Seq, Role: memory.RoleUser, At: e.At, Content: content,
	}}}
	candidates, directives, err := rules.Extractor{}.Extract(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var out reconcile.Input
	for _, c := range candidates {
		e.Quote = c.Source.Quote
		out.Statements = append(out.Statements, reconcile.Statement{Candidate: c, Evidence: e})
	}
	for _, dir := range directives {
		e.Quote = dir.Source.Quote
		out.Requests = append(out.Requests, reconcile.Request{Action: dir.Action, Topic: memory.Topic{Words: dir.What}, Evidence: e})
	}
	return out
}

// current lists the texts of what is current and not suppressed, in order.
func (d *diary) current() string {
	return d.texts(func(m *memory.Memory) bool { return m.Status == memory.StatusCurrent && m.SuppressedBy == "" })
}

func (d *diary) texts(which func(*memory.Memory) bool) string {
	var out []string
	for _, m := range d.all() {
		if which(&m) {
			out = append(out, m.Text)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// whole is everything that is kept, as it is stored.
func (d *diary) whole() string {
	data, err := json.Marshal(d.all())
	if err != nil {
		d.t.Fatal(err)
	}
	return string(data)
}

// What is asked to be forgotten is gone in every word, and what was said in the same breath
// stays without those.
func TestForget(t *testing.T) {
	for _, tt := range []struct {
		name string
		says []string // by day; the last is the request
		left string
		gone []string
	}{
		{
			"the key that is named",
			[]string{"My favourite colour is green. I work at a bakery.", "Please forget where I work."},
			"My favourite colour is green", []string{"bakery"},
		},
		{
			"one of two in one clause",
			[]string{"I have a cat named Mimi and a dog named Rex.", "forget my cat"},
			"I have a […] and a dog named Rex", []string{"Mimi", "cat "},
		},
		{
			"the employer, not the job that was said with it",
			[]string{"I'm a nurse at St. Mary's Hospital.", "forget where I work"},
			"I'm a nurse at […]", []string{"Mary", "St."},
		},
		{
			"a clause, whatever its key",
			[]string{"I like playing mahjong", "I like tea", "forget that I like playing mahjong"},
			"I like tea", []string{"mahjong"},
		},
		{
			"somebody who is only mentioned",
			[]string{"I live in Boston with my friend Tom.", "forget everything about Tom"},
			"I live in Boston with my friend […]", []string{"Tom"},
		},
		{
			"a place that is only mentioned",
			[]string{"I work at a bakery.", "I moved to Boston to be closer to the bakery.", "Please forget about the bakery."},
			"I moved to Boston to be closer to the […]", []string{"bakery"},
		},
		{
			"not what is somebody else's",
			[]string{"I work at a bakery.", "I moved to Boston, next to my neighbour's bakery.", "Please forget about the bakery."},
			"I moved to Boston, next to my neighbour's bakery", nil,
		},
		{
			"everything",
			[]string{"I live in Boston", "I like tea", "I'm preparing for IELTS", "Forget everything you know about me."},
			"", []string{"Boston", "tea", "IELTS"},
		},
		{
			"a past value",
			[]string{"I live in Boston", "I moved to Denver", "forget where I live"},
			"", []string{"Boston", "Denver"},
		},
		{
			"an ending",
			[]string{"I work at a bakery", "I quit my job at the bakery", "forget where I work"},
			"", []string{"bakery"},
		},
		{"只忘掉点名的键", []string{"我喜欢绿色。我住在常州。", "把我的住址忘掉吧"}, "我喜欢绿色", []string{"常州"}},
		{"只忘掉猫", []string{"我养了一只猫叫咪咪，还有一只狗。", "忘掉我的猫"}, "还有一只狗", []string{"咪咪", "猫"}},
		{"忘掉单位，留下通勤", []string{"我在面包店上班", "我坐地铁上班", "请忘记我在哪里上班"}, "我坐地铁上班", []string{"面包"}},
		{"忘掉一句话", []string{"我喜欢打麻将", "我喜欢喝茶", "请忘记我喜欢打麻将这件事"}, "我喜欢喝茶", []string{"麻将"}},
		{"忘掉话题", []string{"我在备考雅思", "我对花生过敏", "忘掉我备考雅思的事"}, "我对花生过敏", []string{"雅思"}},
		{"忘掉一切", []string{"我住在常州", "我在备考雅思", "忘掉关于我的一切"}, "", []string{"常州", "雅思"}},
		{"忘掉过去的值", []string{"我住在北京", "我搬到上海了", "忘掉我的住址"}, "", []string{"北京", "上海"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDiary(t)
			for i, content := range tt.says {
				in := read(t, i+1, content)
				if last := i == len(tt.says)-1; last != (len(in.Requests) == 1) || !last && len(in.Statements) == 0 {
					t.Fatalf("%q is read as %+v", content, in)
				}
				out := d.plan(in)
				if len(in.Requests) == 1 && out.Requested[0] != reconcile.Done {
					t.Errorf("the request is %s", out.Requested[0])
				}
			}
			if got := d.current(); got != tt.left {
				t.Errorf("left: %s\nwant: %s", got, tt.left)
			}
			for _, word := range tt.gone {
				if strings.Contains(d.whole(), word) {
					t.Errorf("%q is kept in %s", word, d.whole())
				}
			}
		})
	}
}

// The same evidence makes nothing again, in whatever words it comes; said anew, it does.
func TestForgottenStaysForgotten(t *testing.T) {
	word := func(n int, key memory.Key, value, text, quote string) reconcile.Statement {
		s := say(n, key, value)
		s.Text, s.Evidence.Quote = text, quote
		return s
	}
	const whole = "I love green and I work at a bakery in town"
	for _, tt := range []struct {
		name        string
		first       reconcile.Statement
		words       string
		again, anew reconcile.Statement
	}{
		{
			"as it was", word(1, "user.employer", "a bakery", "I work at a bakery", "I work at a bakery"), "where I work",
			word(1, "user.employer", "a bakery", "I work at a bakery", "I work at a bakery"),
			word(9, "user.employer", "a bakery", "I work at a bakery again", "I work at a bakery again"),
		},
		{
			"with another value", word(1, "user.employer", "a bakery", "I work at a bakery", whole), "that I work at a bakery",
			word(1, "user.employer", "local bakery", "works at a local bakery", whole),
			word(9, "user.employer", "local bakery", "I work at the local bakery", "I work at the local bakery"),
		},
		{
			"under another key", word(1, "user.employer", "a bakery", "I work at a bakery", whole), "where I work",
			word(1, "user.occupation", "bakery worker", "works in a bakery", whole),
			word(9, "user.occupation", "bakery worker", "I am a bakery worker", "I am a bakery worker"),
		},
		{
			"as a free memory", word(1, "user.employer", "a bakery", "I work at a bakery", whole), "where I work",
			word(1, "", "", "works in a bakery", "I work at a bakery"),
			word(9, "", "", "the bakery burnt down", "the bakery burnt down"),
		},
		{
			"under a key, a free memory before", word(1, "", "", "I work at a bakery", "I work at a bakery"), "that I work at a bakery",
			word(1, "user.employer", "bakery", "I work at a bakery", "I work at a bakery"),
			word(9, "user.employer", "bakery", "I work at a bakery", "I work at a bakery"),
		},
		{
			"one of many", word(1, "user.pets", "cat named Mimi", "I have a cat named Mimi", "I have a cat named Mimi"), "my cat",
			word(1, "user.pets", "Mimi the cat", "Mimi is my cat", "a cat named Mimi"),
			word(9, "user.pets", "cat named Mimi", "I have a cat named Mimi", "I have a cat named Mimi"),
		},
		{
			"另一种说法", word(1, "user.employer", "面包店", "我在面包店上班", "我喜欢绿色，在面包店上班"), "我在哪里上班",
			word(1, "user.occupation", "面包店店员", "在面包店工作", "我喜欢绿色，在面包店上班"),
			word(9, "user.occupation", "面包店店员", "我是面包店店员", "我是面包店店员"),
		},
		{
			"自由的记忆", word(1, "", "备考雅思", "我在备考雅思", "我在备考雅思"), "雅思",
			word(2, "", "", "准备雅思考试", "这几天都在准备雅思考试"),
			word(9, "", "", "我又报名了雅思", "我又报名了雅思"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDiary(t)
			d.hear(tt.first)
			if got := d.ask(forget(5, tt.words)); got != reconcile.Done {
				t.Fatalf("the request is %s", got)
			}
			for _, s := range []reconcile.Statement{tt.first, tt.again} {
				if got := d.hear(s)[0]; got != reconcile.Forgotten || d.current() != "" {
					t.Errorf("%q again is %s; current: %s", s.Text, got, d.current())
				}
			}
			if got := d.hear(tt.anew)[0]; got != reconcile.Remembered || d.current() != tt.anew.Text {
				t.Errorf("%q anew is %s; current: %s", tt.anew.Text, got, d.current())
			}
			// The new memory may have taken the place of the tombstone: its knowledge stays.
			for _, s := range []reconcile.Statement{tt.first, tt.again} {
				if got := d.hear(s)[0]; got != reconcile.Forgotten || d.current() != tt.anew.Text {
					t.Errorf("%q again, after it was said anew, is %s; current: %s", s.Text, got, d.current())
				}
			}
			for _, m := range d.all() {
				for _, e := range m.Evidence {
					if e.Event != "e9" {
						t.Errorf("%q rests on %+v", m.Text, e)
					}
				}
			}
		})
	}
}

// A request concerns what was said before it and is heard after it, if only by what it names.
func TestForgetBeforeItIsKnown(t *testing.T) {
	for _, tt := range []struct {
		words, text string
		blocked     reconcile.Statement
	}{
		{"where I work", "", say(1, "user.employer", "bakery")},
		{"my job", "", tell(1, "My job is stressful")},
		{"IELTS", "", tell(1, "I'm preparing for IELTS")},
		{"my IELTS exam", "", tell(1, "I'm preparing for IELTS")},
		{"that I like mahjong", "", say(1, "user.likes", "playing mahjong")},
		{"my cat", "", say(1, "user.pets", "cat named Mimi")},
		{"my trip to Shenzhen", "", plan(1, "flying to Shenzhen", 30)},
		{"my ex", "", tell(1, "My ex moved to Spain")},
		{"everything about me", "", say(1, "user.city", "Boston")},
		{"我的住址", "", say(1, "user.city", "常州")},
		{"雅思", "", tell(1, "我在备考雅思")},
		{"我的猫", "", say(1, "user.pets", "猫，叫咪咪")},
		{"我喜欢打麻将", "", say(1, "user.likes", "打麻将")},
		{"关于我的一切", "", tell(1, "我在备考雅思")},
	} {
		d := newDiary(t)
		if got := d.ask(forget(5, tt.words)); got != reconcile.NoTarget {
			t.Errorf("forget %q is %s, want %s: nothing is known", tt.words, got, reconcile.NoTarget)
		}
		other := say(1, "user.dislikes", "cilantro")
		other.Evidence.Event = "other"
		if got := d.hear(tt.blocked, other); got[0] != reconcile.Forgotten {
			t.Errorf("%q after forget %q is %s", tt.blocked.Text, tt.words, got[0])
		}
		if all := strings.Contains(tt.words, "everything") || strings.Contains(tt.words, "一切"); (d.current() == "") != all {
			t.Errorf("after forget %q: %q", tt.words, d.current())
		}
		if strings.Contains(d.whole(), tt.words) || strings.Contains(d.whole(), tt.blocked.Text) {
			t.Errorf("forget %q leaves words: %s", tt.words, d.whole())
		}
	}
}

// What is kept from being learnt is not handed out with what was said beside it either.
func TestForgottenWordsInLateEvidence(t *testing.T) {
	for _, tt := range []struct{ words, said, left string }{
		{"where I work", "My favourite colour is green and I work at a bakery", "My favourite colour is green and I work at a […]"},
		{"我在哪里上班", "我最喜欢绿色，在面包店上班", "我最喜欢绿色，在[…]上班"},
	} {
		d := newDiary(t)
		d.ask(forget(5, tt.words))
		value := map[bool]string{true: "面包店", false: "bakery"}[strings.Contains(tt.said, "面包店")]
		colour, work := tell(1, tt.said), say(1, "user.employer", value)
		work.Text, work.Evidence.Quote = tt.said, tt.said
		for range 2 {
			d.hear(colour, work)
			if got := d.current(); got != tt.left || strings.Contains(d.whole(), value) {
				t.Errorf("current is %q in %s, want %q", got, d.whole(), tt.left)
			}
			if m := d.memories[registry.Identity(scope, "", "", tt.said)]; len(m.Evidence) != 1 {
				t.Errorf("it rests on %+v", m.Evidence)
			}
		}
	}
}

// Decided again, what was redacted is known as the evidence that it is.
func TestRedactedEvidenceIsKnownAgain(t *testing.T) {
	d := newDiary(t)
	in := read(t, 1, "I have a cat named Mimi and a dog named Rex.")
	d.plan(in)
	d.ask(forget(5, "my cat"))
	before := d.whole()
	out := d.plan(in)
	if want := []reconcile.Outcome{reconcile.Forgotten, reconcile.Unchanged}; !slices.Equal(out.Outcomes, want) || d.whole() != before {
		t.Errorf("again: %v, want %v, and nothing changed", out.Outcomes, want)
	}
}

// A statement made after the request stays when the request is decided late, with no more
// than its own words.
func TestForgetDecidedLate(t *testing.T) {
	d := newDiary(t)
	d.hear(say(1, "user.employer", "bakery"), say(1, "user.likes", "tea"))
	again := say(9, "user.employer", "Bakery")
	again.Text, again.Evidence.Quote = "I am back at the bakery", "I am back at the bakery"
	d.hear(again)
	if got := d.ask(forget(5, "where I work")); got != reconcile.Done {
		t.Fatalf("the request is %s", got)
	}
	var m memory.Memory
	for _, m = range d.all() {
		if m.Key == "user.employer" {
			break
		}
	}
	if m.Status != memory.StatusCurrent || len(m.Evidence) != 1 || m.Text != "I am back at the bakery" || !m.SaidAt.Equal(day(9)) {
		t.Errorf("what was said later is %+v", m)
	}
	if ops := d.ops(); !reflect.DeepEqual(ops, []ledger.Op{ledger.OpDelete, ledger.OpAdd, ledger.OpDelete}) {
		t.Errorf("the request gave %v", ops)
	}
}

// ops are the changes of the last decision.
func (d *diary) ops() []ledger.Op {
	var out []ledger.Op
	for _, c := range d.records[len(d.records)-1].Changes {
		out = append(out, c.Op)
	}
	return out
}

// A request that is decided again does nothing: what it deleted may have been restored.
func TestForgetDecidedAgain(t *testing.T) {
	d := newDiary(t)
	d.hear(say(1, "user.city", "Boston"))
	kept := d.all()[0]
	d.ask(forget(5, "where I live"))
	d.memories[kept.ID] = kept
	if got := d.ask(forget(5, "where I live")); got != reconcile.Unchanged || d.current() != "it is Boston" {
		t.Errorf("again: %s, current %q", got, d.current())
	}
	// In another message, it is another request.
	if got := d.ask(forget(6, "where I live")); got != reconcile.Done || d.current() != "" {
		t.Errorf("another request: %s, current %q", got, d.current())
	}
}

// Of one key, only the value that is named is forgotten: another one that was said before is
// history, and never current.
func TestForgetOneValueOfAKey(t *testing.T) {
	d := newDiary(t)
	d.hear(marked(3, "user.employer", "bakery"))
	d.ask(forget(5, "that I work at a bakery"))
	if got := d.hear(say(1, "user.employer", "library"))[0]; got != reconcile.Remembered || d.current() != "" {
		t.Errorf("an earlier value is %s, current %q", got, d.current())
	}
	if got := ledger.History(d.records, "user.employer"); got[len(got)-1].Value != "bakery" || got[0].Value != "library" {
		t.Errorf("history is %+v", got)
	}
	if got := d.hear(say(8, "user.employer", "library"))[0]; got != reconcile.Remembered || d.current() != "it is library" {
		t.Errorf("said later it is %s, current %q", got, d.current())
	}
}

// Ids mean the memories with all that they have been.
func TestForgetByID(t *testing.T) {
	d := newDiary(t)
	d.hear(say(1, "user.city", "Boston"))
	d.hear(marked(2, "user.city", "Denver"))
	d.hear(say(2, "user.hometown", "Boston"))
	id := registry.Identity(scope, "user.city", "", "")
	r := request(memory.ActionForget, 5, memory.Topic{IDs: []memory.ID{id}})
	if got := d.ask(r); got != reconcile.Done {
		t.Fatalf("the request is %s", got)
	}
	if got := d.texts(func(m *memory.Memory) bool { return m.Text != "" }); got != "it is Boston" || strings.Contains(d.whole(), "Denver") {
		t.Errorf("left: %s", d.whole())
	}
	if got := d.hear(say(1, "user.city", "Oslo"))[0]; got != reconcile.Forgotten {
		t.Errorf("another city, said before, is %s", got)
	}
	if got := d.ask(request(memory.ActionForget, 6, memory.Topic{IDs: []memory.ID{"of nobody"}})); got != reconcile.NoTarget {
		t.Errorf("an unknown id is %s", got)
	}
}

// What stands behind a request in its message is said anew; what stands before it, or in
// another message that is as old, is not.
func TestForgetAndSayAnewInOneMessage(t *testing.T) {
	for _, tt := range []struct{ words, value string }{
		{"where I live", "Boston"}, {"Denver", "Denver"}, {"everything about me", "Boston"},
	} {
		for _, anew := range []bool{true, false} {
			d := newDiary(t)
			d.hear(say(1, "user.city", "Denver"))
			s := say(5, "user.city", tt.value)
			s.Anew = anew
			d.plan(reconcile.Input{Statements: []reconcile.Statement{s}, Requests: []reconcile.Request{forget(5, tt.words)}})
			d.hear(s) // the thread is read again
			before := say(5, "user.city", "Denver")
			before.Evidence.Event, before.Evidence.Seq, before.Anew = "e4", 1004, true
			if got := d.hear(before)[0]; got != reconcile.Forgotten {
				t.Errorf("forget %q: what was said before in another message is %s", tt.words, got)
			}
			want := ""
			if anew {
				want = s.Text
			}
			if got := d.current(); got != want {
				t.Errorf("forget %q, said behind it %t: left %q, want %q", tt.words, anew, got, want)
			}
		}
	}
}

// "Forget that", after the assistant has spoken of something.
func TestForgetWhatWasPointedAt(t *testing.T) {
	for _, tt := range []struct {
		said, left string
	}{
		{"How is your IELTS preparation going?", "it is Boston; it is tea; 我在备考雅思"},
		{"Since you live in Boston, take an umbrella.", "I'm preparing for IELTS; it is tea; 我在备考雅思"},
		{"你的雅思备考怎么样了？", "I'm preparing for IELTS; it is Boston; it is tea"},
		{"Nice weather today!", "I'm preparing for IELTS; it is Boston; it is tea; 我在备考雅思"},
	} {
		d := newDiary(t)
		d.hear(tell(1, "I'm preparing for IELTS"), say(1, "user.city", "Boston"), say(1, "user.likes", "tea"), tell(1, "我在备考雅思"))
		r := request(memory.ActionForget, 5, memory.Topic{})
		r.Said = tt.said
		if got := d.ask(r); (got == reconcile.NoTarget) != (tt.said == "Nice weather today!") {
			t.Errorf("after %q the request is %s", tt.said, got)
		}
		if got := d.current(); got != tt.left {
			t.Errorf("after %q left: %s\nwant: %s", tt.said, got, tt.left)
		}
	}
}

// Sorts of exams and the like count for nothing in what was pointed at.
func TestPointedAtWithoutTheSortOfThing(t *testing.T) {
	d := newDiary(t)
	d.hear(tell(1, "I am preparing for the IELTS exam"), say(1, "user.city", "Boston"))
	r := request(memory.ActionSuppress, 5, memory.Topic{})
	r.Said = "Shall we go over your IELTS preparation?"
	if got := d.ask(r); got != reconcile.Done || d.current() != "it is Boston" {
		t.Errorf("the request is %s; still recalled: %s", got, d.current())
	}
}

// A sort of plan means plans of that sort, also those of which one hears later.
func TestForgetSortOfPlan(t *testing.T) {
	for _, tt := range []struct{ words, left string }{
		{"my trip", "I have a dentist appointment"},
		{"my appointment", "I am flying to Shenzhen"},
		{"my meeting", "I am flying to Shenzhen; I have a dentist appointment"},
		{"my plans", ""},
	} {
		first, second := plan(1, "I am flying to Shenzhen", 20), plan(1, "I have a dentist appointment", 20)
		known, late := newDiary(t), newDiary(t)
		known.hear(first, second)
		known.ask(forget(5, tt.words))
		late.ask(forget(5, tt.words))
		late.hear(first, second)
		for name, d := range map[string]*diary{"known": known, "late": late} {
			if got := d.current(); got != tt.left {
				t.Errorf("forget %q, %s: left %q, want %q", tt.words, name, got, tt.left)
			}
		}
	}
}

// A question closes with one of its sides, and keeps no word of them.
func TestForgetClosesQuestions(t *testing.T) {
	for _, words := range []string{"where I live", "that I live in Boston", "that I live in Denver"} {
		d := newDiary(t)
		s := say(1, "user.city", "Boston")
		rival := say(2, "user.city", "Denver")
		d.hear(s)
		if out := d.plan(reconcile.Input{Statements: []reconcile.Statement{rival}}); len(out.Opened) != 1 {
			t.Fatalf("%d questions are open", len(out.Opened))
		}
		out := d.plan(reconcile.Input{Requests: []reconcile.Request{forget(5, words)}})
		if len(out.Closed) != 1 || out.Closed[0].Closing != memory.ClosedByDeletion {
			t.Fatalf("forget %q closes %+v", words, out.Closed)
		}
		text, _ := json.Marshal(out.Closed)
		if strings.Contains(string(text), "Boston") || strings.Contains(string(text), "Denver") {
			t.Errorf("the closed question says %s", text)
		}
	}
}

// A tombstone holds no content, and its hashes tell nothing without the secret.
func TestTombstonesHoldNoContent(t *testing.T) {
	m := robin[12].memory()
	m.ID = registry.Identity(scope, m.Key, m.Value, m.Text)
	m.Evidence = []memory.Evidence{{Event: "e1", Message: 2, At: day(1), Quote: "I have a cat named Mimi and a dog"}}
	stone := reconcile.Tombstone(registry, secret, &m, memory.Evidence{At: day(5), Seq: 7, Message: 1}, []memory.Key{"user.pets"})
	data, err := json.Marshal(stone)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"cat", "Mimi", "dog", `"e1"`} {
		if strings.Contains(string(data), word) {
			t.Errorf("%q stands in %s", word, data)
		}
	}
	want := memory.Memory{ID: m.ID, Scope: scope, Key: "user.pets", Status: memory.StatusDeleted, Tombstone: stone.Tombstone}
	if !reflect.DeepEqual(stone, want) || stone.Tombstone.Seq != 7 || !slices.Equal(stone.Tombstone.Keys, []memory.Key{"user.pets"}) {
		t.Errorf("the tombstone is %+v", stone)
	}
	other := reconcile.Tombstone(registry, []byte("another"), &m, memory.Evidence{At: day(5)}, nil)
	elsewhere := m
	elsewhere.Scope = memory.UserScope("acme", "u2")
	third := reconcile.Tombstone(registry, secret, &elsewhere, memory.Evidence{At: day(5)}, nil)
	for i, h := range stone.Tombstone.Hashes {
		if slices.Contains(other.Tombstone.Hashes, h) || slices.Contains(third.Tombstone.Hashes, h) {
			t.Errorf("hash %d is the same under another secret, or of another owner", i)
		}
	}
}

// What is restored is as it was, stays so, and is hidden only if a request stands.
func TestRestore(t *testing.T) {
	for _, words := range []string{"IELTS", "everything about me"} {
		d := newDiary(t)
		d.hear(tell(1, "I'm preparing for IELTS"))
		kept := d.all()[0]
		d.ask(forget(5, words))
		restore := func() {
			in := d.input(reconcile.Input{})
			in.Existing = d.load(reconcile.Needs{IDs: []memory.ID{kept.ID}})
			d.apply(reconcile.Restore(in, kept))
		}
		restore()
		if got := d.memories[kept.ID]; !reflect.DeepEqual(got, kept) {
			t.Fatalf("restored after forget %q: %+v", words, got)
		}
		d.hear(tell(1, "I'm preparing for IELTS"))
		d.hear(tell(7, "I'm still preparing for IELTS"))
		if got := d.current(); got != "I'm preparing for IELTS" {
			t.Errorf("said again it is %q", got)
		}
		kept = d.memories[kept.ID]
		d.ask(suppress(8, "IELTS"))
		d.ask(forget(9, words))
		restore()
		if standing := len(d.requests(memory.StatusStanding)) > 0; standing != (d.hidden() == kept.Text) || standing == (d.current() == kept.Text) {
			t.Errorf("after forget %q hidden: %s; current: %s", words, d.hidden(), d.current())
		}
	}
}

// "My old job" is what it was once, and what says that it is over.
func TestForgetWhatWasOnce(t *testing.T) {
	for _, tt := range []struct{ words, first, second, left string }{
		{"my old address", "Boston", "Denver", "it is Denver"},
		{"where I live", "Boston", "Denver", ""},
		{"我以前的住址", "北京", "上海", "it is 上海"},
	} {
		d := newDiary(t)
		d.hear(say(1, "user.city", tt.first))
		d.hear(marked(2, "user.city", tt.second))
		if got := d.ask(forget(5, tt.words)); got != reconcile.Done || d.current() != tt.left || strings.Contains(d.whole(), tt.first) {
			t.Errorf("forget %q is %s, and leaves %s", tt.words, got, d.whole())
		}
		if got := d.hear(say(1, "user.city", tt.first))[0]; got != reconcile.Forgotten {
			t.Errorf("after forget %q the first value is %s", tt.words, got)
		}
	}
	d := newDiary(t)
	d.hear(say(1, "user.employer", "bakery"))
	d.hear(ends(2, "I quit the bakery", memory.Target{Key: "user.employer", Value: "bakery"}), say(3, "user.employer", "clinic"))
	d.ask(forget(5, "my old job"))
	if d.current() != "it is clinic" || strings.Contains(d.whole(), "bakery") {
		t.Errorf("the old job is left in %s", d.whole())
	}
}

// A decision that is larger than a change set may be broken off after any part of it. Made
// again, it is completed, and all that it deleted stays forgotten.
func TestForgetBrokenOff(t *testing.T) {
	said := []reconcile.Statement{
		say(1, "user.pets", "cat"), say(2, "user.pets", "dog"), say(3, "user.pets", "parrot"), tell(4, "My pets are loud"),
	}
	for n := range 6 {
		d := newDiary(t)
		d.hear(said...)
		in := d.input(reconcile.Input{Requests: []reconcile.Request{forget(5, "my pets")}})
		in.Existing = d.load(reconcile.NeedsOf(in))
		out := reconcile.Plan(in)
		if n > len(out.Changes) {
			t.Fatalf("the request makes %d changes", len(out.Changes))
		}
		out.Changes = out.Changes[:n]
		d.apply(out)
		d.plan(reconcile.Input{Requests: in.Requests})
		for _, s := range said {
			d.hear(func() reconcile.Statement {
				s.Evidence.At = day(9)
				s.Evidence.Seq = 1009
				s.Evidence.Event = "e9"
				return s
			}())
		}
		before := d.current()
		for _, s := range said {
			if got := d.hear(s)[0]; got != reconcile.Forgotten {
				t.Errorf("broken off after %d changes, %q is %s", n, s.Text, got)
			}
		}
		if strings.Contains(d.whole(), `"e1"`) || d.current() != before {
			t.Errorf("broken off after %d changes: %s", n, d.whole())
		}
	}
}

// Much can be forgotten at once: no tombstone is larger than a change set may be, and
// everything is known again by one of them.
func TestForgetMuch(t *testing.T) {
	const many = 1500
	d := newDiary(t)
	var said []reconcile.Statement
	for i := range many {
		s := say(1, "user.likes", fmt.Sprintf("thing-%d of kind %d", i, i%7))
		s.Evidence.Event = fmt.Sprintf("m%d", i)
		said = append(said, s)
	}
	d.hear(said...)
	var topic memory.Topic
	for _, m := range d.all() {
		topic.IDs = append(topic.IDs, m.ID)
	}
	if got := d.ask(request(memory.ActionForget, 5, topic)); got != reconcile.Done || d.current() != "" {
		t.Fatalf("the request is %s", got)
	}
	set := d.records[len(d.records)-1].ChangeSet
	parts, err := set.Split()
	if err != nil || len(parts) < 2 {
		t.Fatalf("%d change sets, %v", len(parts), err)
	}
	for id, m := range d.memories {
		if !strings.HasPrefix(string(m.Kind), string(memory.KindProcedural)) {
			delete(d.memories, id) // what is learnt anew takes the place of these
		}
	}
	for _, s := range said[:100] {
		if got := d.hear(s)[0]; got != reconcile.Forgotten {
			t.Errorf("%q is %s", s.Value, got)
		}
	}
}
