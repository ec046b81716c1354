// Command extractor sets the threads' timers and consolidates them.
package main

import (
	"flag"
	"os"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/telemetry"
)

func main() {
	code, ok := app.Arguments(flag.NewFlagSet("extractor", flag.ContinueOnError), "sets the threads' timers and consolidates them", os.Args[1:], os.Stderr)
	if ok {
		code = app.Execute(app.Extractor, telemetry.Start)
	}
	os.Exit(code)
}
