package stream

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/memory"
)

// erasedKeyTTL is for how long it is known that an erased key is none any more: longer than
// any process goes without reading them anew.
const erasedKeyTTL = 7 * 24 * time.Hour

// keyWithin takes what a key says and when it was used; that it was revoked names nobody, and
// stays for those who still hold the key in memory.
func keyWithin(h Horizon, s memory.Scope, m message) bool {
	_, state := splitKey(m.subject)
	return state != keyRevoked && olderWithin(h, s, m)
}

// revokeErased has a key refused by those who hold it in memory: nobody hears of a message
// that is deleted.
func revokeErased(ctx context.Context, at *source, m message) error {
	key, state := splitKey(m.subject)
	if state != "" {
		return nil
	}
	mark := nats.NewMsg(key + keyRevoked)
	mark.Data = timeText(time.Now())
	return persist(ctx, Patience, func(ctx context.Context) error {
		_, err := at.js.PublishMsg(ctx, mark, jetstream.WithMsgTTL(erasedKeyTTL))
		return err
	})
}
