package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// installation is the whole embedded stack, in a temporary folder, with an extractor put in
// its place and the clock in our hand. Its workers do not run: a session is consolidated when
// its last turn is accepted, and not when a timer of real time fires, which would cut one and
// the same conversation differently each time.
type installation struct {
	stack   *app.Stack
	service *consolidate.Service
	// now is the time of the last turn.
	now time.Time
	// usage is what the models of the stack have cost.
	usage Usage
	// refused counts turns that the edge does not take for what is said in them.
	refused int
	backend *app.Backend
	cancel  context.CancelFunc
	done    chan error
}

// open starts an installation; close ends it and removes its data.
func open(ctx context.Context, o Options) (_ *installation, err error) {
	backend, err := app.OpenEmbedded(ctx, app.EmbeddedConfig{}, o.Logger)
	if err != nil {
		return nil, err
	}
	in := &installation{backend: backend}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.close())
		}
	}()
	in.stack, err = app.NewStack(ctx, backend, o.Config, app.Options{
		Now: func() time.Time { return in.now }, Logger: o.Logger,
		Spent: func(tokens int) { in.usage.Calls++; in.usage.Tokens += tokens },
	})
	if err != nil {
		return nil, err
	}
	c := in.stack.Consolidate.Config
	if o.Extractor != nil {
		c.Extractor = o.Extractor
	}
	if in.service, err = consolidate.New(c); err != nil {
		return nil, err
	}
	runCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	in.cancel, in.done = cancel, make(chan error, 1)
	go func() { in.done <- in.stack.Events.Run(runCtx) }()
	return in, nil
}

func (in *installation) close() error {
	var err error
	if in.cancel != nil {
		in.cancel()
		err = <-in.done
	}
	return errors.Join(err, in.backend.Close())
}

// remember has everything that is said before a person consolidated, a session at a time, and
// returns the person's ledger.
func (in *installation) remember(ctx context.Context, p *person) ([]ledger.Record, error) {
	in.now = time.Time{}
	for _, session := range p.sessions() {
		thread := p.event(session[0])
		if err := in.accept(ctx, p, session); err != nil {
			return nil, fmt.Errorf("%s, session %s: %w", p.user, thread.Thread, err)
		}
		if err := in.consolidate(ctx, thread.Ref()); err != nil {
			return nil, fmt.Errorf("%s, session %s: %w", p.user, thread.Thread, err)
		}
	}
	return decide.Records(ctx, in.stack.Log, memory.UserScope(memory.DefaultTenant, p.user))
}

// accept sends the turns of a session over the edge.
func (in *installation) accept(ctx context.Context, p *person, session []int) error {
	raw := make([][]byte, 0, len(session))
	for _, i := range session {
		e := p.event(i)
		if e.Time.After(in.now) {
			in.now = e.Time
		}
		if err := e.SetTurn(event.Turn{Messages: []event.Message{p.message(i)}}); err != nil {
			return err
		}
		data, err := e.Encode()
		if err != nil {
			return err
		}
		if refused(data) {
			in.refused++
			continue
		}
		raw = append(raw, data)
	}
	for some := range slices.Chunk(raw, ingest.MaxEvents) {
		if _, err := in.stack.Ingest.Accept(ctx, some, nil); err != nil {
			return err
		}
	}
	return nil
}

// refused reports whether the edge would not take the event for what is said in it: a message
// may only be so long. Whatever else is wrong with an event is an error of the set.
func refused(data []byte) bool {
	_, err := event.Decode(data)
	var e *event.Error
	return errors.As(err, &e) && (strings.HasPrefix(e.Field, "data.messages") || len(data) > event.MaxBytes)
}

// maxWait bounds the delays that are waited out in a session when the extractor asks for them.
const maxWait = 15 * time.Minute

// consolidate does as the product's worker does: an outage is waited for as long as it asks
// to, and what fails again and again is parked. An outage that does not say how long it lasts,
// or lasts too long, ends the measurement.
func (in *installation) consolidate(ctx context.Context, r memory.ThreadRef) error {
	var waited time.Duration
	for attempt := 1; ; {
		err := in.service.Thread(ctx, r)
		if err == nil || ctx.Err() != nil {
			return err
		}
		delay, asked := fault.Delay(err)
		waited += delay
		outage := errors.Is(err, fault.ErrOutage)
		switch {
		case outage && !asked || waited > maxWait:
			return err
		case !outage && (fault.IsPermanent(err) || attempt == in.stack.Config.Worker.MaxAttempts):
			return in.service.Park(ctx, r, attempt, "extraction_failed", err.Error())
		case !outage:
			attempt++
		}
		if err := pause(ctx, delay); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
