// Command mnemond is everything in one process, and the operator's command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/mnemond/mnemond/pkg/cli"
)

func main() {
	os.Exit(run())
}

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	switch err := cli.Run(ctx, os.Args[1:], os.Stdout, log); {
	case err == nil:
		return 0
	case errors.Is(err, cli.ErrFailed):
		return 1
	default:
		fmt.Fprintln(os.Stderr, "mnemond:", err)
		return 2
	}
}
