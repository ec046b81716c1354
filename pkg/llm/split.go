package llm

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
)

// overlap is how many messages before a part are shown with it as context, so that an answer
// stands behind its question.
const overlap = 4

// sources counts the messages of a part that may be learnt from.
func sources(part memory.Extraction) int {
	n := 0
	for _, m := range part.Messages {
		if source(m) {
			n++
		}
	}
	return n
}

// sizes are the estimated tokens of a part: of what every prompt holds, of its known
// memories and questions, and of each message.
type sizes struct {
	fixed, known int
	messages     []int
	all          int
}

func (w wording) sizes(part memory.Extraction, schema int) sizes {
	s := sizes{fixed: event.Tokens(w.rules) + schema}
	for i := range part.Known {
		s.known += event.Tokens(encode(known(i+1, &part.Known[i])))
	}
	for i := range part.Questions {
		s.known += event.Tokens(encode(question(i+1, &part.Questions[i])))
	}
	s.all = s.fixed + s.known
	for i := range part.Messages {
		n := event.Tokens(encode(w.message(&part.Messages[i])))
		s.messages = append(s.messages, n)
		s.all += n
	}
	return s
}

// fitting cuts a part between messages into parts whose prompts have at most allowance
// tokens; 0 is no bound. What does not fit gives way in this order: known memories beyond a
// quarter of the room, context, and then messages, which go into the next part. A part that
// holds one message to learn from is returned even if it does not fit.
func (w wording) fitting(part memory.Extraction, allowance, schema int) []memory.Extraction {
	if allowance <= 0 {
		return []memory.Extraction{part}
	}
	s := w.sizes(part, schema)
	if s.all <= allowance {
		return []memory.Extraction{part}
	}
	room := allowance - s.fixed
	for last := len(part.Known) - 1; last >= 0 && s.known > room/4; last-- {
		s.known -= event.Tokens(encode(known(last+1, &part.Known[last])))
		part.Known = part.Known[:last]
	}
	room -= s.known
	var out []memory.Extraction
	for at := nextSource(part.Messages, 0); at < len(part.Messages); {
		end, used := at+1, s.messages[at]
		for end < len(part.Messages) && used+s.messages[end] <= room*3/4 {
			used += s.messages[end]
			end++
		}
		from := at
		for from > 0 && at-from < overlap && used+s.messages[from-1] <= room {
			from--
			used += s.messages[from]
		}
		out = append(out, excerptOf(part, from, at, end))
		at = nextSource(part.Messages, end)
	}
	return out
}

// halves cuts a part in two with as many messages to learn from in each.
func halves(part memory.Extraction) []memory.Extraction {
	at := 0
	for range sources(part)/2 + 1 {
		at = nextSource(part.Messages, at) + 1
	}
	at--
	return []memory.Extraction{
		excerptOf(part, 0, 0, at), excerptOf(part, max(0, at-overlap), at, len(part.Messages)),
	}
}

// alone is the part's only message to learn from without anything around it.
func alone(part memory.Extraction) memory.Extraction {
	at := nextSource(part.Messages, 0)
	part.Known, part.Questions = nil, nil
	return excerptOf(part, at, at, at+1)
}

// excerptOf is the part with the messages from at up to end, and those from from on as context.
func excerptOf(part memory.Extraction, from, at, end int) memory.Extraction {
	part.Messages = slices.Clone(part.Messages[from:end])
	for i := range part.Messages[:at-from] {
		part.Messages[i].Context = true
	}
	return part
}

// nextSource is the index of the first message from at on that may be learnt from, or how
// many messages there are.
func nextSource(messages []memory.Message, at int) int {
	for at < len(messages) && !source(messages[at]) {
		at++
	}
	return at
}
