package verify

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/memory"
)

// actions are what a user may ask of the memory.
var actions = []memory.Action{
	memory.ActionRemember, memory.ActionDoNotSave, memory.ActionForget, memory.ActionSuppress, memory.ActionLift, memory.ActionAnswer,
}

// Directive checks what a user is said to ask of the memory against the messages it refers
// to by number. Its topic must stand in the words that ask for it: nothing is forgotten or
// suppressed that they do not name. Only memory.ActionDoNotSave may be asked for in another
// message than the one that it applies to. It changes nothing.
func Directive(d *memory.Directive, messages map[int]memory.Message) Reason {
	m, ok := messages[d.Source.Message]
	switch {
	case !ok:
		return ReasonNoMessage
	case m.Role != memory.RoleUser:
		return ReasonRole
	case !slices.Contains(actions, d.Action):
		return ReasonKind
	case len(d.What) > MaxValue || len(d.Source.Quote) > 2*MaxText:
		return ReasonTooLong
	case !Quoted(m.Content, d.Source.Quote) && (d.Action != memory.ActionDoNotSave || !heard(messages, d.Source.Quote)):
		return ReasonQuote
	case d.What != "" && !Quoted(d.Source.Quote, d.What):
		return ReasonUngrounded
	}
	return ""
}

// heard reports whether the user said so in any of the messages.
func heard(messages map[int]memory.Message, quote string) bool {
	for _, m := range messages {
		if m.Role == memory.RoleUser && Quoted(m.Content, quote) {
			return true
		}
	}
	return false
}
