package verify_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules"
	"github.com/mnemond/mnemond/pkg/verify"
)

// heard is a conversation, and what the built-in rules find in it.
type heard struct {
	messages   map[int]memory.Message
	candidates []memory.Candidate
	directives []memory.Directive
}

func hear(t *testing.T, messages []memory.Message) heard {
	t.Helper()
	out := heard{messages: map[int]memory.Message{}}
	for i := range messages {
		messages[i].Number = i + 1
		out.messages[i+1] = messages[i]
	}
	var err error
	out.candidates, out.directives, err = rules.Extractor{}.Extract(t.Context(), memory.Extraction{Messages: messages})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// corpus keeps what said has found, for the tests that ask for it after the first.
var corpus []heard

// said are the conversations of the acceptance stories and the sentences of the tests of
// the rules.
func said(t *testing.T) []heard {
	t.Helper()
	if corpus != nil {
		return corpus
	}
	heard := map[string]bool{}
	for _, messages := range append(told(t), tested(t)...) {
		words := ""
		for _, m := range messages {
			words += string(m.Role) + ": " + m.Content + "\n"
		}
		if !heard[words] {
			heard[words] = true
			corpus = append(corpus, hear(t, messages))
		}
	}
	return corpus
}

// told are the threads of the stories.
func told(t *testing.T) [][]memory.Message {
	t.Helper()
	files, err := filepath.Glob("../story/testdata/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	var out [][]memory.Message
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var s struct{ Steps []step }
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		threads := map[string]int{}
		for _, step := range s.Steps {
			key := step.User + "\x00" + step.Thread
			at, ok := threads[key]
			if !ok {
				at = len(out)
				threads[key], out = at, append(out, nil)
			}
			for _, m := range step.Say {
				out[at] = append(out[at], memory.Message{Role: m.Role, Content: m.Content, At: step.At})
			}
		}
	}
	return out
}

type step struct {
	At           time.Time
	User, Thread string
	Say          []struct {
		Role    memory.Role
		Content string
	}
}

// tested are the conversations in the tests of the rules: every text there that is not what
// a test wants.
func tested(t *testing.T) [][]memory.Message {
	t.Helper()
	files, err := filepath.Glob("../rules/*/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests of the rules: %v", err)
	}
	var out [][]memory.Message
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				out = append(out, conversation(texts(n.Args)...))
			case *ast.CompositeLit: // what is said, and what is wanted of it
				if len(n.Elts) != 2 {
					break
				}
				said, saying := n.Elts[0].(*ast.CompositeLit)
				if saying {
					out = append(out, conversation(texts(said.Elts)...))
				}
				if _, wants := n.Elts[1].(*ast.CompositeLit); wants {
					n.Elts = n.Elts[:1]
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "want" {
					return false
				}
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
					out = append(out, conversation(strings.Split(s, " || ")...))
				}
			}
			return true
		})
	}
	return out
}

func texts(list []ast.Expr) []string {
	var out []string
	for _, e := range list {
		lit, ok := e.(*ast.BasicLit)
		if !ok {
			return nil
		}
		s, err := strconv.Unquote(lit.Value)
		if err != nil {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// conversation is what is said line by line; the assistant's lines begin with "A:".
func conversation(lines ...string) []memory.Message {
	var out []memory.Message
	for _, line := range lines {
		m := memory.Message{Role: memory.RoleUser, At: noon, Content: line}
		if rest, ok := strings.CutPrefix(line, "A:"); ok {
			m.Role, m.Content = memory.RoleAssistant, strings.TrimSpace(rest)
		}
		out = append(out, m)
	}
	return out
}

// mistaken are quotes in which the rules see an ending that is none, and why.
var mistaken = map[string]string{
	"今天累死了": "今天累 is no pet",
}

// What the rules say of changes and endings rests on words that are signs of them, in every
// way that the stories and the tests of the rules put it.
func TestTheRulesRelationsStand(t *testing.T) {
	stood := map[memory.Relation]int{}
	for _, h := range said(t) {
		for _, c := range h.candidates {
			if c.Relation != memory.RelationUpdates && c.Relation != memory.RelationEnds {
				continue
			}
			after := c
			reason := verify.Candidate(&after, h.messages, registry)
			if why := mistaken[c.Source.Quote]; why != "" {
				if reason != verify.ReasonUnsaidEnd {
					t.Errorf("%q passes although %s", c.Source.Quote, why)
				}
				continue
			}
			if reason != "" || after != c {
				t.Errorf("%q, %s %s %+v: became %s (reason %q)", c.Source.Quote, c.Key, c.Relation, c.Target, after.Relation, reason)
				continue
			}
			stood[c.Relation]++
		}
	}
	if stood[memory.RelationUpdates] < 300 || stood[memory.RelationEnds] < 250 {
		t.Errorf("only %v were found", stood)
	}
}

// What a statement would overwrite if a model took it for a change: hardly any of what the
// stories state as plain facts.
func TestPlainStatementsAreNoChange(t *testing.T) {
	for _, relation := range []memory.Relation{memory.RelationUpdates, memory.RelationEnds} {
		all, passed := 0, 0
		for _, h := range said(t) {
			for _, c := range h.candidates {
				if c.Relation != memory.RelationNew || c.Source.AskedMessage != 0 {
					continue
				}
				all++
				c.Relation = relation
				if verify.Candidate(&c, h.messages, registry) == "" && c.Relation == relation {
					passed++
				}
			}
		}
		if all < 1000 || passed*5 > all {
			t.Errorf("%d of %d plain statements pass as %s", passed, all, relation)
		}
	}
}

func TestTheRulesDirectivesStand(t *testing.T) {
	stood := 0
	for _, h := range said(t) {
		for _, d := range h.directives {
			// "Clear all memories" is about the user, whom it does not name.
			if reason := verify.Directive(&d, h.messages); reason != "" && d.What != "我" {
				t.Errorf("%s %q in %q: %s", d.Action, d.What, d.Source.Quote, reason)
				continue
			}
			stood++
		}
	}
	if stood < 400 {
		t.Errorf("only %d were found", stood)
	}
}
