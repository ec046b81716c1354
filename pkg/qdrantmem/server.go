package qdrantmem

import (
	"context"
	"fmt"
	"math"
	"net"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/test/bufconn"
)

const (
	// defaultVersion is the version of the real server whose behaviour is matched.
	defaultVersion = "1.18.0"
	title          = "mnemond embedded engine (Qdrant API)"
	// pipeBytes is the buffer of each in-process connection.
	pipeBytes = 1 << 20
)

// Server is the engine and its in-process listener. It is safe for concurrent use.
type Server struct {
	version string
	catalog *catalog
	pipe    *bufconn.Listener
}

// Option changes a Server that is being made.
type Option func(*Server)

// WithVersion makes the health check report another version than 1.18.0, for tests of what
// a client makes of it. The behaviour stays the same.
func WithVersion(version string) Option {
	return func(s *Server) { s.version = version }
}

// New makes an empty engine. It starts nothing: call Run or Serve.
func New(opts ...Option) *Server {
	s := &Server{version: defaultVersion, catalog: newCatalog(), pipe: bufconn.Listen(pipeBytes)}
	for _, opt := range opts {
		opt(s)
	}
	return s
}

// DialOptions connect a client in this process to Run, for instance
//
//	qdrant.Config{Host: "passthrough:///qdrantmem", Port: 1, GrpcOptions: s.DialOptions()}
//
// They also lift the client's limit of 4 MiB on what it receives. Dialling before Run has
// started waits for it; after Run has ended it fails.
func (s *Server) DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return s.pipe.DialContext(ctx) }),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32)),
	}
}

// Run serves clients in this process until ctx ends and requests under way are answered.
// It can be called once; the content outlives it for Serve.
func (s *Server) Run(ctx context.Context) error {
	return s.Serve(ctx, s.pipe)
}

// Serve is Run over l, which it closes. It may run several times and beside Run.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := grpc.NewServer(
		grpc.MaxRecvMsgSize(math.MaxInt32),
		// The official client pings every 10 s, also when idle; the default policy cuts it off.
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 5 * time.Second, PermitWithoutStream: true}),
		// Bounds how long a peer that never greets can hold up the end of Serve.
		grpc.ConnectionTimeout(5*time.Second),
	)
	qdrant.RegisterQdrantServer(server, &healthService{version: s.version})
	qdrant.RegisterCollectionsServer(server, &collectionsService{catalog: s.catalog})
	qdrant.RegisterPointsServer(server, &pointsService{catalog: s.catalog})
	qdrant.RegisterSnapshotsServer(server, qdrant.UnimplementedSnapshotsServer{})
	stop := context.AfterFunc(ctx, server.GracefulStop)
	defer stop()
	if err := server.Serve(l); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serve the embedded engine on %s: %w", l.Addr(), err)
	}
	return nil
}

type healthService struct {
	qdrant.UnimplementedQdrantServer
	version string
}

func (h *healthService) HealthCheck(context.Context, *qdrant.HealthCheckRequest) (*qdrant.HealthCheckReply, error) {
	return &qdrant.HealthCheckReply{Title: title, Version: h.version}, nil
}
