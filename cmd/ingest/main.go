// Command ingest accepts events over HTTP and publishes them.
package main

import (
	"os"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/telemetry"
)

func main() { os.Exit(app.Main(app.Ingest, telemetry.Start)) }
