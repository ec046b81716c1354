package qdrantstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"github.com/mnemond/mnemond/pkg/fault"
)

func TestConnectRefusesWhatIsNoAddress(t *testing.T) {
	for _, address := range []string{
		"", "localhost", "localhost:6334", "127.0.0.1:6334", "http://localhost", "https://", "grpc://localhost:6334",
		"http://localhost:port", "http://[::1", "://", "http://localhost:6334x",
	} {
		_, err := Connect(address, "")
		if err == nil || !strings.Contains(err.Error(), "qdrant address") {
			t.Errorf("Connect(%q) = %v, want an error that names the address", address, err)
		}
	}
	for _, address := range []string{"http://127.0.0.1:6334", "https://qdrant.example:443", "http://[::1]:6334/"} {
		c, err := Connect(address, "")
		if err != nil {
			t.Errorf("Connect(%q) = %v", address, err)
			continue
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAnAddressErrorHoldsNoKey(t *testing.T) {
	_, err := Connect("localhost:6334", "s3cret")
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("Connect = %v, want an error without the key", err)
	}
}

// broken answers every call with one status.
type broken struct {
	qdrant.UnimplementedCollectionsServer
	err     error
	trailer metadata.MD
}

func (b *broken) CollectionExists(ctx context.Context, _ *qdrant.CollectionExistsRequest) (*qdrant.CollectionExistsResponse, error) {
	if err := grpc.SetTrailer(ctx, b.trailer); err != nil {
		return nil, err
	}
	return nil, b.err
}

// brokenClient is a client of a server that answers with err.
func brokenClient(t *testing.T, b *broken) *qdrant.Client {
	t.Helper()
	l := bufconn.Listen(1 << 16)
	server := grpc.NewServer()
	qdrant.RegisterCollectionsServer(server, b)
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	c, err := ConnectWith(grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return l.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		server.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return c
}

// TestAnswersAreClassified: through the official client and the wire, since the client
// wraps what it gets.
func TestAnswersAreClassified(t *testing.T) {
	type class struct {
		outage, permanent, cancelled bool
		after                        time.Duration
	}
	for name, c := range map[string]struct {
		code    codes.Code
		trailer metadata.MD
		want    class
	}{
		"bad request":          {code: codes.InvalidArgument, want: class{permanent: true}},
		"not implemented":      {code: codes.Unimplemented, want: class{permanent: true}},
		"exists":               {code: codes.AlreadyExists, want: class{permanent: true}},
		"out of range":         {code: codes.OutOfRange, want: class{permanent: true}},
		"unavailable":          {code: codes.Unavailable, want: class{outage: true}},
		"timed out":            {code: codes.DeadlineExceeded, want: class{outage: true}},
		"aborted":              {code: codes.Aborted, want: class{outage: true}},
		"wrong key":            {code: codes.Unauthenticated, want: class{outage: true}},
		"not allowed":          {code: codes.PermissionDenied, want: class{outage: true}},
		"too many requests":    {code: codes.ResourceExhausted, want: class{outage: true}},
		"again in 17 seconds":  {code: codes.ResourceExhausted, trailer: metadata.Pairs("retry-after", "17"), want: class{outage: true, after: 17 * time.Second}},
		"again, some time":     {code: codes.ResourceExhausted, trailer: metadata.Pairs("retry-after", "soon"), want: class{outage: true}},
		"cancelled":            {code: codes.Canceled, want: class{cancelled: true}},
		"an internal error":    {code: codes.Internal},
		"an unknown error":     {code: codes.Unknown},
		"no collection":        {code: codes.NotFound, want: class{outage: true}},
		"precondition":         {code: codes.FailedPrecondition},
		"data loss, they said": {code: codes.DataLoss},
	} {
		t.Run(name, func(t *testing.T) {
			client := brokenClient(t, &broken{err: status.Error(c.code, "no"), trailer: c.trailer})
			_, err := Open(t.Context(), client, small)
			after, _ := fault.Delay(err)
			got := class{errors.Is(err, fault.ErrOutage), fault.IsPermanent(err), errors.Is(err, context.Canceled), after}
			if err == nil || got != c.want {
				t.Errorf("Open = %v, which is %+v, want %+v", err, got, c.want)
			}
		})
	}
}

func TestClassifyKeepsWhatItIsGiven(t *testing.T) {
	if err := classify(nil); err != nil {
		t.Errorf("classify(nil) = %v", err)
	}
	for _, err := range []error{context.Canceled, context.DeadlineExceeded, errors.New("unheard of")} {
		wrapped := fmt.Errorf("call: %w", err)
		if got := classify(wrapped); !errors.Is(got, err) || errors.Is(got, fault.ErrOutage) || fault.IsPermanent(got) {
			t.Errorf("classify(%v) = %v", wrapped, got)
		}
	}
}

func TestAClosedClientIsNoFault(t *testing.T) {
	s := newStore(t)
	if err := s.client.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(t.Context(), alice); !errors.Is(err, context.Canceled) {
		t.Errorf("List = %v, want that it was cancelled: the process is stopping", err)
	}
}

func TestACancelledCallSaysSo(t *testing.T) {
	s := newStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.List(ctx, alice); !errors.Is(err, context.Canceled) || errors.Is(err, fault.ErrOutage) {
		t.Errorf("List = %v, want that it was cancelled", err)
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := Connect(address, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := Open(t.Context(), c, small); !errors.Is(err, fault.ErrOutage) {
		t.Errorf("Open = %v, want an outage", err)
	}
}
