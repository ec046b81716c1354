package eval

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// found is one thing that was ever remembered: a memory with one value and text. A value that
// has replaced another is another found one, and a restatement is not.
type found struct {
	// text is what the memory is found by in recall.
	text string
	// turns are those that it rests on.
	turns []string
	// status is what it is in the end; one whose memory has taken another value since is
	// superseded.
	status memory.Status
}

func (f *found) restsOn(turns []string) bool {
	return slices.ContainsFunc(f.turns, func(t string) bool { return slices.Contains(turns, t) })
}

// state names what was remembered.
type state struct {
	id          memory.ID
	value, text string
}

func stateOf(m *memory.Memory) state { return state{m.ID, m.Value, m.Text} }

// remembered are the things that a ledger says were remembered, in the order of decision.
// What the user asks of the memory itself is none of them.
func remembered(records []ledger.Record) []found {
	var out []found
	var states []state
	places := map[state]int{}
	last := map[memory.ID]*memory.Memory{}
	for _, r := range records {
		for _, c := range r.OfMemories() {
			m := &c.Memory
			if c.Op != ledger.OpHistory {
				last[m.ID] = m
			}
			if m.Text == "" || m.Suppresses != nil {
				continue
			}
			at, ok := places[stateOf(m)]
			if !ok {
				at = len(out)
				places[stateOf(m)] = at
				out, states = append(out, found{text: index.Text(m)}), append(states, stateOf(m))
			}
			out[at].rest(m.Evidence)
		}
	}
	for i := range out {
		out[i].status = memory.StatusSuperseded
		if m := last[states[i].id]; m != nil && stateOf(m) == states[i] {
			out[i].status = m.Status
		}
	}
	return out
}

// rest adds the turns of the evidence, whose event ids are those of the turns.
func (f *found) rest(evidence []memory.Evidence) {
	for _, e := range evidence {
		if !slices.Contains(f.turns, e.Event) {
			f.turns = append(f.turns, e.Event)
		}
	}
}
