// Package qdrantstore is the adapter to Qdrant, the only one there is: the embedded engine
// speaks the same wire. It owns the set-up of the two collections, of what is at hand and of
// the archive, and where in them a memory or a document stands; it builds every owner's filter in one
// place, so that no request of theirs can leave their scope; it decides nothing about memories.
package qdrantstore

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/mnemond/mnemond/pkg/fault"
)

// maxMessage bounds a response: grpc-go's own limit of 4 MiB is less than a full page.
const maxMessage = 64 << 20

// Connect opens a client for an address of the form http://host:port or https://host:port
// (gRPC, usually port 6334). It does not wait for the server.
func Connect(address, apiKey string, opts ...grpc.DialOption) (*qdrant.Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("qdrant address %q: %w", address, err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("qdrant address %q: want http://host:port or https://host:port", address)
	}
	return open(&qdrant.Config{Host: u.Hostname(), Port: port, APIKey: apiKey, UseTLS: u.Scheme == "https", GrpcOptions: opts})
}

// ConnectWith opens a client over a dialer of one's own, such as that of an engine in the
// same process.
func ConnectWith(opts ...grpc.DialOption) (*qdrant.Client, error) {
	return open(&qdrant.Config{
		Host: "passthrough:///qdrant", Port: 1, PoolSize: 1, KeepAliveTime: -1, GrpcOptions: opts,
	})
}

func open(c *qdrant.Config) (*qdrant.Client, error) {
	// The version is checked by Check, with an error where the client only warns.
	c.SkipCompatibilityCheck = true
	c.GrpcOptions = append([]grpc.DialOption{
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)),
	}, c.GrpcOptions...)
	client, err := qdrant.NewClient(c)
	if err != nil {
		return nil, fmt.Errorf("open qdrant client: %w", err)
	}
	return client, nil
}

// classify says whether a failed call is worth trying again.
func classify(err error) error {
	if err == nil {
		return nil
	}
	var limited *qdrant.QdrantResourceExhaustedError
	if errors.As(err, &limited) {
		return fault.Outage(err, time.Duration(limited.RetryAfterS)*time.Second)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	switch status.Code(err) {
	case codes.InvalidArgument, codes.Unimplemented, codes.AlreadyExists, codes.OutOfRange:
		return fault.Permanent(err)
	case codes.Unavailable, codes.ResourceExhausted, codes.DeadlineExceeded, codes.Aborted,
		codes.Unauthenticated, codes.PermissionDenied, codes.NotFound:
		// A wrong key, or a collection that is gone (nothing else is asked for that may be
		// missing), is an operator's to mend: until then the work waits, unspent.
		return fault.Outage(err, 0)
	case codes.Canceled:
		return fmt.Errorf("%w: %w", context.Canceled, err)
	}
	return err
}
