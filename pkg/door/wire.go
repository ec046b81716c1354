package door

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/google/uuid"
)

// Headers beside IdempotencyKey, over HTTP and NATS.
const (
	// RequestIDHeader names a request, in it and in its reply.
	RequestIDHeader = "X-Request-Id"
	// ReplayedHeader is true in a reply that was kept from an earlier request.
	ReplayedHeader = "Idempotency-Replayed"
)

// Content types of replies.
const (
	TypeJSON    = "application/json"
	TypeProblem = "application/problem+json"
)

// MaxRequestID bounds a request id that is taken from the request, in bytes.
const MaxRequestID = 128

// NameRequest is what a request is called in its reply and in the log: what it calls itself, if
// that is printable and not too long, or a new id.
func NameRequest(sent string) string {
	if sent == "" || !printable(sent, MaxRequestID) {
		return uuid.Must(uuid.NewV7()).String()
	}
	return sent
}

// printable reports whether s is at most so many printable ASCII characters.
func printable(s string, most int) bool {
	return len(s) <= most && !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' })
}

// Encode is the JSON of a reply or a problem, with the same bytes on every edge. A
// json.RawMessage was kept, and is that JSON already.
func Encode(body any) ([]byte, error) {
	if raw, ok := body.(json.RawMessage); ok {
		return raw, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(body)
	return b.Bytes(), err
}
