package english

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZGen(t *testing.T) {
	raw, _ := os.ReadFile("/tmp/gen/reviewed.txt")
	var b strings.Builder
	fn := ""
	for _, l := range strings.Split(string(raw), "\n") {
		l = strings.TrimRight(l, " ")
		if strings.HasPrefix(l, "# ") {
			if fn != "" {
				b.WriteString("\t})\n}\n\n")
			}
			fn = l
			parts := strings.SplitN(l[2:], " ", 2)
			fmt.Fprintf(&b, "// %s is about %s\nfunc %s(t *testing.T) {\n\ttell(t, []story{\n", parts[0], parts[1], parts[0])
			continue
		}
		if l == "" {
			continue
		}
		said := strings.Split(l, " // ")
		cs, ds := Extract(conversation(said...))
		var got []string
		for _, c := range cs {
			got = append(got, describe(c, said))
		}
		for _, d := range ds {
			got = append(got, renderDirective(d))
		}
		q := func(list []string) string {
			var o []string
			for _, s := range list {
				if strings.ContainsAny(s, `"\`) && !strings.Contains(s, "`") {
					o = append(o, "`"+s+"`")
				} else {
					o = append(o, fmt.Sprintf("%q", s))
				}
			}
			return "[]string{" + strings.Join(o, ", ") + "}"
		}
		w := q(got)
		if len(got) == 0 {
			w = "nil"
		}
		fmt.Fprintf(&b, "\t\t{%s, %s},\n", q(said), w)
	}
	b.WriteString("\t})\n}\n")
	os.WriteFile("/tmp/gen/reviewed.go.txt", []byte("package english\n\nimport \"testing\"\n\n"+b.String()), 0o644)
}
