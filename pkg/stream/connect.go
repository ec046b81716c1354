package stream

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// ConnectOptions say where the NATS servers are and who connects.
type ConnectOptions struct {
	// URL is one or more server URLs, separated by commas.
	URL string
	// CredsFile is a file with a user's JWT and key; empty for none.
	CredsFile string
	// Name is shown in the servers' lists of connections.
	Name string
	// InboxPrefix is the prefix of reply subjects, where the user's permissions restrict
	// them; empty is the client's default.
	InboxPrefix string
	// Logger takes disconnections and the server's complaints; nil drops them.
	Logger *slog.Logger
}

// Connect connects to NATS and, once connected, reconnects for ever. A publish that the
// user's permissions forbid shows to its caller as a timeout; the reason is logged here.
func Connect(o ConnectOptions) (*nats.Conn, error) {
	log := o.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	opts := append(connectionOptions(log), nats.Name(o.Name))
	if o.CredsFile != "" {
		opts = append(opts, nats.UserCredentials(o.CredsFile))
	}
	if o.InboxPrefix != "" {
		opts = append(opts, nats.CustomInboxPrefix(o.InboxPrefix))
	}
	nc, err := nats.Connect(o.URL, opts...)
	if err != nil {
		return nil, fmt.Errorf("connect to NATS at %s: %w", redacted(o.URL), err)
	}
	return nc, nil
}

// redacted is a list of server URLs without their passwords and tokens. The standard library
// would leave a token, which stands where a user does.
func redacted(urls string) string {
	var out []string
	for one := range strings.SplitSeq(urls, ",") {
		one = strings.TrimSpace(one)
		if at := strings.LastIndex(one, "@"); at >= 0 {
			scheme := ""
			if i := strings.Index(one[:at], "://"); i >= 0 {
				scheme = one[:i+len("://")]
			}
			one = scheme + "…" + one[at:]
		}
		out = append(out, one)
	}
	return strings.Join(out, ", ")
}

func connectionOptions(log *slog.Logger) []nats.Option {
	return []nats.Option{
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		// Nothing is buffered while disconnected: whoever publishes waits and tries again
		// with the same id.
		nats.ReconnectBufSize(-1),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("disconnected from NATS", "error", err)
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) { log.Info("reconnected to NATS", "server", nc.ConnectedServerName()) }),
		nats.ErrorHandler(func(_ *nats.Conn, sub *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) {
				log.Error("NATS permission violation", "error", err)
				return
			}
			subject := ""
			if sub != nil {
				subject = sub.Subject
			}
			log.Warn("NATS error", "error", err, "subscription", subject)
		}),
	}
}
