package llm

import (
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/guard"
)

// Reason says what was wrong with a model's reply; it is stable, and fit for a metric.
type Reason string

// The reasons.
const (
	ReasonEmpty     Reason = "reply_empty"
	ReasonNotJSON   Reason = "reply_not_json"
	ReasonContract  Reason = "reply_not_the_contract"
	ReasonTruncated Reason = "reply_truncated"
	ReasonRefused   Reason = "reply_refused"
	ReasonGarbled   Reason = "reply_garbled"
	// ReasonCalls is that a piece of conversation took more calls than it may.
	ReasonCalls Reason = "too_many_calls"
)

// ReplyError is a reply of no use, after the one repair that is asked for. It is neither an
// outage nor permanent: it counts as an attempt.
type ReplyError struct {
	Reason Reason
	// Reply is the beginning of what the model said last, without secrets, for whoever looks
	// into a parked thread. It may hold text of the conversation: Error leaves it out.
	Reply string
}

func (e *ReplyError) Error() string { return "model's reply: " + string(e.Reason) }

// maxKeptReply bounds how much of a reply is kept, in bytes.
const maxKeptReply = 4 << 10

func replyError(r Reason, reply string) *ReplyError {
	clean, _ := guard.Redact(beginning(reply))
	return &ReplyError{Reason: r, Reply: clean}
}

// beginning is as much of a reply as is kept.
func beginning(reply string) string {
	if len(reply) <= maxKeptReply {
		return reply
	}
	n := maxKeptReply
	for n > 0 && !utf8.RuneStart(reply[n]) {
		n--
	}
	return reply[:n]
}
