package chinese

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

func TestDump(t *testing.T) {
	f, err := os.Open("/tmp/zhw/in.txt")
	if err != nil {
		t.Skip()
	}
	sc := bufio.NewScanner(f)
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.FixedZone("", 8*3600))
	for sc.Scan() {
		line := sc.Text()
		if line == "" {
			continue
		}
		var ms []memory.Message
		for i, part := range strings.Split(line, " || ") {
			role := memory.RoleUser
			if strings.HasPrefix(part, "A:") {
				role = memory.RoleAssistant
				part = part[2:]
			}
			ms = append(ms, memory.Message{Number: i + 1, Role: role, At: at, Content: strings.ReplaceAll(part, `\n`, "\n")})
		}
		var r []string
		cs, ds := Extract(ms)
		for _, c := range cs {
			s := fmt.Sprintf(" %s=%q %s", strings.TrimPrefix(string(c.Key), "user."), c.Value, c.Relation)
			if len(c.Text) < len(line) {
				s += " [" + c.Text + "]"
			}
			if c.Key == "" {
				s += " kind=" + string(c.Kind) + " about=" + string(c.About)
			}
			if c.Plan {
				s += fmt.Sprintf(" PLAN %s..%s", c.ValidFrom.Format("0102 15h"), c.ExpiresAt.Format("0102 15h"))
			} else if !c.ValidFrom.IsZero() {
				s += " from " + c.ValidFrom.Format("2006-01-02")
			}
			if c.Target != nil {
				s += fmt.Sprintf(" target=%+v", *c.Target)
			}
			if c.Pinned {
				s += " PIN"
			}
			if c.Source.AskedMessage > 0 {
				s += " asked quote=" + c.Source.Quote
			}
			r = append(r, s)
		}
		for _, d := range ds {
			r = append(r, fmt.Sprintf("   DIR %s %q msg=%d", d.Action, d.What, d.Source.Message))
		}
		fmt.Println(line, "\n     ", strings.Join(r, " ;"))
	}
}
