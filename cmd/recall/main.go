// Command recall answers recalls over HTTP.
package main

import (
	"flag"
	"os"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/telemetry"
)

func main() {
	code, ok := app.Arguments(flag.NewFlagSet("recall", flag.ContinueOnError), "answers recalls over HTTP", os.Args[1:], os.Stderr)
	if ok {
		code = app.Execute(app.Recall, telemetry.Start)
	}
	os.Exit(code)
}
