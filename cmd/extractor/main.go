// Command extractor sets the threads' timers and consolidates them.
package main

import (
	"os"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/telemetry"
)

func main() { os.Exit(app.Main(app.Extractor, telemetry.Start)) }
