package door

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Problem is an error in the form of RFC 9457, with the field at fault.
type Problem struct {
	Status int    `json:"status" doc:"The HTTP status, on every edge."`
	Title  string `json:"title" doc:"What kind of problem it is, in the same words each time."`
	Detail string `json:"detail,omitempty" doc:"What is wrong in this case."`
	Field  string `json:"field,omitempty" doc:"The field, parameter or header at fault; parts are joined by dots."`
	Index  *int   `json:"index,omitempty" doc:"The place of the event at fault in a batch, from 0."`
	// RequestID is put in by the edge.
	RequestID string `json:"request_id,omitempty" doc:"Names the request in the server's log."`
	// Header are headers that belong to it, such as Retry-After.
	Header http.Header `json:"-"`
}

func (p *Problem) Error() string { return p.Title + ": " + p.Detail }

// BadField says what is wrong with a field of a request; with an empty one, with all of it.
// The detail begins with the field, so that it can be read alone.
func BadField(field, format string, args ...any) error {
	detail := fmt.Sprintf(format, args...)
	if field != "" {
		detail = field + ": " + detail
	}
	return &Problem{Status: http.StatusBadRequest, Title: "invalid request", Field: field, Detail: detail}
}

// TooLarge says that a request is larger than is taken.
func TooLarge(format string, args ...any) error {
	return &Problem{Status: http.StatusRequestEntityTooLarge, Title: "request too large", Detail: fmt.Sprintf(format, args...)}
}

// soon is when to try again what failed because something was not there.
var soon = http.Header{"Retry-After": {"1"}}

// ProblemOf is what a caller is told of an error. Nothing of what a service or a dependency
// said is in it, unless it was said for the caller.
func ProblemOf(err error) Problem {
	var p *Problem
	var e *ingest.EventError
	var f *fault.FieldError
	var late *curate.ConflictError
	refused, isRefused := access.Refused(err)
	switch {
	case errors.As(err, &p):
		return *p
	case isRefused:
		return Problem{Status: refused.Status, Title: refused.Title, Detail: refused.Detail, Field: refused.Field, Header: refused.Header}
	case errors.As(err, &e):
		return Problem{Status: http.StatusBadRequest, Title: "invalid event", Detail: e.Err.Error(), Field: e.Err.Field, Index: &e.Index}
	case errors.As(err, &f):
		return Problem{Status: http.StatusBadRequest, Title: "invalid request", Detail: f.Error(), Field: f.Field}
	case errors.As(err, &late):
		return Problem{Status: http.StatusConflict, Title: "decided meanwhile", Detail: late.Error()}
	case errors.Is(err, curate.ErrNotFound):
		return Problem{Status: http.StatusNotFound, Title: "not found"}
	case errors.Is(err, memory.ErrScope):
		return Problem{Status: http.StatusBadRequest, Title: "invalid request", Detail: err.Error()}
	case errors.Is(err, fault.ErrOutage), errors.Is(err, context.DeadlineExceeded):
		return Problem{Status: http.StatusServiceUnavailable, Title: "try again later", Detail: "a dependency is not available", Header: soon}
	default:
		return Problem{Status: http.StatusInternalServerError, Title: "internal error", Detail: "see the server's log"}
	}
}
