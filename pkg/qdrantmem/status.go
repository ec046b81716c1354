package qdrantmem

import (
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The prefixes are the real server's: clients match on them.

func notFound(format string, args ...any) error {
	return status.Error(codes.NotFound, "Not found: "+fmt.Sprintf(format, args...))
}

func wrongInput(format string, args ...any) error {
	return status.Error(codes.InvalidArgument, "Wrong input: "+fmt.Sprintf(format, args...))
}

func badRequest(format string, args ...any) error {
	return status.Error(codes.InvalidArgument, "Bad request: "+fmt.Sprintf(format, args...))
}

func malformed(format string, args ...any) error {
	return status.Errorf(codes.InvalidArgument, format, args...)
}

func invalidField(field, reason string) error {
	return malformed("Validation error in body: [%s: %s]", field, reason)
}

func unimplemented(what string) error {
	return status.Errorf(codes.Unimplemented, "%s is not implemented by the embedded engine", what)
}

func noCollection(name string) error {
	return notFound("Collection `%s` doesn't exist!", name)
}

func noPoint(id pointID) error {
	return notFound("No point with id %s found", id)
}

// applyError marks an error that a real server finds only when it applies a write, so that
// a client which did not wait never hears of it.
type applyError struct{ cause error }

func (e *applyError) Error() string { return e.cause.Error() }
func (e *applyError) Unwrap() error { return e.cause }

func whileApplying(err error) error {
	if err == nil {
		return nil
	}
	return &applyError{cause: err}
}

// reported is the error a writer hears: applyErrors only when it waits.
func reported(err error, wait bool) error {
	var late *applyError
	if !errors.As(err, &late) {
		return err
	}
	if wait {
		return late.cause
	}
	return nil
}
