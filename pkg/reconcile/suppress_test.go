package reconcile_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

func suppress(n int, words string) reconcile.Request {
	return request(memory.ActionSuppress, n, memory.Topic{Words: words})
}

func lift(n int, words string) reconcile.Request {
	return request(memory.ActionLift, n, memory.Topic{Words: words})
}

// hidden lists the texts of what is current and suppressed, in order.
func (d *diary) hidden() string {
	return d.texts(func(m *memory.Memory) bool { return m.Status == memory.StatusCurrent && m.SuppressedBy != "" })
}

// requests lists the standing requests.
func (d *diary) requests(status memory.Status) []memory.Memory {
	return slices.DeleteFunc(d.all(), func(m memory.Memory) bool { return m.Status != status })
}

// What is not to be mentioned is hidden, now and whenever it is said again or changed, until
// the request is lifted; nothing else is.
func TestSuppress(t *testing.T) {
	for _, tt := range []struct {
		name, words string
		about       []reconcile.Statement
		later       []reconcile.Statement
		other       reconcile.Statement
		hidden      string
	}{
		{
			"a topic", "IELTS exam", says(tell(1, "I'm preparing for IELTS")), says(tell(9, "I'm still preparing for IELTS"), tell(10, "IELTS is hard")),
			say(2, "user.likes", "tea"), "I'm preparing for IELTS; IELTS is hard",
		},
		{
			"a key", "my job", says(say(1, "user.occupation", "baker")), says(marked(9, "user.occupation", "nurse"), say(10, "user.employer", "clinic")),
			say(2, "user.commute", "subway"), "it is clinic; it is nurse",
		},
		{
			"a value of a key", "that I live in Boston", says(say(1, "user.city", "Boston")), says(say(9, "user.city", "boston")),
			say(2, "user.hometown", "Cork"), "it is Boston",
		},
		{
			"somebody who is mentioned", "Tom", says(tell(1, "Tom is my boss")), says(tell(9, "I had lunch with Tom")),
			tell(2, "I had lunch with Tim"), "I had lunch with Tom; Tom is my boss",
		},
		{
			"话题", "雅思", says(tell(1, "我在备考雅思")), says(tell(9, "我还在备考雅思"), tell(10, "雅思好难")),
			say(2, "user.likes", "喝茶"), "我在备考雅思; 雅思好难",
		},
		{
			"键", "我的工作", says(say(1, "user.occupation", "护士")), says(marked(9, "user.occupation", "老师")),
			say(2, "user.commute", "地铁"), "it is 老师",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, plain := newDiary(t), newDiary(t)
			for _, s := range append(tt.about, tt.other) {
				d.hear(s)
				plain.hear(s)
			}
			if got := d.ask(suppress(5, tt.words)); got != reconcile.Done || d.current() != tt.other.Text || d.hidden() == "" {
				t.Fatalf("the request is %s; current: %s; hidden: %s", got, d.current(), d.hidden())
			}
			for _, s := range tt.later {
				d.hear(s)
				plain.hear(s)
			}
			if d.current() != tt.other.Text || d.hidden() != tt.hidden {
				t.Errorf("current: %s; hidden: %s, want %s", d.current(), d.hidden(), tt.hidden)
			}
			if got := d.ask(lift(20, tt.words)); got != reconcile.Done || d.hidden() != "" {
				t.Errorf("the lift is %s; hidden: %s", got, d.hidden())
			}
			if d.current() != plain.current() {
				t.Errorf("current: %s\nwithout the requests: %s", d.current(), plain.current())
			}
		})
	}
}

// The request itself is kept with the sentence that asked for it; asked twice, it is one.
func TestStandingRequest(t *testing.T) {
	d := newDiary(t)
	first, again := suppress(5, "my ex"), suppress(7, "ex")
	d.ask(first)
	d.ask(again)
	got := d.requests(memory.StatusStanding)
	if len(got) != 1 {
		t.Fatalf("%d standing requests", len(got))
	}
	m := got[0]
	want := memory.Memory{
		ID: m.ID, Scope: scope, Kind: memory.KindProcedural, Text: "suppress ex", Language: "en", Stability: memory.Stable,
		Status: memory.StatusStanding, SaidAt: day(5), CreatedAt: late, ConfirmedAt: day(7), Confidence: 1,
		Evidence: []memory.Evidence{first.Evidence, again.Evidence}, Suppresses: &memory.Topic{Words: "ex"},
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("the request is %+v\nwant %+v", m, want)
	}
	if got := d.ask(again); got != reconcile.Unchanged || len(d.ops()) != 0 {
		t.Errorf("decided again it is %s with %v", got, d.ops())
	}
}

// What was said before a request and is heard after it is hidden as well.
func TestSuppressBeforeItIsKnown(t *testing.T) {
	d := newDiary(t)
	if got := d.ask(suppress(5, "IELTS")); got != reconcile.Done {
		t.Errorf("the request is %s", got)
	}
	d.hear(tell(1, "I'm preparing for IELTS"), tell(2, "I like tea"))
	if d.current() != "I like tea" || d.hidden() != "I'm preparing for IELTS" {
		t.Errorf("current: %s; hidden: %s", d.current(), d.hidden())
	}
}

// A lift ends what was asked before it; the request that is made last counts, in whatever
// order they are decided.
func TestLift(t *testing.T) {
	const text = "I'm preparing for IELTS"
	for _, tt := range []struct {
		name   string
		asks   []reconcile.Request
		last   reconcile.Outcome
		hidden bool
	}{
		{"by its words", []reconcile.Request{suppress(5, "IELTS"), lift(6, "IELTS")}, reconcile.Done, false},
		{"by more words", []reconcile.Request{suppress(5, "IELTS"), lift(6, "my IELTS exam")}, reconcile.Done, false},
		{"by less words", []reconcile.Request{suppress(5, "IELTS preparation"), lift(6, "IELTS")}, reconcile.Done, false},
		{"of everything", []reconcile.Request{suppress(5, "IELTS"), lift(6, "everything")}, reconcile.Done, false},
		{"of something else", []reconcile.Request{suppress(5, "IELTS"), lift(6, "TOEFL")}, reconcile.NoTarget, true},
		{"and asked again", []reconcile.Request{suppress(5, "IELTS"), lift(6, "IELTS"), suppress(7, "IELTS")}, reconcile.Done, true},
		{"decided late", []reconcile.Request{suppress(5, "IELTS"), suppress(7, "IELTS"), lift(6, "IELTS")}, reconcile.Unchanged, true},
		{"the request decided late", []reconcile.Request{suppress(5, "IELTS"), lift(7, "IELTS"), suppress(6, "IELTS")}, reconcile.Unchanged, false},
		{"twice", []reconcile.Request{suppress(5, "IELTS"), lift(6, "IELTS"), lift(6, "IELTS")}, reconcile.Unchanged, false},
		{"another request still stands", []reconcile.Request{suppress(5, "IELTS"), suppress(6, "preparing"), lift(7, "IELTS")}, reconcile.Done, true},
		{"of nothing", []reconcile.Request{lift(5, "IELTS")}, reconcile.NoTarget, false},
		{"by nothing", []reconcile.Request{suppress(5, "IELTS"), lift(6, "")}, reconcile.NoTarget, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDiary(t)
			d.hear(tell(1, text))
			var last reconcile.Outcome
			for _, r := range tt.asks {
				last = d.ask(r)
			}
			if last != tt.last || (d.hidden() == text) != tt.hidden || (d.current() == text) == tt.hidden {
				t.Errorf("the last request is %s, want %s; current: %s; hidden: %s", last, tt.last, d.current(), d.hidden())
			}
		})
	}
}

// Through an API the request or a memory that it hides is lifted by its id.
func TestLiftByID(t *testing.T) {
	for _, byMemory := range []bool{true, false} {
		d := newDiary(t)
		d.hear(tell(1, "I'm preparing for IELTS"))
		target := d.all()[0].ID
		d.ask(suppress(5, "IELTS"))
		if !byMemory {
			target = d.requests(memory.StatusStanding)[0].ID
		}
		if got := d.ask(request(memory.ActionLift, 6, memory.Topic{IDs: []memory.ID{target}})); got != reconcile.Done || d.hidden() != "" {
			t.Errorf("by the memory's id %v: %s, hidden %s", byMemory, got, d.hidden())
		}
		if n := len(d.requests(memory.StatusLifted)); n != 1 {
			t.Errorf("%d requests are lifted", n)
		}
	}
}

// A standing request that is deleted stands no more, and gives back what it hid.
func TestForgetAStandingRequest(t *testing.T) {
	d := newDiary(t)
	d.hear(tell(1, "我在备考雅思"), tell(1, "IELTS is hard"))
	d.ask(suppress(5, "IELTS"))
	d.ask(suppress(6, "雅思"))
	for _, r := range d.requests(memory.StatusStanding) {
		if got := d.ask(request(memory.ActionForget, 7, memory.Topic{IDs: []memory.ID{r.ID}})); got != reconcile.Done {
			t.Errorf("to forget %q is %s", r.Text, got)
		}
	}
	if got := d.current(); got != "IELTS is hard; 我在备考雅思" || d.hidden() != "" {
		t.Errorf("current: %s; hidden: %s", got, d.hidden())
	}
	d.hear(tell(8, "IELTS is really hard"))
	if d.hidden() != "" {
		t.Errorf("said again, hidden is %s", d.hidden())
	}
}

// Memories that were pointed at are hidden by their ids, whatever becomes of them.
func TestSuppressWhatWasPointedAt(t *testing.T) {
	d := newDiary(t)
	d.hear(tell(1, "我在备考雅思"), say(1, "user.city", "Boston"))
	r := suppress(5, "")
	r.Said = "你的雅思备考怎么样了？"
	if got := d.ask(r); got != reconcile.Done || d.current() != "it is Boston" || d.hidden() != "我在备考雅思" {
		t.Fatalf("%s; current %s; hidden %s", got, d.current(), d.hidden())
	}
	d.hear(tell(7, "我还在备考雅思"))
	if d.hidden() != "我在备考雅思" {
		t.Errorf("said again, hidden is %s", d.hidden())
	}
	if got := d.ask(lift(8, "雅思")); got != reconcile.Done || d.hidden() != "" {
		t.Errorf("the lift is %s; hidden: %s", got, d.hidden())
	}
	silent := suppress(9, "")
	silent.Said = "今天天气真好"
	if got := d.ask(silent); got != reconcile.NoTarget || len(d.requests(memory.StatusStanding)) != 0 {
		t.Errorf("pointing at nothing is %s, with %v", got, d.requests(memory.StatusStanding))
	}
}

// A memory that was pointed at is hidden in whatever words it is said again, before or after
// the request, until that is lifted; what says something else is not.
func TestRestatementsOfWhatWasPointedAt(t *testing.T) {
	as := func(k memory.Kind, s reconcile.Statement) reconcile.Statement {
		s.Kind = k
		return s
	}
	text := func(text string, s reconcile.Statement) reconcile.Statement {
		s.Text = text
		return s
	}
	for _, tt := range []struct {
		name   string
		said   reconcile.Statement
		again  reconcile.Statement
		hidden bool
	}{
		{"with more words", tell(1, "I'm preparing for IELTS"), tell(9, "I'm still preparing hard for IELTS"), true},
		{"with fewer words", tell(1, "I am terribly afraid of flying"), tell(9, "I'm afraid of flying"), true},
		{"in another order", tell(1, "My dog died in March"), tell(9, "In March my dog died"), true},
		{"in other letters", tell(1, "I'm in debt."), tell(9, "i'm in DEBT"), true},
		{"as a value", tell(1, "I like jazz"), text("jazz is nice", say(9, "user.likes", "jazz")), true},
		{"as no value", text("I like jazz", say(1, "user.likes", "jazz")), tell(9, "I still like jazz a lot"), true},
		{
			"under a kindred key", as(memory.KindPreference, text("I like chess", say(1, "user.likes", "chess"))),
			as(memory.KindPreference, text("I play chess", say(9, "user.hobbies", "chess"))), true,
		},
		{"that it is over", text("I like jazz", say(1, "user.likes", "jazz")), ends(9, "no more jazz", memory.Target{Key: "user.likes", Value: "jazz"}), true},
		{"多了几个字", tell(1, "我在备考雅思"), tell(9, "我现在还在备考雅思呢"), true},
		{"换了次序", tell(1, "我爸爸三月去世了"), tell(9, "三月我爸爸去世了"), true},
		{"繁體", tell(1, "我欠了很多债"), tell(9, "我欠了很多債"), true},
		{"同一个值", tell(1, "我喜欢爵士乐"), text("爵士乐不错", say(9, "user.likes", "爵士乐")), true},

		{"somebody else", tell(1, "My boss Tom is annoying"), tell(9, "My boss Tim is annoying"), false},
		{"another place", tell(1, "My sister lives in Boston"), tell(9, "My brother lives in Boston"), false},
		{"more than that", tell(1, "I like jazz"), tell(9, "My sister in Boston plays jazz piano on weekends"), false},
		{"another value", text("I like jazz", say(1, "user.likes", "jazz")), text("I like tea", say(9, "user.likes", "tea")), false},
		{"another key", text("I live in Cork", say(1, "user.city", "Cork")), text("I was born in Cork", say(9, "user.hometown", "Cork")), false},
		{"别的事", tell(1, "我在备考雅思"), tell(9, "我在学做菜"), false},
		{"别的地方", tell(1, "我妹妹住在上海"), tell(9, "我妹妹住在海口"), false},
		{"别的人", tell(1, "我爸爸三月去世了"), tell(9, "我邻居三月搬走了"), false},
	} {
		for _, before := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, before the request %v", tt.name, before), func(t *testing.T) {
				d := newDiary(t)
				d.hear(tt.said)
				id := d.all()[0].ID
				asks := func() {
					if got := d.ask(request(memory.ActionSuppress, 5, memory.Topic{IDs: []memory.ID{id}})); got != reconcile.Done {
						t.Fatalf("the request is %s", got)
					}
				}
				if before {
					tt.again.Evidence.At = day(3)
					d.hear(tt.again)
					asks()
				} else {
					asks()
					d.hear(tt.again)
				}
				if got := d.current() == ""; got != tt.hidden || d.memories[id].SuppressedBy == "" {
					t.Errorf("current: %s; hidden: %s", d.current(), d.hidden())
				}
				if got := d.ask(request(memory.ActionLift, 20, memory.Topic{IDs: []memory.ID{id}})); got != reconcile.Done || d.hidden() != "" {
					t.Errorf("the lift is %s; hidden: %s", got, d.hidden())
				}
			})
		}
	}
}

// What is stated in the breath before is pointed at like what is known.
func TestSuppressWhatIsSaidInTheSameBreath(t *testing.T) {
	for _, action := range []memory.Action{memory.ActionSuppress, memory.ActionForget} {
		d := newDiary(t)
		d.hear(say(1, "user.city", "Boston"))
		r := request(action, 5, memory.Topic{})
		r.Said = "I am training for a marathon, but "
		out := d.plan(reconcile.Input{Statements: []reconcile.Statement{tell(5, "I am training for a marathon")}, Requests: []reconcile.Request{r}})
		if out.Requested[0] != reconcile.Done || d.current() != "it is Boston" {
			t.Errorf("%s is %s, and leaves %s", action, out.Requested[0], d.current())
		}
	}
}

// Ids of nothing that is remembered leave no request.
func TestSuppressUnknownIDs(t *testing.T) {
	d := newDiary(t)
	r := request(memory.ActionSuppress, 5, memory.Topic{IDs: []memory.ID{"of nobody"}})
	if got := d.ask(r); got != reconcile.NoTarget || len(d.all()) != 0 {
		t.Errorf("the request is %s, and leaves %+v", got, d.all())
	}
}

// What is hidden takes part in every decision, and so does what is in the archive, which
// stays there.
func TestSuppressedMemoriesAreDecidedOn(t *testing.T) {
	d := newDiary(t)
	d.hear(say(1, "user.city", "Boston"))
	m := d.all()[0]
	m.ArchivedAt = day(3)
	d.memories[m.ID] = m
	d.ask(suppress(5, "where I live"))
	if m := d.memories[m.ID]; !m.ArchivedAt.Equal(day(3)) || m.SuppressedBy == "" {
		t.Errorf("hiding it makes of it %+v", m)
	}
	if c := d.records[len(d.records)-1].Changes; c[len(c)-1].Op != ledger.OpSuppress || c[len(c)-1].Moved {
		t.Errorf("the change is %+v", c[len(c)-1])
	}
	out := d.plan(reconcile.Input{Statements: says(marked(6, "user.city", "Denver"))})
	if c := out.Changes[0]; c.Op != ledger.OpSupersede || !c.Moved || c.Memory.SuppressedBy == "" || c.Previous.SuppressedBy == "" {
		t.Errorf("the change is %+v", c)
	}
	for _, m := range d.all() {
		if m.Origin != "" && m.SuppressedBy == "" {
			t.Errorf("the past value is not hidden: %+v", m)
		}
	}
}

// A request to forget everything ends standing requests too; one that was made before it and
// is heard later, does not stand.
func TestForgetEverythingEndsRequests(t *testing.T) {
	d := newDiary(t)
	d.ask(suppress(5, "my ex"))
	d.ask(forget(6, "everything about me"))
	if got := d.ask(suppress(4, "IELTS")); got != reconcile.Forgotten {
		t.Errorf("a request made before is %s", got)
	}
	if strings.Contains(d.whole(), "ex") && len(d.requests(memory.StatusStanding)) > 0 {
		t.Errorf("standing: %+v", d.requests(memory.StatusStanding))
	}
	if got := d.ask(suppress(7, "my ex")); got != reconcile.Done || len(d.requests(memory.StatusStanding)) != 1 {
		t.Errorf("asked anew it is %s", got)
	}
}
