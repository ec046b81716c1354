// Package wire owns the contract of a chat model's reply, schemas/extraction.schema.json,
// and how it is read out of whatever a server sends. It knows numbers and strings only; what
// they refer to, and whether any of it is true, is not its business. It is pure.
package wire

// Reply is what a model found in a piece of a conversation.
type Reply struct {
	Candidates []Candidate `json:"candidates"`
	Directives []Directive `json:"directives"`
}

// Candidate is one statement. Its fields are those of memory.Candidate, with numbers for
// messages and memories, and dates as text.
type Candidate struct {
	Kind      string `json:"kind"`
	Key       string `json:"key"`
	Value     string `json:"value"`
	Text      string `json:"text"`
	Language  string `json:"language"`
	Stability string `json:"stability"`
	ValidFrom string `json:"valid_from"`
	ExpiresAt string `json:"expires_at"`
	// Confidence is nil where the model left it out.
	Confidence *float64 `json:"confidence"`
	Relation   Relation `json:"relation"`
	Evidence   Evidence `json:"evidence"`
	Plan       bool     `json:"plan"`
	About      string   `json:"about"`
}

// Relation is what a candidate is to the known memory with the number To; 0 is none.
type Relation struct {
	Type string `json:"type"`
	To   int    `json:"to"`
}

// Evidence is the message that a candidate's words stand in and, with AskedMessage other
// than 0, the one that asked for them.
type Evidence struct {
	Message      int    `json:"message"`
	Quote        string `json:"quote"`
	AskedMessage int    `json:"asked_message"`
	AskedQuote   string `json:"asked_quote"`
}

// Directive is something that the user asks of the memory itself. Question is the number of
// the open question that it answers; 0 is none.
type Directive struct {
	Do       string `json:"do"`
	What     string `json:"what"`
	Quote    string `json:"quote"`
	Message  int    `json:"message"`
	Question int    `json:"question"`
	Decision string `json:"decision"`
}
