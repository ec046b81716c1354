package wording

import (
	"fmt"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Question is a sentence that asks which of the sides of q holds, ready to be put to the
// user: in q.Language ("zh" or a tag that begins with it; anything else is English), with
// every value and the day on which it was last said, in the zone of the speaker. Field is
// what the schema knows about q.Key: a key that the tables do not have is called by the
// words of its path, or in Chinese by the first word with which people ask for it.
func Question(q *memory.Question, field profile.Field) string {
	l := languageOf(q.Language)
	said := l.sides(q, field)
	days := daysOf(q)
	parts := make([]string, len(said.sides))
	for i, side := range said.sides {
		parts[i] = l.day(days[i], i == 0) + side
	}
	return strings.Join(parts, l.comma) + l.stop + said.ask
}

// FollowUp is a sentence that asks which of the sides of q holds when, after the answer that
// all of them are true. It has the language and the values of Question.
func FollowUp(q *memory.Question, field profile.Field) string {
	l := languageOf(q.Language)
	return l.followUp(l.sides(q, field).when)
}

// said is what a question says, in the order of the current side and its rivals.
type said struct {
	// sides say the values; the day goes before each.
	sides []string
	// ask ends the question.
	ask string
	// when asks for the circumstances of each side.
	when []string
}

// sides picks the words for what q is about: one key, or one value under opposite keys.
func (l *language) sides(q *memory.Question, field profile.Field) said {
	all := append([]memory.Side{q.Current}, q.Rivals...)
	if len(all) > 1 && all[1].Key != q.Key {
		return l.opposed(all)
	}
	p, ok := l.keys[q.Key]
	if !ok {
		p = l.anyKey(l.topic(q.Key, field))
	}
	out := said{ask: p.ask}
	for i, side := range all {
		v := value(side.Value, true)
		if !p.quoted {
			v = value(l.said(side), false)
		}
		if i == 0 {
			out.sides = append(out.sides, fmt.Sprintf(p.first, v))
		} else {
			out.sides = append(out.sides, fmt.Sprintf(p.again, v))
		}
		out.when = append(out.when, fmt.Sprintf(l.when, v))
	}
	return out
}

// topic is what a key is called by its path: user.shoe_size is a "shoe size".
func topic(k memory.Key) string {
	return Line(strings.NewReplacer("_", " ", ".", " ").Replace(strings.TrimPrefix(string(k), "user.")))
}

// day is when a side was last said.
type day struct {
	// at is zero when it is not known.
	at time.Time
	// year is set when the year has to be said as well, same when it is the day of the side
	// before.
	year, same bool
}

// daysOf are the days of the current side and of each rival. Years are said where one of
// them is not that in which the question was opened.
func daysOf(q *memory.Question) []day {
	days := []day{{at: q.Current.Evidence.At}}
	for _, rival := range q.Rivals {
		days = append(days, day{at: rival.Evidence.At})
	}
	year := false
	for i, d := range days {
		if d.at.IsZero() {
			continue
		}
		year = year || d.at.Year() != q.OpenedAt.In(d.at.Location()).Year()
		days[i].same = i > 0 && d.at.Format(time.DateOnly) == days[i-1].at.Format(time.DateOnly)
	}
	for i := range days {
		days[i].year = year
	}
	return days
}
