package canon

import (
	"iter"
	"strings"
)

// dataLines yields the lines of an embedded table, without comments and blank lines.
func dataLines(data string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(data) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			if !yield(line) {
				return
			}
		}
	}
}
