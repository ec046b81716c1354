// Package door is the table of what is open to others, independent of how they come in: over
// HTTP, NATS or MCP. It owns the operations, with their requests, replies and roles; how a
// request is read strictly; how it is narrowed to its caller; and what becomes of an error.
// It never decides anything of memory itself, and knows no transport and nothing of storage.
//
// An edge makes the table once, lists it, and calls an operation with what it was sent, as one
// JSON object, and with who asks:
//
//	table := door.New(services)
//	for _, op := range table.Operations() {
//		serve(op.ID, func(ctx context.Context, caller access.Caller, request []byte) (reply []byte) {
//			out, err := op.Call(ctx, caller, request)
//			if err != nil {
//				return encode(door.ProblemOf(err)) // with its Status, for the transport's own code
//			}
//			return encode(out)
//		})
//	}
//
// Call refuses what the caller may not do, unknown fields, wrong types and what is out of
// bounds, naming the field, and puts the caller's tenant, user and agent in where the request
// leaves them out. There is no way to a service around it.
//
// A new operation is a request that embeds User, UserAgent or Owner, and a line:
//
//	type PinRequest struct {
//		door.User
//		ID memory.ID `json:"id" path:"id" doc:"The memory to pin."`
//	}
//
//	door.Add(table, door.Operation{
//		ID: "pin", Summary: "Pin a memory", Tag: "memories", Method: http.MethodPost, Path: "/v1/memories/{id}/pin",
//		Role: access.RoleUser, Writes: true,
//	}, func(ctx context.Context, _ access.Caller, in *PinRequest) (*PinReply, error) {
//		return pin(ctx, in.Scope(), in.ID)
//	})
//
// All fields of a request stand in one JSON object. Over HTTP those with a path tag come from
// the path, and of a GET or DELETE the rest from the query. A field is optional when its json
// tag says omitempty or omitzero. The tags doc, enum, minimum, maximum, minLength, maxLength
// (in characters), minItems and maxItems are those of huma; they stand in the OpenAPI document and
// are checked.
package door

import (
	"context"
	"fmt"
	"net/http"
	"reflect"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/memory"
)

// MaxBody is how large a request may be in bytes, unless its operation says otherwise.
const MaxBody = 64 << 10

// Operation is one thing that can be asked for.
type Operation struct {
	// ID is its name on every edge, such as "recall" or "delete_memory".
	ID string
	// Summary is one line; Description says what else a caller has to know.
	Summary, Description string
	// Tag groups operations in documents.
	Tag string
	// Method and Path are its place over HTTP; a path may hold fields, as "{id}".
	Method, Path string
	// Role is the least one that may call it; see access.Role.May.
	Role access.Role
	// Writes says that it changes something: its reply may be kept under an idempotency key.
	Writes bool
	// Idempotent says that it may be repeated as it is, so that no reply is kept.
	Idempotent bool
	// Slow says that it may take minutes, which an edge has to give it.
	Slow bool
	// Status is the HTTP status of success; 0 means 200.
	Status int
	// Errors are the statuses of problems that it has besides those of every operation.
	Errors []int
	// BodyOnDelete says that over HTTP the fields of a DELETE stand in its body, not in the
	// query.
	BodyOnDelete bool
	// JSONPatch says that over HTTP the body may also be the field patch alone, as
	// application/json-patch+json; the other fields are then parameters.
	JSONPatch bool
	// MaxBody is how large its request may be in bytes; 0 means MaxBody.
	MaxBody int64

	in, out reflect.Type
	request *shape
	prepare func(caller access.Caller, raw []byte) (*prepared, error)
}

// prepared is a request that was read and narrowed, and only has to be carried out.
type prepared struct {
	// scope is whose it is; the zero scope where its parts say so.
	scope memory.Scope
	run   func(context.Context) (any, error)
}

// Table is the operations of a process.
type Table struct {
	operations []*Operation
	byID       map[string]*Operation
}

// NewTable returns an empty table.
func NewTable() *Table { return &Table{byID: map[string]*Operation{}} }

// Operations are all operations, in the order in which they were added. They are not to be
// changed.
func (t *Table) Operations() []*Operation { return t.operations }

// Operation is the operation of that name; ok is false when the process has none.
func (t *Table) Operation(id string) (op *Operation, ok bool) {
	op, ok = t.byID[id]
	return op, ok
}

// Owned is a request that says whose memory it is about. It is implemented by embedding User,
// UserAgent or Owner, and in no other way.
type Owned[In any] interface {
	*In
	narrow(c access.Caller, writes bool) error
	// Scope is whose it is, once it is narrowed.
	Scope() memory.Scope
}

// Add puts an operation into the table. The function is called with a request that is
// complete, within its bounds and narrowed to the caller. Its errors are made out by
// ProblemOf. Add panics when the operation is not well described: that is a fault of the
// program.
func Add[In, Out any, P Owned[In]](t *Table, op Operation, f func(ctx context.Context, caller access.Caller, in *In) (*Out, error)) {
	op.in, op.out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	op.request = shapeOf(op.in)
	if op.Status == 0 {
		op.Status = http.StatusOK
	}
	if op.MaxBody == 0 {
		op.MaxBody = MaxBody
	}
	if op.ID == "" || op.Summary == "" || op.Tag == "" || op.Method == "" || op.Path == "" || !op.Role.Valid() || t.byID[op.ID] != nil {
		panic(fmt.Sprintf("door: operation %q is not well described, or there are two", op.ID))
	}
	op.prepare = func(caller access.Caller, raw []byte) (*prepared, error) {
		in := new(In)
		limits, err := op.request.decode(raw, in)
		if err != nil {
			return nil, err
		}
		if err := P(in).narrow(caller, op.Writes); err != nil {
			return nil, err
		}
		if limits != nil { // said only to who may ask at all
			return nil, limits
		}
		run := func(ctx context.Context) (any, error) {
			out, err := f(ctx, caller, in)
			if err != nil {
				return nil, err
			}
			return out, nil
		}
		return &prepared{P(in).Scope(), run}, nil
	}
	t.operations = append(t.operations, &op)
	t.byID[op.ID] = &op
}

// Call carries the operation out for the caller. Raw is the request as one JSON object; empty
// means one without fields. What ProblemOf makes of the error is all that may be told.
func (op *Operation) Call(ctx context.Context, caller access.Caller, raw []byte) (any, error) {
	p, err := op.read(caller, raw)
	if err != nil {
		return nil, err
	}
	return p.run(ctx)
}

func (op *Operation) read(caller access.Caller, raw []byte) (*prepared, error) {
	if err := op.Allow(caller); err != nil {
		return nil, err
	}
	if int64(len(raw)) > op.MaxBody {
		return nil, TooLarge("request is larger than %d bytes", op.MaxBody)
	}
	return op.prepare(caller, raw)
}

// Allow reports why the caller may not call the operation at all, or nil.
func (op *Operation) Allow(c access.Caller) error { return access.Permit(c, op.Role) }
