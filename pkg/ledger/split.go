package ledger

// Part is one change set of a decision, and its encoded form.
type Part struct {
	*ChangeSet
	Data []byte
}

// Split is the decision as change sets that each fit, in order: most are one. The checkpoint
// and the rejections go with the last, so that a decision that is broken off is not taken
// for whole; questions go with the first, since who decides again finds their rivals known.
// It fails when one change alone is too large, or what goes with it.
func (c *ChangeSet) Split() ([]Part, error) {
	data, err := c.Encode()
	if err == nil {
		return []Part{{c, data}}, nil
	}
	if len(c.Changes) < 2 {
		return nil, err
	}
	half := len(c.Changes) / 2
	first := &ChangeSet{
		V: c.V, At: c.At, Author: c.Author, Scope: c.Scope, Changes: c.Changes[:half],
		QuestionOpened: c.QuestionOpened, QuestionClosed: c.QuestionClosed,
	}
	last := *c
	last.Changes, last.QuestionOpened, last.QuestionClosed = c.Changes[half:], nil, nil
	before, err := first.Split()
	if err != nil {
		return nil, err
	}
	after, err := last.Split()
	return append(before, after...), err
}
