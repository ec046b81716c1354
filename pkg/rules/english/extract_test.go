package english

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// story is what is said (see conversation) and what must be found, in order (see describe
// and renderDirective): candidates first, then directives.
type story struct {
	said, want []string
}

func tell(t *testing.T, stories []story) {
	t.Helper()
	for _, s := range stories {
		t.Run(s.said[len(s.said)-1], func(t *testing.T) {
			messages := conversation(s.said...)
			candidates, directives := Extract(messages)
			var got []string
			for _, c := range candidates {
				got = append(got, describe(c, s.said))
			}
			for _, d := range directives {
				got = append(got, renderDirective(d))
			}
			if !slices.Equal(got, s.want) {
				t.Errorf("%q\n got %q\nwant %q", s.said, got, s.want)
			}
			checkFound(t, messages, candidates, directives)
		})
	}
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// checkFound fails unless everything found is well-formed and stands in the messages.
func checkFound(t failer, messages []memory.Message, candidates []memory.Candidate, directives []memory.Directive) {
	t.Helper()
	content := map[int]string{}
	for _, m := range messages {
		content[m.Number] = m.Content
	}
	for _, c := range candidates {
		s := c.Source
		switch {
		case s.Quote == "" || !strings.Contains(content[s.Message], s.Quote):
			t.Fatalf("%s: quote %q is not in message %d %q", render(c), s.Quote, s.Message, content[s.Message])
		case s.AskedMessage == 0 && c.Text != s.Quote:
			t.Fatalf("%s: text %q is not the quote %q", render(c), c.Text, s.Quote)
		case s.AskedMessage != 0 && (s.AskedQuote == "" || !strings.Contains(content[s.AskedMessage], s.AskedQuote)):
			t.Fatalf("%s: asked quote %q is not in message %d", render(c), s.AskedQuote, s.AskedMessage)
		case !c.Kind.Valid(), c.Language != "en", c.Confidence <= 0 || c.Confidence > 1, c.Text == "":
			t.Fatalf("malformed candidate %+v", c)
		case c.Key != "" && (strings.TrimSpace(c.Value) == "" || c.Kind != kindOf[c.Key]):
			t.Fatalf("malformed keyed candidate %+v", c)
		case c.Plan && (c.Stability != memory.Dated || c.ExpiresAt.IsZero() || !c.ValidFrom.Before(c.ExpiresAt)):
			t.Fatalf("malformed plan %+v", c)
		case c.Relation == memory.RelationEnds && c.Target == nil:
			t.Fatalf("an end without a target: %+v", c)
		}
	}
	for _, d := range directives {
		if d.Source.Quote == "" || !strings.Contains(content[d.Source.Message], d.Source.Quote) {
			t.Fatalf("%s: quote %q is not in message %d", renderDirective(d), d.Source.Quote, d.Source.Message)
		}
	}
}

func TestRulesAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range [][]topic{ends, keyed, ahead, mentions, others} {
		for _, topic := range table {
			for _, r := range topic.rules {
				if r.name == "" || seen[r.name] {
					t.Errorf("rule %q of %q has no name of its own", r.name, topic.name)
				}
				seen[r.name] = true
				if r.key != "" && kindOf[r.key] == "" {
					t.Errorf("rule %q: key %q has no kind", r.name, r.key)
				}
				if r.key != "" && r.build == nil && r.take == nil && !r.ends {
					t.Errorf("rule %q takes no value for %q", r.name, r.key)
				}
				if strings.Contains(r.re.String(), "{i}") {
					t.Errorf("rule %q: macro left in %s", r.name, r.re)
				}
			}
		}
	}
}

func TestNewStatementsDoNotClaimChange(t *testing.T) {
	for _, content := range []string{"I live in New York.", "I love new wave music", "I work at Newsweek", "My name is Newton."} {
		candidates, _ := Extract(conversation(content))
		if len(candidates) != 1 || candidates[0].Relation != memory.RelationNew {
			t.Errorf("%q gave %v", content, candidates)
		}
	}
}

func TestConfidence(t *testing.T) {
	tests := []struct {
		said []string
		want float64
	}{
		{[]string{"I live in Oslo."}, plain},
		{[]string{"my brother lives in Rome"}, indirect},
		{[]string{"A: Do you live in Oslo?", "yes"}, answered},
		{[]string{"A: Where do you live?", "Oslo"}, answered},
	}
	for _, tt := range tests {
		candidates, _ := Extract(conversation(tt.said...))
		if len(candidates) != 1 || candidates[0].Confidence != tt.want {
			t.Errorf("%q gave %v, want confidence %v", tt.said, candidates, tt.want)
		}
	}
}

// pieces are what a rapid message is made of.
var pieces = []string{
	"I live in Oslo", "i'm a nurse", "I’m allergic to nuts", "my cat died", "I love tea", "I hate it", "His name is Rex",
	"I have a dog", "remember that", "don't save this", "forget my job", "no, Bergen", "yes", "I moved to", "tomorrow",
	"next Friday", " and ", ", ", ". ", "? ", "! ", "\n", ": ", " but ", "'", "\"", "“", "”", "I meant", "just kidding",
	"我住在杭州。", "😊", "if", "not", "any more", "my wife Zoë", "(", ")", "at Google", "in", " ", "call me", "as a", "is cancelled",
}

func TestWhatIsFoundStandsInTheMessages(t *testing.T) {
	message := rapid.Custom(func(t *rapid.T) string {
		role := rapid.SampledFrom([]string{"", "", "", "A: ", "T: ", "C: "}).Draw(t, "role")
		return role + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 9).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "glue"))
	})
	rapid.Check(t, func(t *rapid.T) {
		messages := conversation(rapid.SliceOfN(message, 1, 4).Draw(t, "messages")...)
		candidates, directives := Extract(messages)
		checkFound(t, messages, candidates, directives)
		again, directivesAgain := Extract(messages)
		if !reflect.DeepEqual(candidates, again) || !reflect.DeepEqual(directives, directivesAgain) {
			t.Fatalf("two readings differ: %v, %v", candidates, again)
		}
		for _, m := range messages {
			for _, c := range candidates {
				if c.Source.Message == m.Number && (m.Role != memory.RoleUser || m.Context) {
					t.Fatalf("message %d of %s is the source of %s", m.Number, m.Role, render(c))
				}
			}
		}
	})
}

func TestFoldKeepsItsPlaces(t *testing.T) {
	tests := []struct{ content, want string }{
		{"I’m  in\tOslo", "i am in oslo"},
		{"IM don't CAN'T", "i am do not cannot"},
		{"Zoë Müller", "zoe muller"},
		{"Zoe\u0308", "zoe"},
		{"我，a", "我, a"},
	}
	for _, tt := range tests {
		f := fold(tt.content, 0, len(tt.content))
		if f.text != tt.want {
			t.Errorf("fold(%q) = %q, want %q", tt.content, f.text, tt.want)
		}
		if from, to := f.span(0, len(f.text)); tt.content[from:to] != tt.content {
			t.Errorf("fold(%q) covers only %q", tt.content, tt.content[from:to])
		}
	}
}

func TestClauses(t *testing.T) {
	tests := []struct {
		content string
		want    []string
	}{
		{"I live in Boston and I work as a nurse.", []string{"I live in Boston", "I work as a nurse"}},
		{"I like tea, coffee and milk", []string{"I like tea, coffee and milk"}},
		{"My wife and I love Rome", []string{"My wife and I love Rome"}},
		{"Next month, I'm moving", []string{"Next month, I'm moving"}},
		{"So, by the way, I live in Oslo", []string{"I live in Oslo"}},
		{"i like tea i live in oslo", []string{"i like tea", "i live in oslo"}},
		{"I like the city i live in", []string{"I like the city i live in"}},
	}
	for _, tt := range tests {
		m := conversation(tt.content)[0]
		var got []string
		for _, s := range sentence.Split(m.Content) {
			for _, c := range clausesOf(&m, s, 0) {
				got = append(got, c.text())
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: clauses %q, want %q", tt.content, got, tt.want)
		}
	}
}

var control = regexp.MustCompile(`^[AST C]: `)

func FuzzExtract(f *testing.F) {
	for _, content := range []string{
		"", "I live in Oslo.", "i’m a nurse, can you help me?", "I have a dog. His name is Rex.", "remember that \xff",
		"I meant Bergen", "No peanuts please, I'm allergic.", "my name isn't Bob, it's Rob", "don't save this",
		"I used to love tea but now I hate it", "Zoe\u0308 died", "I", "and", "call me", "I live in the", "I'm a",
		"I'm flying to Rome on Friday and meeting Anna on Monday", "is", "İ am İ", "I live in ﬁ", "I have a cat named \"",
		"I said I live in Turku but I meant Naantali", "not walnuts", "He died", "no, a doctor", "Oops, Bristol", "👍🏽 i️ live in Oslo 🎉",
	} {
		f.Add(content, "Do you live in Oslo or Bergen?")
	}
	f.Fuzz(func(t *testing.T, content, question string) {
		if control.MatchString(content) {
			return
		}
		for _, said := range [][]string{{content}, {"A: " + question, content}, {"I have a cat and I love tea", content}} {
			messages := conversation(said...)
			candidates, directives := Extract(messages)
			checkFound(t, messages, candidates, directives)
			again, _ := Extract(messages)
			if !reflect.DeepEqual(candidates, again) {
				t.Fatalf("two readings of %q differ", said)
			}
		}
	})
}
