package english

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	files, _ := filepath.Glob("/tmp/st/*.txt")
	for _, file := range files {
		b, _ := os.ReadFile(file)
		var out strings.Builder
		for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
			says := strings.Split(line, " || ")
			cs, ds := Extract(conversation(says...))
			var want []string
			for _, c := range cs {
				want = append(want, describe(c, says))
			}
			for _, d := range ds {
				want = append(want, renderDirective(d))
			}
			fmt.Fprintf(&out, "\t{%s, %s},\n", list(says), list(want))
		}
		os.WriteFile(strings.TrimSuffix(file, ".txt")+".out", []byte(out.String()), 0o644)
	}
}

func list(all []string) string {
	var q []string
	for _, s := range all {
		if strings.Contains(s, `"`) && !strings.Contains(s, "`") {
			q = append(q, "`"+s+"`")
		} else {
			q = append(q, fmt.Sprintf("%q", s))
		}
	}
	return "[]string{" + strings.Join(q, ", ") + "}"
}
