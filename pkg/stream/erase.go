package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Horizon is how far an erasure reaches. What lies beyond it belongs to a user who has
// come back, and stays.
type Horizon struct {
	// Events is the last event that is erased, and with it the timers, dead letters and
	// the like that it led to: a sequence in MEM_EVENTS.
	Events uint64
	// Ledger is the last change set that is erased, and with it the questions that it
	// wrote: a sequence in MEM_LEDGER.
	Ledger uint64
	// At bounds what knows neither (caches, recall traces, working memory, consumers), by
	// the server's clock: see Fence.At. Zero means no bound: an erasure takes these whole,
	// since they may be lost at any time, and only a count for proof asks for their age.
	At time.Time
}

// Place is one of the places in NATS where an owner's data stands. A scope whose owner is
// the tenant means the whole tenant, with all its users and agents.
type Place struct {
	name         string
	erase, count func(ctx context.Context, s memory.Scope, h Horizon) (int, error)
}

// Name is one of the Place constants.
func (p *Place) Name() string { return p.name }

// Erase deletes what the place holds of the scope within the horizon, overwriting its
// bytes, and returns how many there were. A message costs about 8 ms, since the server
// writes the file of up to 8 MiB that holds it anew; they go one at a time, since it does
// no more at once, and others are to come in between. What was broken off is finished by
// the next call.
func (p *Place) Erase(ctx context.Context, s memory.Scope, h Horizon) (int, error) {
	if err := s.Validate(); err != nil {
		return 0, err
	}
	n, err := p.erase(ctx, s, h)
	if err != nil {
		return n, fmt.Errorf("erase %s: %w", p.name, err)
	}
	return n, nil
}

// Count is how many the place holds of the scope within the horizon: none, once they have
// been erased. It changes nothing.
func (p *Place) Count(ctx context.Context, s memory.Scope, h Horizon) (int, error) {
	if err := s.Validate(); err != nil {
		return 0, err
	}
	n, err := p.count(ctx, s, h)
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", p.name, err)
	}
	return n, nil
}

// Places are all of them, in the order in which they are to be erased: the change sets come
// last, since the fence among them tells whoever finds it to go on.
func Places(js jetstream.JetStream, names Names) []*Place {
	rows := holdings(names)
	var places []*Place
	for _, row := range rows {
		if row.name == PlaceLedger {
			places = append(places, consumersPlace(js, rows))
		}
		places = append(places, row.place(js))
	}
	return places
}

func (row holding) place(js jetstream.JetStream) *Place {
	at := &source{js: js, name: row.stream}
	return &Place{
		name: row.name,
		erase: func(ctx context.Context, s memory.Scope, h Horizon) (int, error) {
			n, err := row.each(ctx, at, s, h, func(m message) error {
				if row.before != nil {
					if err := row.before(ctx, at, m); err != nil {
						return err
					}
				}
				return at.overwrite(ctx, m.seq)
			})
			if err != nil {
				return n, err
			}
			return n, at.dropIndex(ctx)
		},
		count: func(ctx context.Context, s memory.Scope, h Horizon) (int, error) {
			return row.each(ctx, at, s, h, func(message) error { return nil })
		},
	}
}

// each calls fn for every message of the scope within the horizon, and counts them.
func (row holding) each(ctx context.Context, at *source, s memory.Scope, h Horizon, fn func(message) error) (n int, err error) {
	subject := row.subject(s)
	if subject == "" {
		return 0, nil
	}
	upTo := uint64(everything)
	if row.upTo != nil {
		upTo = row.upTo(h)
	}
	err = at.read(ctx, subject, 0, upTo, func(m message) error {
		if row.within != nil && !row.within(h, s, m) {
			return nil
		}
		if err := fn(m); err != nil {
			return err
		}
		n++
		return nil
	})
	return n, err
}

// overwrite deletes a message and overwrites its bytes. One that is gone is no error.
func (s *source) overwrite(ctx context.Context, seq uint64) error {
	st, err := s.stream(ctx)
	if err != nil {
		return err
	}
	return persist(ctx, Patience, func(ctx context.Context) error {
		err := st.SecureDeleteMsg(ctx, seq)
		if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
			// Why, the server says in words only.
			if _, gone := s.at(ctx, seq); errors.Is(gone, ErrNotFound) {
				return nil
			}
		}
		return err
	})
}

// dropIndex has the server drop its index of the subjects, a file that it writes anew every
// two minutes only, and that would name who is gone until then: a purge up to the first
// message, which removes none, does it. In a stream that is empty it takes every file, and
// with them the bytes of what has expired.
func (s *source) dropIndex(ctx context.Context) error {
	st, err := s.stream(ctx)
	if err != nil {
		return err
	}
	return persist(ctx, Patience, func(ctx context.Context) error {
		info, err := st.Info(ctx)
		if err != nil {
			return err
		}
		return st.Purge(ctx, jetstream.WithPurgeSequence(info.State.FirstSeq))
	})
}
