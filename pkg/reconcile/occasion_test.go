package reconcile_test

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// worded is a statement in given words.
func worded(n int, key memory.Key, value, text string) reconcile.Statement {
	s := say(n, key, value)
	s.Text, s.Evidence.Quote = text, text
	return s
}

// What holds at different times, and what is said to hold besides, does not contradict.
func TestBothAreTrueByTheirWords(t *testing.T) {
	for _, tt := range []struct {
		key                 memory.Key
		value, said         string
		rival, contradicted string
		asks                bool
	}{
		{"user.commute", "cycle", "On weekdays I cycle to work", "bus", "On weekends I take the bus to work", false},
		{"user.commute", "cycle", "I cycle to work", "bus", "I take the bus to work when it rains", false},
		{"user.commute", "cycle", "I cycle to work in summer", "car", "In winter I drive to work", false},
		{"user.commute", "train", "I take the train to work", "bike", "Sometimes I cycle to work", false},
		{"user.commute", "train", "I take the train to work on Mondays", "bike", "I cycle to work on Tuesdays and Fridays", false},
		{"user.commute", "train", "I take the train to work", "bike", "I cycle to work", true},
		{"user.commute", "train", "On weekdays I take the train to work", "bike", "I cycle to work", true},
		{"user.commute", "train", "On weekdays I take the train to work", "bike", "I cycle to work on weekdays", true},
		{"user.commute", "train", "On weekdays I take the train to work", "bike", "On Fridays I cycle to work", false},
		{"user.commute", "train", "I take the train to work on weekdays", "bike", "I cycle to work in the week", true},
		{"user.commute", "train", "I take the train to work", "bike", "This weekend I cycle to work", true},
		{"user.employer", "bakery", "I work at a bakery", "bar", "I also work at a bar", false},
		{"user.employer", "bakery", "I work at a bakery", "bar", "I work at a bar on the side", false},
		{"user.employer", "Tesco", "I work at Tesco during the week", "Lidl", "I work at Lidl on Saturdays", false},
		{"user.city", "Leeds", "I live in Leeds", "York", "In the summer I live in York", false},
		{"user.city", "Leeds", "I live in Leeds", "York", "I live in York since last summer", true},
		{"user.likes", "tea", "I love tea in the morning", "tea", "I hate tea in the evening", false},
		{"user.likes", "coffee", "I like coffee", "coffee", "I hate coffee at night", false},
		{"user.likes", "coffee", "I like coffee", "coffee", "I hate coffee", true},
		{"user.diet", "vegetarian", "I'm vegetarian", "gluten-free", "I'm gluten-free", false},
		{"user.diet", "vegetarian", "I'm vegetarian", "vegan", "I'm vegan", true},
		// What never changes, and people in the user's life.
		{"user.birthday", "May 4", "My birthday is May 4", "May 14", "My birthday is also May 14 on weekends", true},
		{"user.partner", "girlfriend", "My girlfriend works on weekdays", "boyfriend", "My boyfriend works on weekends", true},

		{"user.commute", "地铁", "工作日我坐地铁上班", "开车", "周末加班我开车去公司", false},
		{"user.commute", "骑车", "夏天我骑车上班", "公交", "冬天我坐公交上班", false},
		{"user.commute", "骑车", "我骑车上班", "公交", "下雨天我坐公交上班", false},
		{"user.commute", "骑车", "我骑车上班", "公交", "我有时候坐公交上班", false},
		{"user.commute", "骑车", "我騎車上班", "公交", "下雨天我坐公交上班", false},
		{"user.commute", "骑车", "我骑车上班", "公交", "我坐公交上班", true},
		{"user.commute", "骑车", "我骑车上班", "公交", "我这周末坐公交上班", true},
		{"user.employer", "面包店", "我平时在一家面包店上班", "酒吧", "周末我在一家酒吧上班", false},
		{"user.employer", "盒马", "我在盒马上班", "永辉", "我在永辉兼职", false},
		{"user.employer", "盒马", "我在盒马上班", "永辉", "我还在永辉上班", true},
		{"user.likes", "咖啡", "我喜欢早上喝咖啡", "咖啡", "我不喜欢晚上喝咖啡", false},
		{"user.city", "南京", "我住在南京", "苏州", "我去年夏天起住在苏州", true},
		{"user.partner", "女朋友", "我女朋友喜欢喝咖啡", "男朋友", "我男朋友有时候喝咖啡", true},
	} {
		t.Run(tt.contradicted, func(t *testing.T) {
			first, rivalKey := worded(1, tt.key, tt.value, tt.said), tt.key
			if tt.key == likes {
				rivalKey = dislikes
			}
			b := newBook(t)
			b.hear(first, worded(5, rivalKey, tt.rival, tt.contradicted))
			if asked := len(b.open) == 1; asked != tt.asks {
				t.Errorf("asked: %v, want %v", asked, tt.asks)
			}
			if !tt.asks {
				if free := b.memories[registry.Identity(scope, "", "", tt.contradicted)]; free.Status != memory.StatusCurrent || free.About != rivalKey {
					t.Errorf("beside it stands %+v", free)
				}
			}
			if cur := b.memories[registry.Identity(scope, tt.key, tt.value, tt.said)]; cur.Value != tt.value || cur.Status != memory.StatusCurrent {
				t.Errorf("current is %+v", cur)
			}
		})
	}
}

// A change on one occasion leaves the others as they are.
func TestAChangeOnAnotherOccasion(t *testing.T) {
	b := newBook(t)
	now := worded(5, "user.commute", "car", "Now I drive to work on weekends")
	now.Relation = memory.RelationUpdates
	b.hear(worded(1, "user.commute", "bike", "On weekdays I cycle to work"), now)
	if cur := b.memories[registry.Identity(scope, "user.commute", "bike", "")]; cur.Value != "bike" {
		t.Errorf("current is %+v", cur)
	}
	b = newBook(t)
	now.Text = "Now I drive to work on weekdays"
	b.hear(worded(1, "user.commute", "bike", "On weekdays I cycle to work"), now)
	if cur := b.memories[registry.Identity(scope, "user.commute", "bike", "")]; cur.Value != "car" {
		t.Errorf("current is %+v", cur)
	}
}

// Who says when the rival holds has answered that both are true.
func TestAnOccasionSettlesAQuestion(t *testing.T) {
	b := newBook(t)
	b.hear(worded(1, "user.employer", "Tesco", "I work at Tesco"), worded(3, "user.employer", "Lidl", "I work at Lidl"))
	b.question()
	d := b.decide(worded(5, "user.employer", "Lidl", "I work at Lidl on Saturdays"))
	if len(b.open) != 0 || len(b.closed) != 1 || b.closed[0].Decision != memory.DecisionBoth || b.closed[0].Closing != memory.ClosedByStatement {
		t.Errorf("open %v, closed %+v", b.open, b.closed)
	}
	if d.Outcomes[0] != reconcile.Remembered || d.Changes[0].Op != ledger.OpAdd {
		t.Errorf("%v of %+v", d.Outcomes, d.Changes)
	}
	b.hear(worded(8, "user.employer", "Lidl", "I work at Lidl"))
	if len(b.open) != 0 {
		t.Errorf("asked again: %+v", b.open)
	}
}

// Who says that one of two values is over has said which is left.
func TestTheRivalOfWhatEnded(t *testing.T) {
	employer := memory.Key("user.employer")
	tesco, lidl := worded(1, employer, "Tesco", "I work at Tesco"), worded(3, employer, "Lidl", "I work at Lidl")
	for _, tt := range []struct {
		name string
		says []reconcile.Statement
		want string
	}{
		{"the old one", says(tesco, lidl, ends(5, "I quit Tesco", memory.Target{Key: employer, Value: "Tesco"})), "Lidl"},
		{"the new one", says(tesco, lidl, ends(5, "I quit Lidl", memory.Target{Key: employer, Value: "Lidl"})), "Tesco"},
		{"whatever it is", says(tesco, lidl, ends(5, "I lost my job", memory.Target{Key: employer})), ""},
		{"one of three", says(tesco, lidl, worded(4, employer, "Aldi", "I work at Aldi"), ends(5, "I quit Tesco", memory.Target{Key: employer, Value: "Tesco"})), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t)
			b.hear(tt.says...)
			b.checkQuestions(t)
			got := ""
			if cur := b.memories[registry.Identity(scope, employer, "Tesco", "")]; cur.Status == memory.StatusCurrent {
				got = cur.Value
			}
			if got != tt.want || len(b.open) != 0 {
				t.Errorf("current is %q with %d questions, want %q with none", got, len(b.open), tt.want)
			}
		})
	}
}
