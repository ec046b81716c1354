package answer

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Input is a piece of a thread beside the questions that are open.
type Input struct {
	// Registry says what class of value a question is about, and how people speak of it.
	Registry *profile.Registry
	// Questions are the owner's open ones.
	Questions []memory.Question
	// Messages are those of the piece with their context, in the order of speech.
	Messages []memory.Message
	// Named are the questions that the backend says messages are about, by the messages'
	// numbers: one of the user's answers it, one of the assistant's puts it.
	Named map[int]memory.ID
}

// Recognise returns the answers that the user gives, in the order of speech, at most one a
// question: memory.ActionAnswer with the question, the decision and, in What,
//   - for DecisionReplace, the value of the rival that is meant, as the question has it;
//   - for DecisionOther, the value that the user gives, in the user's words;
//   - for DecisionBoth, what the user says about where each holds, or nothing.
//
// The source quotes the sentences that answer, and the assistant's where it put the
// question. A message that fits no option, or could answer several questions, gives nothing.
func Recognise(in Input) []memory.Directive {
	if len(in.Questions) == 0 {
		return nil
	}
	l := listener{Input: in, said: map[memory.ID]int{}}
	for i := range in.Questions {
		l.matters = append(l.matters, newMatter(in.Registry, &in.Questions[i]))
	}
	for _, m := range l.matters {
		for _, o := range l.matters {
			if o != m {
				m.passOver(o)
			}
		}
	}
	for i := range in.Messages {
		if m := &in.Messages[i]; m.Role == memory.RoleUser && !m.Context {
			l.message(i)
		}
	}
	return l.out
}

// listener goes through the messages.
type listener struct {
	Input
	matters []*matter
	out     []memory.Directive
	// said is the place in out of the answer to a question.
	said map[memory.ID]int
}

// reply is what a message may answer to one question.
type reply struct {
	reading
	matter *matter
	put    putting
	// asked is the message that puts the question, nil where none does.
	asked *memory.Message
	d     memory.Directive
}

// explicit reports whether the reply names a value, rather than pointing at one.
func (r *reply) explicit() bool {
	return r.others > 0 || r.refutes || slices.ContainsFunc(r.chosen, func(i int) bool { return !slices.Contains(r.offered, i) })
}

// message keeps the answers of the message at index i.
func (l *listener) message(i int) {
	var all []reply
	named, isNamed := l.Named[l.Messages[i].Number]
	for _, m := range l.matters {
		m.among = false
	}
	several := !isNamed && l.severalPut(i)
	for _, m := range l.matters {
		m.among = several
		if isNamed && m.question.ID != named {
			continue
		}
		if r, ok := l.reply(m, i, isNamed); ok {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return
	}
	if several || len(all) > 1 {
		all = slices.DeleteFunc(all, func(r reply) bool { return !r.explicit() })
	}
	for _, r := range unambiguous(all) {
		l.keep(r)
	}
}

// reply is what the message at index i answers to one question.
func (l *listener) reply(m *matter, i int, named bool) (reply, bool) {
	r := reply{matter: m, put: m.unput()}
	content := l.Messages[i].Content
	var ok bool
	if r.reading, ok = m.read(content, r.put.order); !ok {
		return r, false
	}
	before := l.before(m, i)
	if before != nil && l.puts(m, before, &r.put) {
		r.asked = before
		r.reading, _ = m.read(content, r.put.order) // the offers in the order in which they were made
	}
	if r.asked != nil || named {
		ok = r.explicit() || r.put.last && !r.strayed
	} else {
		ok = r.standsAlone(before)
	}
	if !ok {
		return r, false
	}
	r.d.Decision, r.d.What, ok = m.decision(&r.reading, content, r.put)
	r.d.Action, r.d.Question = memory.ActionAnswer, m.question.ID
	r.d.Source = memory.Source{Message: l.Messages[i].Number, Quote: content[r.quote.from:r.quote.to]}
	if r.asked != nil && r.put.sentence != "" {
		r.d.Source.AskedMessage, r.d.Source.AskedQuote = r.asked.Number, r.put.sentence
	}
	return r, ok
}

// puts reports whether a message of the assistant puts the question, and sets how.
func (l *listener) puts(m *matter, b *memory.Message, p *putting) bool {
	if b.Role != memory.RoleAssistant {
		return false
	}
	put, ok := m.puts(b.Content, l.led(m, b))
	if ok {
		*p = put
	}
	return ok || l.Named[b.Number] == m.question.ID
}

// led reports whether the user's message before b names the subject of m.
func (l *listener) led(m *matter, b *memory.Message) bool {
	for i := range l.Messages {
		if next := i + 1; next < len(l.Messages) && &l.Messages[next] == b {
			return l.Messages[i].Role == memory.RoleUser && m.speaksOf(l.Messages[i].Content)
		}
	}
	return false
}

// severalPut reports whether the message before the one at index i puts several questions.
func (l *listener) severalPut(i int) bool {
	n := 0
	for _, m := range l.matters {
		if before := l.before(m, i); before != nil && l.puts(m, before, &putting{}) {
			n++
		}
	}
	return n > 1
}

// before is the message to which the one at index i replies: the last one of the assistant
// or the user in which more was said than thanks, or an answer to the same question, whether
// it counts or not. When that is answered, the assistant's thanks are passed over as well.
func (l *listener) before(m *matter, i int) *memory.Message {
	for n := i - 1; n >= 0; n-- {
		b := &l.Messages[n]
		switch b.Role {
		case memory.RoleAssistant:
			if _, answered := l.said[m.question.ID]; !answered || asksAnything(b.Content) {
				return b
			}
		case memory.RoleUser:
			at, answered := l.said[m.question.ID]
			if (!answered || l.out[at].Source.Message != b.Number) && !m.idles(b.Content) && !m.tries(b.Content) {
				return b
			}
		}
	}
	return nil
}

// standsAlone reports whether a reading settles the matter though nobody asked: it names
// its subject, or what was said before does, and it corrects, insists or qualifies.
func (r *reply) standsAlone(before *memory.Message) bool {
	switch {
	case r.about && !r.explicit():
		return r.both || r.all || r.none
	case !r.explicit() || !r.settled && len(r.denied) == 0 && !r.qualified:
		return false
	}
	return r.about || r.others == 0 && (before == nil || r.matter.speaksOf(before.Content))
}

// unambiguous drops the replies of which the words do not say which question they answer.
func unambiguous(all []reply) []reply {
	apart := func(fits func(*reply) bool) []reply {
		var out []reply
		for i := range all {
			if fits(&all[i]) && !slices.ContainsFunc(all, func(o reply) bool {
				return o.matter != all[i].matter && fits(&o) && o.picks.meets(all[i].picks)
			}) {
				out = append(out, all[i])
			}
		}
		return out
	}
	for _, fits := range []func(*reply) bool{
		func(*reply) bool { return true },
		func(r *reply) bool { return r.asked != nil },
		func(r *reply) bool { return r.about },
	} {
		if out := apart(fits); len(out) > 0 {
			return out
		}
	}
	return nil
}

// keep adds an answer. A second one to the same question counts if it corrects the first.
func (l *listener) keep(r reply) {
	at, answered := l.said[r.matter.question.ID]
	switch {
	case !answered:
		l.said[r.matter.question.ID] = len(l.out)
		l.out = append(l.out, r.d)
	case r.settled:
		l.out[at] = r.d
	}
}
