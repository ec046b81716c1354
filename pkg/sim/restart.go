package sim

import (
	"context"
	"fmt"
	"net"

	"github.com/mnemond/mnemond/pkg/app"
)

// Restart ends every part and starts them again with another configuration, on the same
// streams and collections.
func (s *Sim) Restart(ctx context.Context, change func(*app.Config)) error {
	s.cancel()
	err := <-s.done
	s.cancel = nil
	if err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	change(&s.config)
	return s.run(ctx)
}

// run starts every part.
func (s *Sim) run(ctx context.Context) error {
	var err error
	if s.Stack, err = app.NewStack(ctx, s.backend, s.config, s.options); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	s.URL = "http://" + l.Addr().String()
	runCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	go func() { s.done <- s.Stack.RunAll(runCtx, l) }()
	return nil
}
