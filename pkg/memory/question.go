package memory

import "time"

// QuestionStatus says whether an answer still counts.
type QuestionStatus string

// The statuses of a question.
const (
	QuestionOpen   QuestionStatus = "open"
	QuestionClosed QuestionStatus = "closed"
)

// Decision is what the user makes of two values that cannot both be current.
type Decision string

// The decisions. DecisionOther brings a value of its own; DecisionBoth leaves the current
// value under its key and makes the other a free memory.
const (
	DecisionKeep    Decision = "keep"
	DecisionReplace Decision = "replace"
	DecisionBoth    Decision = "both"
	DecisionNeither Decision = "neither"
	DecisionOther   Decision = "other"
)

// Decisions are all of them, in the order in which they are offered.
var Decisions = []Decision{DecisionKeep, DecisionReplace, DecisionBoth, DecisionNeither, DecisionOther}

// Closing says what closed a question.
type Closing string

// The closings.
const (
	ClosedByAnswer    Closing = "answered"
	ClosedByStatement Closing = "decided_by_later_statement"
	ClosedByTimeout   Closing = "timed_out"
	ClosedByDeletion  Closing = "deleted"
)

// Question is a contradiction that is put to the user. There is at most one open question
// for a current memory; who contradicts it further joins its rivals.
type Question struct {
	ID     ID             `json:"id"`
	Scope  Scope          `json:"scope"`
	Key    Key            `json:"key"`
	Status QuestionStatus `json:"status"`
	// Current is the value that is served until there is an answer.
	Current Side `json:"current"`
	// Rivals contradict it, in the order in which they were first said. Never empty.
	Rivals []Side `json:"rivals"`
	// Options are the decisions that an answer may take.
	Options []Decision `json:"options"`
	// Text names the sides and is ready to be asked, in Language.
	Text     string    `json:"text"`
	Language string    `json:"language"`
	OpenedAt time.Time `json:"opened_at"`
	// TimeoutAt is when Default is taken; zero means never.
	TimeoutAt time.Time `json:"timeout_at,omitzero"`
	Default   Decision  `json:"default"`
	// What follows is set when it is closed.
	ClosedAt time.Time `json:"closed_at,omitzero"`
	Closing  Closing   `json:"closing,omitempty"`
	Decision Decision  `json:"decision,omitempty"`
	// Value is what the key holds since, where an answer decided; empty after
	// DecisionNeither.
	Value string `json:"value,omitempty"`
	// Answer is what the user said, or the request that answered.
	Answer *Evidence `json:"answer,omitempty"`
	// FollowUp asks for the qualification that an answer "both" lacked, in Language.
	FollowUp string `json:"follow_up,omitempty"`
}

// Side is one of the values of a Question.
type Side struct {
	Memory ID        `json:"memory"`
	Key    Key       `json:"key"`
	Value  string    `json:"value"`
	Text   string    `json:"text"`
	SaidAt time.Time `json:"said_at"`
	// Evidence is where it was said last: quote, date and thread.
	Evidence Evidence `json:"evidence"`
}

// Dispute is what a rival of a current memory knows about its question.
type Dispute struct {
	// Of is the memory that it contradicts.
	Of ID `json:"of"`
	// Question is the question that it belongs to, or empty when none was put: the matter
	// was too small, or an answer too recent.
	Question  ID        `json:"question,omitempty"`
	OpenedAt  time.Time `json:"opened_at,omitzero"`
	TimeoutAt time.Time `json:"timeout_at,omitzero"`
	// ClosedAt is when it was decided; Closing and Decision say how.
	ClosedAt time.Time `json:"closed_at,omitzero"`
	Closing  Closing   `json:"closing,omitempty"`
	Decision Decision  `json:"decision,omitempty"`
}
