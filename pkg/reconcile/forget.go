package reconcile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Reasons of what requests change.
const (
	ReasonForgotten  = "forgotten"
	ReasonRequested  = "requested"
	ReasonSuppressed = "suppressed"
	ReasonLifted     = "lifted"
	ReasonRedacted   = "words_of_a_forgotten_memory"
	ReasonRestored   = "undone"
)

// request carries out what the user asks of the memory itself.
func (p *planner) request(r Request) Outcome {
	switch r.Action {
	case memory.ActionForget:
		return p.forget(r)
	case memory.ActionSuppress:
		return p.suppress(r)
	case memory.ActionLift:
		return p.lift(r)
	}
	return NoTarget
}

// request adds what has to be loaded for a request. What it means can be anything of the
// owner, also what says a memory again that it points at; and a deletion takes words out of
// whatever rests on the same messages.
func (n *Needs) request() { n.Past, n.All = true, true }

// forget deletes what was said of the topic before the request, and leaves a tombstone of
// the request itself, so that what is processed later stays forgotten as well.
func (p *planner) forget(r Request) Outcome {
	id := p.forgetID(r, 0)
	if p.state[id] != nil {
		return Unchanged
	}
	topic := p.pointed(r)
	if isEmpty(topic) {
		return NoTarget
	}
	x := About(p.Registry, topic)
	found := p.buryAll(x, r.Evidence)
	left := p.remains(r, x)
	for i := range left {
		p.tombstones.add(left[i].ID, left[i].Tombstone)
	}
	found += p.redactOthers()
	// The first goes last: while it is missing, the request has not been carried out.
	for i := len(left) - 1; i >= 0; i-- {
		p.put(ledger.OpDelete, left[i], nil, ReasonRequested)
	}
	if found == 0 {
		return NoTarget
	}
	return Done
}

// buryAll deletes what is meant, and counts it. What only a deleted request kept from recall is
// given back.
func (p *planner) buryAll(x *Matcher, place memory.Evidence) int {
	found := 0
	var over []memory.ID
	for _, id := range p.sorted() {
		m := p.state[id]
		if !x.Match(m) || !p.bury(m, x, place) {
			continue
		}
		found++
		if isRequest(m) && p.state[id].Status == memory.StatusDeleted {
			p.release(id)
			over = append(over, id)
		}
	}
	for _, id := range over {
		p.giveBack(id)
	}
	return found
}

func isEmpty(t memory.Topic) bool { return t.Words == "" && len(t.Keys) == 0 && len(t.IDs) == 0 }

// forgetID is the id of the n-th tombstone that a request to forget leaves. The topic makes
// two requests in one message two.
func (p *planner) forgetID(r Request, n int) memory.ID {
	s := p.tombstones.seal
	fields := []string{"forget", r.Evidence.Event, strconv.Itoa(r.Evidence.Message), s.hash("request", r.Topic.Words), strconv.Itoa(n)}
	for _, k := range r.Topic.Keys {
		fields = append(fields, string(k))
	}
	for _, id := range r.Topic.IDs {
		fields = append(fields, string(id))
	}
	return requestID(p.Scope, fields...)
}

// bury deletes m as it was said before the request, and reports whether it was. What was
// said of it since is learnt anew.
func (p *planner) bury(m *memory.Memory, x *Matcher, place memory.Evidence) bool {
	later := slices.DeleteFunc(slices.Clone(m.Evidence), func(e memory.Evidence) bool { return !place.Before(e) })
	if len(later) == len(m.Evidence) && (len(later) > 0 || m.SaidAt.After(place.At)) {
		return false
	}
	old := *m
	old.Evidence = slices.DeleteFunc(slices.Clone(m.Evidence), place.Before)
	buried := Tombstone(p.Registry, p.Secret, &old, place, p.forgottenWhole(m, x))
	p.buried[m.ID] = &buried
	p.put(ledger.OpDelete, buried, nil, ReasonForgotten)
	if m.Status == memory.StatusEnded && len(later) > 0 && later[len(later)-1] == m.LastEvidence() {
		later = later[:len(later)-1] // that it is over says nothing of it
	}
	if len(later) > 0 {
		anew := *m
		anew.Evidence, anew.SaidAt = later, later[0].At.UTC()
		if m.Key != "" && later[0].Asked == "" {
			anew.Text = later[0].Quote
		}
		p.put(opOf(m.Status), anew, nil, ReasonSaidAgain)
	}
	return true
}

// forgottenWhole are the keys that are forgotten with m whatever their value was: those that
// the topic names, and that of one value whose memory is meant by its id.
func (p *planner) forgottenWhole(m *memory.Memory, x *Matcher) []memory.Key {
	keys := x.wholly()
	for _, o := range x.more {
		keys = append(keys, o.wholly()...)
	}
	f, ok := p.Registry.Field(m.Key)
	if ok && !f.Multi && (x.all || slices.Contains(x.ids, m.ID) && m.ID == p.Registry.Identity(p.Scope, m.Key, "", "")) {
		keys = append(keys, m.Key)
	}
	return keys
}

// opOf is the change that gives a memory its status.
func opOf(s memory.Status) ledger.Op {
	switch s {
	case memory.StatusDisputed:
		return ledger.OpDispute
	case memory.StatusEnded:
		return ledger.OpEnd
	case memory.StatusSettled:
		return ledger.OpSettle
	case memory.StatusSuperseded:
		return ledger.OpRedact // a past value stays where it is
	}
	return ledger.OpAdd
}

// maxEntries bounds the entries of one tombstone of a request, so that it fits a change set.
const maxEntries = 2000

// remains are the tombstones of the request: what is known again of each memory that it
// deleted, since that one's own tombstone goes when it is learnt anew, and its topic.
func (p *planner) remains(r Request, x *Matcher) []memory.Memory {
	place := memory.Tombstone{At: r.Evidence.At.UTC(), Seq: r.Evidence.Seq, Message: r.Evidence.Message}
	entries, keys := p.deletedAt(place)
	var out []memory.Memory
	for i, topic := range append([]*Matcher{x}, x.more...) {
		t := place
		if t.Keys, t.Hashes = topic.wholly(), p.tombstones.topic(topic); i == 0 {
			room := min(len(entries), maxEntries)
			t.Keys, t.Hashes, entries = slices.Concat(t.Keys, keys), append(t.Hashes, entries[:room]...), entries[room:]
		}
		compact(&t.Keys)
		for _, k := range t.Keys {
			t.Hashes = append(t.Hashes, tagAbout+string(k))
		}
		out = append(out, p.requested(r, len(out), t))
	}
	for chunk := range slices.Chunk(entries, maxEntries) {
		t := place
		t.Hashes = chunk
		out = append(out, p.requested(r, len(out), t))
	}
	return out
}

// requested is the n-th tombstone of a request.
func (p *planner) requested(r Request, n int, t memory.Tombstone) memory.Memory {
	return memory.Memory{
		ID: p.forgetID(r, n), Scope: p.Scope, Kind: memory.KindProcedural, Status: memory.StatusDeleted, Tombstone: &t,
	}
}

// deletedAt are the entries and the keys of what was deleted at a place, by this decision or
// by one that was broken off.
func (p *planner) deletedAt(place memory.Tombstone) (entries []string, keys []memory.Key) {
	n := 0
	for _, id := range p.sorted() {
		m := p.buried[id]
		if m == nil || !m.Tombstone.At.Equal(place.At) || m.Tombstone.Seq != place.Seq || m.Tombstone.Message != place.Message {
			continue
		}
		f, _ := p.Registry.Field(m.Key)
		if m.Key == "" || f.Multi || slices.Contains(m.Tombstone.Keys, m.Key) {
			entries = append(entries, tagID+p.tombstones.id(id))
		}
		entries = append(entries, tagOf+strconv.Itoa(n)+":"+p.tombstones.id(id))
		for _, h := range m.Tombstone.Hashes {
			if rest, ok := strings.CutPrefix(h, tagCut+"0:"); ok {
				h = tagCut + strconv.Itoa(n) + ":" + rest
			}
			entries = append(entries, h)
		}
		keys = append(keys, m.Tombstone.Keys...)
		n++
	}
	compact(&entries)
	return entries, keys
}

// redactOthers takes the words of what was deleted out of everything else, and counts what
// it has changed.
func (p *planner) redactOthers() int {
	n := 0
	for _, id := range p.sorted() {
		if m := *p.state[id]; p.tombstones.redact(&m) {
			p.put(ledger.OpRedact, m, nil, ReasonRedacted)
			n++
		}
	}
	return n
}

// Restore gives back a memory that was deleted, as it was last, but for what has been asked
// not to be mentioned since, and for words that are still forgotten. In.Existing holds what is
// needed of its id; of a standing request, which counts again, everything.
func Restore(in Input, m memory.Memory) Decision {
	p := newPlanner(in)
	p.put(ledger.OpRestore, m, nil, ReasonRestored)
	if m.Status == memory.StatusStanding {
		p.hold(&m)
		p.hide()
	}
	return p.decision()
}

// recollect reads the tombstones before anything is decided.
func (p *planner) recollect() {
	p.tombstones = newTombstones(p.Registry, seal{p.Secret, p.Scope})
	p.buried = map[memory.ID]*memory.Memory{}
	for _, id := range p.sorted() {
		if m := p.state[id]; m.Tombstone != nil {
			p.buried[id] = m
			p.tombstones.add(id, m.Tombstone)
		}
	}
	var hushed []*memory.Tombstone
	for _, s := range p.Statements {
		if t := p.tombstoneOver(s); t != nil {
			hushed = append(hushed, p.tombstones.hush(t, s))
		}
	}
	for _, t := range hushed {
		p.tombstones.add("", t)
	}
}

// forgotten reports whether a tombstone keeps the statement from being learnt.
func (p *planner) forgotten(s Statement) bool { return p.tombstoneOver(s) != nil }

func (p *planner) tombstoneOver(s Statement) *memory.Tombstone {
	if len(p.buried) == 0 {
		return nil
	}
	ids := []memory.ID{identity(p.Registry, p.Scope, aimed(s))}
	if s.Key != "" {
		ids = append(ids, p.Registry.DisputeIdentity(p.Scope, s.Key, s.Value))
	}
	for _, id := range ids {
		if m := p.state[id]; deletedSince(m, s) && p.tombstones.sameValue(m.Tombstone, s) {
			return m.Tombstone
		}
	}
	if g := p.tombstones.over(p.tombstones.heard(s)); g != nil {
		return g.Tombstone
	}
	return nil
}

// deletedSince reports whether m was deleted after s was said.
func deletedSince(m *memory.Memory, s Statement) bool {
	return m != nil && m.Status == memory.StatusDeleted && m.Tombstone != nil && covers(m.Tombstone, s.Evidence, s.Anew)
}

// covers reports whether something was said before the deletion, or with it and not anew.
func covers(t *memory.Tombstone, e memory.Evidence, anew bool) bool {
	return t.Covers(e) && !(anew && t.At.Equal(e.At) && t.Seq == e.Seq && t.Message == e.Message)
}

// hush is a tombstone for the words of a statement that is kept from being learnt by t: they
// are not handed out with another one of its message.
func (ts *tombstones) hush(t *memory.Tombstone, s Statement) *memory.Tombstone {
	m := memory.Memory{Key: s.Key, Value: s.Value, Text: s.Text}
	out := &memory.Tombstone{At: t.At, Seq: t.Seq, Message: t.Message, Hashes: []string{ts.place(s.Evidence)}}
	for _, h := range ts.known(ts.registry, &m) {
		if strings.HasPrefix(h, tagCut) {
			out.Hashes = append(out.Hashes, h)
		}
	}
	return out
}

// hashesOf are the keyed hashes by which a tombstone knows the statement.
func hashesOf(in Input, s Statement) []string {
	ts := newTombstones(in.Registry, seal{in.Secret, in.Scope})
	out := append(ts.entries(aimed(s)), ts.place(s.Evidence), tagTopic)
	if s.About != "" {
		out = append(out, tagAbout+string(s.About))
	}
	return out
}
