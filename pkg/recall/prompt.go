package recall

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// Citation names a memory and the day on which it was last said, in the speaker's zone.
func Citation(m *memory.Memory) string {
	day := m.ConfirmedAt
	for _, e := range m.Evidence {
		if e.At.Equal(m.ConfirmedAt) {
			day = e.At
		}
	}
	return fmt.Sprintf("[memory %s, %s]", m.ID.Short(), day.Format("2006-01-02"))
}

// Prompt is the block to inject: a line a memory, and after it the notice that memories may
// be out of date, in the language of the query. It is empty when there is nothing to say.
func Prompt(query string, results []Result) string {
	if len(results) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(guard.BlockOpen)
	b.WriteByte('\n')
	for _, r := range results {
		b.WriteString(r.Citation)
		b.WriteByte(' ')
		b.WriteString(oneLine(r.Text))
		b.WriteByte('\n')
	}
	b.WriteString(guard.BlockClose)
	b.WriteByte('\n')
	if sentence.LanguageOf(query) == sentence.Chinese {
		b.WriteString(guard.StaleNoticeZH)
	} else {
		b.WriteString(guard.StaleNoticeEN)
	}
	return b.String()
}

// mimicry is a bracket that would begin a citation.
var mimicry = regexp.MustCompile(`(?i)[\[［]([\s\p{Cf}]*memory)`)

var angles = strings.NewReplacer("<", "‹", ">", "›", "＜", "‹", "＞", "›")

// oneLine keeps a memory within its line, and within the block: it can neither end the
// block nor look like another memory's line.
func oneLine(text string) string {
	text = angles.Replace(strings.Join(strings.Fields(text), " "))
	return mimicry.ReplaceAllString(text, "($1")
}
