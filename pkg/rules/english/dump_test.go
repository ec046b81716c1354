package english

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	b, err := os.ReadFile("/tmp/en.txt")
	if err != nil {
		return
	}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cs, ds := Extract(conversation(strings.Split(strings.ReplaceAll(line, `\n`, "\n"), " || ")...))
		fmt.Println("»", line)
		for _, c := range cs {
			fmt.Printf("      %s   «%s»\n", render(c), c.Text)
		}
		for _, d := range ds {
			fmt.Printf("      %s   «%s»\n", renderDirective(d), d.Source.Quote)
		}
	}
}
