package chinese

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestGen(t *testing.T) {
	f, err := os.Open("/tmp/zhw/gen.txt")
	if err != nil {
		return
	}
	sc := bufio.NewScanner(f)
	var out *os.File
	closeUp := func() {
		if out != nil {
			fmt.Fprintln(out, "\t})\n}")
			out.Close()
		}
	}
	for sc.Scan() {
		l := sc.Text()
		if l == "" {
			continue
		}
		if h, ok := strings.CutPrefix(l, "# "); ok {
			closeUp()
			p := strings.Fields(h)
			out, _ = os.Create(p[0] + "_test.go")
			fmt.Fprintf(out, "package chinese\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) {\n\tcheck(t, []story{\n", p[1])
			continue
		}
		c, d := Extract(messages(l))
		var q []string
		for _, x := range lines(l, c, d) {
			q = append(q, fmt.Sprintf("%q", x))
		}
		if len(q) == 0 {
			fmt.Println("EMPTY", l)
			continue
		}
		fmt.Fprintf(out, "\t\t{%q, []string{%s}},\n", l, strings.Join(q, ", "))
	}
	closeUp()
}
