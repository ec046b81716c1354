package reconcile

import "github.com/mnemond/mnemond/pkg/memory"

// request carries out what the user asks of the memory itself.
func (p *planner) request(r Request) Outcome { return NoTarget }

// request adds what has to be loaded for a request.
func (n *Needs) request(in Input, r Request) {}

// forgotten reports whether a tombstone keeps the statement from being learnt.
func (p *planner) forgotten(s Statement) bool { return false }

// hashesOf are the keyed hashes by which a tombstone knows the statement.
func hashesOf(in Input, s Statement) []string { return nil }

// suppressed marks m if a standing request is about it.
func (p *planner) suppressed(m *memory.Memory) {}
