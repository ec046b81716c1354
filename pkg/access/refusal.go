package access

import (
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/mnemond/mnemond/pkg/fault"
)

// ErrTooMany means that a credential, or an address that sends wrong ones, asks too often;
// fault.Delay says when it may again.
var ErrTooMany = errors.New("too many requests")

// Refusal is what an edge answers to an error of this package.
type Refusal struct {
	// Status is an HTTP status: 401, 403 or 429.
	Status        int
	Title, Detail string
	// Field is the field of the request at fault; empty when it is none.
	Field string
	// Header are the headers that belong to the status: WWW-Authenticate or Retry-After.
	Header http.Header
}

// Refused turns ErrUnauthenticated, ErrForbidden and ErrTooMany into the answer; ok is false
// for every other error. The answer does not tell a wrong key from one that was revoked.
func Refused(err error) (r Refusal, ok bool) {
	var f *ForbiddenError
	switch {
	case errors.Is(err, errMissing):
		return Refusal{
			Status: http.StatusUnauthorized, Title: "no credential", Detail: "send Authorization: Bearer with an API key or a token",
			Header: http.Header{"Www-Authenticate": {`Bearer realm="mnemond"`}},
		}, true
	case errors.Is(err, ErrUnauthenticated):
		return Refusal{
			Status: http.StatusUnauthorized, Title: "invalid credential", Detail: "the key or token is unknown, revoked or expired",
			Header: http.Header{"Www-Authenticate": {`Bearer realm="mnemond", error="invalid_token"`}},
		}, true
	case errors.As(err, &f):
		return Refusal{Status: http.StatusForbidden, Title: "forbidden", Detail: f.Error(), Field: f.Field}, true
	case errors.Is(err, ErrForbidden):
		return Refusal{Status: http.StatusForbidden, Title: "forbidden", Detail: ErrForbidden.Error()}, true
	case errors.Is(err, ErrTooMany):
		wait, _ := fault.Delay(err)
		seconds := max(int(math.Ceil(wait.Seconds())), 1)
		return Refusal{
			Status: http.StatusTooManyRequests, Title: "too many requests", Detail: "try again after the time in Retry-After",
			Header: http.Header{"Retry-After": {strconv.Itoa(seconds)}},
		}, true
	default:
		return Refusal{}, false
	}
}
