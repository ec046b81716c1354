package llm

import (
	"context"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Budget is what a tenant may spend on a day (UTC), in tokens, with a hard cap.
type Budget interface {
	// Reserve takes tokens off what is left of today, before a call is made. When too few
	// are left, its error is a fault.Outage until midnight UTC, and nothing is taken.
	Reserve(ctx context.Context, t memory.Tenant, tokens int) error
	// Settle gives back what a call did not use of what was reserved for it, or takes what
	// it used beyond. A reservation that is never settled, since the process died, stays
	// taken: so what crashes again and again cannot spend more than the cap either. Neither
	// does one whose settling fails, which costs nothing but that.
	Settle(ctx context.Context, t memory.Tenant, reserved, used int) error
}

// unbounded is the Budget of those who set none.
type unbounded struct{}

func (unbounded) Reserve(context.Context, memory.Tenant, int) error     { return nil }
func (unbounded) Settle(context.Context, memory.Tenant, int, int) error { return nil }
