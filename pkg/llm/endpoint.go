package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// endpoint makes calls to a server: within a time limit, past the breaker, and counted.
type endpoint struct {
	Endpoint
	name     string // as errors call it
	client   *openai.Client
	idle     func() // closes idle connections
	breakers *breakers
	usage    *usage
}

// newEndpoint makes an endpoint; most bounds a response, in bytes.
func newEndpoint(e Endpoint, name string, most int64) (*endpoint, error) {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return nil, errors.New("the default HTTP transport has been replaced")
	}
	client := &http.Client{Transport: transport.Clone()}
	config := openai.DefaultConfig(e.APIKey)
	config.BaseURL = e.BaseURL
	config.HTTPClient = doer{client, most}
	usage, err := newUsage(name, e.Meter)
	if err != nil {
		return nil, err
	}
	return &endpoint{
		Endpoint: e, name: name, client: openai.NewClientWithConfig(config), idle: client.CloseIdleConnections, usage: usage,
		breakers: newBreakers(breakerLimits{e.BreakerFailures, e.BreakerMin, e.BreakerMax}),
	}, nil
}

// admit asks the breaker for leave to call; its refusal is an outage that says for how long.
// Who is admitted must call, or say that it did not by breakers.cancelled.
func (e *endpoint) admit(t memory.Tenant) error {
	wait, ok := e.breakers.allow(t)
	if ok {
		return nil
	}
	return fault.Outage(fmt.Errorf("%s endpoint: left alone after outages", e.name), wait)
}

// call makes one call for which the breaker has given leave. Its error is a *failure, or that
// of ctx.
func (e *endpoint) call(ctx context.Context, t memory.Tenant, f func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	err := f(bounded)
	if err == nil {
		e.breakers.served(t)
		e.usage.call(ctx, t, outcomeOK)
		return nil
	}
	if ctx.Err() != nil {
		e.breakers.cancelled(t)
		return ctx.Err()
	}
	failed := diagnose(err)
	switch failed.class {
	case classOutage, classSetup:
		e.breakers.failed(t, failed.after)
		e.usage.call(ctx, t, outcomeOutage)
	case classReply:
		e.breakers.served(t)
		e.usage.call(ctx, t, outcomeBadReply)
	default:
		e.breakers.served(t)
		e.usage.call(ctx, t, outcomeRefused)
	}
	return failed
}

// outage is a failure as an error to wait for.
func (e *endpoint) outage(f *failure) error {
	return fault.Outage(fmt.Errorf("%s endpoint: %w", e.name, f), f.after)
}
