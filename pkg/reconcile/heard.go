package reconcile

import (
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Heard is what was found in a user's words, verified and not yet decided.
type Heard struct {
	// Message is the words, after the guard.
	Message    memory.Message
	Statements []Statement
	Requests   []Request
	// Answered says that something in them answers an open question.
	Answered bool
	// Refused counts what did not stand up to verification, by reason.
	Refused []ledger.Rejection
	// Read are the words that any of it was found in, what was refused included.
	Read []string
}
