// Package fault says whether a failed operation is worth trying again, and nothing else.
// Adapters classify at their boundary; an error that nobody classified is retried.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// ErrOutage is in the chain of every error that says a dependency cannot be reached or
// asks to be left alone. Waiting for it is not an attempt.
var ErrOutage = errors.New("dependency unavailable")

type permanent struct{ err error }

func (p *permanent) Error() string { return p.err.Error() }
func (p *permanent) Unwrap() error { return p.err }

// Permanent wraps err to say that trying again cannot help. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanent{err}
}

// IsPermanent reports whether err, or an error that it wraps, is permanent.
func IsPermanent(err error) bool {
	var p *permanent
	return errors.As(err, &p)
}

type outage struct {
	err   error
	after time.Duration
}

func (o *outage) Error() string { return o.err.Error() }

func (o *outage) Unwrap() []error { return []error{ErrOutage, o.err} }

// Outage wraps err to say that the dependency is down or busy, and that it may be tried
// after d; zero leaves the delay to the caller. Outage(nil, d) is nil.
func Outage(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &outage{err: err, after: d}
}

type retryAfter struct {
	err   error
	after time.Duration
}

func (r *retryAfter) Error() string { return fmt.Sprintf("%v (again in %s)", r.err, r.after) }
func (r *retryAfter) Unwrap() error { return r.err }

// RetryAfter wraps err to say that it may be tried again after d. It counts as an
// attempt. RetryAfter(nil, d) is nil.
func RetryAfter(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &retryAfter{err: err, after: d}
}

// Delay is the wait that err asks for, and whether it asks for one.
func Delay(err error) (time.Duration, bool) {
	var r *retryAfter
	if errors.As(err, &r) {
		return r.after, true
	}
	var o *outage
	if errors.As(err, &o) && o.after > 0 {
		return o.after, true
	}
	return 0, false
}

// FieldError is what is wrong with a request: the field at fault and the reason.
type FieldError struct{ Field, Reason string }

func (e *FieldError) Error() string { return e.Field + ": " + e.Reason }

// BadField says what is wrong with a field of a request.
func BadField(field, reason string) error { return &FieldError{Field: field, Reason: reason} }
