// Command recall answers recalls over HTTP.
package main

import (
	"os"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/telemetry"
)

func main() { os.Exit(app.Main(app.Recall, telemetry.Start)) }
