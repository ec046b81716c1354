// Command ingest accepts events over HTTP and publishes them.
package main

import (
	"flag"
	"os"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/telemetry"
)

func main() {
	code, ok := app.Arguments(flag.NewFlagSet("ingest", flag.ContinueOnError), "accepts events over HTTP and publishes them", os.Args[1:], os.Stderr)
	if ok {
		code = app.Execute(app.Ingest, telemetry.Start)
	}
	os.Exit(code)
}
