// Package httpapi is the HTTP edge: it reads requests strictly, calls a service and writes
// its answer or one clear problem. It knows HTTP and nothing of streams, storage or how
// anything is decided.
package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// Bounds of requests.
const (
	maxEventsBody = 8 << 20
	maxBody       = 64 << 10
)

// Ingester accepts raw events, all of them or none.
type Ingester interface {
	Accept(ctx context.Context, raw [][]byte) ([]ingest.Accepted, error)
}

// Trigger asks for a thread to be consolidated now.
type Trigger interface {
	Now(ctx context.Context, r memory.ThreadRef) error
}

// Reader is the read side.
type Reader interface {
	Recall(ctx context.Context, r recall.Request) (recall.Response, error)
	Memories(ctx context.Context, s memory.Scope) ([]memory.Memory, error)
	History(ctx context.Context, s memory.Scope, key memory.Key) ([]ledger.Entry, error)
}

// Archive is what is not at hand: no more, or never was.
type Archive interface {
	Archive(ctx context.Context, s memory.Scope) ([]memory.Memory, error)
	Refusals(ctx context.Context, s memory.Scope) ([]ledger.Refused, error)
}

// Ready reports why the process cannot serve yet, or nil.
type Ready func(ctx context.Context) error

// Config says which doors are open: a nil service has none.
type Config struct {
	Ingest  Ingester
	Trigger Trigger
	Read    Reader
	Archive Archive
	Curate  *Curator
	Ready   Ready
	Logger  *slog.Logger
	// LocalOnly refuses requests whose Host is not loopback. A handler that listens on
	// loopback and trusts whoever is there needs it: else a page in a browser reads memories
	// through a name that it has made to resolve to this machine (DNS rebinding).
	LocalOnly bool
}

// New returns the handler of the configured doors.
func New(c Config) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /readyz", c.ready)
	if c.Ingest != nil {
		mux.HandleFunc("POST /v1/events", c.answer(c.events))
	}
	if c.Trigger != nil {
		mux.HandleFunc("POST /v1/consolidate", c.answer(c.consolidate))
	}
	if c.Read != nil {
		mux.HandleFunc("POST /v1/recall", c.answer(c.recall))
		mux.HandleFunc("GET /v1/memories", c.answer(c.memories))
		mux.HandleFunc("GET /v1/history", c.answer(c.history))
		mux.HandleFunc("GET /v1/rejections", c.answer(c.rejections))
	}
	if c.Curate != nil {
		c.curated(mux)
	}
	if c.LocalOnly {
		return localOnly(withProblems(mux))
	}
	return withProblems(mux)
}

func localOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			writeProblem(w, problem{
				Status: http.StatusMisdirectedRequest, Title: "misdirected request", Field: "Host",
				Detail: "only requests to localhost are answered here",
			})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// withProblems answers for what has no door, or none for the method, in the form of every
// other problem.
func withProblems(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		refusal := refused{header: w.Header(), status: http.StatusNotFound}
		h.ServeHTTP(&refusal, r)
		writeProblem(w, problem{Status: refusal.status, Title: strings.ToLower(http.StatusText(refusal.status))})
	})
}

// refused takes the status and the headers (Allow) of the mux's own refusal, not its text.
type refused struct {
	header http.Header
	status int
}

func (r *refused) Header() http.Header         { return r.header }
func (r *refused) WriteHeader(status int)      { r.status = status }
func (r *refused) Write(b []byte) (int, error) { return len(b), nil }

// readyTimeout bounds the checks behind /readyz.
const readyTimeout = 5 * time.Second

func (c Config) ready(w http.ResponseWriter, r *http.Request) {
	if c.Ready != nil {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := c.Ready(ctx); err != nil {
			writeProblem(w, problem{Status: http.StatusServiceUnavailable, Title: "not ready", Detail: err.Error()})
			return
		}
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}

// answered is a successful answer.
type answered struct {
	status int
	body   any
}

// answer turns what a door returns into a response.
func (c Config) answer(f func(r *http.Request) (answered, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, err := f(r)
		if err != nil {
			p := problemOf(err)
			if p.Status >= http.StatusInternalServerError {
				c.Logger.WarnContext(r.Context(), "request failed", "path", r.URL.Path, "status", p.Status, "error", err)
			}
			writeProblem(w, p)
			return
		}
		writeJSON(w, a.status, a.body)
	}
}

// problem is an error in the form of RFC 9457, with the field at fault.
type problem struct {
	Status int    `json:"status"`
	Title  string `json:"title"`
	Detail string `json:"detail,omitempty"`
	Field  string `json:"field,omitempty"`
	// Index is the place of the event at fault in a batch.
	Index *int `json:"index,omitempty"`
}

func (p *problem) Error() string { return p.Title + ": " + p.Detail }

func badField(field, format string, args ...any) error {
	return &problem{Status: http.StatusBadRequest, Title: "invalid request", Field: field, Detail: fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) error {
	return &problem{Status: http.StatusRequestEntityTooLarge, Title: "request too large", Detail: fmt.Sprintf(format, args...)}
}

func problemOf(err error) problem {
	var p *problem
	var e *ingest.EventError
	var f *fault.FieldError
	var late *curate.ConflictError
	switch {
	case errors.As(err, &p):
		return *p
	case errors.As(err, &e):
		return problem{Status: http.StatusBadRequest, Title: "invalid event", Detail: e.Err.Error(), Field: e.Err.Field, Index: &e.Index}
	case errors.As(err, &f):
		return problem{Status: http.StatusBadRequest, Title: "invalid request", Detail: f.Error(), Field: f.Field}
	case errors.As(err, &late):
		return problem{Status: http.StatusConflict, Title: "decided meanwhile", Detail: late.Error()}
	case errors.Is(err, curate.ErrNotFound):
		return problem{Status: http.StatusNotFound, Title: "not found"}
	case errors.Is(err, memory.ErrScope):
		return problem{Status: http.StatusBadRequest, Title: "invalid request", Detail: err.Error()}
	case errors.Is(err, fault.ErrOutage), errors.Is(err, context.DeadlineExceeded):
		return problem{Status: http.StatusServiceUnavailable, Title: "try again later", Detail: "a dependency is not available"}
	default:
		return problem{Status: http.StatusInternalServerError, Title: "internal error", Detail: "see the server's log"}
	}
}

func writeProblem(w http.ResponseWriter, p problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	if p.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	write(w, p.Status, p)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	write(w, status, body)
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(body) // the client has gone; there is nobody to tell
}

// mediaType is the request's content type, which has to be one of those allowed: a browser
// cannot send them to another origin unasked.
func mediaType(r *http.Request, allowed ...string) (string, error) {
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil {
		for _, a := range allowed {
			if got == a {
				return got, nil
			}
		}
	}
	return "", &problem{
		Status: http.StatusUnsupportedMediaType, Title: "unsupported content type",
		Field: "Content-Type", Detail: fmt.Sprintf("want one of %q", allowed),
	}
}
