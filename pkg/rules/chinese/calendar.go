package chinese

import (
	"regexp"
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

// times is how often, which looks like a day of the week: 一周三回.
var times = regexp.MustCompile(`[一每两几](?:周|个?星期|个?礼拜)[一二三四五六]回$`)

// in returns the dated mentions within folded[from:to].
func (c *calendar) in(from, to int, d temporal.Direction) []temporal.Mention {
	var out []temporal.Mention
	for _, m := range c.mentions(d) {
		if m.From >= from && m.To <= to && !m.Recurring && !m.Duration && !times.MatchString(c.folded[from:min(len(c.folded), m.To+len("回"))]) {
			out = append(out, m)
		}
	}
	return out
}
