package eval

import (
	"fmt"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
)

// person is one whose memory is made of a conversation.
type person struct {
	user memory.User
	// name is the role that the person's turns have in the set.
	name    string
	turns   []bench.Turn
	at      []time.Time
	gold    []Gold
	queries []bench.Query
}

// people are those whose memories are made of a user's conversations: the user; or, in a set
// of conversations between two named speakers, each of them in turn, to whom the other one
// is the assistant. The questions of such a set do not say whom of the two they are asked
// of, and belong to both.
func people(u *bench.User, gold []Gold) ([]person, error) {
	var named, plain []string
	for i := range u.Turns {
		list := &named
		if isRole(u.Turns[i].Role) {
			list = &plain
		}
		if r := u.Turns[i].Role; !slices.Contains(*list, r) {
			*list = append(*list, r)
		}
	}
	at := times(u.Turns)
	var out []person
	switch {
	case len(named) == 0:
		out = []person{{user: memory.User(u.ID), name: string(memory.RoleUser)}}
	case len(named) == 2 && len(plain) == 0:
		for _, n := range named {
			out = append(out, person{user: memory.User(u.ID + "/" + n), name: n})
		}
	default:
		return nil, fmt.Errorf("%s: speakers %q and roles %q: want two speakers, or roles", u.ID, named, plain)
	}
	for i := range out {
		p := &out[i]
		p.turns, p.at, p.queries = u.Turns, at, u.Queries
		p.gold = slices.DeleteFunc(slices.Clone(gold), func(g Gold) bool { return g.Subject != "" && g.Subject != p.name })
	}
	for _, g := range gold {
		if g.Subject != "" && !slices.ContainsFunc(out, func(p person) bool { return p.name == g.Subject }) {
			return nil, fmt.Errorf("%s: a memory is about %q, who says nothing", u.ID, g.Subject)
		}
	}
	return out, nil
}

func isRole(role string) bool {
	switch memory.Role(role) {
	case memory.RoleUser, memory.RoleAssistant, memory.RoleSystem, memory.RoleTool:
		return true
	}
	return false
}

// own reports whether the person said the turn.
func (p *person) own(t *bench.Turn) bool { return t.Role == p.name }

// sessions are the pieces of the conversation after which it falls quiet: places of turns, a
// piece for each row of turns of one session. Turns without a text are left out.
func (p *person) sessions() [][]int {
	var out [][]int
	last := ""
	for i := range p.turns {
		if p.turns[i].Text == "" {
			continue
		}
		if len(out) == 0 || p.turns[i].Session != last {
			out, last = append(out, nil), p.turns[i].Session
		}
		out[len(out)-1] = append(out[len(out)-1], i)
	}
	return out
}

// event is a turn as an agent's backend would send it: its id is that of the turn, and its
// thread the session.
func (p *person) event(i int) event.Event {
	t := &p.turns[i]
	return event.Event{
		SpecVersion: "1.0", ID: t.ID, Source: "/mnemond/eval", Type: event.TypeTurn, Time: p.at[i],
		User: p.user, Thread: memory.Thread(t.Session),
	}
}

// message is what the turn says.
func (p *person) message(i int) event.Message {
	t := &p.turns[i]
	m := event.Message{Role: memory.Role(t.Role), Content: t.Text}
	if !isRole(t.Role) {
		m.Role, m.Name = memory.RoleAssistant, t.Role
		if p.own(t) {
			m.Role = memory.RoleUser
		}
	}
	return m
}
