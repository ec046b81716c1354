package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/stream"
)

// Backend is where the data lives: the only thing in which the embedded default and
// production differ.
type Backend struct {
	NATS   *nats.Conn
	Qdrant *qdrant.Client
	// NATSAddress and QdrantAddress are where other processes reach what is embedded, host and
	// port; empty when it is in this process only.
	NATSAddress, QdrantAddress string
	// embedded says that the NATS server is this process's own.
	embedded bool
	// close releases the rest, in order.
	close []func() error
}

// Close closes the clients, and what is embedded.
func (b *Backend) Close() error {
	var errs []error
	for _, f := range b.close {
		errs = append(errs, f())
	}
	return errors.Join(errs...)
}

// onClose has Close call these too, before everything else.
func (b *Backend) onClose(fs ...func()) {
	for _, f := range fs {
		b.close = append([]func() error{func() error { f(); return nil }}, b.close...)
	}
}

// OpenExternal connects to the NATS and Qdrant servers of the configuration.
func OpenExternal(c Config, name string, log *slog.Logger) (*Backend, error) {
	nc, err := stream.Connect(stream.ConnectOptions{
		URL: c.Stream.URL, CredsFile: c.Stream.CredsFile, Name: name, Logger: log,
	})
	if err != nil {
		return nil, fmt.Errorf("%w (MNEMOND_STREAM_URL, MNEMOND_STREAM_CREDS_FILE)", err)
	}
	qc, err := qdrantstore.Connect(c.QdrantStore.Address, c.QdrantStore.APIKey)
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("%w (MNEMOND_QDRANTSTORE_ADDRESS)", err)
	}
	return &Backend{NATS: nc, Qdrant: qc, close: []func() error{qc.Close, closeConn(nc)}}, nil
}

// EmbeddedConfig places the embedded servers.
type EmbeddedConfig struct {
	// Dir holds the logs; empty is a temporary folder that Close removes.
	Dir string
	// NATSListen is a loopback address for other processes; empty: none.
	NATSListen string
	// QdrantListen likewise.
	QdrantListen string
}

// OpenEmbedded starts a NATS server and a Qdrant-compatible engine in this process.
func OpenEmbedded(ctx context.Context, c EmbeddedConfig, log *slog.Logger) (_ *Backend, err error) {
	b := &Backend{embedded: true}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close())
		}
	}()
	if err := free(c.NATSListen); err != nil {
		return nil, err
	}
	server, err := stream.StartEmbedded(ctx, stream.EmbeddedOptions{Dir: c.Dir, Listen: c.NATSListen, Logger: log})
	if err != nil {
		return nil, err
	}
	b.close = append(b.close, server.Close)
	b.NATSAddress = strings.TrimPrefix(server.ClientURL(), "nats://")
	if b.NATS, err = server.Connect(nats.Name("mnemond")); err != nil {
		return nil, fmt.Errorf("connect to embedded NATS: %w", err)
	}
	b.close = append([]func() error{closeConn(b.NATS)}, b.close...)
	engine := qdrantmem.New()
	engineCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan error, 1)
	go func() { done <- engine.Run(engineCtx) }()
	b.close = append([]func() error{func() error { stop(); return <-done }}, b.close...)
	if c.QdrantListen != "" {
		local, err := isLoopback(c.QdrantListen)
		if err == nil && !local {
			err = errNoCredentials
		}
		if err != nil {
			return nil, fmt.Errorf("listen on %s: %w", c.QdrantListen, err)
		}
		l, err := net.Listen("tcp", c.QdrantListen)
		if err != nil {
			return nil, fmt.Errorf("listen on %s: %w", c.QdrantListen, err)
		}
		b.QdrantAddress = l.Addr().String()
		served := make(chan error, 1)
		go func() { served <- engine.Serve(engineCtx, l) }()
		b.close = append([]func() error{func() error { stop(); return <-served }}, b.close...)
	}
	if b.Qdrant, err = qdrantstore.ConnectWith(engine.DialOptions()...); err != nil {
		return nil, err
	}
	b.close = append([]func() error{b.Qdrant.Close}, b.close...)
	return b, nil
}

// ErrInUse says that another process has the folder of an embedded installation open.
var ErrInUse = stream.ErrInUse

var errNoCredentials = errors.New("the embedded engine has no credentials, and listens on loopback only")

// free reports why nothing can listen on address, which may be empty: nats-server would
// try for a minute and then not say why.
func free(address string) error {
	if address == "" {
		return nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", address, err)
	}
	return l.Close()
}

func closeConn(nc *nats.Conn) func() error {
	return func() error { nc.Close(); return nil }
}
