package verify

import (
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/sign"
)

// relate holds what a candidate says about other memories against its own words.
func relate(c *memory.Candidate, content string, r *profile.Registry) Reason {
	switch c.Relation {
	case memory.RelationEnds:
		if !ended(c, content) {
			return ReasonUnsaidEnd
		}
		return ""
	case memory.RelationUpdates, memory.RelationSame, memory.RelationContradicts:
	default:
		c.Relation = memory.RelationNew
	}
	switch {
	case c.Target != nil && !fits(c, r):
		c.Relation, c.Target = memory.RelationNew, nil
	case c.Relation == memory.RelationUpdates && !changed(c, content, r) && !refines(c, r):
		c.Relation = memory.RelationNew
		if c.Target != nil && !c.Target.Must { // on which the statement depends, new or not
			c.Target = nil
		}
	}
	return ""
}

// fits reports whether a candidate can say something about what its target names: both
// under one key or under opposite ones, or both under none.
func fits(c *memory.Candidate, r *profile.Registry) bool {
	field, _ := r.Field(c.Key)
	return c.Target.Key == c.Key || c.Target.Key != "" && c.Target.Key == field.Opposite
}

// refines reports whether a candidate only says more of what it updates ("my cat's name is
// Mimi"), which takes the place of nothing.
func refines(c *memory.Candidate, r *profile.Registry) bool {
	if c.Target == nil || c.Key == "" || c.Target.Key != c.Key {
		return false
	}
	field, _ := r.Field(c.Key)
	more, ok := canon.Refines(c.Target.Value, c.Value, field.Class)
	return ok && more == c.Value
}

// changed reports whether a change is said where the candidate is: in its sentence, the one
// before, or the question that it answers. Who denies what was asked has changed nothing but
// by what they say instead, or by choosing the opposite ("do you like or dislike it?").
func changed(c *memory.Candidate, content string, r *profile.Registry) bool {
	own, before := around(content, c.Source.Quote)
	said, asked := sign.Of(own)|sign.Of(before), sign.Of(c.Source.AskedQuote)
	field, _ := r.Field(c.Key)
	switch {
	case c.Source.AskedQuote == "":
		return said.Has(sign.Change | sign.Ending)
	case said.Has(sign.Denial) && !(field.Opposite != "" && asked.Has(sign.Choice)):
		return said.Has(sign.Change|sign.Ending) && worded(c.Value, c.Source.Quote, minValueShare)
	}
	return (said | asked).Has(sign.Change|sign.Ending) || asked.Has(sign.Choice)
}

// ended reports whether an ending is said where the candidate is: in its sentence, or in the
// question that it affirms. A bare denial ("I don't have a cat") ends only what it names, and
// what counts only for who knows of it.
func ended(c *memory.Candidate, content string) bool {
	own, _ := around(content, c.Source.Quote)
	said, asked := sign.Of(own), sign.Of(c.Source.AskedQuote)
	switch {
	case said.Has(sign.Ending):
		return true
	case !said.Has(sign.Denial):
		return asked.Has(sign.Ending)
	case asked.Has(sign.Ending):
		return false
	}
	over := c.Value
	if c.Target != nil {
		if c.Target.Must {
			return true
		}
		over = c.Target.Value
	}
	return over != "" && worded(over, own+"\n"+c.Source.AskedQuote, minValueShare)
}

// around returns the sentences of content in which quote stands, and those right before
// them, each on a line.
func around(content, quote string) (own, before string) {
	said := sentence.Split(content)
	folded, ends := joined(content, said)
	q := Fold(quote)
	var in, ahead strings.Builder
	next := 0 // the first sentence that has not been taken
	for at := strings.Index(folded, q); at >= 0 && q != ""; {
		for i := next; i < len(said) && (i == 0 || ends[i-1] < at+len(q)); i++ {
			if ends[i] <= at {
				continue
			}
			if i > next {
				ahead.WriteString(said[i-1].Text + "\n")
			}
			in.WriteString(said[i].Text + "\n")
			next = i + 1
		}
		from := at + len(q)
		if at = strings.Index(folded[from:], q); at >= 0 {
			at += from
		}
	}
	return in.String(), ahead.String()
}

// joined is content folded, and where in it each of its sentences ends, with what stands
// between it and the next.
func joined(content string, said []sentence.Sentence) (folded string, ends []int) {
	var b strings.Builder
	from := 0
	for i := range said {
		to := len(content)
		if i+1 < len(said) {
			to = said[i+1].From
		}
		b.WriteString(Fold(content[from:to]))
		ends = append(ends, b.Len())
		from = to
	}
	return b.String(), ends
}
