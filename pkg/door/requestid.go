package door

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
)

// requestKey is where a context holds the id of the request that is carried out.
type requestKey struct{}

// withRequest names the request in ctx by what its reply is kept under, so that a repetition
// which finds no reply, since the first was cut off, is known by what that has left. The id
// stands in the memory's evidence, and does not give the credential away.
func withRequest(ctx context.Context, name string) context.Context {
	sum := sha256.Sum256([]byte(name))
	return context.WithValue(ctx, requestKey{}, "request:"+hex.EncodeToString(sum[:]))
}

// requestID is the id of the request that is carried out; empty when it has no idempotency key.
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}
