package wording

import (
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

var english = &language{
	keys: map[memory.Key]phrase{
		"user.name":       {first: "you said your name is %s", again: "that it is %s", ask: "Which is right?"},
		"user.city":       {first: "you said you live in %s", again: "in %s", ask: "Where do you live now?"},
		"user.hometown":   {first: "you said you come from %s", again: "from %s", ask: "Where do you come from?"},
		"user.occupation": {first: "you described your work as %s", again: "as %s", ask: "What do you do now?", quoted: true},
		"user.employer":   {first: "you said you work at %s", again: "at %s", ask: "Where do you work now?"},
		"user.commute":    {first: "you described your way to work as %s", again: "as %s", ask: "How do you get to work now?", quoted: true},
		"user.school":     {first: "you said you study at %s", again: "at %s", ask: "Where do you study now?"},
		"user.partner":    {first: "you described your partner as %s", again: "as %s", ask: "Which is right?", quoted: true},
		"user.birthday":   {first: "you said your birthday is %s", again: "that it is %s", ask: "Which is right?"},
		"user.diet":       {first: "you described how you eat as %s", again: "as %s", ask: "How do you eat now?", quoted: true},
	},
	anyKey: func(topic string) phrase {
		return phrase{first: "you gave your " + literal(topic) + " as %s", again: "as %s", ask: "Which is right?", quoted: true}
	},
	topic:   func(k memory.Key, _ profile.Field) string { return topic(k) },
	opposed: englishOpposed,
	said:    withArticle,
	day:     englishDay,
	comma:   "; ",
	stop:    ". ",
	when:    "when is it %s",
	followUp: func(when []string) string {
		count := "Both"
		if len(when) > 2 {
			count = "All of them"
		}
		return count + " are true, then: " + strings.Join(when, ", and ") + "?"
	},
}

// englishVerbs are the opposite keys of the standard schema.
var englishVerbs = map[memory.Key]string{"user.likes": "like", "user.dislikes": "dislike"}

func englishOpposed(sides []memory.Side) said {
	v := value(withArticle(sides[0]), false)
	out := said{ask: "Which is right?"}
	for i, s := range sides {
		verb, ok := englishVerbs[s.Key]
		group := "under “" + topic(s.Key) + "”"
		switch {
		case ok && i == 0:
			out.sides = append(out.sides, "you said you "+verb+" "+v)
			out.when = append(out.when, "when do you "+verb+" "+v)
			out.ask = "Do you like or dislike " + v + " these days?"
		case ok:
			out.sides = append(out.sides, "that you "+verb+" it")
			out.when = append(out.when, "when do you "+verb+" it")
		case i == 0:
			out.sides = append(out.sides, "you put "+v+" "+group)
			out.when = append(out.when, "when does "+v+" belong "+group)
		default:
			out.sides = append(out.sides, group)
			out.when = append(out.when, "when "+group)
		}
	}
	return out
}

// withArticle is a value with the article that stood before it where it was stated: "the
// post office".
func withArticle(s memory.Side) string {
	before, _, ok := strings.Cut(s.Text, s.Value)
	if !ok || s.Value == "" {
		return s.Value
	}
	for _, article := range []string{"the ", "a ", "an "} {
		if strings.HasSuffix(before, " "+article) {
			return article + s.Value
		}
	}
	return s.Value
}

func englishDay(d day, first bool) string {
	form := "2 January"
	if d.year {
		form = "2 January 2006"
	}
	switch {
	case d.at.IsZero() && first:
		return "Earlier "
	case first:
		return "On " + d.at.Format(form) + " "
	case d.at.IsZero():
		return "later, "
	case d.same:
		return "later that day, "
	default:
		return "on " + d.at.Format(form) + ", "
	}
}
