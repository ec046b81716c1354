// Command extractor sets the threads' timers and consolidates them.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // time zones of events, wherever the program runs

	"github.com/mnemond/mnemond/pkg/app"
)

func main() {
	os.Exit(run())
}

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	if err := app.Main(ctx, app.Extractor, log); err != nil {
		log.Error("stopped", "error", err)
		return 1
	}
	return 0
}
