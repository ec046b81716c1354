package door

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/mnemond/mnemond/pkg/memory"
)

// requestKey is where a context holds the id of the request that is carried out.
type requestKey struct{}

// withRequest names the request in ctx by its idempotency key, so that a repetition which
// finds no reply, since the first was cut off, is known by what that has left.
func withRequest(ctx context.Context, key string) context.Context {
	id := "request:" + key
	if len(id) > memory.MaxIDBytes {
		sum := sha256.Sum256([]byte(key))
		id = "request:" + hex.EncodeToString(sum[:])
	}
	return context.WithValue(ctx, requestKey{}, id)
}

// requestID is the id of the request that is carried out; empty when it has no idempotency key.
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}
