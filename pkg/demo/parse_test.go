package demo_test

import (
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/demo"
)

// TestALineThatCannotBeReadSaysWhy: which field, and what it must be.
func TestALineThatCannotBeReadSaysWhy(t *testing.T) {
	for line, want := range map[string]string{
		`{"at":"yesterday"}`: "line 1: at: must be a time such as 2026-05-04T09:30:00+08:00",
		`{"at":5}`:           "line 1: at: must be a time such as",
		`{"user":5}`:         "line 1: user: must not be a number",
		`["x"]`:              "line 1: must be one JSON object: ",
		"{\"at\":":           "line 1: not valid JSON",
		`{"foo":1}`:          `line 1: unknown field "foo"`,
	} {
		_, err := demo.Parse(strings.NewReader(line))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
