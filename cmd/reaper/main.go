// Command reaper does what time makes due, by cron: it moves to the archive what has expired
// or gone cold, takes deleted text out of the ledger, and times questions out. It also looks
// at the logs a second time and repairs what is missing. With -once it does one job and ends.
package main

import (
	"flag"
	"os"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/telemetry"
)

func main() {
	once := flag.String("once", "", "do this `job` and end: expire, tier, purge or questions")
	dryRun := flag.Bool("dry-run", false, "with -once: print what would change, and change nothing")
	flag.Parse()
	part := app.Reaper
	if *once != "" {
		part = app.ReaperOnce(*once, *dryRun, os.Stdout)
	}
	os.Exit(app.Execute(part, telemetry.Start))
}
