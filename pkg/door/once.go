package door

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/memory"
)

// IdempotencyKey is the header, over HTTP and NATS, under which the reply to a write is kept.
const IdempotencyKey = "Idempotency-Key"

// MaxIdempotencyKey bounds an idempotency key, in bytes.
const MaxIdempotencyKey = 255

// Replies keeps the replies to writes for a day, each under a name of its owner's, where the
// owner's erasure finds it.
type Replies interface {
	// Claim takes the name for a request. A claim above 0 is the caller's, until it is kept or
	// released, or has been left alone for some minutes. Else the name is taken: same says
	// whether by the same request, and reply is what was kept for it, nil while it is running.
	Claim(ctx context.Context, s memory.Scope, name string, request []byte) (claim uint64, reply []byte, same bool, err error)
	// Keep keeps the reply in place of the claim; it does nothing if that has gone.
	Keep(ctx context.Context, s memory.Scope, name string, request []byte, claim uint64, reply []byte) error
	// Release takes the claim back.
	Release(ctx context.Context, s memory.Scope, name string, claim uint64) error
}

// onceTimeout bounds a request with an idempotency key, which goes on when its client has
// gone: the reply is for when it comes back.
const onceTimeout = time.Minute

// CallOnce is Call under an idempotency key, which is the caller's own for each owner and
// operation: a request that they repeat gets the reply of the first, if that succeeded, as a
// json.RawMessage, and changes nothing. With another request under the same key it is a
// Problem, 422, and while the first is running one with 409. Without a key, and where nothing
// has to be kept, it is Call.
func (op *Operation) CallOnce(ctx context.Context, r Replies, caller access.Caller, raw []byte, key string) (reply any, replayed bool, err error) {
	if key == "" || !op.Writes || op.Idempotent {
		reply, err = op.Call(ctx, caller, raw)
		return reply, false, err
	}
	if !printable(key, MaxIdempotencyKey) {
		return nil, false, BadField(IdempotencyKey, "must be at most %d printable ASCII characters", MaxIdempotencyKey)
	}
	if r == nil {
		return nil, false, BadField(IdempotencyKey, "replies are not kept here")
	}
	p, err := op.read(caller, raw)
	if err != nil {
		return nil, false, err
	}
	name := strings.Join([]string{caller.Key, op.ID, key}, "\x00")
	claim, kept, same, err := r.Claim(ctx, p.scope, name, raw)
	switch {
	case err != nil:
		return nil, false, fmt.Errorf("claim idempotency key: %w", err)
	case claim > 0:
		reply, err := op.keep(withRequest(ctx, name), r, p, name, raw, claim)
		return reply, false, err
	case !same:
		return nil, false, &Problem{
			Status: http.StatusUnprocessableEntity, Title: "idempotency key was used", Field: IdempotencyKey,
			Detail: "it was used for another request within the last 24 hours",
		}
	case kept == nil:
		return nil, false, &Problem{
			Status: http.StatusConflict, Title: "request is running", Field: IdempotencyKey,
			Detail: "a request with this key is being carried out: try again for its reply", Header: soon,
		}
	default:
		return json.RawMessage(kept), true, nil
	}
}

// keep carries a request out and keeps its reply, or takes the claim back.
func (op *Operation) keep(ctx context.Context, r Replies, p *prepared, name string, raw []byte, claim uint64) (any, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), onceTimeout)
	defer cancel()
	out, err := p.run(ctx)
	if err != nil {
		_ = r.Release(context.WithoutCancel(ctx), p.scope, name, claim) // else it is left alone, and falls free by itself
		return nil, err
	}
	reply, err := Encode(out)
	if err != nil {
		return nil, fmt.Errorf("encode reply: %w", err)
	}
	if err := r.Keep(ctx, p.scope, name, raw, claim, reply); err != nil {
		return nil, fmt.Errorf("keep reply: %w", err)
	}
	return json.RawMessage(reply), nil
}
