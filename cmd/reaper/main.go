// Command reaper looks at the logs a second time: it sets timers that are missing and
// projects what nobody has projected.
package main

import (
	"os"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/telemetry"
)

func main() { os.Exit(app.Execute(app.Reaper, telemetry.Start)) }
