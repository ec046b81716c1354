// Command reaper does what time makes due, by cron: it moves to the archive what has expired
// or gone cold, takes deleted text out of the ledger, and times questions out. It also looks
// at the logs a second time and repairs what is missing. With -once it does one job and ends.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/telemetry"
)

func main() { os.Exit(run()) }

func run() int {
	flags := flag.NewFlagSet("reaper", flag.ContinueOnError)
	once := flags.String("once", "", "do this `job` and end: expire, tier, purge or questions")
	dryRun := flags.Bool("dry-run", false, "with -once: print what would change, and change nothing")
	code, ok := app.Arguments(flags, "does by cron what time makes due, and repairs what is missing", os.Args[1:], os.Stderr)
	switch {
	case !ok:
		return code
	case *once == "" && *dryRun:
		fmt.Fprintln(os.Stderr, "reaper: -dry-run goes with -once")
		return 2
	case *once == "":
		return app.Execute(app.Reaper, telemetry.Start)
	case !app.IsJob(*once):
		fmt.Fprintf(os.Stderr, "reaper: -once must be expire, tier, purge or questions, is %q\n", *once)
		return 2
	}
	return app.Execute(app.ReaperOnce(*once, *dryRun, os.Stdout), telemetry.Start)
}
