package mcpapi

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Access makes out who asks.
type Access interface {
	// Caller is whom the request's headers name. Without a valid credential it is an
	// access.ErrUnauthenticated.
	Caller(ctx context.Context, h http.Header) (access.Caller, error)
}

// Config says what is served over HTTP, and to whom.
type Config struct {
	// Table is the operations that are open.
	Table *door.Table
	// Access makes out who asks. Nil lets everybody in as access.Local.
	Access  Access
	Version string
	Logger  *slog.Logger
}

// maxBody bounds a request, in bytes.
const maxBody = 2 * door.MaxBody

// Handler serves the tools by streamable HTTP without sessions: every request has its
// credential, and any instance answers it. Whose memory they are about stands in the address
// (?user=alice, and tenant where the credential is of none), narrowed to the credential; where
// that is a user's nothing has to be said.
func Handler(c Config) http.Handler {
	tools := NewTools(c.Table, c.Version)
	served := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		s, _ := r.Context().Value(serverKey{}).(*mcp.Server)
		return s
	}, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: c.Logger, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
		// Who is reached on loopback and trusts it checks the host in front of this, and who asks
		// for credentials may stand behind a proxy.
		DisableLocalhostProtection: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, owner, err := c.owner(r)
		if err != nil {
			c.refuse(w, r, err)
			return
		}
		s := tools.Server(owner, func(ctx context.Context, op *door.Operation, raw []byte) (any, error) {
			out, err := op.Call(ctx, caller, raw)
			if p := door.ProblemOf(err); err != nil && p.Status >= http.StatusInternalServerError {
				c.Logger.WarnContext(ctx, "request failed", "tool", op.ID, "status", p.Status, "request_id", requestID(w), "error", err)
			}
			return out, err
		})
		served.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), serverKey{}, s)))
	})
}

// serverKey is where a request's context holds the server that answers it.
type serverKey struct{}

// requestID is what the request is called by who is in front of this.
func requestID(w http.ResponseWriter) string { return w.Header().Get(door.RequestIDHeader) }

// owner is who asks, and whose memory it is about.
func (c Config) owner(r *http.Request) (access.Caller, Owner, error) {
	caller := access.Local()
	if c.Access != nil {
		var err error
		if caller, err = c.Access.Caller(r.Context(), r.Header); err != nil {
			return caller, Owner{}, err
		}
	}
	said, err := said(r.URL.Query())
	if err != nil {
		return caller, Owner{}, err
	}
	o, err := access.Narrow(caller, said)
	if err != nil {
		return caller, Owner{}, err
	}
	if o.User == "" {
		return caller, Owner{}, door.BadField("user", "say in the address whose memory it is: /mcp?user=…")
	}
	for field, id := range map[string]string{"tenant": string(o.Tenant), "user": string(o.User)} {
		if err := memory.ValidateID(id); err != nil {
			return caller, Owner{}, door.BadField(field, "%v", err)
		}
	}
	return caller, Owner{Tenant: o.Tenant, User: o.User}, nil
}

// said is the owner as the address has it.
func said(q url.Values) (access.Owner, error) {
	for _, name := range slices.Sorted(maps.Keys(q)) {
		switch {
		case name != "tenant" && name != "user":
			return access.Owner{}, door.BadField(name, "is not a known parameter: want tenant and user")
		case len(q[name]) > 1:
			return access.Owner{}, door.BadField(name, "is given twice")
		}
	}
	return access.Owner{Tenant: memory.Tenant(q.Get("tenant")), User: memory.User(q.Get("user"))}, nil
}

// refuse answers a request that reaches no tool.
func (c Config) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p := door.ProblemOf(err)
	p.RequestID = requestID(w)
	if p.Status >= http.StatusInternalServerError {
		c.Logger.WarnContext(r.Context(), "request failed", "path", r.URL.Path, "status", p.Status, "request_id", p.RequestID, "error", err)
	}
	for name, values := range p.Header {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", door.TypeProblem)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(p.Status)
	raw, err := door.Encode(p)
	if err != nil { // a problem is text and numbers
		raw = nil
	}
	_, _ = w.Write(raw) // else the client has gone; there is nobody to tell
}
