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
	err := cli.Run(ctx, os.Args[1:], os.Stdout, log)
	if err == nil {
		return 0
	}
	if !errors.Is(err, cli.ErrFailed) { // else it has been printed
		fmt.Fprintln(os.Stderr, "mnemond:", err)
	}
	if wrong := (*cli.UsageError)(nil); errors.As(err, &wrong) {
		return 2
	}
	return 1
}
