package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/subject"
)

var (
	// ErrConflict says that an append expected another head than the owner's log has:
	// somebody decided in between. Nothing was stored.
	ErrConflict = errors.New("ledger head has moved")
	// ErrNotFound says that a message is not, or no longer, where it was looked for.
	ErrNotFound = errors.New("message not found")
	// ErrTooLarge says that a payload exceeds what its stream takes. It is permanent.
	ErrTooLarge = errors.New("payload too large")
	// ErrSubject says that a subject is none that this package makes.
	ErrSubject = subject.ErrUnknown
	// ErrStopped says that a Run loop ended before it came to what was asked of it.
	ErrStopped = errors.New("publisher has stopped")
)

// Server codes without a constant in the client library.
const (
	codeDuplicateInProcess jetstream.ErrorCode = 10158
	codeMemberChange       jetstream.ErrorCode = 10202
	codeReconfiguring      jetstream.ErrorCode = 10226
)

// unreachable are the errors that mean: no server, no leader, or no answer in time. A
// publish that its subject permissions forbid looks the same (a timeout); the reason then
// goes to the connection's error handler.
var unreachable = []error{
	nats.ErrNoResponders, nats.ErrTimeout, nats.ErrConnectionClosed, nats.ErrDisconnected,
	nats.ErrConnectionReconnecting, nats.ErrConnectionDraining, nats.ErrReconnectBufExceeded,
	nats.ErrNoServers, nats.ErrStaleConnection,
	jetstream.ErrNoStreamResponse, jetstream.ErrConnectionClosed, jetstream.ErrServerShutdown,
	jetstream.ErrNoHeartbeat, jetstream.ErrConsumerLeadershipChanged,
	context.DeadlineExceeded,
}

// classify gives an error of the client library its retry class: an outage when the server
// cannot be reached or asks to wait, permanent when it calls the request wrong, else
// unchanged. Once ctx has ended, its own error comes back, since the caller gave up.
func classify(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, fault.ErrOutage) || fault.IsPermanent(err) {
		return err
	}
	for _, u := range unreachable {
		if errors.Is(err, u) {
			return fault.Outage(err, 0)
		}
	}
	if errors.Is(err, nats.ErrMaxPayload) {
		return fault.Permanent(fmt.Errorf("%w: %w", ErrTooLarge, err))
	}
	if errors.Is(err, nats.ErrBadSubject) {
		return fault.Permanent(err)
	}
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return classifyAPI(api, err)
	}
	return err
}

func classifyAPI(api *jetstream.APIError, err error) error {
	switch api.ErrorCode {
	case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		return fmt.Errorf("%w: %w", ErrConflict, err)
	case jetstream.JSErrCodeMessageNotFound:
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	case jetstream.JSErrCodeStreamMessageExceedsMaximum:
		return fault.Permanent(fmt.Errorf("%w: %w", ErrTooLarge, err))
	// A batch whose leader changed half-way was abandoned whole.
	case jetstreamext.JSErrCodeBatchPublishIncomplete, codeDuplicateInProcess, codeMemberChange, codeReconfiguring:
		return fault.Outage(err, 0)
	case jetstreamext.JSErrCodeBatchPublishDuplicateMsgID:
		return err
	}
	switch api.Code {
	case 429, 503:
		return fault.Outage(err, 0)
	case 400:
		return fault.Permanent(err)
	}
	return err
}

// Patience is for how long writes are repeated, with the same ids, while a stream has no
// leader: an election takes up to ten seconds.
const Patience = 15 * time.Second

// attemptTimeout bounds one request to the server.
const attemptTimeout = 5 * time.Second

// persist calls try until it succeeds, fails with anything but an outage, ctx ends, or
// patience has passed; each attempt has a context with attemptTimeout.
func persist(ctx context.Context, patience time.Duration, try func(context.Context) error) error {
	deadline := time.Now().Add(patience)
	pause := 50 * time.Millisecond
	for {
		attempt, cancel := context.WithTimeout(ctx, attemptTimeout)
		err := classify(ctx, try(attempt))
		cancel()
		if !errors.Is(err, fault.ErrOutage) || time.Now().Add(pause).After(deadline) {
			return err
		}
		if !pauseFor(ctx, pause) {
			return ctx.Err()
		}
		pause = min(2*pause, time.Second)
	}
}

// pauseFor waits for d and reports whether it passed before ctx ended.
func pauseFor(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
