package memory

import "time"

// Role is who speaks in a message.
type Role string

// The roles. Only what RoleUser said can become a fact about the user.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleSystem    Role = "system"
	RoleTool      Role = "tool"
)

// Message is one message as an extractor sees it: after the guard has cut secrets,
// injected memories and quoted material out of it.
type Message struct {
	// Number counts the messages of one consolidation from 1; candidates refer to it.
	Number int
	// Event is the id of the event that carried the message, Seq that event's sequence in
	// MEM_EVENTS, and Index the message's place in the event, from 0.
	Event string
	Seq   uint64
	Index int
	Role  Role
	// Name is the speaker's name where the backend gave one.
	Name string
	// At is when it was said, in the zone of the speaker: relative dates are resolved
	// against it and its Location. Never zero.
	At time.Time
	// Content is the text to extract from and to quote.
	Content string
	// Context marks a message that was consolidated before, or may not be a source: it
	// helps to understand, but nothing is learnt from it.
	Context bool
}

// Extraction is what an extractor is given.
type Extraction struct {
	Scope    Scope
	Messages []Message
	// Known are the owner's memories that could matter, and Questions the open ones. An
	// extractor that needs neither is given none.
	Known     []Memory
	Questions []Question
}

// Stability says how long what a candidate states is expected to hold.
type Stability string

// The stabilities. Transient candidates are dropped by verification.
const (
	Stable    Stability = "stable"
	Dated     Stability = "dated"
	Transient Stability = "transient"
)

// Relation is what an extractor proposes about a candidate and what is known already.
// It is a proposal: pkg/reconcile decides.
type Relation string

// The relations. RelationUpdates needs a sign of change in the words themselves ("moved",
// "now", "actually", 其实, 搬到); without one a rival value is RelationNew.
const (
	RelationNew         Relation = "new"
	RelationSame        Relation = "same"
	RelationUpdates     Relation = "updates"
	RelationContradicts Relation = "contradicts"
	RelationEnds        Relation = "ends"
)

// Candidate is one statement that might become a memory.
type Candidate struct {
	Kind Kind
	// Key is the profile key, or empty for a free memory.
	Key Key
	// Value is the value in the user's own words and language; for a free memory it may
	// be empty.
	Value string
	// Text is the clause that states it, in the user's own words and language.
	Text string
	// Language is the primary BCP 47 tag of Text: "en" or "zh".
	Language  string
	Stability Stability
	// ValidFrom and ExpiresAt bound what the statement is about; zero means unbounded.
	ValidFrom, ExpiresAt time.Time
	// Confidence is in (0, 1].
	Confidence float64
	Relation   Relation
	// Target says what is ended or updated, where that is not simply Key and Value.
	Target *Target
	// About is a key whose subject a free memory concerns, so that who asks for the key
	// finds it: "my cat died" is about user.pets.
	About Key
	// Plan marks something that will happen, so that who asks for plans finds it.
	Plan bool
	// Pinned is set when the user asked for it to be remembered.
	Pinned bool
	// Source is where it was said.
	Source Source
}

// Target names the memories that a candidate ends or updates.
type Target struct {
	// Key is the key that they stand under; empty means free memories.
	Key Key `json:"key,omitempty"`
	// Value is the distinguishing part of their value or text ("cat", 深圳); empty means
	// whatever is current under Key, which must then be single-valued.
	Value string `json:"value,omitempty"`
	// Plan restricts free memories to plans.
	Plan bool `json:"plan,omitempty"`
	// Must makes the candidate count only if such a memory exists: "Mimi died" says
	// something about a pet only to who knows that Mimi is one.
	Must bool `json:"must,omitempty"`
}

// Source is the place of a statement: a message, by number, and its verbatim words.
type Source struct {
	Message int
	Quote   string
	// AskedMessage and AskedQuote are set when the user's words are a bare answer to a
	// question of the assistant, which then is part of the evidence.
	AskedMessage int
	AskedQuote   string
}

// Action is what a user asks of the memory itself.
type Action string

// The actions of directives. ActionRemember raises the candidates of its message;
// ActionDoNotSave drops those of the message it names.
const (
	ActionRemember  Action = "remember"
	ActionDoNotSave Action = "do_not_save"
	ActionForget    Action = "forget"
	ActionSuppress  Action = "suppress"
	ActionLift      Action = "lift"
	ActionAnswer    Action = "answer"
)

// Directive is something the user asks of the memory itself. Only the user's own,
// unquoted words make one.
type Directive struct {
	Action Action
	// What is the topic as the user named it; empty means the message itself. For
	// ActionAnswer it is the value or the qualification that the answer brings, if any.
	What string
	// Question and Decision are what ActionAnswer answers, and how.
	Question ID
	Decision Decision
	// Source is where it was said; ActionDoNotSave applies to Source.Message.
	Source Source
}
