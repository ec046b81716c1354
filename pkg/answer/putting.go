package answer

import (
	"regexp"

	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/verify"
)

// putting is how a question is put: the zero value, with nobody's words, as the question
// has it.
type putting struct {
	// order are the sides in the order in which they were named.
	order []int
	// yes and no are the sides that these words choose, or -1.
	yes, no int
	// offers is set when the assistant offers to do something about it.
	offers bool
	// last is set when nothing else was asked after it.
	last bool
	// sentence is the one that asks, as the assistant said it.
	sentence string
}

// unput is the question as it stands, for an answer to which somebody else relates it.
func (m *matter) unput() putting {
	p := putting{yes: -1, no: -1, last: true}
	for i := range m.sides {
		p.order = append(p.order, i)
	}
	return p
}

// inquiry is a message of the assistant, as it may put the question.
type inquiry struct {
	sentences []heard
	// order are the sides that it names, in order.
	order []int
	// about is set when a sentence of it names the subject as the user's, plain when those that name
	// sides say nothing else.
	about, plain bool
	// whole is set when it holds the question's own sentence.
	whole bool
}

// heard is one sentence of an inquiry.
type heard struct {
	sentence.Sentence
	// asks is set when it is a question or calls for an answer.
	asks bool
	// plain is set when it says nothing but what the question is about; topic when it names
	// its subject, about when it names it as the user's.
	plain, topic, about bool
	// named are the sides that it names, in order.
	named []int
	// ruled are the sides that it rules out: "May 14 and not May 4".
	ruled []int
	// changes is set when it asks about a change, denies when it asks in the negative.
	changes, denies bool
}

var (
	// requests ask without a question mark.
	requests = regexp.MustCompile(`(?i)\b(?:please|can you|could you) (?:tell|confirm|clarify|let)|\blet me know|\bwhich (?:one|is)\b|\btell me (?:which|whether)|吗|哪|还是|是不是|请.{0,4}(?:告诉|确认)`)
	// proposals ask about something to be done with the values.
	proposals = regexp.MustCompile(`(?i)\b(?:should|shall) (?:i|we)\b|\b(?:would you like|do you want|want me)\b|\b(?:book|schedule|remind|celebrat|meet|order|reserv|plan)|要不要|要我|需要我|帮你|给你|替你|订|约|安排|庆祝|提醒`)
	// meaning asks whether the value behind it is the one that was meant.
	meaning = regexp.MustCompile(`(?i)\b(?:mean|meant)\b|想说|要说|其实是|应该是`)
	// mending is to be done with the question itself.
	mending = regexp.MustCompile(`(?i)\b(?:keep|update|change|correct|replace|switch|save)\b|更新|更正|改|保留|保存|记`)
)

// puts reports whether a message of the assistant puts the question, and how; spoken is
// whether the message before it named the subject.
func (m *matter) puts(content string, spoken bool) (putting, bool) {
	p := m.unput()
	sentences := sentence.Split(content)
	if len(sentences) > maxSentences {
		return p, false
	}
	q := inquiry{about: spoken, plain: true, whole: m.question.Text != "" && verify.Quoted(content, m.question.Text)}
	asked, last := -1, -1
	for i := range sentences {
		h := m.hear(content, sentences[i])
		q.sentences = append(q.sentences, h)
		q.order = union(q.order, h.named)
		q.about = q.about || h.about
		q.plain = q.plain && (h.plain || len(h.named) == 0)
	}
	for i := range q.sentences {
		if !q.sentences[i].asks {
			continue
		}
		last = i
		if m.isPut(&q, &q.sentences[i]) {
			asked = i
		}
	}
	if asked < 0 {
		return p, q.whole
	}
	h := &q.sentences[asked]
	p.last, p.sentence, p.offers = asked == last, h.Text, mending.MatchString(h.Text)
	p.yes, p.no = m.choices(&q, h)
	if !q.whole { // the question's own sentence has its own order, and days besides
		p.order = union(q.order, p.order)
	}
	return p, true
}

// hear reads a sentence of the assistant.
func (m *matter) hear(content string, s sentence.Sentence) heard {
	h := heard{Sentence: s, asks: s.Question || requests.MatchString(s.Text), plain: true}
	if s.To-s.From > maxSentence {
		h.plain = false
		return h
	}
	deny := false
	for _, t := range (scanner{table: asking, matter: m, thorough: true}).scan(fold(content, s.From, s.To).text) {
		switch t.kind {
		case unknown:
			h.plain = false
		case value:
			if t.side != nobodys {
				h.named = union(h.named, []int{t.side})
			}
			if deny && t.side != nobodys {
				h.ruled = union(h.ruled, []int{t.side})
			}
		case liking:
			h.named = union(h.named, []int{m.likes})
		case disliking:
			h.named = union(h.named, []int{m.hates})
		case changing:
			h.changes = true
		case not, no:
			h.denies = true
		}
		deny = t.kind == not || deny && t.kind == filler
		h.about, h.topic = h.about || t.owned, h.topic || t.kind == subject
	}
	return h
}

// isPut reports whether the sentence h of an inquiry asks the question.
func (m *matter) isPut(q *inquiry, h *heard) bool {
	switch {
	case q.whole && verify.Quoted(m.question.Text, h.Text):
		return true
	case len(q.order) == 0, !h.plain && proposals.MatchString(h.Text) && !mending.MatchString(h.Text):
		return false
	case len(q.order) > 1:
		return q.about && (h.about || h.plain || len(h.named) > 0) || q.plain && h.plain
	}
	return (q.about || h.topic) && h.plain
}

// choices are the sides that "yes" and "no" choose, or -1.
func (m *matter) choices(q *inquiry, h *heard) (yes, no int) {
	named := h.named
	if len(named) == 0 {
		named = q.order
	}
	if n := len(named); n > 1 && meaning.MatchString(h.Text) {
		named = named[n-1:] // "you said May 4; did you mean May 14?"
	}
	switch {
	case len(h.ruled) == 1 && len(named) == 2:
		return m.remaining(h.ruled[0]), h.ruled[0]
	case h.denies || len(named) == 0:
		return -1, -1
	case h.changes && len(named) == 2:
		return named[1], named[0]
	case h.changes && named[0] == 0:
		return -1, 0
	case len(named) > 1:
		return -1, -1
	case h.changes:
		return named[0], 0
	}
	return named[0], m.remaining(named[0])
}
