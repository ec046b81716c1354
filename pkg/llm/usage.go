package llm

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/mnemond/mnemond/pkg/memory"
)

// The outcomes of calls, as the attribute "outcome" of mnemond.llm.calls.
const (
	outcomeOK       = "ok"
	outcomeOutage   = "outage"    // the server is down, busy, or not set up
	outcomeRefused  = "refused"   // it answered that it would not do this
	outcomeBadReply = "bad_reply" // it answered with something of no use
)

// usage counts what an endpoint is asked, by tenant.
type usage struct {
	what   string // "chat" or "embeddings"
	calls  metric.Int64Counter
	tokens metric.Int64Counter
	saved  metric.Int64Counter
}

func newUsage(what string, m metric.Meter) (*usage, error) {
	if m == nil {
		m = otel.Meter("github.com/mnemond/mnemond/pkg/llm")
	}
	u := &usage{what: what}
	for _, c := range []struct {
		counter           *metric.Int64Counter
		name, description string
	}{
		{&u.calls, "mnemond.llm.calls", "Calls to a model, by what became of them."},
		{&u.tokens, "mnemond.llm.tokens", "Tokens that calls to a model have used, as the server counts or, where it does not, as estimated."},
		{&u.saved, "mnemond.llm.calls.saved", "Pieces of conversation for which no call was needed."},
	} {
		var err error
		if *c.counter, err = m.Int64Counter(c.name, metric.WithDescription(c.description)); err != nil {
			return nil, fmt.Errorf("make counter: %w", err)
		}
	}
	return u, nil
}

func (u *usage) attributes(t memory.Tenant, more ...attribute.KeyValue) metric.AddOption {
	return metric.WithAttributes(append(more, attribute.String("endpoint", u.what), attribute.String("tenant", string(t)))...)
}

func (u *usage) call(ctx context.Context, t memory.Tenant, outcome string) {
	u.calls.Add(ctx, 1, u.attributes(t, attribute.String("outcome", outcome)))
}

func (u *usage) spent(ctx context.Context, t memory.Tenant, prompt, completion int) {
	u.tokens.Add(ctx, int64(prompt), u.attributes(t, attribute.String("direction", "prompt")))
	if completion > 0 {
		u.tokens.Add(ctx, int64(completion), u.attributes(t, attribute.String("direction", "completion")))
	}
}

func (u *usage) save(ctx context.Context, t memory.Tenant) {
	u.saved.Add(ctx, 1, u.attributes(t))
}
