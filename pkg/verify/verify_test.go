package verify_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/verify"
	"github.com/mnemond/mnemond/schemas"
)

var (
	registry = func() *profile.Registry {
		r, err := profile.Parse(schemas.Profile)
		if err != nil {
			panic(err)
		}
		return r
	}()
	noon     = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	messages = func() map[int]memory.Message {
		out := map[int]memory.Message{}
		for i, m := range []memory.Message{
			{Role: memory.RoleUser, Content: "Hi! I live in Boston, and I'm 34. My budget is 1,500 dollars."},
			{Role: memory.RoleUser, Content: "我住在杭州西湖区，平时通勤用地铁，大概40分钟。"},
			{Role: memory.RoleAssistant, Content: "Sure. Do you live in Oslo?"},
			{Role: memory.RoleUser, Content: "Yes."},
			{Role: memory.RoleSystem, Content: "I live in Boston"},
			{Role: memory.RoleTool, Content: "I live in Boston"},
			{Role: memory.RoleUser, Content: "I live in Denver", Context: true},
			{Role: memory.RoleUser, Content: "Mon ami Émile vit ici, [redacted:password] and hunter2"},
			{Role: memory.RoleUser, Content: "my password is hunter2-Zq9! and I live in Boston"},
			{Role: memory.RoleUser, Content: "I no longer live in Boston"},
		} {
			m.Number, m.At = i+1, noon
			out[i+1] = m
		}
		return out
	}()
)

// lives is a candidate that stands up.
func lives(change func(*memory.Candidate)) *memory.Candidate {
	c := &memory.Candidate{
		Kind: memory.KindProfile, Key: "user.city", Value: "Boston", Text: "I live in Boston", Language: "en",
		Stability: memory.Stable, Confidence: 0.9, Relation: memory.RelationNew,
		Source: memory.Source{Message: 1, Quote: "I live in Boston"},
	}
	if change != nil {
		change(c)
	}
	return c
}

func answer(c *memory.Candidate) {
	c.Value, c.Text = "Oslo", "I live in Oslo"
	c.Source = memory.Source{Message: 4, Quote: "Yes.", AskedMessage: 3, AskedQuote: "Do you live in Oslo?"}
}

func over(c *memory.Candidate) {
	c.Relation, c.Value, c.Text = memory.RelationEnds, "", "I no longer live in Boston"
	c.Source = memory.Source{Message: 10, Quote: "I no longer live in Boston"}
}

func TestCandidate(t *testing.T) {
	const none = verify.Reason("")
	tests := []struct {
		name   string
		change func(*memory.Candidate)
		want   verify.Reason
	}{
		{"as said", nil, none},
		{"in Chinese", func(c *memory.Candidate) {
			c.Value, c.Text, c.Source = "杭州西湖区", "我住在杭州西湖区", memory.Source{Message: 2, Quote: "我住在杭州西湖区"}
		}, none},
		{"with other punctuation, case and white space", func(c *memory.Candidate) { c.Source.Quote = "i live  in boston" }, none},
		{"a number in another width", func(c *memory.Candidate) {
			c.Key, c.Value, c.Text, c.Source = "user.commute", "地铁，４０分钟", "通勤用地铁，大概４０分钟", memory.Source{Message: 2, Quote: "平时通勤用地铁，大概40分钟"}
		}, none},
		{"an answer, with its question", answer, none},
		{"an answer put into a sentence", func(c *memory.Candidate) { answer(c); c.Text = "My city is Oslo" }, none},
		{"an ending without a value", over, none},
		{"a transient ending", func(c *memory.Candidate) { over(c); c.Stability = memory.Transient }, none},
		{"a free memory without a value", func(c *memory.Candidate) { c.Key, c.Value, c.Kind = "", "", memory.KindFact }, none},
		{"the least confidence", func(c *memory.Candidate) { c.Confidence = verify.MinConfidence }, none},
		{"full confidence", func(c *memory.Candidate) { c.Confidence = 1 }, none},
		{"a plausible date", func(c *memory.Candidate) { c.ValidFrom, c.ExpiresAt = noon.AddDate(-60, 0, 0), noon.AddDate(2, 0, 0) }, none},

		{"no such message", func(c *memory.Candidate) { c.Source.Message = 99 }, verify.ReasonNoMessage},
		{"no message", func(c *memory.Candidate) { c.Source.Message = 0 }, verify.ReasonNoMessage},
		{"the assistant's words", func(c *memory.Candidate) { c.Source = memory.Source{Message: 3, Quote: "Do you live in Oslo"} }, verify.ReasonRole},
		{"the system's words", func(c *memory.Candidate) { c.Source.Message = 5 }, verify.ReasonRole},
		{"a tool's words", func(c *memory.Candidate) { c.Source.Message = 6 }, verify.ReasonRole},
		{"context", func(c *memory.Candidate) { c.Source = memory.Source{Message: 7, Quote: "I live in Denver"} }, verify.ReasonRole},
		{"another message's words", func(c *memory.Candidate) { c.Source.Message = 2 }, verify.ReasonQuote},
		{"a paraphrase", func(c *memory.Candidate) { c.Source.Quote = "I live near Boston" }, verify.ReasonQuote},
		{"no quote", func(c *memory.Candidate) { c.Source.Quote = "" }, verify.ReasonQuote},
		{"a quote of punctuation", func(c *memory.Candidate) { c.Source.Quote = " ,. " }, verify.ReasonQuote},
		{"a question that was not asked", func(c *memory.Candidate) { answer(c); c.Source.AskedQuote = "Do you live in Bergen?" }, verify.ReasonAsked},
		{"a question of the user", func(c *memory.Candidate) {
			answer(c)
			c.Source.AskedMessage, c.Source.AskedQuote = 1, "I live in Boston"
		}, verify.ReasonAsked},
		{"a question in no message", func(c *memory.Candidate) { answer(c); c.Source.AskedMessage = 42 }, verify.ReasonAsked},

		{"an invented number", func(c *memory.Candidate) { c.Text = "I live in Boston since 2019" }, verify.ReasonUngrounded},
		{"an invented number in full width", func(c *memory.Candidate) { c.Text = "I live in Boston since ２０１９" }, verify.ReasonUngrounded},
		{"a part of a number", func(c *memory.Candidate) {
			c.Text, c.Source.Quote = "my budget is 150", "My budget is 1,500 dollars"
		}, verify.ReasonUngrounded},
		{"an invented name", func(c *memory.Candidate) { c.Text = "I live in Boston with Anna" }, verify.ReasonUngrounded},
		{"an invented name with an accent", func(c *memory.Candidate) { c.Text = "I live in Boston with Éloïse" }, verify.ReasonUngrounded},
		{"an invented value", func(c *memory.Candidate) { c.Value = "Denver" }, verify.ReasonUngrounded},
		{"an invented value without a capital", func(c *memory.Candidate) { c.Value = "a large town" }, verify.ReasonUngrounded},
		{"a part of a word", func(c *memory.Candidate) { c.Value = "ton" }, verify.ReasonUngrounded},
		{"an invented text without a capital", func(c *memory.Candidate) { c.Text = "I live with two dogs" }, verify.ReasonUngrounded},
		{"an invented value in Chinese", func(c *memory.Candidate) {
			c.Value, c.Text, c.Source = "南京", "我住在杭州西湖区", memory.Source{Message: 2, Quote: "我住在杭州西湖区"}
		}, verify.ReasonUngrounded},
		{"an invented text in Chinese", func(c *memory.Candidate) {
			c.Key, c.Kind, c.Value, c.Text, c.Source = "", memory.KindFact, "", "我养了两只狗", memory.Source{Message: 2, Quote: "我住在杭州西湖区"}
		}, verify.ReasonUngrounded},
		{"an invented value of an answer", func(c *memory.Candidate) { answer(c); c.Value, c.Text = "bergen", "I live in bergen" }, verify.ReasonUngrounded},
		{"other forms and order of the same words", func(c *memory.Candidate) { c.Text = "Boston is where I am living" }, none},
		{"a name that stands elsewhere in the message", func(c *memory.Candidate) { c.Text, c.Source.Quote = "I live in Boston", "My budget is 1,500 dollars" }, verify.ReasonUngrounded},

		{"transient", func(c *memory.Candidate) { c.Stability = memory.Transient }, verify.ReasonTransient},
		{"dated without a date", func(c *memory.Candidate) { c.Stability = memory.Dated }, verify.ReasonDates},
		{"over before it began", func(c *memory.Candidate) { c.ValidFrom, c.ExpiresAt = noon.Add(2), noon.Add(1) }, verify.ReasonDates},
		{"over as it began", func(c *memory.Candidate) { c.ValidFrom, c.ExpiresAt = noon, noon }, verify.ReasonDates},
		{"in the Middle Ages", func(c *memory.Candidate) { c.ValidFrom = noon.AddDate(-800, 0, 0) }, verify.ReasonDates},
		{"in a far future", func(c *memory.Candidate) { c.ExpiresAt = noon.AddDate(100, 0, 0) }, verify.ReasonDates},
		{"a plan that is over", func(c *memory.Candidate) { c.Plan, c.ExpiresAt = true, noon.Add(-1) }, verify.ReasonDates},
		{"a plan that is over now", func(c *memory.Candidate) { c.Plan, c.ExpiresAt = true, noon }, verify.ReasonDates},

		{"no kind", func(c *memory.Candidate) { c.Kind = "" }, verify.ReasonKind},
		{"an unknown kind", func(c *memory.Candidate) { c.Kind = "rumour" }, verify.ReasonKind},
		{"an unknown key", func(c *memory.Candidate) { c.Key = "user.shoe_size" }, verify.ReasonKey},
		{"about an unknown key", func(c *memory.Candidate) { c.About = "user.shoe_size" }, verify.ReasonKey},
		{"ends an unknown key", func(c *memory.Candidate) { c.Target = &memory.Target{Key: "user.shoe_size"} }, verify.ReasonKey},
		{"no text", func(c *memory.Candidate) { c.Text = " \n" }, verify.ReasonEmpty},
		{"a key without a value", func(c *memory.Candidate) { c.Value = " " }, verify.ReasonEmpty},
		{"a long text", func(c *memory.Candidate) { c.Text = strings.Repeat("x", verify.MaxText+1) }, verify.ReasonTooLong},
		{"a long value", func(c *memory.Candidate) { c.Value = strings.Repeat("x", verify.MaxValue+1) }, verify.ReasonTooLong},
		{"a long target", func(c *memory.Candidate) { c.Target = &memory.Target{Value: strings.Repeat("x", verify.MaxValue+1)} }, verify.ReasonTooLong},
		{"low confidence", func(c *memory.Candidate) { c.Confidence = 0.49 }, verify.ReasonConfidence},
		{"more than full confidence", func(c *memory.Candidate) { c.Confidence = 1.01 }, verify.ReasonConfidence},
		{"a confidence that is no number", func(c *memory.Candidate) { c.Confidence = math.NaN() }, verify.ReasonConfidence},
		{"a secret", func(c *memory.Candidate) {
			c.Text = "my password is hunter2-Zq9!"
			c.Source = memory.Source{Message: 9, Quote: "my password is hunter2-Zq9!"}
		}, verify.ReasonSecret},
		{"a secret in the text alone", func(c *memory.Candidate) { c.Text = "my password is hunter2-Zq9! and I live in Boston" }, verify.ReasonSecret},
		{"a secret in the value alone", func(c *memory.Candidate) { c.Value = "Boston, my password is hunter2-Zq9!" }, verify.ReasonSecret},
		{"a secret that was cut out", func(c *memory.Candidate) {
			c.Value, c.Text = "x", "[redacted:password] and"
			c.Source = memory.Source{Message: 8, Quote: "[redacted:password] and"}
		}, verify.ReasonSecret},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := lives(tt.change)
			before := *c
			if got := verify.Candidate(c, messages, registry); got != tt.want {
				t.Errorf("reason is %q, want %q", got, tt.want)
			}
			if !math.IsNaN(c.Confidence) && *c != before {
				t.Error("the candidate was changed")
			}
		})
	}
}

func TestAccentedNamesAreGrounded(t *testing.T) {
	c := lives(func(c *memory.Candidate) {
		c.Key, c.Value, c.Kind, c.Text = "", "", memory.KindFact, "Mon ami Émile vit ici"
		c.Source = memory.Source{Message: 8, Quote: "Mon ami Émile vit ici"}
	})
	if got := verify.Candidate(c, messages, registry); got != "" {
		t.Errorf("reason is %q", got)
	}
}

func TestQuoted(t *testing.T) {
	tests := []struct {
		content, quote string
		want           bool
	}{
		{"I live in Boston.", "live in boston", true},
		{"I’m a nurse", "I'm a nurse", true},
		{"我住在　杭州。", "我住在杭州", true},
		{"ＡＢＣ１２３", "abc123", true},
		{"I live\n in Boston", "I live in Boston", true},
		{"I live in Boston", "I love in Boston", false},
		{"我住在杭州", "我住在杭洲", false},
		{"I live in Boston", "", false},
		{"I live in Boston", "…", false},
		{"", "x", false},
	}
	for _, tt := range tests {
		if got := verify.Quoted(tt.content, tt.quote); got != tt.want {
			t.Errorf("Quoted(%q, %q) = %v", tt.content, tt.quote, got)
		}
	}
}

func TestFoldIsIdempotentAndFindsEveryPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b"), rapid.String().Draw(t, "c")
		if f := verify.Fold(b); verify.Fold(f) != f {
			t.Fatalf("%q folds to %q, and that to %q", b, f, verify.Fold(f))
		}
		if verify.Fold(b) != "" && !verify.Quoted(a+" "+b+" "+c, b) {
			t.Fatalf("%q is not found", b)
		}
	})
}
