package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"

	"github.com/mnemond/mnemond/pkg/subject"
)

// apiPrefix is what the subjects of operations begin with.
const apiPrefix = "mnemond.api."

// overNATS publishes into the stream and asks the NATS service.
type overNATS struct {
	nc    *nats.Conn
	js    jetstream.JetStream
	key   string
	after func()
}

// dialNATS connects in the background, and again whenever the connection is lost.
func dialNATS(o *Options) (wire, error) {
	nc, err := nats.Connect(o.URL,
		nats.Name(o.Source), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(o.BackoffMin),
		// Nothing is buffered below: what is not acknowledged is sent again from here.
		nats.ReconnectBufSize(-1))
	if err != nil {
		return nil, fmt.Errorf("connect to NATS: %w", err)
	}
	return newNATS(o, nc, nc.Close)
}

func newNATS(o *Options, nc *nats.Conn, after func()) (wire, error) {
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncTimeout(o.Timeout))
	if err != nil {
		after()
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	return &overNATS{nc: nc, js: js, key: o.APIKey, after: after}, nil
}

func (n *overNATS) close() {
	n.js.CleanupPublisher()
	n.after()
}

func (n *overNATS) publish(ctx context.Context, batch []entry) error {
	acks := make([]jetstream.PubAckFuture, 0, len(batch))
	var failed error
	for i, e := range batch {
		ack, err := n.js.PublishMsgAsync(&nats.Msg{Subject: subject.Event(e.ref), Data: e.raw, Header: nats.Header{
			jetstream.MsgIDHeader:          {subject.EventID(e.ref, e.id)},
			jetstream.ExpectedStreamHeader: {subject.Events},
		}})
		if err != nil {
			failed = publishError(err, i)
			break
		}
		acks = append(acks, ack)
	}
	for i, ack := range acks {
		select {
		case <-ack.Ok():
		case err := <-ack.Err():
			if err = publishError(err, i); failed == nil || errors.As(err, new(*Error)) {
				failed = err
			}
		case <-ctx.Done():
			return fmt.Errorf("publish %d events: %w", len(batch), ctx.Err())
		}
	}
	return failed
}

// publishError makes an *Error of what trying again cannot help.
func publishError(err error, index int) error {
	var api *jetstream.APIError
	switch {
	case errors.Is(err, nats.ErrMaxPayload):
		return &Error{Status: http.StatusRequestEntityTooLarge, Title: "request too large", Detail: err.Error(), Index: &index}
	case errors.As(err, &api) && api.Code >= 400 && api.Code < 500 && api.Code != http.StatusRequestTimeout:
		return &Error{Status: api.Code, Title: "refused by the stream", Detail: api.Description, Index: &index}
	default:
		return fmt.Errorf("publish event: %w", err)
	}
}

func (n *overNATS) call(ctx context.Context, op operation, in request, out any) error {
	body, err := n.body(in)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	m := &nats.Msg{Subject: apiPrefix + op.id, Data: body, Header: nats.Header{}}
	if n.key != "" {
		m.Header.Set("Authorization", "Bearer "+n.key)
	}
	otel.GetTextMapPropagator().Inject(ctx, propagation.HeaderCarrier(m.Header))
	reply, err := n.nc.RequestMsgWithContext(ctx, m)
	if err != nil {
		return fmt.Errorf("request %s: %w", m.Subject, err)
	}
	if code := reply.Header.Get(micro.ErrorCodeHeader); code != "" {
		status, err := strconv.Atoi(code)
		if err != nil {
			status = http.StatusInternalServerError
		}
		return errorOf(status, reply.Header.Get(micro.ErrorHeader), reply.Header.Get("Retry-After"), reply.Data)
	}
	return decode(reply.Data, out)
}

// body is one object with all fields of the request.
func (n *overNATS) body(in request) ([]byte, error) {
	raw, err := json.Marshal(in)
	path, _ := in.fields()
	if err != nil || len(path) == 0 {
		return raw, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	for name, value := range path {
		if fields[name], err = json.Marshal(value); err != nil {
			return nil, err
		}
	}
	return json.Marshal(fields)
}
