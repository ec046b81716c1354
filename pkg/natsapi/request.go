package natsapi

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
	"go.opentelemetry.io/otel/propagation"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
)

// How long a request has, with the time that it waits for its turn.
const (
	timeout     = time.Minute
	slowTimeout = 15 * time.Minute
)

const headerType = "Content-Type"

// take answers a request beside others. It returns at once: an endpoint's requests come one
// after the other.
func (s *Service) take(ctx context.Context, op *door.Operation, r micro.Request) {
	start := time.Now()
	ex := &exchange{Service: s, op: op, request: http.Header(r.Headers()), body: r.Data(), to: r.Reply(), reply: nats.Header{}}
	if !s.work.add() {
		ex.refuse(ctx, &door.Problem{
			Status: http.StatusServiceUnavailable, Title: "try again later", Detail: "too many requests are waiting, or this is being stopped",
			Header: http.Header{"Retry-After": {"1"}},
		}, start)
		return
	}
	go func() {
		defer s.work.done()
		ex.answer(ctx, start)
	}()
}

// exchange is one request and its reply.
type exchange struct {
	*Service
	op      *door.Operation
	request http.Header
	body    []byte
	to      string
	reply   nats.Header
}

func (x *exchange) answer(ctx context.Context, start time.Time) {
	limit, turns := timeout, x.running
	if x.op.Slow {
		limit, turns = slowTimeout, x.slow
	}
	ctx, cancel := context.WithTimeout(propagation.TraceContext{}.Extract(ctx, carrier(x.request)), limit)
	defer cancel()
	x.identify()
	raw, err := x.recovered(ctx, turns)
	if err != nil {
		x.refuse(ctx, err, start)
		return
	}
	x.reply[headerType] = []string{door.TypeJSON}
	x.counts[x.op.ID].add(time.Since(start), nil)
	x.send(ctx, raw)
}

// recovered is call, where a panic is an error: one request does not end the others.
func (x *exchange) recovered(ctx context.Context, turns chan struct{}) (raw []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return x.call(ctx, turns)
}

// call waits for its turn and carries the request out.
func (x *exchange) call(ctx context.Context, turns chan struct{}) ([]byte, error) {
	select {
	case turns <- struct{}{}:
		defer func() { <-turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	caller, err := x.caller(ctx)
	if err != nil {
		return nil, err
	}
	if err := x.op.Allow(caller); err != nil {
		return nil, err
	}
	keys := values(x.request, door.IdempotencyKey)
	if len(keys) > 1 {
		return nil, door.BadField(door.IdempotencyKey, "is given twice")
	}
	out, replayed, err := x.op.CallOnce(ctx, x.Replies, caller, x.body, strings.Join(keys, ""))
	if err != nil {
		return nil, err
	}
	if replayed {
		x.reply[door.ReplayedHeader] = []string{"true"}
	}
	raw, err := door.Encode(out)
	if err != nil {
		return nil, fmt.Errorf("encode reply: %w", err)
	}
	if most := x.Conn.MaxPayload() - headerRoom; int64(len(raw)) > most {
		return nil, &door.Problem{
			Status: http.StatusRequestEntityTooLarge, Title: "reply too large",
			Detail: fmt.Sprintf("the reply has %d bytes, and a message takes %d: ask for a page with limit, or over HTTP", len(raw), most),
		}
	}
	return raw, nil
}

// headerRoom is what the headers of a reply may take of a message, in bytes.
const headerRoom = 1 << 10

func (x *exchange) caller(ctx context.Context) (access.Caller, error) {
	if x.Access == nil {
		return access.Local(), nil
	}
	return x.Access.Caller(ctx, x.request)
}

// identify gives the reply the id of the request, or a new one.
func (x *exchange) identify() {
	sent := strings.Join(values(x.request, door.RequestIDHeader), "")
	x.reply[door.RequestIDHeader] = []string{door.NameRequest(sent)}
}

// refuse answers with what may be told of an error. What is the server's own fault is logged.
func (x *exchange) refuse(ctx context.Context, err error, start time.Time) {
	if x.reply[door.RequestIDHeader] == nil {
		x.identify()
	}
	p := door.ProblemOf(err)
	p.RequestID = x.reply[door.RequestIDHeader][0]
	if p.Status >= http.StatusInternalServerError {
		x.Logger.WarnContext(ctx, "request failed", "operation", x.op.ID, "status", p.Status, "request_id", p.RequestID, "error", err)
	}
	for name, values := range p.Header {
		x.reply[name] = values
	}
	x.reply[headerType] = []string{door.TypeProblem}
	x.reply[micro.ErrorCodeHeader] = []string{strconv.Itoa(p.Status)}
	x.reply[micro.ErrorHeader] = []string{p.Title}
	raw, encodeErr := door.Encode(p)
	if encodeErr != nil { // a problem is text and numbers
		raw = nil
	}
	x.counts[x.op.ID].add(time.Since(start), &p)
	x.send(ctx, raw)
}

// send replies, if a reply is waited for. It does not go by the micro.Request, which is the
// subscription's and knows nothing of what runs beside it.
func (x *exchange) send(ctx context.Context, raw []byte) {
	if x.to == "" {
		return
	}
	if err := x.Conn.PublishMsg(&nats.Msg{Subject: x.to, Header: x.reply, Data: raw}); err != nil {
		x.Logger.WarnContext(ctx, "reply was not sent", "operation", x.op.ID, "request_id", x.reply[door.RequestIDHeader], "error", err)
	}
}

// values are those of a header, whose name NATS leaves in the case in which it was sent.
func values(h http.Header, name string) []string {
	var out []string
	for n, v := range h {
		if strings.EqualFold(n, name) {
			out = append(out, v...)
		}
	}
	return out
}

// carrier reads trace context from the headers of a request.
type carrier http.Header

// Get returns the first value, or "".
func (c carrier) Get(key string) string {
	if v := values(http.Header(c), key); len(v) > 0 {
		return v[0]
	}
	return ""
}

// Set sets a value.
func (c carrier) Set(key, value string) { c[key] = []string{value} }

// Keys are the names of the headers.
func (c carrier) Keys() []string {
	out := make([]string, 0, len(c))
	for n := range c {
		out = append(out, n)
	}
	return out
}
