package verify_test

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/verify"
)

// related is what is said, in answer to what is asked if anything, the candidate that was made of it,
// and what must become of its relation.
type related struct {
	name     string
	asked    string
	said     string
	quote    string
	value    string
	relation memory.Relation
	change   func(*memory.Candidate)
	want     memory.Relation
	reason   verify.Reason
}

const (
	isNew      = memory.RelationNew
	same       = memory.RelationSame
	updates    = memory.RelationUpdates
	contradict = memory.RelationContradicts
	ends       = memory.RelationEnds
	unsaid     = verify.ReasonUnsaidEnd
)

func to(key memory.Key, value string) func(*memory.Candidate) {
	return func(c *memory.Candidate) { c.Target = &memory.Target{Key: key, Value: value} }
}

func under(key memory.Key, change func(*memory.Candidate)) func(*memory.Candidate) {
	return func(c *memory.Candidate) {
		c.Key = key
		if change != nil {
			change(c)
		}
	}
}

func must(key memory.Key, value string) func(*memory.Candidate) {
	return func(c *memory.Candidate) { c.Target = &memory.Target{Key: key, Value: value, Must: true} }
}

// check verifies r and returns what has become of its candidate.
func (r related) check(t *testing.T) memory.Candidate {
	t.Helper()
	heard := map[int]memory.Message{
		1: {Number: 1, Role: memory.RoleAssistant, At: noon, Content: r.asked},
		2: {Number: 2, Role: memory.RoleUser, At: noon, Content: r.said},
	}
	c := memory.Candidate{
		Kind: memory.KindProfile, Key: "user.city", Value: r.value, Text: r.quote, Stability: memory.Stable, Confidence: 0.9,
		Relation: r.relation, Source: memory.Source{Message: 2, Quote: r.quote},
	}
	if r.asked != "" {
		c.Source.AskedMessage, c.Source.AskedQuote = 1, r.asked
	}
	if r.change != nil {
		r.change(&c)
	}
	if got := verify.Candidate(&c, heard, registry); got != r.reason {
		t.Fatalf("reason is %q, want %q", got, r.reason)
	}
	if r.reason == "" && c.Relation != r.want {
		t.Errorf("relation is %s, want %s", c.Relation, r.want)
	}
	return c
}

func TestRelations(t *testing.T) {
	tests := []related{
		{name: "a plain statement", said: "I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: updates, want: isNew},
		{name: "a change", said: "I live in Oslo now.", quote: "I live in Oslo now", value: "Oslo", relation: updates, want: updates},
		{name: "a sign beside the quote", said: "Actually, come to think of it, I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: updates, want: updates},
		{name: "a sign in the sentence before", said: "We moved. I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: updates, want: updates},
		{name: "a sign two sentences before", said: "We moved the sofa. It is heavy. I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: updates, want: isNew},
		{name: "a sign in the sentence after", said: "I live in Oslo. We moved the sofa.", quote: "I live in Oslo", value: "Oslo", relation: updates, want: isNew},
		{name: "said twice, once with a sign", said: "I live in Oslo. It is cold. As of May I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: updates, want: updates},
		{name: "a quote over two sentences", said: "It is cold. I live in Oslo. I moved there.", quote: "I live in Oslo. I moved", value: "Oslo", relation: updates, want: updates},
		{name: "an ending is a change", said: "I left Bergen. I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: updates, want: updates},
		{name: "a denial is none", said: "I don't like it. I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: updates, want: isNew},
		{name: "a plan is none", said: "I want to move to Oslo.", quote: "I want to move to Oslo", value: "Oslo", relation: updates, want: isNew},
		{name: "in Chinese, plain", said: "我住在上海。", quote: "我住在上海", value: "上海", relation: updates, want: isNew},
		{name: "in Chinese, a change", said: "我现在住在上海。", quote: "我现在住在上海", value: "上海", relation: updates, want: updates},
		{name: "in Chinese, in the sentence before", said: "我搬家了。我住在上海。", quote: "我住在上海", value: "上海", relation: updates, want: updates},
		{name: "in Chinese, two sentences before", said: "我搬家了。好累。我住在上海。", quote: "我住在上海", value: "上海", relation: updates, want: isNew},
		{name: "in traditional characters", said: "我從北京搬到上海了。", quote: "搬到上海了", value: "上海", relation: updates, want: updates},

		{name: "an answer to a question about a change", asked: "Did you move to Oslo?", said: "Yes.", quote: "Yes", value: "Oslo", relation: updates, want: updates},
		{name: "an answer to a plain question", asked: "Do you live in Oslo?", said: "Yes.", quote: "Yes", value: "Oslo", relation: updates, want: isNew},
		{name: "a choice", asked: "Do you live in Oslo or Bergen?", said: "Bergen", quote: "Bergen", value: "Bergen", relation: updates, want: updates},
		{name: "a correction", asked: "Do you live in Oslo?", said: "No, in Bergen.", quote: "No, in Bergen", value: "Bergen", relation: updates, want: updates},
		{name: "a denial of the value", asked: "Did you move to Oslo?", said: "No.", quote: "No", value: "Oslo", relation: updates, want: isNew},
		{name: "in Chinese, an answer", asked: "你搬到上海了吗？", said: "对", quote: "对", value: "上海", relation: updates, want: updates},
		{name: "in Chinese, a plain question", asked: "你住在上海吗？", said: "对", quote: "对", value: "上海", relation: updates, want: isNew},
		{name: "in Chinese, a choice", asked: "你住北京还是上海？", said: "上海", quote: "上海", value: "上海", relation: updates, want: updates},
		{name: "in Chinese, a correction", asked: "你住在上海吗？", said: "不，在北京", quote: "不，在北京", value: "北京", relation: updates, want: updates},
		{name: "in Chinese, a denial of the value", asked: "你搬到上海了吗？", said: "没有", quote: "没有", value: "上海", relation: updates, want: isNew},

		{name: "the same", said: "I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: same, want: same},
		{name: "a contradiction", said: "I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: contradict, want: contradict},
		{name: "no relation", said: "I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: "", want: isNew},
		{name: "an unknown relation", said: "I live in Oslo now.", quote: "I live in Oslo now", value: "Oslo", relation: "replaces", want: isNew},

		{name: "what is only named", said: "My cat's name is Mimi.", quote: "My cat's name is Mimi", value: "cat named Mimi", relation: updates, change: under("user.pets", to("user.pets", "cat")), want: updates},
		{name: "what is another", said: "My dog's name is Mimi.", quote: "My dog's name is Mimi", value: "dog named Mimi", relation: updates, change: under("user.pets", to("user.pets", "cat")), want: isNew},
		{name: "less than was known", said: "I have a cat.", quote: "I have a cat", value: "cat", relation: updates, change: under("user.pets", to("user.pets", "cat named Mimi")), want: isNew},

		{name: "an ending", said: "I quit my job.", quote: "I quit my job", relation: ends, change: to("user.employer", "Acme"), want: ends},
		{name: "an ending of another key", said: "I quit my job.", quote: "I quit my job", relation: ends, change: to("user.hobbies", "chess"), want: ends},
		{name: "no ending", said: "I love my job.", quote: "I love my job", relation: ends, change: to("user.employer", "Acme"), reason: unsaid},
		{name: "a change is no ending", said: "Actually, I love my job.", quote: "I love my job", relation: ends, change: to("user.employer", "Acme"), reason: unsaid},
		{name: "an ending in the sentence before", said: "My cat died. I love my job.", quote: "I love my job", relation: ends, change: to("user.employer", "Acme"), reason: unsaid},
		{name: "an ending beside the quote", said: "Last week, when I was ill, I quit my job.", quote: "Last week", relation: ends, change: to("user.employer", "Acme"), want: ends},
		{name: "a denial of what is ended", said: "I don't have a cat.", quote: "I don't have a cat", relation: ends, change: to("user.pets", "cat"), want: ends},
		{name: "a denial of something else", said: "I don't have a cat.", quote: "I don't have a cat", relation: ends, change: to("user.employer", "Acme"), reason: unsaid},
		{name: "a denial of all that is known", said: "I don't have a cat.", quote: "I don't have a cat", relation: ends, change: to("user.pets", ""), reason: unsaid},
		{name: "a denial for who knows", said: "I'm not diabetic.", quote: "I'm not diabetic", relation: ends, change: must("user.health", "sugar disease"), want: ends},
		{name: "a denial of the own value", said: "I don't live in Oslo.", quote: "I don't live in Oslo", value: "Oslo", relation: ends, want: ends},
		{name: "an end of the own value, unsaid", said: "I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: ends, reason: unsaid},
		{name: "in Chinese, an ending", said: "我家猫去世了。", quote: "我家猫去世了", relation: ends, change: to("user.pets", "猫"), want: ends},
		{name: "in Chinese, no ending", said: "我家猫很乖。", quote: "我家猫很乖", relation: ends, change: to("user.pets", "猫"), reason: unsaid},
		{name: "in Chinese, a denial of what is ended", said: "我没有高血压。", quote: "我没有高血压", relation: ends, change: to("user.health", "高血压"), want: ends},
		{name: "in Chinese, a denial of something else", said: "我没有高血压。", quote: "我没有高血压", relation: ends, change: to("user.pets", "猫"), reason: unsaid},

		{name: "an affirmed ending", asked: "Did you quit your job?", said: "Yes.", quote: "Yes", relation: ends, change: to("user.employer", "Acme"), want: ends},
		{name: "a denied ending", asked: "Did your cat die?", said: "No.", quote: "No", relation: ends, change: to("user.pets", "cat"), reason: unsaid},
		{name: "a denied fact", asked: "Do you still work at Acme?", said: "No.", quote: "No", relation: ends, change: to("user.employer", "Acme"), want: ends},
		{name: "an affirmed fact", asked: "Do you still work at Acme?", said: "Yes.", quote: "Yes", relation: ends, change: to("user.employer", "Acme"), reason: unsaid},
		{name: "in Chinese, an affirmed ending", asked: "你辞职了吗？", said: "对", quote: "对", relation: ends, change: to("user.employer", "华为"), want: ends},
		{name: "in Chinese, a denied fact", asked: "你还在华为上班吗？", said: "没有", quote: "没有", relation: ends, change: to("user.employer", "华为"), want: ends},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.check(t) })
	}
}

func TestTargets(t *testing.T) {
	const said = "These days I hate coffee."
	tests := []struct {
		name     string
		relation memory.Relation
		key      memory.Key
		target   memory.Target
		want     memory.Relation
		keeps    bool
	}{
		{"the same key", updates, "user.dislikes", memory.Target{Key: "user.dislikes", Value: "tea"}, updates, true},
		{"the opposite key", updates, "user.dislikes", memory.Target{Key: "user.likes", Value: "coffee"}, updates, true},
		{"another key", updates, "user.dislikes", memory.Target{Key: "user.diet", Value: "vegan"}, isNew, false},
		{"a free memory", updates, "user.dislikes", memory.Target{Value: "coffee"}, isNew, false},
		{"a key, of a free memory", updates, "", memory.Target{Key: "user.likes", Value: "coffee"}, isNew, false},
		{"a free memory, of a free memory", updates, "", memory.Target{Value: "coffee"}, updates, true},
		{"the same of another key", same, "user.dislikes", memory.Target{Key: "user.diet", Value: "vegan"}, isNew, false},
		{"the same of the key", same, "user.dislikes", memory.Target{Key: "user.dislikes", Value: "coffee"}, same, true},
		{"a contradiction of another key", contradict, "user.dislikes", memory.Target{Key: "user.city", Value: "Oslo"}, isNew, false},
		{"a contradiction of the opposite key", contradict, "user.dislikes", memory.Target{Key: "user.likes", Value: "coffee"}, contradict, true},
		{"new, with another key", isNew, "user.dislikes", memory.Target{Key: "user.city", Value: "Oslo"}, isNew, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target := tt.target
			c := related{said: said, quote: "I hate coffee", value: "coffee", relation: tt.relation, want: tt.want,
				change: under(tt.key, func(c *memory.Candidate) { c.Kind, c.Target = memory.KindPreference, &target })}.check(t)
			if (c.Target != nil) != tt.keeps {
				t.Errorf("target is %+v", c.Target)
			}
			if target != tt.target {
				t.Errorf("the target itself was changed to %+v", target)
			}
		})
	}
}

// A statement that counts only for who knows of something does so as a new one, too.
func TestDemotedStatementsKeepTheirCondition(t *testing.T) {
	for _, must := range []bool{false, true} {
		c := related{said: "I live in Oslo.", quote: "I live in Oslo", value: "Oslo", relation: updates, want: isNew,
			change: func(c *memory.Candidate) {
				c.Target = &memory.Target{Key: "user.city", Value: "Bergen", Must: must}
			}}.check(t)
		if (c.Target != nil) != must {
			t.Errorf("must %v: target is %+v", must, c.Target)
		}
	}
}
