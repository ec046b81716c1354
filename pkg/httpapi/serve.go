package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
)

// serve answers an operation's requests.
func (c Config) serve(op *door.Operation) http.HandlerFunc {
	handle := c.called(op)
	if op.ID == door.OpEvents && c.Ingest != nil {
		handle = c.events(op)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if op.Slow {
			// Where it is not supported there is no deadline either.
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(slowTimeout))
		}
		reply, err := c.allowed(op, w, r, handle)
		if err == nil {
			err = writeReply(w, op.Status, reply)
		}
		if err != nil {
			c.refuse(w, r, op.Path, err)
		}
	}
}

// slowTimeout is what a slow operation has in place of the server's write timeout.
const slowTimeout = 15 * time.Minute

// handler reads a request, whose caller may call the operation, and carries it out. It may set
// headers of the reply.
type handler func(h http.Header, r *http.Request, caller access.Caller) (reply any, err error)

// allowed lets a request in, before anything of its body is read, and carries it out.
func (c Config) allowed(op *door.Operation, w http.ResponseWriter, r *http.Request, handle handler) (any, error) {
	caller, err := c.caller(r)
	if err != nil {
		return nil, err
	}
	if err := op.Allow(caller); err != nil {
		return nil, err
	}
	return handle(w.Header(), r, caller)
}

// called reads a request as one JSON object and calls the operation with it.
func (c Config) called(op *door.Operation) handler {
	form := formOf(op)
	return func(h http.Header, r *http.Request, caller access.Caller) (any, error) {
		raw, err := form.read(r)
		if err != nil {
			return nil, err
		}
		keys := r.Header.Values(door.IdempotencyKey)
		if len(keys) > 1 {
			return nil, door.BadField(door.IdempotencyKey, "is given twice")
		}
		out, replayed, err := op.CallOnce(r.Context(), c.Replies, caller, raw, strings.Join(keys, ""))
		if replayed {
			h.Set(door.ReplayedHeader, "true")
		}
		return out, err
	}
}

// refuse answers with what may be told of an error. What is the server's own fault is logged.
func (c Config) refuse(w http.ResponseWriter, r *http.Request, path string, err error) {
	p := door.ProblemOf(err)
	if p.Status >= http.StatusInternalServerError {
		c.Logger.WarnContext(r.Context(), "request failed",
			"path", path, "status", p.Status, "request_id", w.Header().Get(door.RequestIDHeader), "error", err)
	}
	writeProblem(w, p)
}

func writeProblem(w http.ResponseWriter, p door.Problem) {
	h := w.Header()
	h.Set("Content-Type", door.TypeProblem)
	for name, values := range p.Header {
		h[name] = values
	}
	p.RequestID = h.Get(door.RequestIDHeader)
	raw, err := door.Encode(p)
	if err != nil { // a problem is text and numbers
		raw = nil
	}
	write(w, p.Status, raw)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	if err := writeReply(w, status, body); err != nil {
		writeProblem(w, door.ProblemOf(err))
	}
}

// writeReply writes nothing when the reply cannot be encoded.
func writeReply(w http.ResponseWriter, status int, body any) error {
	raw, err := door.Encode(body)
	if err != nil {
		return fmt.Errorf("encode reply: %w", err)
	}
	w.Header().Set("Content-Type", door.TypeJSON)
	write(w, status, raw)
	return nil
}

func write(w http.ResponseWriter, status int, raw []byte) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(raw) // the client has gone; there is nobody to tell
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
	return "", &door.Problem{
		Status: http.StatusUnsupportedMediaType, Title: "unsupported content type",
		Field: "Content-Type", Detail: fmt.Sprintf("want one of %q", allowed),
	}
}

// readBody returns the body, up to limit bytes.
func readBody(r *http.Request, limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, limit))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, door.TooLarge("body is larger than %d bytes", over.Limit)
	case err != nil:
		return nil, door.BadField("", "read body: %v", err)
	}
	return body, nil
}
