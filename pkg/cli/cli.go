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

// UsageError means that a command cannot be done as it was asked for: its arguments are
// wrong, and nothing was changed. It says which one.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *UsageError) Unwrap() error { return e.Err }

func usage(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

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
	Eval        evalCmd        `cmd:"" help:"Measure extraction on a conversation set, without any judge."`
	Bench       benchCmd       `cmd:"" help:"Measure recall."`
	Recall      recallCmd      `cmd:"" help:"Ask for the memories that matter to a query."`
	Memories    memoriesCmd    `cmd:"" help:"List a user's memories."`
	Remember    rememberCmd    `cmd:"" help:"Remember a text, or a value under a key, for a user."`
	Edit        editCmd        `cmd:"" help:"Change a memory by hand."`
	Trace       traceCmd       `cmd:"" help:"Say why a recall handed out what it did, or list the last recalls."`
	Profile     profileCmd     `cmd:"" help:"Show what is known of a user, or what the profile schema has no place for."`
	History     historyCmd     `cmd:"" help:"Show what a key has been, or every change."`
	Questions   questionsCmd   `cmd:"" help:"List the open questions to a user."`
	Answer      answerCmd      `cmd:"" help:"Answer an open question."`
	Forget      forgetCmd      `cmd:"" help:"Delete memories, and do not learn them again from what was said before."`
	Restore     restoreCmd     `cmd:"" help:"Undo a deletion, until the purge."`
	Suppress    suppressCmd    `cmd:"" help:"Keep memories from recall, and what is said of their topic later."`
	Unsuppress  unsuppressCmd  `cmd:"" help:"Give suppressed memories back to recall."`
	Erase       eraseCmd       `cmd:"" help:"Remove everything of a user, an agent or a tenant from everywhere, or verify that."`
	Export      exportCmd      `cmd:"" help:"Write everything of a user, a JSON record a line."`
	Import      importCmd      `cmd:"" help:"Bring what export has written to a user."`
	Merge       mergeCmd       `cmd:"" help:"Take an anonymous user's memories into another user's."`
	Store       storeCmd       `cmd:"" help:"Put, get, delete, list and search an application's own documents."`
	Reap        reapCmd        `cmd:"" help:"Run a job of the reaper once: expire, tier, purge or questions."`
	Rejected    rejectedCmd    `cmd:"" help:"Show what was not remembered of a user, and why."`
	Usage       usageCmd       `cmd:"" help:"Show what a tenant has spent on models, by day."`
	Consolidate consolidateCmd `cmd:"" help:"Have a thread consolidated now."`
	Ledger      ledgerCmd      `cmd:"" help:"Show a user's change sets."`
	MCP         mcpCmd         `cmd:"" name:"mcp" help:"Serve a user's memory to an MCP host, on standard input and output."`
	Keys        keysCmd        `cmd:"" help:"Make, list or revoke API keys."`
	DLQ         dlqCmd         `cmd:"" name:"dlq" help:"List, show, replay or drop dead letters."`
	Rebuild     rebuildCmd     `cmd:"" help:"Replay the ledger into a new collection, while writes go on."`
}

// Run parses the arguments and runs the command; it returns when it is done or ctx ends. The
// error is a *UsageError where the arguments are wrong, and ErrFailed where the answer is no.
func Run(ctx context.Context, args []string, out io.Writer, log *slog.Logger) error {
	var r root
	exited := false
	parser, err := kong.New(&r, kong.Name("mnemond"),
		kong.Description("Long-term memory for AI agents, in the background.\n\n"+
			"Exit codes: 0 done; 1 it failed, or the answer is no; 2 the arguments are wrong."),
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
		return usage("%w (see mnemond --help)", err)
	}
	return k.Run(&env{ctx: ctx, out: out, log: log})
}

// progressEvery is how often a line tells of progress.
const progressEvery = 10000

// progress tells how far a rebuild is: a line now and then.
func (e *env) progress() func(done int, left uint64) {
	return func(done int, left uint64) {
		if done%progressEvery == 0 || left == 0 {
			e.log.Warn("rebuilding", "change_sets", done, "left", left)
		}
	}
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
