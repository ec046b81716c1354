package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// expireAhead is how long before the server's own expiry Expire comes: longer than the
	// day between two runs of it.
	expireAhead = 25 * time.Hour
	// expireBytes is the size up to which a stream needs Expire: four of the server's files.
	// In a larger one a file is written anew, without what has expired, when half of it has,
	// which is at most an eighth of the retention later.
	expireBytes = 32 << 20
)

// Expire deletes the events that the server would drop within 25 hours (or a quarter of
// their retention, where that is less), at most limit of them, overwriting their bytes, and
// returns how many there were. The server itself leaves their bytes in a file that it writes
// anew when half of it has expired: in a small installation, months later; in a large one
// soon, so that there Expire does nothing. Run it daily.
func (e *Events) Expire(ctx context.Context, limit int) (int, error) { return e.expire(ctx, limit) }

// Expire does for recall traces what Events.Expire does for events.
func (r *Recalls) Expire(ctx context.Context, limit int) (int, error) { return r.expire(ctx, limit) }

func (s *source) expire(ctx context.Context, limit int) (int, error) {
	st, err := s.stream(ctx)
	if err != nil {
		return 0, err
	}
	info, err := st.Info(ctx)
	if err != nil {
		return 0, fmt.Errorf("read age of %s: %w", s.name, classify(ctx, err))
	}
	n, err := s.expireBefore(ctx, expiryBound(info), limit)
	if err != nil {
		return n, fmt.Errorf("expire messages of %s: %w", s.name, err)
	}
	return n, nil
}

// expiryBound is the time before which messages are to be deleted, by the server's clock;
// zero when there is nothing to do.
func expiryBound(info *jetstream.StreamInfo) time.Time {
	age := info.Config.MaxAge
	if age == 0 || info.State.Bytes > expireBytes {
		return time.Time{}
	}
	return info.TimeStamp.Add(min(expireAhead, age/4) - age)
}

// expireBefore deletes what was stored before that time, at most limit messages.
func (s *source) expireBefore(ctx context.Context, before time.Time, limit int) (int, error) {
	expired := 0
	for ; expired < limit; expired++ {
		m, err := s.next(ctx, ">", 1)
		if errors.Is(err, ErrNotFound) || err == nil && !m.at.Before(before) {
			break
		}
		if err == nil {
			err = s.overwrite(ctx, m.seq)
		}
		if err != nil {
			return expired, err
		}
	}
	if expired == 0 {
		return 0, nil
	}
	return expired, s.dropIndex(ctx)
}
