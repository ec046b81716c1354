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
// be out of date, in the language of the query, or without one in that of most memories. What
// several memories say in the same words, such as the two cats of one sentence, is one line with
// the citation of each. It is empty when there is nothing to say. No text breaks out of its line.
func Prompt(query string, results []Result) string {
	if len(results) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(guard.BlockOpen)
	b.WriteByte('\n')
	var said []string
	cited := map[string]string{}
	for i := range results {
		line := wording.Line(results[i].Text)
		if cited[line] == "" {
			said = append(said, line)
		}
		cited[line] += results[i].Citation + " "
	}
	for _, line := range said {
		b.WriteString(cited[line] + line + "\n")
	}
	b.WriteString(guard.BlockClose)
	b.WriteByte('\n')
	if speaksChinese(query, results) {
		b.WriteString(guard.StaleNoticeZH)
	} else {
		b.WriteString(guard.StaleNoticeEN)
	}
	return b.String()
}

// speaksChinese reports whether the query is Chinese, or without one more than half of the
// memories.
func speaksChinese(query string, results []Result) bool {
	if query != "" {
		return sentence.LanguageOf(query) == sentence.Chinese
	}
	n := 0
	for i := range results {
		if sentence.LanguageOf(results[i].Text) == sentence.Chinese {
			n++
		}
	}
	return 2*n > len(results)
}
