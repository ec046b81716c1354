package reconcile_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
)

// answers is what the user makes of a question on a day, in an event of its own.
func answers(n int, q memory.Question, d memory.Decision, value string) reconcile.Answer {
	quote := value
	if quote == "" {
		quote = string(d)
	}
	return reconcile.Answer{
		Question: q.ID, Key: q.Key, Decision: d, Value: value,
		Evidence: memory.Evidence{
			Event: fmt.Sprintf("a%d", n), Seq: uint64(1000 + n), Thread: "t", Role: memory.RoleUser, At: day(n), Quote: quote,
		},
	}
}

// answer decides an answer on its day, with no more of the memories than it needs.
func (b *book) answer(a reconcile.Answer) reconcile.Decision {
	b.now = a.Evidence.At
	in := b.input(nil, nil)
	in.Answers = []reconcile.Answer{a}
	in.Existing = b.load(reconcile.NeedsOf(in))
	d := reconcile.Plan(in)
	b.apply(d)
	return d
}

func TestAnswers(t *testing.T) {
	cork := memory.Key("user.hometown")
	for _, tt := range []struct {
		name     string
		says     []reconcile.Statement
		decision memory.Decision
		value    string
		// current is what is served then; key and history are what a key has been.
		current string
		key     memory.Key
		history string
		// took is the decision that is recorded, value what the key holds since.
		took  memory.Decision
		holds string
	}{
		{
			"keep", says(say(1, birthday, "May 4"), say(2, birthday, "May 14")), memory.DecisionKeep, "",
			"birthday=May 4", birthday, "May 4", memory.DecisionKeep, "May 4",
		},
		{
			"replace", says(say(1, birthday, "May 4"), say(2, birthday, "May 14")), memory.DecisionReplace, "",
			"birthday=May 14", birthday, "May 4, May 14", memory.DecisionReplace, "May 14",
		},
		{
			"换成新的", says(say(1, "user.partner", "女朋友"), say(2, "user.partner", "男朋友")), memory.DecisionReplace, "",
			"partner=男朋友", "user.partner", "女朋友, 男朋友", memory.DecisionReplace, "男朋友",
		},
		{
			"replace by the last of several", says(say(1, city, "Boston"), say(2, city, "Denver"), say(3, city, "Oslo")), memory.DecisionReplace, "",
			"city=Oslo", city, "Boston, Oslo", memory.DecisionReplace, "Oslo",
		},
		{
			"replace by a named one, in the other language", says(say(1, city, "Boston"), say(2, city, "杭州"), say(3, city, "Oslo")), memory.DecisionReplace, "Hangzhou",
			"city=杭州", city, "Boston, 杭州", memory.DecisionReplace, "杭州",
		},
		{
			"换成较笼统地说到的那个", says(say(1, city, "北京"), say(2, city, "杭州西湖区"), say(3, city, "上海")), memory.DecisionReplace, "杭州",
			"city=杭州西湖区", city, "北京, 杭州西湖区", memory.DecisionReplace, "杭州西湖区",
		},
		{
			"replace of opposites", says(say(1, likes, "cilantro"), say(2, dislikes, "cilantro")), memory.DecisionReplace, "",
			"dislikes=cilantro", likes, "cilantro", memory.DecisionReplace, "cilantro",
		},
		{
			"neither", says(say(1, cork, "Cork"), say(2, cork, "Dublin")), memory.DecisionNeither, "",
			"", cork, "Cork", memory.DecisionNeither, "",
		},
		{
			"both, with a qualification", says(say(1, birthday, "May 4"), say(2, birthday, "May 14")), memory.DecisionBoth, "on my passport",
			"birthday=May 4; it is May 14 (on my passport)", birthday, "May 4", memory.DecisionBoth, "May 4",
		},
		{
			"都对，有说明", says(say(1, birthday, "5月4号"), zh(say(2, birthday, "5月14号"))), memory.DecisionBoth, "护照上",
			"birthday=5月4号; it is 5月14号（护照上）", birthday, "5月4号", memory.DecisionBoth, "5月4号",
		},
		{
			"both of opposites", says(say(1, likes, "coffee"), say(2, dislikes, "coffee")), memory.DecisionBoth, "in the evening",
			"it is coffee (in the evening); likes=coffee", likes, "coffee", memory.DecisionBoth, "coffee",
		},
		{
			"all of three", says(say(1, city, "Boston"), say(2, city, "Denver"), say(3, city, "Oslo")), memory.DecisionBoth, "in summer",
			"city=Boston; it is Denver; it is Oslo (in summer)", city, "Boston", memory.DecisionBoth, "Boston",
		},
		{
			"another value", says(say(1, city, "Boston"), say(2, city, "Denver")), memory.DecisionOther, " Lima ",
			"city=Lima", city, "Boston, Lima", memory.DecisionOther, "Lima",
		},
		{
			"another value, that only says more", says(say(1, city, "杭州"), say(2, city, "上海")), memory.DecisionOther, "杭州西湖区",
			"city=杭州西湖区", city, "杭州, 杭州西湖区", memory.DecisionOther, "杭州西湖区",
		},
		{
			"another value, that is the rival after all", says(say(1, city, "Boston"), say(2, city, "Denver")), memory.DecisionOther, "denver",
			"city=Denver", city, "Boston, Denver", memory.DecisionReplace, "Denver",
		},
		{
			"another value, that is the old one after all", says(say(1, city, "Boston"), say(2, city, "Denver")), memory.DecisionOther, "boston",
			"city=Boston", city, "Boston", memory.DecisionKeep, "Boston",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			b.now = day(3)
			b.hear(tt.says...)
			q := b.question()
			a := answers(4, q, tt.decision, tt.value)
			d := b.answer(a)
			b.checkQuestions(t)
			b.checkOneCurrent(t)
			if d.Answered[0] != reconcile.Done || len(d.Closed) != 1 || len(d.Opened) != 0 {
				t.Fatalf("%s, opened %v, closed %v", d.Answered[0], d.Opened, d.Closed)
			}
			if got := b.current(); got != tt.current {
				t.Errorf("current: %s\nwant:    %s", got, tt.current)
			}
			if got := b.with(memory.StatusDisputed); got != "" {
				t.Errorf("disputed: %s", got)
			}
			if got := b.history(tt.key); got != tt.history {
				t.Errorf("history: %s\nwant:    %s", got, tt.history)
			}
			got := d.Closed[0]
			if got.ID != q.ID || got.Status != memory.QuestionClosed || got.Closing != memory.ClosedByAnswer || !got.ClosedAt.Equal(day(4)) ||
				got.Decision != tt.took || got.Value != tt.holds || *got.Answer != a.Evidence || !reflect.DeepEqual(got.Rivals, q.Rivals) {
				t.Errorf("closed is %+v", got)
			}
			if got.FollowUp != "" {
				t.Errorf("follows %q", got.FollowUp)
			}
			for _, side := range q.Rivals {
				m := b.memories[side.Memory]
				if m.Status != memory.StatusSettled || m.Dispute.Closing != memory.ClosedByAnswer || m.Dispute.Decision != tt.took || m.Dispute.Question != q.ID {
					t.Errorf("rival is %s: %+v", m.Status, m.Dispute)
				}
			}
			for _, m := range b.memories {
				if m.Status == memory.StatusCurrent && !m.ConfirmedAt.Equal(day(4)) && !strings.Contains(tt.name, "three") {
					t.Errorf("%q was confirmed %v", m.Text, m.ConfirmedAt)
				}
			}
		})
	}
}

func TestAnAnswerIsEvidence(t *testing.T) {
	b := newBook(t)
	first, rival := say(1, birthday, "May 4"), say(2, birthday, "May 14")
	rival.Pinned = true
	b.hear(first, rival)
	a := answers(4, b.question(), memory.DecisionReplace, "")
	d := b.answer(a)
	m := b.only(birthday)
	if !reflect.DeepEqual(m.Evidence, []memory.Evidence{rival.Evidence, a.Evidence}) || m.Text != rival.Text || !m.SaidAt.Equal(day(2)) ||
		!m.CreatedAt.Equal(day(4)) || !m.Pinned || !m.Lasting || m.Dispute != nil || m.Question != "" {
		t.Errorf("current is %+v", m)
	}
	c := d.Changes[0]
	if c.Op != ledger.OpSupersede || c.Reason != reconcile.ReasonAnswered || c.Previous.Value != "May 4" || c.Previous.Question != "" || c.Previous.Status != memory.StatusSuperseded {
		t.Errorf("change is %+v", c)
	}
}

// What an answer brings is a value in the words of the answer.
func TestAnotherValueIsInTheWordsOfTheAnswer(t *testing.T) {
	b := newBook(t)
	b.hear(say(1, city, "Boston"), say(2, city, "Denver"))
	a := answers(4, b.question(), memory.DecisionOther, "利马")
	a.Evidence.Quote = "都不对，我住在利马"
	b.answer(a)
	if m := b.only(city); m.Value != "利马" || m.Text != a.Evidence.Quote || m.Language != "zh" || m.Kind != memory.KindProfile || m.Evidence[0] != a.Evidence {
		t.Errorf("current is %+v", m)
	}
}

func TestAFreeMemoryOfBoth(t *testing.T) {
	b := newBook(t)
	b.now = day(2)
	b.hear(say(1, birthday, "May 4"), say(2, birthday, "May 14"))
	q := b.question()
	a := answers(4, q, memory.DecisionBoth, "")
	d := b.answer(a)
	if want := "Both are true, then: when is it May 4, and when is it May 14?"; d.Closed[0].FollowUp != want {
		t.Errorf("follows %q, want %q", d.Closed[0].FollowUp, want)
	}
	var free []memory.Memory
	for _, m := range b.memories {
		if m.Key == "" {
			free = append(free, m)
		}
	}
	if len(free) != 1 {
		t.Fatalf("%d free memories", len(free))
	}
	m := free[0]
	if m.Status != memory.StatusCurrent || m.About != birthday || m.Kind != memory.KindFact || m.Value != "" || m.Text != "it is May 14" ||
		m.Dispute != nil || len(m.Evidence) != 2 || m.Evidence[1] != a.Evidence || m.ID != registry.Identity(scope, "", "", m.Text) {
		t.Errorf("free memory is %+v", m)
	}
	if cur := b.only(birthday); cur.LastEvidence() != a.Evidence || cur.Question != "" {
		t.Errorf("current is %+v", cur)
	}
	// Said once more, it contradicts nothing that has not been answered.
	if d := b.on(90, say(90, birthday, "May 14")); len(d.Opened) != 0 {
		t.Errorf("asked again: %+v", d.Opened)
	}
}

// What is said along with the answer is said already.
func TestAStatementInTheAnswersWords(t *testing.T) {
	for _, tt := range []struct {
		name     string
		decision memory.Decision
		value    string
		with     reconcile.Statement
		current  string
	}{
		{"replace", memory.DecisionReplace, "", say(4, birthday, "May 14"), "birthday=May 14"},
		{"replace, with more", memory.DecisionReplace, "", say(4, birthday, "May 14, 1990"), "birthday=May 14, 1990"},
		{"keep", memory.DecisionKeep, "", say(4, birthday, "May 4"), "birthday=May 4"},
		{"both", memory.DecisionBoth, "by the moon", say(4, birthday, "May 14"), "birthday=May 4; it is May 14 (by the moon)"},
		{"neither", memory.DecisionNeither, "", say(4, birthday, "May 24"), "birthday=May 24"},
		{"other", memory.DecisionOther, "May 24", marked(4, birthday, "May 24"), "birthday=May 24"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			b.hear(say(1, birthday, "May 4"), say(2, birthday, "May 14"))
			a := answers(4, b.question(), tt.decision, tt.value)
			tt.with.Evidence.Event = a.Evidence.Event
			in := b.input(b.all(), says(tt.with))
			in.Answers = []reconcile.Answer{a}
			d := reconcile.Plan(in)
			b.apply(d)
			b.checkQuestions(t)
			if got := b.current(); got != tt.current || d.Answered[0] != reconcile.Done {
				t.Errorf("%s, current: %s\nwant:    %s", d.Answered[0], got, tt.current)
			}
			if len(d.Opened) != 0 || len(d.Closed) != 1 {
				t.Errorf("opened %v, closed %v", d.Opened, d.Closed)
			}
		})
	}
}

func TestAnswersThatChangeNothing(t *testing.T) {
	b := newBook(t)
	b.hear(say(1, city, "Boston"), say(2, city, "Denver"), say(5, likes, "tea"), say(6, dislikes, "tea"))
	var q, taste memory.Question
	for _, o := range b.open {
		if o.Key == city {
			q = o
		} else {
			taste = o
		}
	}
	closed := q
	closed.ID = "00000000-0000-4000-8000-000000000000"
	for _, tt := range []struct {
		name string
		a    reconcile.Answer
		want reconcile.Outcome
	}{
		{"a question that is not open", answers(7, closed, memory.DecisionKeep, ""), reconcile.NoTarget},
		{"said before the current value", answers(0, q, memory.DecisionReplace, ""), reconcile.NoTarget},
		{"a rival that there is not", answers(7, q, memory.DecisionReplace, "Oslo"), reconcile.NoOption},
		{"the current value as a rival", answers(7, q, memory.DecisionReplace, "Boston"), reconcile.NoOption},
		{"no other value", answers(7, q, memory.DecisionOther, "  "), reconcile.NoOption},
		{"no decision", answers(7, q, "", ""), reconcile.NoOption},
		{"an unknown decision", answers(7, q, "maybe", "Denver"), reconcile.NoOption},
		{"another value between opposites", answers(7, taste, memory.DecisionOther, "milk"), reconcile.NoOption},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := b.answer(tt.a)
			if d.Answered[0] != tt.want || len(d.Changes) != 0 || len(d.Opened) != 0 || len(d.Closed) != 0 {
				t.Errorf("%s: %+v", d.Answered[0], d)
			}
			b.checkQuestions(t)
		})
	}
	b.answer(answers(7, q, memory.DecisionKeep, ""))
	for _, d := range []memory.Decision{memory.DecisionKeep, memory.DecisionReplace} {
		if got := b.answer(answers(8, q, d, "")); got.Answered[0] != reconcile.NoTarget || len(got.Changes) != 0 {
			t.Errorf("a second answer is %s: %+v", got.Answered[0], got.Changes)
		}
	}
}

// Of two answers in one piece of a thread the first one counts.
func TestTheFirstOfTwoAnswersCounts(t *testing.T) {
	b := newBook(t)
	b.hear(say(1, city, "Boston"), say(2, city, "Denver"))
	q := b.question()
	in := b.input(b.all(), nil)
	in.Answers = []reconcile.Answer{answers(5, q, memory.DecisionKeep, ""), answers(4, q, memory.DecisionReplace, "")}
	d := reconcile.Plan(in)
	b.apply(d)
	if d.Answered[0] != reconcile.NoTarget || d.Answered[1] != reconcile.Done || len(d.Closed) != 1 || b.current() != "city=Denver" {
		t.Errorf("%v, current: %s", d.Answered, b.current())
	}
}

// What was said after the answer, and decided before it, goes on contradicting, and is not
// asked about again.
func TestARivalThatWasSaidAfterTheAnswer(t *testing.T) {
	b := newBook(t)
	b.now = day(6)
	b.hear(say(1, city, "Boston"), say(2, city, "Denver"), say(6, city, "Oslo"))
	in := b.input(b.all(), nil)
	q := b.question()
	in.Answers = []reconcile.Answer{answers(4, q, memory.DecisionKeep, "")}
	d := reconcile.Plan(in)
	b.apply(d)
	if d.Answered[0] != reconcile.Done || len(d.Closed) != 1 {
		t.Fatalf("%+v", d)
	}
	b.checkQuestions(t)
	if got := b.with(memory.StatusDisputed); got != "city=Oslo" || len(b.open) != 0 {
		t.Errorf("disputed: %s; open: %v", got, b.open)
	}
	for _, side := range q.Rivals {
		if m := b.memories[side.Memory]; !m.Dispute.TimeoutAt.IsZero() || m.Dispute.Decision != memory.DecisionKeep {
			t.Errorf("%q waits for a time-out: %+v", m.Value, m.Dispute)
		}
	}
	if d := b.on(80, say(80, city, "Oslo")); len(d.Opened) != 0 {
		t.Errorf("asked again: %+v", d.Opened)
	}
}

func TestNotAskedAgain(t *testing.T) {
	answered := func(d memory.Decision, value string) func(*book) {
		return func(b *book) { b.answer(answers(4, b.question(), d, value)) }
	}
	timedOut := func(b *book) {
		b.now = day(30)
		b.timeOut()
	}
	said := func(s reconcile.Statement) func(*book) {
		return func(b *book) { b.on(4, s) }
	}
	for _, tt := range []struct {
		name   string
		closed func(*book)
		// after is said after the question was closed; asks says whether it opens another.
		after reconcile.Statement
		asks  bool
	}{
		{"the rival soon after it lost", answered(memory.DecisionKeep, ""), say(5, city, "Denver"), false},
		{"the rival long after it lost", answered(memory.DecisionKeep, ""), say(45, city, "Denver"), false},
		{"the rival, with more, long after it lost", answered(memory.DecisionKeep, ""), say(45, city, "Denver, Colorado"), false},
		{"the old value soon after it lost", answered(memory.DecisionReplace, ""), say(5, city, "Boston"), false},
		{"the old value long after it lost", answered(memory.DecisionReplace, ""), say(45, city, "Boston"), false},
		{"the old value long after both lost", answered(memory.DecisionOther, "Oslo"), say(45, city, "Boston"), false},
		{"the rival long after both lost", answered(memory.DecisionOther, "Oslo"), say(45, city, "Denver"), false},
		{"the rival long after a time-out", timedOut, say(75, city, "Denver"), false},
		{"the rival after the old value was said again", said(say(4, city, "Boston")), say(45, city, "Denver"), false},
		{"the rival after the old value was said with more", said(say(4, city, "Boston, Massachusetts")), say(45, city, "Denver"), false},
		{"another value soon after an answer", answered(memory.DecisionKeep, ""), say(33, city, "Lima"), false},
		{"another value, when the cooldown is over", answered(memory.DecisionKeep, ""), say(34, city, "Lima"), true},
		{"another value soon after a time-out", timedOut, say(31, city, "Lima"), true},
		{"the rival of another value", said(marked(4, city, "Oslo")), say(5, city, "Denver"), true},
		{"另一个键", answered(memory.DecisionKeep, ""), say(5, birthday, "May 14"), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			b.on(1, say(1, city, "Boston"))
			b.on(1, say(1, birthday, "May 4"))
			b.on(2, say(2, city, "Denver"))
			tt.closed(b)
			b.checkQuestions(t)
			before := b.current()
			n := int(tt.after.Evidence.At.Sub(start).Hours() / 24)
			d := b.on(n, tt.after)
			b.checkQuestions(t)
			if got := len(d.Opened) == 1; got != tt.asks {
				t.Errorf("opened %+v, want one: %v", d.Opened, tt.asks)
			}
			if got := b.current(); got != before || d.Outcomes[0] != reconcile.Remembered {
				t.Errorf("%s, current: %s\nwant:    %s", d.Outcomes[0], got, before)
			}
			if b.with(memory.StatusDisputed) == "" {
				t.Error("it is not on record as disputed")
			}
		})
	}
}

// What was recorded in the cooldown comes up with the next question.
func TestTheNextQuestionNamesWhatWasNotAsked(t *testing.T) {
	b := newBook(t)
	b.on(1, say(1, city, "北京"))
	b.on(2, say(2, city, "上海"))
	b.answer(answers(4, b.question(), memory.DecisionKeep, ""))
	b.on(5, say(5, city, "广州"))
	b.on(6, say(6, city, "上海"))
	if got := b.quiet(); got != "上海; 广州" || len(b.open) != 0 {
		t.Fatalf("disputed: %s; open: %v", got, b.open)
	}
	b.on(40, say(40, city, "利马"))
	b.checkQuestions(t)
	if got := rivals(b.question()); got != "广州; 利马" {
		t.Errorf("rivals are %s", got)
	}
	if got := b.quiet(); got != "上海" {
		t.Errorf("disputed without a question: %s", got)
	}
	b.answer(answers(41, b.question(), memory.DecisionReplace, "广州"))
	if got := b.with(memory.StatusDisputed); got != "" || b.only(city).Value != "广州" {
		t.Errorf("disputed: %s", got)
	}
}

func TestCooldownOfThePolicy(t *testing.T) {
	b := newBook(t)
	b.policy.Cooldown = retention.Never
	b.on(1, say(1, city, "Boston"))
	b.on(2, say(2, city, "Denver"))
	b.answer(answers(4, b.question(), memory.DecisionKeep, ""))
	if d := b.on(5, say(5, city, "Lima")); len(d.Opened) != 1 {
		t.Errorf("opened %+v", d.Opened)
	}
}

// timeOut closes what is due, as the reaper does.
func (b *book) timeOut() reconcile.Decision {
	in := b.input(b.load(reconcile.Needs{Open: true}), nil)
	d := reconcile.TimeOut(in)
	b.apply(d)
	return d
}

func TestTimeOut(t *testing.T) {
	b := newBook(t)
	b.on(1, say(1, city, "Boston"))
	b.on(1, say(1, birthday, "May 4"))
	b.on(2, say(2, city, "Denver"))
	q := b.question()
	b.on(4, say(4, birthday, "May 14"))
	b.now = day(16).Add(-1)
	if d := b.timeOut(); len(d.Changes) != 0 || len(d.Closed) != 0 || len(d.Opened) != 0 {
		t.Fatalf("before it is due: %+v", d)
	}
	b.now = day(16)
	d := b.timeOut()
	b.checkQuestions(t)
	if len(d.Closed) != 1 || len(b.open) != 1 {
		t.Fatalf("closed %+v", d.Closed)
	}
	got := d.Closed[0]
	if got.ID != q.ID || got.Closing != memory.ClosedByTimeout || got.Decision != memory.DecisionKeep || got.Value != "Boston" || !got.ClosedAt.Equal(day(16)) {
		t.Errorf("closed is %+v", got)
	}
	if m := b.only(city); m.Value != "Boston" || !m.ConfirmedAt.Equal(day(1)) {
		t.Errorf("current is %+v", m)
	}
	m := b.memories[q.Rivals[0].Memory]
	if m.Status != memory.StatusSettled || m.Value != "Denver" || m.Dispute.Closing != memory.ClosedByTimeout || m.Dispute.Decision != memory.DecisionKeep {
		t.Errorf("rival is %+v", m)
	}
	if d := b.timeOut(); len(d.Changes) != 0 || len(d.Closed) != 0 {
		t.Errorf("once more: %+v", d)
	}
	if d := b.answer(answers(17, q, memory.DecisionReplace, "")); d.Answered[0] != reconcile.NoTarget {
		t.Errorf("an answer after it is %s", d.Answered[0])
	}
}

// A rival whose opponent has left the collections is closed all the same, not found due for ever.
func TestTimeOutWithoutACurrentValue(t *testing.T) {
	b := newBook(t)
	b.on(1, say(1, city, "Boston"))
	b.on(2, say(2, city, "Denver"))
	delete(b.memories, b.question().Current.Memory)
	b.now = day(30)
	if d := b.timeOut(); len(d.Closed) != 1 || b.with(memory.StatusDisputed) != "" {
		t.Errorf("closed %+v", d.Closed)
	}
}
