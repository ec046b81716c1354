package reconcile_test

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// inOneBreath is a further statement of the same message.
func inOneBreath(first, s reconcile.Statement) reconcile.Statement {
	quote := s.Evidence.Quote
	s.Evidence = first.Evidence
	s.Evidence.Quote = quote
	return s
}

// What is said in one message does not contradict itself: the first value keeps the key, and
// the other is remembered beside it, found by who asks for the key.
func TestSaidInOneBreath(t *testing.T) {
	cork, 湖南 := say(1, "user.hometown", "Cork"), say(1, "user.hometown", "湖南")
	runStories(t, []story{
		{
			name: "two values, both meant", says: says(cork, inOneBreath(cork, say(1, "user.hometown", "Dublin"))),
			current: "hometown=Cork; it is Dublin", key: "user.hometown", history: "Cork",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "同一句话里的两个值", says: says(湖南, inOneBreath(湖南, say(1, "user.hometown", "深圳"))),
			current: "hometown=湖南; it is 深圳", key: "user.hometown", history: "湖南",
			last: reconcile.Remembered, op: ledger.OpAdd, reason: reconcile.ReasonNew,
		},
		{
			name: "decided again", says: says(cork, inOneBreath(cork, say(1, "user.hometown", "Dublin")), inOneBreath(cork, say(1, "user.hometown", "Dublin"))),
			current: "hometown=Cork; it is Dublin", key: "user.hometown", history: "Cork",
			last: reconcile.Unchanged,
		},
		{
			name: "put right in the same message", says: says(cork, inOneBreath(cork, marked(1, "user.hometown", "Dublin"))),
			current: "hometown=Dublin", key: "user.hometown", history: "Cork, Dublin",
			last: reconcile.Remembered, op: ledger.OpSupersede, reason: reconcile.ReasonChanged,
		},
		{
			name: "in the next message", says: says(cork, say(2, "user.hometown", "Dublin")),
			current: "hometown=Cork", disputed: "hometown=Dublin", key: "user.hometown", history: "Cork",
			last: reconcile.Remembered, op: ledger.OpDispute, reason: reconcile.ReasonUnmarked,
		},
	})
}
