package recall

import (
	"fmt"
	"strings"

	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/wording"
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
		b.WriteString(wording.Line(r.Text))
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
