package wording

import (
	"strings"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// language is how questions are put in one language.
type language struct {
	// keys holds the phrases of the standard schema's keys with one value; anyKey makes one
	// for another key, by what it is called, which is topic.
	keys   map[memory.Key]phrase
	anyKey func(topic string) phrase
	topic  func(memory.Key, profile.Field) string
	// opposed says one value that stands under a key and its opposite.
	opposed func(sides []memory.Side) said
	// said is the value of a side as it stands within the sentence.
	said func(memory.Side) string
	// day is said before a side; the first one begins the sentence.
	day func(d day, first bool) string
	// comma stands between sides, stop before what is asked.
	comma, stop string
	// when asks for the circumstances of a value, followUp for those of each.
	when     string
	followUp func(when []string) string
}

// phrase says a key that holds one value; %s is the value.
type phrase struct {
	// first says the first value, again each further one; ask ends the question.
	first, again, ask string
	// quoted is set where a value may be any kind of phrase ("drive", "run a bakery").
	quoted bool
}

// languageOf is the language with that tag.
func languageOf(tag string) *language {
	if tag == "zh" || strings.HasPrefix(tag, "zh-") {
		return chinese
	}
	return english
}

// literal is text that stands for itself in a phrase.
func literal(text string) string { return strings.ReplaceAll(text, "%", "%%") }
