// Package cli is the command line of mnemond: the embedded installation, the demo and the
// stories, and what an operator asks of a running installation. It parses, calls and
// prints; it decides nothing.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/alecthomas/kong"
)

// ErrFailed means that the command did its work and the answer is no: what there is to say
// has been printed.
var ErrFailed = errors.New("failed")

// env is what every command gets.
type env struct {
	ctx context.Context
	out io.Writer
	log *slog.Logger
}

type root struct {
	Demo        demoCmd        `cmd:"" help:"Play conversations over simulated months and tell what memory makes of them."`
	Dev         devCmd         `cmd:"" help:"Run everything in this process on loopback, with its data in a folder."`
	Cases       casesCmd       `cmd:"" help:"Run acceptance stories on an embedded stack."`
	Recall      recallCmd      `cmd:"" help:"Ask for the memories that matter to a query."`
	Memories    memoriesCmd    `cmd:"" help:"List a user's memories."`
	History     historyCmd     `cmd:"" help:"Show what a key has been, or every change."`
	Consolidate consolidateCmd `cmd:"" help:"Have a thread consolidated now."`
	Ledger      ledgerCmd      `cmd:"" help:"Show a user's change sets."`
	DLQ         dlqCmd         `cmd:"" name:"dlq" help:"List, show, replay or drop dead letters."`
	Rebuild     rebuildCmd     `cmd:"" help:"Replay the ledger into a new collection, while writes go on."`
}

// Run parses the arguments and runs the command; it returns when it is done or ctx ends.
func Run(ctx context.Context, args []string, out io.Writer, log *slog.Logger) error {
	var r root
	exited := false
	parser, err := kong.New(&r, kong.Name("mnemond"),
		kong.Description("Long-term memory for AI agents, in the background."),
		kong.UsageOnError(), kong.Writers(out, out),
		kong.Exit(func(int) { exited = true }))
	if err != nil {
		return fmt.Errorf("command line: %w", err)
	}
	k, err := parser.Parse(args)
	if exited {
		return nil // --help has been printed
	}
	if err != nil {
		return err
	}
	return k.Run(&env{ctx: ctx, out: out, log: log})
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
