package chinese

import (
	"time"

	"github.com/mnemond/mnemond/pkg/temporal"
)

// calendar finds the dates of one message, once for each direction.
type calendar struct {
	folded      string
	at          time.Time
	ahead, past []temporal.Mention
	seen        [2]bool
}

func (c *calendar) mentions(d temporal.Direction) []temporal.Mention {
	list := &c.ahead
	if d == temporal.Past {
		list = &c.past
	}
	if !c.seen[d] {
		*list = temporal.FindDirected(c.folded, c.at, d)
		c.seen[d] = true
	}
	return *list
}

// in returns the dated mentions within folded[from:to].
func (c *calendar) in(from, to int, d temporal.Direction) []temporal.Mention {
	var out []temporal.Mention
	for _, m := range c.mentions(d) {
		if m.From >= from && m.To <= to && !m.Recurring && !m.Duration {
			out = append(out, m)
		}
	}
	return out
}
