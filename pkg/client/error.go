package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Error is the server's refusal, or its fault: the problem of RFC 9457 that it answered with.
// What never reached it is no Error.
type Error struct {
	// Status is the HTTP status, over NATS as well.
	Status int `json:"status"`
	// Title is the kind of problem; Detail what is wrong in this case.
	Title  string `json:"title"`
	Detail string `json:"detail,omitempty"`
	// Field is the field at fault; parts are joined by dots. Empty when none is.
	Field string `json:"field,omitempty"`
	// Index is the place of the event at fault among those that were sent together.
	Index *int `json:"index,omitempty"`
	// RequestID names the request in the server's log.
	RequestID string `json:"request_id,omitempty"`
	// RetryAfter is after how long to try again; 0 when the server does not say.
	RetryAfter time.Duration `json:"-"`
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%d %s", e.Status, e.Title)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// final reports whether trying again cannot help.
func (e *Error) final() bool {
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return e.Status < http.StatusInternalServerError
}

// errorOf makes out an answer that is no success. The body of what stands between, such as a
// proxy, is no problem document.
func errorOf(status int, title, retryAfter string, body []byte) *Error {
	var e Error
	if json.Unmarshal(body, &e) != nil {
		e = Error{}
	}
	e.Status = status
	e.Title = cmp.Or(e.Title, title, http.StatusText(status))
	if seconds, err := strconv.Atoi(retryAfter); err == nil && seconds > 0 {
		e.RetryAfter = time.Duration(min(seconds, int(maxRetryAfter/time.Second))) * time.Second
	} else if at, err := http.ParseTime(retryAfter); err == nil {
		e.RetryAfter = max(0, time.Until(at))
	}
	return &e
}

// retryAfter is the pause that an error asks for.
func retryAfter(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}
