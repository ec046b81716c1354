package reconcile_test

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// says joins statements to a list.
func says(s ...reconcile.Statement) []reconcile.Statement { return s }

// The rows of the design's table, in its order.
func TestTable(t *testing.T) {
	runStories(t, []story{
		{
			name: "none is known: add", says: says(say(1, "user.city", "Boston")),
			current: "city=Boston", key: "user.city", history: "Boston",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "没有已知的：新增", says: says(say(1, "user.city", "杭州")),
			current: "city=杭州", key: "user.city", history: "杭州",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "the same value: refresh", says: says(say(1, "user.city", "Boston"), say(2, "user.city", "boston")),
			current: "city=Boston", key: "user.city", history: "Boston",
			last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "同一个值的另一种写法：确认", says: says(say(1, "user.city", "杭州"), marked(2, "user.city", "杭州市")),
			current: "city=杭州", key: "user.city", history: "杭州",
			last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "the same value in the other language: refresh", says: says(say(1, "user.city", "Hangzhou"), say(2, "user.city", "杭州")),
			current: "city=Hangzhou", key: "user.city", history: "Hangzhou",
			last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "another value, said before: history", says: says(say(5, "user.city", "Boston"), say(1, "user.city", "Denver")),
			current: "city=Boston", key: "user.city", history: "Denver, Boston",
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "another value, said before with a mark: history", says: says(say(5, "user.city", "上海"), marked(1, "user.city", "北京")),
			current: "city=上海", key: "user.city", history: "北京, 上海",
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "a key with many: beside it", says: says(say(1, "user.allergies", "peanuts"), say(2, "user.allergies", "shellfish")),
			current: "allergies=peanuts; allergies=shellfish", key: "user.allergies", history: "peanuts, shellfish",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "多值的键：并列", says: says(say(1, "user.languages", "法语"), say(2, "user.languages", "德语"), say(3, "user.languages", "French")),
			current: "languages=德语; languages=法语", key: "user.languages", history: "法语, 德语",
			last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "more specific: refine", says: says(say(1, "user.city", "Hangzhou"), say(2, "user.city", "Hangzhou, Xihu district")),
			current: "city=Hangzhou, Xihu district", key: "user.city", history: "Hangzhou, Hangzhou, Xihu district",
			last: reconcile.Remembered, op: ledger.OpRefine, reason: reconcile.ReasonMoreSpecific,
		},
		{
			name: "更具体：细化", says: says(say(1, "user.city", "杭州"), say(2, "user.city", "杭州西湖区")),
			current: "city=杭州西湖区", key: "user.city", history: "杭州, 杭州西湖区",
			last: reconcile.Remembered, op: ledger.OpRefine, reason: reconcile.ReasonMoreSpecific,
		},
		{
			name: "less specific: kept", says: says(say(1, "user.occupation", "ICU nurse"), say(2, "user.occupation", "nurse")),
			current: "occupation=ICU nurse", key: "user.occupation", history: "ICU nurse",
			last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonLessSpecific,
		},
		{
			name: "更笼统：保留", says: says(say(1, "user.commute", "地铁，大概四十分钟"), say(2, "user.commute", "地铁")),
			current: "commute=地铁，大概四十分钟", key: "user.commute", history: "地铁，大概四十分钟",
			last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonLessSpecific,
		},
		{
			name: "a change is said: supersede", says: says(say(1, "user.city", "Boston"), marked(2, "user.city", "Denver")),
			current: "city=Denver", key: "user.city", history: "Boston, Denver",
			last: reconcile.Remembered, op: ledger.OpSupersede, reason: reconcile.ReasonChanged,
		},
		{
			name: "说了变化：取代", says: says(say(1, "user.city", "北京"), marked(2, "user.city", "上海")),
			current: "city=上海", key: "user.city", history: "北京, 上海",
			last: reconcile.Remembered, op: ledger.OpSupersede, reason: reconcile.ReasonChanged,
		},
		{
			name: "neither is said: dispute", says: says(say(1, "user.city", "Boston"), say(2, "user.city", "Denver")),
			current: "city=Boston", disputed: "city=Denver", key: "user.city", history: "Boston",
			last: reconcile.Remembered, op: ledger.OpDispute, reason: reconcile.ReasonUnmarked,
		},
		{
			name: "都没说：存疑", says: says(say(1, "user.partner", "女朋友"), say(2, "user.partner", "男朋友")),
			current: "partner=女朋友", disputed: "partner=男朋友", key: "user.partner", history: "女朋友",
			last: reconcile.Remembered, op: ledger.OpDispute, reason: reconcile.ReasonUnmarked,
		},
		{
			name: "a contradiction that an extractor proposes is no sign of a change",
			says: says(say(1, "user.diet", "vegan"), func() reconcile.Statement {
				s := say(2, "user.diet", "pescatarian")
				s.Relation = memory.RelationContradicts
				return s
			}()),
			current: "diet=vegan", disputed: "diet=pescatarian",
			last: reconcile.Remembered, op: ledger.OpDispute, reason: reconcile.ReasonUnmarked,
		},
	})
}

func TestOpposites(t *testing.T) {
	const likes, dislikes = memory.Key("user.likes"), memory.Key("user.dislikes")
	runStories(t, []story{
		{
			name: "marked: the newest is current", says: says(say(1, likes, "Chinese food"), marked(2, dislikes, "chinese food")),
			current: "dislikes=chinese food", key: likes, history: "Chinese food",
			last: reconcile.Remembered, op: ledger.OpSupersede, reason: reconcile.ReasonChanged,
		},
		{
			name: "marked, decided out of order", says: says(marked(2, dislikes, "吃辣"), say(1, likes, "吃辣")),
			current: "dislikes=吃辣", key: likes, history: "吃辣",
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name: "unmarked: dispute", says: says(say(1, likes, "coffee"), say(2, dislikes, "coffee")),
			current: "likes=coffee", disputed: "dislikes=coffee",
			last: reconcile.Remembered, op: ledger.OpDispute, reason: reconcile.ReasonUnmarked,
		},
		{
			name: "unmarked, decided out of order", says: says(say(2, dislikes, "咖啡"), say(1, likes, "咖啡")),
			current: "dislikes=咖啡", key: likes, history: "咖啡",
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
		{
			name:    "there and back",
			says:    says(say(1, likes, "coffee"), marked(2, dislikes, "coffee"), marked(3, likes, "coffee")),
			current: "likes=coffee", key: likes, history: "coffee",
			last: reconcile.Remembered, op: ledger.OpSupersede, reason: reconcile.ReasonChanged,
		},
		{
			name:    "of another value",
			says:    says(say(1, likes, "coffee"), say(2, dislikes, "tea")),
			current: "dislikes=tea; likes=coffee",
			last:    reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name:    "the change settles what was disputed",
			says:    says(say(1, likes, "coffee"), say(2, dislikes, "coffee"), marked(3, dislikes, "coffee")),
			current: "dislikes=coffee",
			last:    reconcile.Remembered, op: ledger.OpSettle, reason: reconcile.ReasonDecided,
		},
	})
}

func TestDisputes(t *testing.T) {
	const city = memory.Key("user.city")
	runStories(t, []story{
		{
			name: "the rival again is one rival", says: says(say(1, city, "Boston"), say(2, city, "Denver"), say(3, city, "denver")),
			current: "city=Boston", disputed: "city=Denver",
			last: reconcile.Remembered, op: ledger.OpDispute, reason: reconcile.ReasonUnmarked,
		},
		{
			name: "two rivals", says: says(say(1, city, "北京"), say(2, city, "上海"), say(3, city, "广州")),
			current: "city=北京", disputed: "city=上海; city=广州",
			last: reconcile.Remembered, op: ledger.OpDispute, reason: reconcile.ReasonUnmarked,
		},
		{
			name: "settled for the rival", says: says(say(1, city, "Boston"), say(2, city, "Denver"), marked(3, city, "Denver")),
			current: "city=Denver", key: city, history: "Boston, Denver",
			last: reconcile.Remembered, op: ledger.OpSettle, reason: reconcile.ReasonDecided,
		},
		{
			name: "settled by a third value", says: says(say(1, city, "Boston"), say(2, city, "Denver"), marked(3, city, "Oslo")),
			current: "city=Oslo", key: city, history: "Boston, Oslo",
			last: reconcile.Remembered, op: ledger.OpSettle, reason: reconcile.ReasonDecided,
		},
		{
			name: "settled by saying the old value again", says: says(say(1, city, "北京"), say(2, city, "上海"), say(3, city, "北京")),
			current: "city=北京", key: city, history: "北京",
			last: reconcile.Remembered, op: ledger.OpSettle, reason: reconcile.ReasonDecided,
		},
		{
			name: "the old value, said before the rival, settles nothing", says: says(say(1, city, "Boston"), say(3, city, "Denver"), say(2, city, "Boston")),
			current: "city=Boston", disputed: "city=Denver",
			last: reconcile.Refreshed, op: ledger.OpRefresh, reason: reconcile.ReasonRestated,
		},
		{
			name: "a change that was said before the rival settles nothing", says: says(say(1, city, "Boston"), say(3, city, "Denver"), marked(2, city, "Oslo")),
			current: "city=Oslo", disputed: "city=Denver",
			last: reconcile.Remembered, op: ledger.OpSupersede, reason: reconcile.ReasonChanged,
		},
		{
			name: "settled when the key has ended",
			says: says(say(1, "user.partner", "girlfriend"), say(2, "user.partner", "boyfriend"),
				ends(3, "we broke up", memory.Target{Key: "user.partner"})),
			current: "we broke up",
			last:    reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "of another key", says: says(say(1, city, "Boston"), say(2, city, "Denver"), marked(3, "user.hometown", "Denver")),
			current: "city=Boston; hometown=Denver", disputed: "city=Denver",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "the rival, in the very same words again", says: says(say(1, city, "Boston"), say(2, city, "Denver"), say(2, city, "Denver")),
			current: "city=Boston", disputed: "city=Denver", last: reconcile.Unchanged,
		},
		{
			name: "what is settled stays so when it is decided again", says: says(say(1, city, "Boston"), say(2, city, "Denver"), marked(3, city, "Denver"), say(2, city, "Denver")),
			current: "city=Denver", key: city, history: "Boston, Denver", last: reconcile.Unchanged,
		},
	})
}

func TestRefreshKeepsTheFirstAndTheLast(t *testing.T) {
	b := newBook(t)
	b.hear(say(5, "user.city", "Boston"))
	if got := b.hear(say(2, "user.city", "Boston")); got[0] != reconcile.Refreshed {
		t.Errorf("outcome is %s", got)
	}
	m := b.only("user.city")
	if !m.SaidAt.Equal(day(2)) || !m.ConfirmedAt.Equal(day(5)) || len(m.Evidence) != 2 {
		t.Errorf("said %v, confirmed %v, %d pieces of evidence", m.SaidAt, m.ConfirmedAt, len(m.Evidence))
	}
	b.hear(say(9, "user.city", "Boston"))
	if m = b.only("user.city"); !m.SaidAt.Equal(day(2)) || !m.ConfirmedAt.Equal(day(9)) || m.LastEvidence().Event != "e9" {
		t.Errorf("said %v, confirmed %v", m.SaidAt, m.ConfirmedAt)
	}
}

func TestRefreshPins(t *testing.T) {
	b := newBook(t)
	pinned := say(2, "user.city", "杭州")
	pinned.Pinned = true
	b.hear(say(1, "user.city", "杭州"), pinned, say(3, "user.city", "杭州"))
	if !b.only("user.city").Pinned {
		t.Error("what the user asked to remember is not pinned")
	}
}

// Said again with other dates, the later dates and the words that give them hold.
func TestRefreshTakesLaterDates(t *testing.T) {
	stay := func(n, until int, text string) reconcile.Statement {
		s := say(n, "user.city", "Berlin")
		s.Text, s.Stability, s.ExpiresAt = text, memory.Dated, day(until)
		return s
	}
	for _, tt := range []struct {
		name  string
		says  []reconcile.Statement
		until int
	}{
		{"later", says(stay(1, 60, "in Berlin until March"), stay(2, 90, "in Berlin until April")), 90},
		{"earlier, decided later", says(stay(2, 90, "in Berlin until April"), stay(1, 60, "in Berlin until March")), 90},
		{"later without dates", says(stay(2, 90, "in Berlin until April"), say(3, "user.city", "Berlin")), 90},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			b.hear(tt.says...)
			m := b.only("user.city")
			if !m.ExpiresAt.Equal(day(tt.until)) || m.Text != "in Berlin until April" {
				t.Errorf("%q until %v, want %v", m.Text, m.ExpiresAt, day(tt.until))
			}
		})
	}
}

func TestEvidenceIsBounded(t *testing.T) {
	b := newBook(t)
	for n := range 30 {
		b.hear(say(n+10, "user.city", "Boston"))
	}
	b.hear(say(1, "user.city", "Boston"))
	m := b.only("user.city")
	if len(m.Evidence) != 8 || m.Evidence[0].Event != "e1" || m.Evidence[7].Event != "e39" {
		t.Errorf("evidence is %v", m.Evidence)
	}
	// What fits between is not kept, and so changes nothing, however often it comes.
	for range 2 {
		if d := b.decide(say(5, "user.city", "Boston")); len(d.Changes) != 0 {
			t.Errorf("changes are %+v", d.Changes)
		}
	}
}

func TestExpired(t *testing.T) {
	stay := say(1, "user.city", "Berlin")
	stay.Stability, stay.ExpiresAt = memory.Dated, day(10)
	runStories(t, []story{
		{
			name: "another value, unmarked", says: says(stay, say(20, "user.city", "Oslo")),
			current: "city=Oslo", key: "user.city", history: "Berlin, Oslo",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "the same value anew", says: says(stay, say(20, "user.city", "Berlin")),
			current: "city=Berlin", key: "user.city", history: "Berlin",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonSaidAgain,
		},
		{
			name: "an earlier value", says: says(stay, say(0, "user.city", "Oslo")),
			key: "user.city", history: "Oslo, Berlin",
			last: reconcile.Remembered, op: ledger.OpHistory, reason: reconcile.ReasonSaidEarlier,
		},
	})
}

func TestSameEvidenceChangesNothing(t *testing.T) {
	runStories(t, []story{
		{name: "a value", says: says(say(1, "user.city", "Boston"), say(1, "user.city", "Boston")), current: "city=Boston", last: reconcile.Unchanged},
		{name: "一个值", says: says(say(1, "user.likes", "爬山"), say(1, "user.likes", "爬山")), current: "likes=爬山", last: reconcile.Unchanged},
		{name: "a free memory", says: says(tell(1, "I ran a marathon"), tell(1, "I ran a marathon")), current: "I ran a marathon", last: reconcile.Unchanged},
		{name: "a change", says: says(say(1, "user.city", "Boston"), marked(2, "user.city", "Denver"), marked(2, "user.city", "Denver")), current: "city=Denver", last: reconcile.Unchanged},
		{
			name: "a refinement", says: says(say(1, "user.city", "Hangzhou"), say(2, "user.city", "Hangzhou, Xihu district"), say(1, "user.city", "Hangzhou")),
			current: "city=Hangzhou, Xihu district", last: reconcile.Unchanged,
		},
	})
}

func TestMemoryHoldsWhatWasSaid(t *testing.T) {
	b := newBook(t)
	s := marked(3, "user.city", "杭州")
	s.Agent, s.Pinned, s.Language, s.ValidFrom = "travel", true, "zh", day(2)
	b.hear(s)
	m := b.only("user.city")
	if m.Scope != scope || m.Kind != s.Kind || m.Text != s.Text || m.Language != "zh" || m.Agent != "travel" || !m.Pinned ||
		!m.ValidFrom.Equal(day(2)) || !m.ExpiresAt.IsZero() || !m.SaidAt.Equal(day(3)) || !m.CreatedAt.Equal(late) ||
		!m.ConfirmedAt.Equal(day(3)) || m.Confidence != 0.9 || m.Evidence[0] != s.Evidence || m.Status != memory.StatusCurrent {
		t.Errorf("memory is %+v", m)
	}
	if m.ID != registry.Identity(scope, "user.city", "x", "y") {
		t.Error("the id is not the key's")
	}
}

func TestSupersedeKeepsThePrevious(t *testing.T) {
	b := newBook(t)
	b.hear(say(1, "user.city", "Boston"))
	d := b.decide(marked(2, "user.city", "Denver"))
	p := d.Changes[0].Previous
	if p == nil || p.Value != "Boston" || p.Status != memory.StatusSuperseded || p.ID != d.Changes[0].Memory.ID {
		t.Errorf("previous is %+v", p)
	}
	if m := b.only("user.city"); len(m.Evidence) != 1 || !m.SaidAt.Equal(day(2)) {
		t.Errorf("the new value rests on %v", m.Evidence)
	}
}

// Statements of one decision are decided each against what the ones before it left.
func TestStatementsOfOneDecision(t *testing.T) {
	b := newBook(t)
	d := b.decide(say(1, "user.city", "Boston"), say(2, "user.city", "Boston"), marked(3, "user.city", "Denver"), say(3, "user.likes", "skiing"))
	want := []reconcile.Outcome{reconcile.Remembered, reconcile.Refreshed, reconcile.Remembered, reconcile.Remembered}
	for i, o := range d.Outcomes {
		if o != want[i] {
			t.Errorf("outcome %d is %s, want %s", i, o, want[i])
		}
	}
	if got := b.current(); got != "city=Denver; likes=skiing" {
		t.Errorf("current: %s", got)
	}
}

// What has a date does not go cold before it; what takes its place without one does.
func TestDatedIsLasting(t *testing.T) {
	b := newBook(t)
	b.hear(plan(1, "I am flying to Rome in October", 300), tell(1, "I read a lot"))
	staying := say(1, "user.city", "Vienna")
	staying.ExpiresAt = day(30)
	b.hear(staying)
	city := registry.Identity(scope, "user.city", "Vienna", "")
	for id, m := range b.memories {
		if want := !m.ExpiresAt.IsZero(); m.Lasting != want {
			t.Errorf("%q is lasting: %t, want %t", b.memories[id].Text, m.Lasting, want)
		}
	}
	moved := say(5, "user.city", "Graz")
	moved.Relation = memory.RelationUpdates
	b.hear(moved)
	if m := b.memories[city]; m.Value != "Graz" || m.Lasting {
		t.Errorf("the city after it is %q and lasting: %t", m.Value, m.Lasting)
	}
	again := plan(9, "I read a lot", 40)
	b.hear(again)
	if m := b.memories[registry.Identity(scope, "", "", "I read a lot")]; !m.Lasting || m.ExpiresAt.IsZero() {
		t.Errorf("said again with a date, it expires at %s and is lasting: %t", m.ExpiresAt, m.Lasting)
	}
}
