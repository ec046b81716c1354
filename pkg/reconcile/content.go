package reconcile

import (
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// content is what a memory says, taken apart when it is first asked for.
type content struct {
	m                       *memory.Memory
	read                    bool
	valuePieces, textPieces []string
	valueSet, wholeSet      map[string]bool
	told                    *gist
}

func (c *content) take() *content {
	if c.read {
		return c
	}
	value, text := split(c.m.Value), split(c.m.Text)
	c.read, c.valuePieces, c.textPieces = true, piecesIn(value), piecesIn(text)
	c.valueSet, c.wholeSet = map[string]bool{}, map[string]bool{}
	addHeld(c.valueSet, value)
	addHeld(c.wholeSet, value)
	addHeld(c.wholeSet, text)
	return c
}

// value and text are the pieces of each.
func (c *content) value() []string { return c.take().valuePieces }
func (c *content) text() []string  { return c.take().textPieces }

// inValue is what can be found in the value, all what can be found in value and text.
func (c *content) inValue() map[string]bool { return c.take().valueSet }
func (c *content) all() map[string]bool     { return c.take().wholeSet }

// gist is what it is about, to be compared with another one's.
func (c *content) gist() *gist {
	if c.told == nil {
		c.told = gistOf(c.m)
	}
	return c.told
}

// headOf reports whether value is part, or says more about it.
func headOf(part, value string, f profile.Field) bool {
	rest, leads := strings.CutPrefix(value, part)
	more, ok := canon.Refines(value, part, f.Class)
	switch {
	case rest == "", ok && more == value:
		return true
	case !strings.ContainsFunc(part, isHan):
		return false
	}
	return strings.HasSuffix(value, part) || leads && f.Kind == memory.KindRelation && !strings.HasPrefix(rest, "的")
}
