package ledger

import (
	"cmp"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Entry is one value that a key has had, or once had by a late account. Its evidence is
// what was said for it.
type Entry struct {
	Op     Op            `json:"op"`
	Reason string        `json:"reason"`
	Value  string        `json:"value"`
	Text   string        `json:"text"`
	Status memory.Status `json:"status"`
	ID     memory.ID     `json:"id"`
	Key    memory.Key    `json:"key,omitempty"`
	// SaidAt is when it was said, DecidedAt when the change set was made.
	SaidAt    time.Time         `json:"said_at"`
	DecidedAt time.Time         `json:"decided_at"`
	LedgerSeq uint64            `json:"ledger_seq"`
	Evidence  []memory.Evidence `json:"evidence,omitempty"`
}

// Record is a change set with its place in the ledger.
type Record struct {
	Seq uint64
	ChangeSet
}

// InEffect orders records by where they count. Of an original and what takes its place the
// latter stays: a purge that was broken off leaves both.
func InEffect(records []Record) []Record {
	slices.SortStableFunc(records, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Effective(a.Seq), b.Effective(b.Seq)), cmp.Compare(a.Seq, b.Seq))
	})
	out := records[:0]
	for i, r := range records {
		if i+1 < len(records) && records[i+1].Effective(records[i+1].Seq) == r.Effective(r.Seq) {
			continue
		}
		out = append(out, r)
	}
	return out
}

// History is what the owner's key has been, in the order of speech, whatever the order of
// decision was. What was said again while it held adds only its evidence; a dispute adds
// nothing, since its rival never was the value.
func History(records []Record, key memory.Key) []Entry {
	h := history{values: map[said][]string{}}
	for _, r := range records {
		for _, c := range r.OfMemories() {
			if c.Memory.Key == key {
				h.add(r, *c)
			}
		}
	}
	slices.SortStableFunc(h.entries, compareSpeech)
	var out []Entry
	last := map[memory.ID]int{} // the place of each memory's last value
	for _, e := range h.entries {
		if i, ok := last[e.ID]; ok && out[i].Value == e.Value {
			out[i].Evidence = append(out[i].Evidence, e.Evidence...)
			continue
		}
		last[e.ID] = len(out)
		out = append(out, e)
	}
	return out
}

// said names one statement: a place in the conversation, and the memory that it went to.
type said struct {
	id      memory.ID
	event   string
	message int
	quote   string
}

// history gathers one entry for each statement, however often change sets repeat it.
type history struct {
	entries []Entry
	values  map[said][]string
}

func (h *history) add(r Record, c Change) {
	if len(c.Memory.Evidence) == 0 && setsValue(c.Op) {
		h.entries = append(h.entries, entry(r, c))
	}
	for _, e := range c.Memory.Evidence {
		at := said{c.Memory.ID, e.Event, e.Message, e.Quote}
		values := h.values[at]
		// A refresh or a refinement keeps the evidence of what it confirms.
		kept := c.Op == OpRefresh || c.Op == OpRefine
		if kept && len(values) > 0 || slices.Contains(values, c.Memory.Value) {
			continue
		}
		h.values[at] = append(values, c.Memory.Value)
		if setsValue(c.Op) || c.Op == OpRefresh {
			one := entry(r, c)
			one.SaidAt, one.Evidence = e.At.UTC(), []memory.Evidence{e}
			h.entries = append(h.entries, one)
		}
	}
}

func compareSpeech(a, b Entry) int {
	if c := a.SaidAt.Compare(b.SaidAt); c != 0 || len(a.Evidence) == 0 || len(b.Evidence) == 0 {
		return c
	}
	switch {
	case a.Evidence[0].Before(b.Evidence[0]):
		return -1
	case b.Evidence[0].Before(a.Evidence[0]):
		return 1
	}
	return 0
}

// Changes is every change of the owner's memories in the order of decision.
func Changes(records []Record) []Entry {
	var out []Entry
	for _, r := range records {
		for _, c := range r.OfMemories() {
			out = append(out, entry(r, *c))
		}
	}
	return out
}

func setsValue(op Op) bool {
	switch op {
	case OpAdd, OpSupersede, OpRefine, OpHistory:
		return true
	}
	return false
}

func entry(r Record, c Change) Entry {
	return Entry{
		Op: c.Op, Reason: c.Reason, Value: c.Memory.Value, Text: c.Memory.Text,
		Status: c.Memory.Status, ID: c.Memory.ID, Key: c.Memory.Key,
		SaidAt: c.Memory.SaidAt, DecidedAt: r.At, LedgerSeq: r.Seq, Evidence: c.Memory.Evidence,
	}
}

// Refused is what one decision did not remember, and why, without its text.
type Refused struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
	// Thread is the thread that was consolidated.
	Thread    memory.Thread `json:"thread"`
	DecidedAt time.Time     `json:"decided_at"`
	LedgerSeq uint64        `json:"ledger_seq"`
}

// Refusals are the candidates that were refused, by decision, latest first.
func Refusals(records []Record) []Refused {
	out := []Refused{}
	for _, r := range slices.Backward(records) {
		for _, x := range r.Rejections {
			one := Refused{Reason: x.Reason, Count: x.Count, DecidedAt: r.At, LedgerSeq: r.Seq}
			if r.Checkpoint != nil {
				one.Thread = r.Checkpoint.Thread
			}
			out = append(out, one)
		}
	}
	return out
}
