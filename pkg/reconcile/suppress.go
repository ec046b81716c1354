package reconcile

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

// standing is a request not to mention a topic that holds.
type standing struct {
	id memory.ID
	x  *Matcher
}

// heed reads the standing requests before anything is decided.
func (p *planner) heed() {
	for _, id := range p.sorted() {
		if m := p.state[id]; m.Status == memory.StatusStanding {
			p.hold(m)
		}
	}
}

// hold has a standing request count from now on.
func (p *planner) hold(m *memory.Memory) {
	if m.Suppresses != nil {
		p.release(m.ID)
		p.standing = append(p.standing, standing{m.ID, About(p.Registry, *m.Suppresses)})
	}
}

func (p *planner) release(id memory.ID) {
	p.standing = slices.DeleteFunc(p.standing, func(s standing) bool { return s.id == id })
}

// standingID makes asking twice for the same one request.
func standingID(scope memory.Scope, t memory.Topic) memory.ID {
	fields := []string{"standing", canon.Value(unwrapped(t.Words))}
	for _, k := range t.Keys {
		fields = append(fields, "key", string(k))
	}
	for _, id := range t.IDs {
		fields = append(fields, "id", string(id))
	}
	return requestID(scope, fields...)
}

// suppress records a standing request and keeps what it is about from recall.
func (p *planner) suppress(r Request) Outcome {
	topic := p.pointed(r)
	if isEmpty(topic) || isPointed(&topic) && !slices.ContainsFunc(topic.IDs, p.remembers) {
		return NoTarget
	}
	id := standingID(p.Scope, topic)
	before := p.state[id]
	if deletedSince(before, Statement{Evidence: r.Evidence}) || p.tombstones.everything(r.Evidence) {
		return Forgotten
	}
	if before != nil && (known(before, r.Evidence) || before.Status == memory.StatusLifted && r.Evidence.Before(before.LastEvidence())) {
		return Unchanged
	}
	m := p.standingRequest(id, topic, r.Evidence)
	if before != nil && before.Status != memory.StatusDeleted {
		m.Evidence, m.SaidAt, m.CreatedAt = withEvidence(before.Evidence, r.Evidence), before.SaidAt, before.CreatedAt
	}
	p.put(ledger.OpRequest, m, nil, ReasonRequested)
	p.hold(&m)
	p.hide()
	return Done
}

// remembers reports whether there is a memory with that id.
func (p *planner) remembers(id memory.ID) bool {
	m := p.state[id]
	return m != nil && m.Status != memory.StatusDeleted
}

// hide marks what a standing request is about.
func (p *planner) hide() {
	for _, id := range p.sorted() {
		if m := *p.state[id]; m.SuppressedBy == "" {
			if p.suppressed(&m); m.SuppressedBy != "" {
				p.put(ledger.OpSuppress, m, nil, ReasonSuppressed)
			}
		}
	}
}

// standingRequest is the memory of a request not to mention a topic. Its text is the
// sentence that asked for it.
func (p *planner) standingRequest(id memory.ID, topic memory.Topic, e memory.Evidence) memory.Memory {
	said := e.At.UTC()
	return memory.Memory{
		ID: id, Scope: p.Scope, Kind: memory.KindProcedural, Text: e.Quote, Language: string(sentence.LanguageOf(e.Quote)),
		Stability: memory.Stable, Status: memory.StatusStanding, SaidAt: said, CreatedAt: p.Now.UTC(), ConfirmedAt: said,
		Confidence: 1, Evidence: []memory.Evidence{e}, Suppresses: &topic,
	}
}

// suppressed marks m if a standing request is about it, and takes the mark of one off that
// is not. The mark that it has is kept as long as it may be.
func (p *planner) suppressed(m *memory.Memory) {
	if m.Status == memory.StatusDeleted || isRequest(m) || m.SuppressedBy != "" && p.state[m.SuppressedBy] == nil {
		return
	}
	by := memory.ID("")
	c := &content{m: m}
	for _, s := range p.standing {
		if (by == "" || s.id == m.SuppressedBy) && (s.x.mentions(m, c) || p.restates(s.id, m, c)) {
			by = s.id
		}
	}
	m.SuppressedBy = by
}

// lift ends the standing requests that are meant, as far as they were made before, and gives
// back what no other one keeps from recall.
func (p *planner) lift(r Request) Outcome {
	topic := p.pointed(r)
	outcome := NoTarget
	for _, id := range p.meantBy(topic) {
		m := *p.state[id]
		switch {
		case known(&m, r.Evidence), r.Evidence.Before(m.LastEvidence()):
			if outcome == NoTarget {
				outcome = Unchanged
			}
			continue
		case m.Status != memory.StatusStanding:
			continue
		}
		m.Status, m.ConfirmedAt = memory.StatusLifted, r.Evidence.At.UTC()
		m.Evidence = withEvidence(m.Evidence, r.Evidence)
		p.put(ledger.OpLift, m, nil, ReasonLifted)
		p.release(id)
		p.giveBack(id)
		outcome = Done
	}
	return outcome
}

// giveBack clears the marks of a request that holds no more, or leaves them to another one.
func (p *planner) giveBack(request memory.ID) {
	for _, id := range p.sorted() {
		m := *p.state[id]
		if m.SuppressedBy != request {
			continue
		}
		if p.suppressed(&m); m.SuppressedBy == "" {
			p.put(ledger.OpUnsuppress, m, nil, ReasonLifted)
		} else {
			p.put(ledger.OpSuppress, m, nil, ReasonSuppressed)
		}
	}
}

// meantBy are the requests, standing or lifted, that a topic means: by their id, by that of
// a memory that they keep from recall, or by what they are about.
func (p *planner) meantBy(t memory.Topic) []memory.ID {
	if isEmpty(t) {
		return nil
	}
	ids := []memory.ID{standingID(p.Scope, t)}
	x := About(p.Registry, t)
	for _, id := range p.sorted() {
		m := p.state[id]
		by := p.state[m.SuppressedBy]
		switch {
		case isRequest(m) && (slices.Contains(t.IDs, id) || x.concerns(m)):
			ids = append(ids, id)
		case by != nil && (slices.Contains(t.IDs, id) || by.Suppresses != nil && isPointed(by.Suppresses) && x.Match(m)):
			ids = append(ids, m.SuppressedBy)
		}
	}
	compact(&ids)
	return slices.DeleteFunc(ids, func(id memory.ID) bool { return p.state[id] == nil || !isRequest(p.state[id]) })
}

// isPointed reports whether a topic means memories without naming them.
func isPointed(t *memory.Topic) bool { return t.Words == "" && len(t.Keys) == 0 }

// concerns reports whether the topic is what a standing request is about, or a part of it, or
// the other way round.
func (x *Matcher) concerns(request *memory.Memory) bool {
	t := request.Suppresses
	if t == nil || x.all {
		return t != nil
	}
	y := About(x.registry, *t)
	if slices.ContainsFunc(x.whole, func(k memory.Key) bool { return slices.Contains(y.whole, k) }) {
		return true
	}
	return t.Words != "" && (x.Mentions(&memory.Memory{Text: t.Words}) || x.text != "" && y.Mentions(&memory.Memory{Text: x.text}))
}
