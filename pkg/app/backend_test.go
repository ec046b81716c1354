package app_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/stream"
)

// startNATS listens on loopback; stop ends it.
func startNATS(t *testing.T) (url string, stop func()) {
	t.Helper()
	s, err := stream.StartEmbedded(t.Context(), stream.EmbeddedOptions{Dir: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return s.ClientURL(), stop
}

// anywhere is a free port of this machine.
const anywhere = "127.0.0.1:0"

// startQdrant serves an empty engine at an address likewise.
func startQdrant(t *testing.T, at string) (address string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- qdrantmem.New().Serve(ctx, l) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(stop)
	return "http://" + l.Addr().String(), stop
}

func openExternal(t *testing.T, nats, qdrant string) *app.Stack {
	t.Helper()
	c := app.DefaultConfig()
	c.Stream.URL, c.QdrantStore.Address = nats, qdrant
	log := slog.New(slog.DiscardHandler)
	b, err := app.OpenExternal(c, "test", log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := app.NewStack(t.Context(), b, c, app.Options{Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestReadyWhileBothAnswer(t *testing.T) {
	ready := func(t *testing.T, s *app.Stack) error {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		return s.Ready(ctx)
	}
	t.Run("without Qdrant", func(t *testing.T) {
		nats, _ := startNATS(t)
		address, stop := startQdrant(t, anywhere)
		s := openExternal(t, nats, address)
		if err := ready(t, s); err != nil {
			t.Fatalf("Ready = %v", err)
		}
		stop()
		if err := ready(t, s); err == nil || !strings.Contains(err.Error(), "qdrant") {
			t.Errorf("Ready = %v, want that Qdrant does not answer", err)
		}
	})
	t.Run("without NATS", func(t *testing.T) {
		nats, stop := startNATS(t)
		address, _ := startQdrant(t, anywhere)
		s := openExternal(t, nats, address)
		stop()
		if err := ready(t, s); err == nil {
			t.Error("Ready = nil without NATS")
		}
	})
	t.Run("without the collection", func(t *testing.T) {
		nats, _ := startNATS(t)
		address, _ := startQdrant(t, anywhere)
		s := openExternal(t, nats, address)
		if err := s.Backend.Qdrant.DeleteAlias(t.Context(), qdrantstore.Alias); err != nil {
			t.Fatal(err)
		}
		if err := ready(t, s); err == nil {
			t.Error("Ready = nil without a collection")
		}
	})
}

// TestSeveralPartsMayStartAtOnce: on an empty installation each finds no collection.
func TestSeveralPartsMayStartAtOnce(t *testing.T) {
	nats, _ := startNATS(t)
	address, _ := startQdrant(t, anywhere)
	const parts = 4
	c := app.DefaultConfig()
	c.Stream.URL, c.QdrantStore.Address = nats, address
	log := slog.New(slog.DiscardHandler)
	errs := make(chan error, parts)
	for range parts {
		go func() {
			b, err := app.OpenExternal(c, "test", log)
			if err != nil {
				errs <- err
				return
			}
			s, err := app.NewStack(t.Context(), b, c, app.Options{Logger: log})
			if err == nil {
				err = s.Ready(t.Context())
			}
			errs <- errors.Join(err, b.Close())
		}()
	}
	for range parts {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestOpenExternalSaysWhatIsMissing(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	c := app.DefaultConfig()
	c.Stream.URL = "nats://127.0.0.1:1"
	if _, err := app.OpenExternal(c, "test", log); err == nil || !strings.Contains(err.Error(), "NATS") {
		t.Errorf("OpenExternal = %v, want that NATS does not answer", err)
	}
	c.Stream.URL, _ = startNATS(t)
	c.QdrantStore.Address = "127.0.0.1:6334"
	if _, err := app.OpenExternal(c, "test", log); err == nil || !strings.Contains(err.Error(), "qdrant address") {
		t.Errorf("OpenExternal = %v, want what is wrong with the address", err)
	}
}

func TestAnEmbeddedBackendNeedsItsPlaces(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	address := taken.Addr().String()
	for name, c := range map[string]struct {
		config app.EmbeddedConfig
		want   string
	}{
		"Qdrant's port is taken":  {app.EmbeddedConfig{QdrantListen: address}, address},
		"NATS's port is taken":    {app.EmbeddedConfig{NATSListen: address}, address},
		"NATS would be reachable": {app.EmbeddedConfig{NATSListen: "0.0.0.0:0"}, "loopback"},
		"Qdrant would be too":     {app.EmbeddedConfig{QdrantListen: "0.0.0.0:0"}, "loopback"},
		"Qdrant without a port":   {app.EmbeddedConfig{QdrantListen: "127.0.0.1"}, "port"},
	} {
		t.Run(name, func(t *testing.T) {
			c.config.Dir = t.TempDir()
			b, err := app.OpenEmbedded(t.Context(), c.config, log)
			if err == nil {
				t.Fatal(errors.Join(errors.New("it was opened"), b.Close()))
			}
			if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("OpenEmbedded = %v, want one line with %q", err, c.want)
			}
		})
	}
	t.Run("the folder is in use", func(t *testing.T) {
		dir := t.TempDir()
		b, err := app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: dir}, log)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: dir}, log); !errors.Is(err, stream.ErrInUse) {
			t.Errorf("OpenEmbedded = %v, want ErrInUse", err)
			if err == nil {
				_ = second.Close()
			}
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("a temporary folder goes away", func(t *testing.T) {
		t.Setenv("TMPDIR", t.TempDir())
		b, err := app.OpenEmbedded(t.Context(), app.EmbeddedConfig{}, log)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	})
}
