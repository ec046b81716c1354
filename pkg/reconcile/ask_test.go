package reconcile_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
)

const (
	birthday = memory.Key("user.birthday")
	city     = memory.Key("user.city")
	likes    = memory.Key("user.likes")
	dislikes = memory.Key("user.dislikes")
)

// on decides statements on the day on which the last of them is said.
func (b *book) on(n int, statements ...reconcile.Statement) reconcile.Decision {
	b.now = day(n)
	return b.decide(statements...)
}

// question is the one open question of a book.
func (b *book) question() memory.Question {
	b.t.Helper()
	if len(b.open) != 1 {
		b.t.Fatalf("%d questions are open, want 1", len(b.open))
	}
	for _, q := range b.open {
		return q
	}
	panic("unreachable")
}

// rivals lists the values of a question's rivals.
func rivals(q memory.Question) string {
	var out []string
	for _, r := range q.Rivals {
		out = append(out, r.Value)
	}
	return strings.Join(out, "; ")
}

// checkQuestions fails when the documents do not say what the memories do.
func (b *book) checkQuestions(t fatal) {
	asked := map[memory.ID]memory.ID{}
	for _, q := range b.open {
		cur := b.memories[q.Current.Memory]
		if cur.Status != memory.StatusCurrent || cur.Question != q.ID || cur.Value != q.Current.Value || cur.Key != q.Current.Key || q.Key != cur.Key {
			t.Fatalf("question about %+v, but it is %+v", q.Current, cur)
		}
		if other, ok := asked[cur.ID]; ok {
			t.Fatalf("two questions about %s: %s and %s", cur.ID, other, q.ID)
		}
		asked[cur.ID] = q.ID
		if len(q.Rivals) == 0 || q.Status != memory.QuestionOpen || q.Text == "" || q.Scope != scope {
			t.Fatalf("question is %+v", q)
		}
		for _, side := range append(slices.Clone(q.Rivals), q.Current) {
			if !strings.Contains(q.Text, side.Value) && side.Key == cur.Key {
				t.Fatalf("%q does not name %q", q.Text, side.Value)
			}
		}
	}
	for _, m := range b.memories {
		d := m.Dispute
		inQuestion := m.Status == memory.StatusDisputed && d != nil && d.Question != "" && d.ClosedAt.IsZero()
		q := b.open[m.Question]
		if inQuestion {
			q = b.open[d.Question]
			if !slices.ContainsFunc(q.Rivals, func(s memory.Side) bool { return s.Memory == m.ID && s.Value == m.Value }) {
				t.Fatalf("%q says it stands in question %+v", m.Value, q)
			}
		}
		switch {
		case m.Question != "" && (q.ID == "" || q.Current.Memory != m.ID):
			t.Fatalf("%q bears the mark of question %+v", m.Value, q)
		case m.Status == memory.StatusDisputed && (d == nil || d.Of == ""):
			t.Fatalf("%q contradicts nothing", m.Value)
		case m.Status != memory.StatusDisputed && m.Status != memory.StatusSettled && d != nil:
			t.Fatalf("%s %q has the dispute %+v", m.Status, m.Value, *d)
		}
	}
	derived := reconcile.OpenQuestions(reconcile.Input{Scope: scope, Registry: registry, Existing: b.all()})
	if len(derived) != len(b.open) {
		t.Fatalf("%d questions follow from the memories, %d are open", len(derived), len(b.open))
	}
	for _, q := range derived {
		if !reflect.DeepEqual(q, b.open[q.ID]) {
			t.Fatalf("question is\n%+v\nbut from the memories follows\n%+v", b.open[q.ID], q)
		}
	}
}

func TestAQuestionNamesBothSides(t *testing.T) {
	for _, tt := range []struct {
		name          string
		first, second reconcile.Statement
		language      string
		options       []memory.Decision
		text          string
	}{
		{
			"one value", say(1, birthday, "May 4"), say(8, birthday, "May 14"), "en", memory.Decisions,
			"On 2 January you said your birthday is May 4; on 9 January, that it is May 14. Which is right?",
		},
		{
			"一个值", zh(say(1, "user.partner", "女朋友")), zh(say(8, "user.partner", "男朋友")), "zh", memory.Decisions,
			"1月2日你提到的伴侣是“女朋友”，1月9日又提到“男朋友”。现在是哪一位？",
		},
		{
			"opposites", say(1, likes, "cilantro"), say(8, dislikes, "cilantro"), "en", memory.Decisions[:4],
			"On 2 January you said you like cilantro; on 9 January, that you dislike it. Do you like or dislike cilantro these days?",
		},
		{
			"in the language of the rival", say(1, city, "Hangzhou"), zh(say(8, city, "上海")), "zh", memory.Decisions,
			"1月2日你说住在Hangzhou，1月9日又说住在上海。你现在住在哪里？",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			b.on(1, tt.first)
			d := b.on(8, tt.second)
			b.checkQuestions(t)
			q := b.question()
			if q.Text != tt.text || q.Language != tt.language {
				t.Errorf("%s: %s\nwant %s: %s", q.Language, q.Text, tt.language, tt.text)
			}
			if !slices.Equal(q.Options, tt.options) || q.Default != memory.DecisionKeep {
				t.Errorf("options %v, default %s", q.Options, q.Default)
			}
			if !q.OpenedAt.Equal(day(8)) || !q.TimeoutAt.Equal(day(22)) {
				t.Errorf("opened %v, until %v", q.OpenedAt, q.TimeoutAt)
			}
			for i, want := range []reconcile.Statement{tt.first, tt.second} {
				side := append([]memory.Side{q.Current}, q.Rivals...)[i]
				if side.Key != want.Key || side.Value != want.Value || side.Text != want.Text || side.Evidence != want.Evidence || !side.SaidAt.Equal(want.Evidence.At) {
					t.Errorf("side %d is %+v, want %+v", i, side, want)
				}
			}
			if len(d.Changes) != 2 || d.Changes[0].Op != ledger.OpMark || d.Changes[0].Reason != reconcile.ReasonAsked {
				t.Errorf("changes are %+v", d.Changes)
			}
		})
	}
}

// zh is a statement in Chinese.
func zh(s reconcile.Statement) reconcile.Statement {
	s.Language = "zh"
	return s
}

func TestMoreIsSaidOfAQuestion(t *testing.T) {
	fact := func(s reconcile.Statement) reconcile.Statement {
		s.Kind = memory.KindFact
		return s
	}
	for _, tt := range []struct {
		name string
		says []reconcile.Statement
		// rivals of the open question, and what else is disputed; empty for no question.
		rivals, quiet string
		opened        int
	}{
		{"the rival again", says(say(1, city, "Boston"), say(2, city, "Denver"), say(4, city, "denver")), "Denver", "", 2},
		{"the rival in the other language", says(say(1, city, "Boston"), say(2, city, "杭州"), say(4, city, "Hangzhou")), "杭州", "", 2},
		{"a further rival", says(say(1, city, "Boston"), say(2, city, "Denver"), say(4, city, "Oslo")), "Denver; Oslo", "", 2},
		{"the rival, with more", says(say(1, birthday, "May 4"), say(2, birthday, "May 14"), say(4, birthday, "May 14, 1990")), "May 14, 1990", "", 2},
		{"the rival, with less", says(say(1, birthday, "May 4"), say(2, birthday, "May 14, 1990"), say(4, birthday, "May 14")), "May 14, 1990", "", 2},
		{"更具体的说法", says(say(1, city, "北京"), say(2, city, "杭州"), say(4, city, "杭州西湖区"), say(5, city, "杭州")), "杭州西湖区", "", 3},
		{"of a kind that is not durable", says(say(1, city, "Boston"), fact(say(2, city, "Denver"))), "", "Denver", 0},
		{"and of one that is, after it", says(say(1, city, "Boston"), fact(say(2, city, "Denver")), say(4, city, "Oslo")), "Oslo", "Denver", 1},
		{"of several keys", says(say(1, city, "Boston"), say(2, birthday, "May 4"), say(3, city, "Denver")), "Denver", "", 1},
		{"the old value with more", says(say(1, city, "Boston"), say(2, city, "Denver"), say(4, city, "Boston, Massachusetts")), "", "", 1},
		{"a change that was said before the rival", says(say(1, city, "Boston"), say(3, city, "Denver"), marked(2, city, "Oslo")), "Denver", "", 2},
		{"the old value, said before the rival", says(say(1, city, "Boston"), say(3, city, "Denver"), say(2, city, "Boston")), "Denver", "", 2},
		{"the same words again", says(say(1, city, "Boston"), say(2, city, "Denver"), say(2, city, "Denver")), "Denver", "", 1},
		{"what was said before both", says(say(1, city, "Boston"), say(2, city, "Denver"), say(0, city, "Oslo")), "Denver", "", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			b.now = day(4)
			opened := 0
			for _, s := range tt.says {
				opened += len(b.decide(s).Opened)
				b.checkQuestions(t)
				b.checkOneCurrent(t)
			}
			if opened != tt.opened {
				t.Errorf("%d documents of open questions, want %d", opened, tt.opened)
			}
			got := ""
			for _, q := range b.open {
				got = rivals(q)
				if !q.OpenedAt.Equal(day(4)) || !q.TimeoutAt.Equal(day(18)) {
					t.Errorf("opened %v, until %v", q.OpenedAt, q.TimeoutAt)
				}
			}
			if got != tt.rivals || len(b.open) > 1 {
				t.Errorf("rivals are %q, want %q", got, tt.rivals)
			}
			if got := b.quiet(); got != tt.quiet {
				t.Errorf("disputed without a question is %q, want %q", got, tt.quiet)
			}
		})
	}
}

// quiet lists the values that are disputed without a question.
func (b *book) quiet() string {
	var out []string
	for _, m := range b.memories {
		if m.Status == memory.StatusDisputed && (m.Dispute.Question == "" || !m.Dispute.ClosedAt.IsZero()) {
			out = append(out, m.Value)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// A repetition leaves the time-out where it was, however late it comes.
func TestARepetitionMovesNoTimeout(t *testing.T) {
	b := newBook(t)
	b.on(1, say(1, city, "Boston"))
	b.on(2, say(2, city, "Denver"))
	first := b.question()
	b.on(9, say(9, city, "Denver"))
	b.on(10, say(10, city, "Oslo"))
	q := b.question()
	if q.ID != first.ID || !q.OpenedAt.Equal(day(2)) || !q.TimeoutAt.Equal(day(16)) || rivals(q) != "Denver; Oslo" {
		t.Errorf("question is %+v", q)
	}
	if q.Rivals[0].Evidence.Event != "e9" || !q.Rivals[0].SaidAt.Equal(day(2)) {
		t.Errorf("the rival was said %v, and last in %s", q.Rivals[0].SaidAt, q.Rivals[0].Evidence.Event)
	}
}

// A decision that is made again, since another came between, puts the same question.
func TestTheSameStatementPutsTheSameQuestion(t *testing.T) {
	b := newBook(t)
	b.hear(say(1, city, "Boston"), say(1, birthday, "May 4"))
	in := b.input(b.all(), says(say(2, city, "Denver"), say(2, birthday, "May 14"), say(3, city, "Denver")))
	first := reconcile.Plan(in)
	in.Now = in.Now.Add(time.Hour)
	second := reconcile.Plan(in)
	if len(first.Opened) != 2 || len(second.Opened) != 2 || first.Opened[0].ID == first.Opened[1].ID {
		t.Fatalf("questions are %+v", first.Opened)
	}
	for i := range first.Opened {
		if first.Opened[i].ID != second.Opened[i].ID {
			t.Errorf("question %d is %s, and then %s", i, first.Opened[i].ID, second.Opened[i].ID)
		}
	}
	in.Statements[0].Evidence.Message++
	if other := reconcile.Plan(in); other.Opened[0].ID == first.Opened[0].ID || other.Opened[1].ID == first.Opened[0].ID {
		t.Error("another place opens the same question")
	}
}

// A question has few sides. What is too much is kept, and comes up with the next one.
func TestAQuestionIsBounded(t *testing.T) {
	b := newBook(t)
	quiet := func() int { return len(strings.Split(b.quiet(), "; ")) }
	b.on(1, say(1, city, "Boston"))
	for i := range 17 {
		b.on(2+i, say(2+i, city, "Town "+strings.Repeat("x", i+1)))
		b.checkQuestions(t)
	}
	if n := len(b.question().Rivals); n != 8 || quiet() != 9 {
		t.Errorf("%d rivals, %d values without a question", n, quiet())
	}
	d := b.on(19, say(19, city, "Town x"))
	if n := len(b.question().Rivals); n != 8 || quiet() != 9 || len(d.Opened) != 1 {
		t.Errorf("one of them again: %d rivals, %d values without a question", n, quiet())
	}
	b.now = day(30)
	b.timeOut()
	b.on(31, say(31, city, "Oslo"))
	b.checkQuestions(t)
	if q := b.question(); len(q.Rivals) != 8 || q.Rivals[7].Value != "Oslo" || quiet() != 2 {
		t.Errorf("rivals are %s, %d values without a question", rivals(q), quiet())
	}
}

func TestPolicyOfQuestions(t *testing.T) {
	b := newBook(t)
	b.policy = retention.Policy{QuestionFor: retention.Never}
	b.on(1, say(1, city, "Boston"))
	b.on(2, say(2, city, "Denver"))
	if q := b.question(); !q.TimeoutAt.IsZero() {
		t.Errorf("the question waits until %v", q.TimeoutAt)
	}
	b.policy = retention.Policy{QuestionFor: time.Hour}
	b.on(2, say(2, birthday, "May 4"))
	b.on(3, say(3, birthday, "May 14"))
	for _, q := range b.open {
		if q.Key == birthday && !q.TimeoutAt.Equal(day(3).Add(time.Hour)) {
			t.Errorf("the question waits until %v", q.TimeoutAt)
		}
	}
}

// What closes a question without an answer.
func TestStatementsCloseAQuestion(t *testing.T) {
	gone := memory.Target{Key: city}
	for _, tt := range []struct {
		name string
		says []reconcile.Statement
		by   reconcile.Statement
		want memory.Decision
		// value is what the key holds since.
		value string
	}{
		{"the rival with a change cue", says(say(1, city, "Boston"), say(2, city, "Denver")), marked(3, city, "Denver"), memory.DecisionReplace, "Denver"},
		{"the rival with a change cue, and more", says(say(1, city, "Boston"), say(2, city, "Denver")), marked(3, city, "Denver, Colorado"), memory.DecisionReplace, "Denver, Colorado"},
		{"a third value", says(say(1, city, "Boston"), say(2, city, "Denver")), marked(3, city, "Oslo"), memory.DecisionOther, "Oslo"},
		{"the old value again", says(say(1, city, "北京"), say(2, city, "上海"), say(3, city, "广州")), say(4, city, "北京市"), memory.DecisionKeep, "北京"},
		{"the old value with more", says(say(1, city, "杭州"), say(2, city, "上海")), say(3, city, "杭州西湖区"), memory.DecisionKeep, "杭州西湖区"},
		{"the old value with less", says(say(1, city, "杭州西湖区"), say(2, city, "上海")), say(3, city, "杭州"), memory.DecisionKeep, "杭州西湖区"},
		{"an ending", says(say(1, city, "Boston"), say(2, city, "Denver")), ends(3, "I have no home any more", gone), memory.DecisionNeither, ""},
		{"the opposite with a change cue", says(say(1, likes, "coffee"), say(2, dislikes, "coffee")), marked(3, dislikes, "coffee"), memory.DecisionReplace, "coffee"},
		{"the same of two opposites", says(say(1, likes, "咖啡"), say(2, dislikes, "咖啡")), say(3, likes, "咖啡"), memory.DecisionKeep, "咖啡"},
		{
			"the end of the first of two opposites", says(say(1, likes, "coffee"), say(2, dislikes, "coffee")),
			ends(3, "I'm over coffee", memory.Target{Key: likes, Value: "coffee"}), memory.DecisionReplace, "coffee",
		},
		{
			"the end of the second of two opposites", says(say(1, likes, "coffee"), say(2, dislikes, "coffee")),
			ends(3, "coffee is fine again", memory.Target{Key: dislikes, Value: "coffee"}), memory.DecisionKeep, "coffee",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			b.hear(tt.says...)
			q := b.question()
			d := b.decide(tt.by)
			b.checkQuestions(t)
			if len(d.Closed) != 1 || len(d.Opened) != 0 {
				t.Fatalf("opened %+v, closed %+v", d.Opened, d.Closed)
			}
			got := d.Closed[0]
			if got.ID != q.ID || got.Closing != memory.ClosedByStatement || got.Decision != tt.want || got.Value != tt.value || got.Answer != nil {
				t.Errorf("closed is %+v", got)
			}
			if !reflect.DeepEqual(got.Current, q.Current) || !reflect.DeepEqual(got.Rivals, q.Rivals) || got.Text != q.Text || !got.ClosedAt.Equal(b.now) {
				t.Errorf("closed is\n%+v\nand was\n%+v", got, q)
			}
			for _, side := range q.Rivals {
				m := b.memories[side.Memory]
				if m.Status != memory.StatusSettled || m.Dispute.Closing != memory.ClosedByStatement || m.Dispute.Decision != tt.want || !m.Dispute.ClosedAt.Equal(b.now) {
					t.Errorf("rival is %s: %+v", m.Status, m.Dispute)
				}
			}
		})
	}
}

// What was said for a rival after it became current, and was decided before, is not lost on it.
func TestALaterWordForTheRivalCounts(t *testing.T) {
	b := newBook(t)
	b.hear(say(1, city, "Boston"), say(3, city, "Denver"), marked(2, city, "Denver"))
	b.checkQuestions(t)
	if m := b.only(city); m.Value != "Denver" || len(m.Evidence) != 2 || !m.ConfirmedAt.Equal(day(3)) || !m.SaidAt.Equal(day(2)) {
		t.Errorf("current is %+v", m)
	}
	if len(b.open) != 0 || b.closed[0].Decision != memory.DecisionReplace {
		t.Errorf("open %v, closed %+v", b.open, b.closed)
	}
}

// What was said after an ending that is decided later becomes current by that.
func TestAnEndingPromotesWhatWasSaidAfterIt(t *testing.T) {
	job := memory.Key("user.employer")
	runStories(t, []story{
		{
			name:    "one rival",
			says:    says(say(1, job, "Acme"), say(5, job, "Initech"), ends(3, "I quit my job", memory.Target{Key: job})),
			current: "I quit my job; employer=Initech", key: job, history: "Acme, Initech",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name:    "两个新说法",
			says:    says(say(1, job, "腾讯"), say(5, job, "阿里"), say(6, job, "华为"), ends(3, "我辞职了", memory.Target{Key: job})),
			current: "employer=阿里; 我辞职了", disputed: "employer=华为", key: job, history: "腾讯, 阿里",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name:    "a rival from before it",
			says:    says(say(1, job, "Acme"), say(2, job, "Initech"), ends(3, "I quit my job", memory.Target{Key: job})),
			current: "I quit my job", key: job, history: "Acme",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
	})
}

// Opened and closed by the words of one piece of a thread, it is put to nobody.
func TestAQuestionThatIsDecidedAtOnce(t *testing.T) {
	b := newBook(t)
	d := b.decide(say(1, city, "Boston"), say(2, city, "Denver"), marked(3, city, "Denver"))
	b.checkQuestions(t)
	if len(d.Opened) != 0 || len(d.Closed) != 1 || d.Closed[0].Decision != memory.DecisionReplace || d.Closed[0].OpenedAt.IsZero() {
		t.Errorf("opened %+v, closed %+v", d.Opened, d.Closed)
	}
}

// The mark of a question leaves a memory in the archive.
func TestAQuestionBringsNothingBackFromTheArchive(t *testing.T) {
	b := newBook(t)
	b.hear(say(1, city, "Boston"))
	m := b.only(city)
	m.ArchivedAt = day(40)
	b.memories[m.ID] = m
	d := b.decide(say(45, city, "Denver"))
	if c := d.Changes[0]; c.Op != ledger.OpMark || c.Memory.ArchivedAt.IsZero() || c.Moved {
		t.Errorf("change is %+v", c)
	}
	if d = b.decide(say(46, city, "Boston")); !d.Changes[0].Memory.ArchivedAt.IsZero() || !d.Changes[0].Moved {
		t.Errorf("change is %+v", d.Changes[0])
	}
	b.checkQuestions(t)
}

// What was deleted is in no question, and the document that says so repeats no words of it.
func TestDeletionClosesAQuestion(t *testing.T) {
	for _, tt := range []struct {
		name    string
		deleted func(q memory.Question) []memory.ID
		// left are the rivals of the question after it; empty when it is closed.
		left, disputed string
	}{
		{"of the current value", func(q memory.Question) []memory.ID { return []memory.ID{q.Current.Memory} }, "", ""},
		{"of one rival", func(q memory.Question) []memory.ID { return []memory.ID{q.Rivals[0].Memory} }, "Oslo", "city=Oslo"},
		{"of every rival", func(q memory.Question) []memory.ID { return []memory.ID{q.Rivals[0].Memory, q.Rivals[1].Memory} }, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			b.hear(say(1, city, "Boston"), say(2, city, "Denver"), say(3, city, "Oslo"))
			q := b.question()
			b.apply(reconcile.Delete(b.input(b.all(), nil), tt.deleted(q)...))
			b.checkQuestions(t)
			if got := b.with(memory.StatusDisputed); got != tt.disputed {
				t.Errorf("disputed is %s, want %s", got, tt.disputed)
			}
			if tt.left != "" {
				if got := rivals(b.question()); got != tt.left {
					t.Errorf("rivals are %s, want %s", got, tt.left)
				}
				return
			}
			got := b.closed[0]
			if got.ID != q.ID || got.Closing != memory.ClosedByDeletion || got.Text != "" || got.Value != "" {
				t.Errorf("closed is %+v", got)
			}
			for _, side := range append(got.Rivals, got.Current) {
				if side.Memory == "" || side.Value != "" || side.Text != "" || side.Evidence.Quote != "" {
					t.Errorf("side is %+v", side)
				}
			}
		})
	}
}
