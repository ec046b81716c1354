// Package httpapi is the HTTP edge: it reads requests strictly, calls an operation of
// pkg/door and writes its reply or one clear problem; and it describes all of them in an
// OpenAPI document. It knows HTTP, and nothing of streams, storage or how anything is decided.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
)

// Ready reports why the process cannot serve yet, or nil.
type Ready func(ctx context.Context) error

// Access makes out who asks.
type Access interface {
	// Caller is whom the request's headers name. Without a valid credential it is an
	// access.ErrUnauthenticated.
	Caller(ctx context.Context, h http.Header) (access.Caller, error)
}

// Config says what is served, and to whom.
type Config struct {
	// Table is the operations that are open; nil means none.
	Table *door.Table
	// Ingest takes the events of POST /v1/events as they come. It is what the table's own
	// operation calls; nil where there is none.
	Ingest door.Ingester
	// Access makes out who asks. Nil lets everybody in as access.Local, which is for loopback
	// alone: see LocalOnly.
	Access Access
	// Replies keeps the replies to writes with an Idempotency-Key; nil refuses the header.
	Replies door.Replies
	// MCP answers /mcp, and makes out itself who asks; nil: there is no such path.
	MCP    http.Handler
	Ready  Ready
	Logger *slog.Logger
	// LocalOnly refuses requests whose Host is not loopback. A handler that listens on
	// loopback and trusts whoever is there needs it: else a page in a browser reads memories
	// through a name that it has made to resolve to this machine (DNS rebinding).
	LocalOnly bool
}

// New returns the handler of the configured operations.
func New(c Config) http.Handler {
	if c.Table == nil {
		c.Table = door.NewTable()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /readyz", c.ready)
	mux.HandleFunc("GET /openapi.json", describe(c.Table))
	for _, op := range c.Table.Operations() {
		mux.HandleFunc(op.Method+" "+op.Path, c.serve(op))
	}
	if c.MCP != nil {
		mux.Handle("/mcp", c.MCP)
	}
	h := withProblems(mux)
	if c.LocalOnly {
		h = localOnly(h)
	}
	return withRequestID(h)
}

// readyTimeout bounds the checks behind /readyz.
const readyTimeout = 5 * time.Second

func (c Config) ready(w http.ResponseWriter, r *http.Request) {
	if c.Ready != nil {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := c.Ready(ctx); err != nil {
			writeProblem(w, door.Problem{Status: http.StatusServiceUnavailable, Title: "not ready", Detail: err.Error(), Header: http.Header{"Retry-After": {"1"}}})
			return
		}
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}

// caller is who asks.
func (c Config) caller(r *http.Request) (access.Caller, error) {
	if c.Access == nil {
		return access.Local(), nil
	}
	return c.Access.Caller(r.Context(), r.Header)
}
