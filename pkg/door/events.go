package door

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/memory"
)

// OpEvents is the operation that publishes. Over HTTP its body is also taken as it is: see
// Publish.
const OpEvents = "events"

// MaxEventsBody bounds a request with events, in bytes.
const MaxEventsBody = 8 << 20

// EventsRequest is events to publish. Each says itself whose it is.
type EventsRequest struct {
	Tenanted
	Events []json.RawMessage `json:"events" minItems:"1" maxItems:"1000" doc:"CloudEvents 1.0, each as schemas/event.schema.json has it."`
}

// Tenanted is a request whose parts say whose they are.
type Tenanted struct{}

func (Tenanted) narrow(c access.Caller, _ bool) error {
	_, err := access.Narrow(c, access.Owner{})
	return err
}

// Scope is none.
func (Tenanted) Scope() memory.Scope { return memory.Scope{} }

// EventsReply says where the events stand.
type EventsReply struct {
	Accepted int               `json:"accepted" doc:"How many events were accepted: all of them."`
	Events   []ingest.Accepted `json:"events" nullable:"false" doc:"One an event, in order."`
}

// Publish accepts raw events for the caller, all of them or none. What an event leaves out of
// tenant, user and agent is filled from the credential, what differs from it is refused.
func Publish(ctx context.Context, in Ingester, c access.Caller, raw [][]byte) (*EventsReply, error) {
	switch n := len(raw); {
	case n == 0:
		return nil, BadField("", "no event in the request")
	case n > ingest.MaxEvents:
		return nil, TooLarge("%d events in one request, at most %d are taken", n, ingest.MaxEvents)
	}
	accepted, err := in.Accept(ctx, raw, narrowEvents(c))
	if err != nil {
		return nil, err
	}
	return &EventsReply{Accepted: len(accepted), Events: accepted}, nil
}

// narrowEvents is nil for a caller who reaches everything: events that come from there are
// decoded once and looked at no further.
func narrowEvents(c access.Caller) func(int, *event.Event) error {
	if c.Tenant == "" {
		return nil
	}
	return func(i int, e *event.Event) error {
		o, err := access.Narrow(c, access.Owner{Tenant: e.Tenant, User: e.User, Agent: e.Agent})
		var far *access.ForbiddenError
		if errors.As(err, &far) {
			return &Problem{Status: http.StatusForbidden, Title: "forbidden", Detail: far.Error(), Field: far.Field, Index: &i}
		}
		if err != nil {
			return err
		}
		e.Tenant, e.User, e.Agent = o.Tenant, o.User, o.Agent
		return nil
	}
}

func (t *Table) publish(in Ingester) {
	Add(t, Operation{
		ID: OpEvents, Summary: "Publish events", Tag: "events", Method: http.MethodPost, Path: "/v1/events",
		Description: "Accepts what was said, all of it or nothing. The reply comes when the events are on disk; " +
			"what they say is remembered later, in the background. An event whose id was published within the last minutes is stored once.",
		Role: access.RoleAgent, Writes: true, Idempotent: true, Status: http.StatusAccepted, MaxBody: MaxEventsBody,
	}, func(ctx context.Context, c access.Caller, r *EventsRequest) (*EventsReply, error) {
		raw := make([][]byte, len(r.Events))
		for i, e := range r.Events {
			raw[i] = e
		}
		return Publish(ctx, in, c, raw)
	})
}

// ConsolidateRequest names a thread.
type ConsolidateRequest struct {
	User
	Thread memory.Thread `json:"thread" doc:"The thread, up to 256 bytes."`
}

// ConsolidateReply says that the work was asked for.
type ConsolidateReply struct {
	Status string `json:"status" enum:"triggered" doc:"Always \"triggered\": the reply does not wait for the work."`
}

func (t *Table) consolidate(trigger Trigger) {
	Add(t, Operation{
		ID: "consolidate", Summary: "Consolidate a thread now", Tag: "events", Method: http.MethodPost, Path: "/v1/consolidate",
		Description: "Has a thread consolidated without waiting until it has been quiet for a while.",
		Role:        access.RoleAgent, Writes: true, Idempotent: true, Status: http.StatusAccepted,
	}, func(ctx context.Context, _ access.Caller, r *ConsolidateRequest) (*ConsolidateReply, error) {
		if err := valid("thread", string(r.Thread)); err != nil {
			return nil, err
		}
		err := trigger.Now(ctx, memory.ThreadRef{Tenant: r.Tenant, User: r.User.User, Thread: r.Thread})
		return &ConsolidateReply{Status: "triggered"}, err
	})
}
