package eval

import (
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/bench"
)

func TestWhen(t *testing.T) {
	for text, want := range map[string]string{
		"1:56 pm on 8 May, 2023":      "2023-05-08T13:56:00Z",
		"12:24 am on 7 April, 2023":   "2023-04-07T00:24:00Z",
		"2025-12-15 (Monday)":         "2025-12-15T00:00:00Z",
		"2025-12-15":                  "2025-12-15T00:00:00Z",
		"March-05-2024":               "2024-03-05T00:00:00Z",
		"2024年04月01日 周一 08:30":        "2024-04-01T08:30:00Z",
		"2024年04月01日 08:30":           "2024-04-01T08:30:00Z",
		"2024-04-01T08:30:00+08:00":   "2024-04-01T08:30:00+08:00",
		"":                            "",
		"yesterday":                   "",
		"2025-12-15 (Tuesday)":        "", // it was a Monday
		"2024年04月01日 周二 08:30":        "",
		"2024年04月01日 周八 08:30":        "",
		"2023-02-29":                  "",
		"1:56 PM on 8 May, 2023":      "",
		"on 1:56 pm on 8 May, 2023":   "",
		"2025-12-15 (Monday) morning": "",
		"13:56 pm on 8 May, 2023":     "",
	} {
		at, ok := when(text)
		got := ""
		if ok {
			got = at.Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("when(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTurnsWithoutATimeKeepTheirOrder(t *testing.T) {
	for name, c := range map[string]struct{ said, want []string }{
		"between":  {[]string{"2024-04-01", "later", "2024-04-03"}, []string{"2024-04-01", "2024-04-01", "2024-04-03"}},
		"at first": {[]string{"", "2024-04-03"}, []string{"2024-04-03", "2024-04-03"}},
		"never":    {[]string{"?", "?"}, []string{"2026-01-01", "2026-01-01"}},
		// What a set says is taken as it is said.
		"backwards": {[]string{"2024-04-03", "2024-04-01"}, []string{"2024-04-03", "2024-04-01"}},
	} {
		var turns []bench.Turn
		for _, s := range c.said {
			turns = append(turns, bench.Turn{Time: s})
		}
		for i, at := range times(turns) {
			if got := at.Format(time.DateOnly); got != c.want[i] {
				t.Errorf("%s: turn %d at %s, want %s", name, i, got, c.want[i])
			}
		}
	}
}
