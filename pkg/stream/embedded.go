package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ErrInUse says that another process has the store folder open.
var ErrInUse = errors.New("store folder is in use by another process")

// EmbeddedOptions configure the embedded server.
type EmbeddedOptions struct {
	// Dir is the store folder, made if missing; empty is a temporary one that Close removes.
	Dir string
	// Listen is "host:port" for other processes to connect to, which must be a loopback
	// address, since there are no credentials; port 0 picks one. Empty: in-process only.
	Listen string
	// Logger takes the server's own log; nil drops it.
	Logger *slog.Logger
}

// Embedded is a NATS server with JetStream in this process. Every acknowledged message is
// synced to disk.
type Embedded struct {
	server    *server.Server
	lock      *os.File
	temporary string
}

// startTimeout bounds the recovery of a store: about a second per million subjects.
const startTimeout = time.Minute

// StartEmbedded starts the server and waits until it answers. A folder that another
// process has open is ErrInUse.
func StartEmbedded(ctx context.Context, o EmbeddedOptions) (*Embedded, error) {
	host, port, err := loopback(o.Listen)
	if err != nil {
		return nil, err
	}
	e := &Embedded{}
	if o.Dir == "" {
		if o.Dir, err = os.MkdirTemp("", "mnemond-"); err != nil {
			return nil, fmt.Errorf("make store folder: %w", err)
		}
		e.temporary = o.Dir
	}
	if err := e.start(ctx, o, host, port); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Embedded) start(ctx context.Context, o EmbeddedOptions, host string, port int) error {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return fmt.Errorf("make store folder: %w", err)
	}
	lock, err := lockFile(filepath.Join(o.Dir, "mnemond.lock"))
	if err != nil {
		return fmt.Errorf("open store folder %s: %w", o.Dir, err)
	}
	e.lock = lock
	s, err := server.NewServer(&server.Options{
		ServerName: "mnemond", Host: host, Port: port, DontListen: o.Listen == "",
		JetStream: true, StoreDir: o.Dir, SyncAlways: true, NoSigs: true,
		DisableJetStreamBanner: true,
	})
	if err != nil {
		return fmt.Errorf("configure embedded server: %w", err)
	}
	e.server = s
	if o.Logger != nil {
		s.SetLoggerV2(serverLog{o.Logger}, false, false, false)
	}
	ready := make(chan bool, 1)
	go func() {
		s.Start()
		ready <- s.ReadyForConnections(startTimeout)
	}()
	select {
	case ok := <-ready:
		if !ok || !s.JetStreamEnabled() {
			return fmt.Errorf("start embedded server on %s: not ready", o.Dir)
		}
		return nil
	case <-ctx.Done():
		s.Shutdown()
		<-ready
		return fmt.Errorf("start embedded server on %s: %w", o.Dir, ctx.Err())
	}
}

// Connect is a connection within the process. Its options are those of Connect, then opts.
func (e *Embedded) Connect(opts ...nats.Option) (*nats.Conn, error) {
	own := append(connectionOptions(slog.New(slog.DiscardHandler)), nats.InProcessServer(e.server))
	nc, err := nats.Connect("", append(own, opts...)...)
	if err != nil {
		return nil, fmt.Errorf("connect to embedded server: %w", err)
	}
	return nc, nil
}

// ClientURL is where other processes connect; empty when it is in-process only.
func (e *Embedded) ClientURL() string {
	if e.server.Addr() == nil {
		return ""
	}
	return e.server.ClientURL()
}

// Close stops the server, waits until its files are closed, and releases the folder.
func (e *Embedded) Close() error {
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
	}
	var err error
	if e.lock != nil {
		err = e.lock.Close()
	}
	if e.temporary != "" {
		err = errors.Join(err, os.RemoveAll(e.temporary))
	}
	if err != nil {
		return fmt.Errorf("close embedded server: %w", err)
	}
	return nil
}

func loopback(listen string) (host string, port int, err error) {
	if listen == "" {
		return "127.0.0.1", server.RANDOM_PORT, nil
	}
	host, text, err := net.SplitHostPort(listen)
	if err != nil {
		return "", 0, fmt.Errorf("listen address %q: %w", listen, err)
	}
	if port, err = strconv.Atoi(text); err != nil {
		return "", 0, fmt.Errorf("listen address %q: %w", listen, err)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", 0, fmt.Errorf("listen address %q: the embedded server has no credentials and listens on loopback only", listen)
	}
	return host, port, nil
}

// serverLog hands the server's log lines to slog. They name subjects and files, never
// payloads.
type serverLog struct{ log *slog.Logger }

func (l serverLog) Noticef(format string, v ...any) {
	l.log.Debug("nats-server", "line", fmt.Sprintf(format, v...))
}
func (l serverLog) Debugf(string, ...any) {}
func (l serverLog) Tracef(string, ...any) {}
func (l serverLog) Warnf(format string, v ...any) {
	l.log.Warn("nats-server", "line", fmt.Sprintf(format, v...))
}
func (l serverLog) Errorf(format string, v ...any) {
	l.log.Error("nats-server", "line", fmt.Sprintf(format, v...))
}
func (l serverLog) Fatalf(format string, v ...any) {
	l.log.Error("nats-server", "line", fmt.Sprintf(format, v...))
}
