package app

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// Main is the main function of a part that takes no arguments: it runs until the process is told
// to stop, and returns the exit code.
func Main(p Part, instrument Instrument) int {
	code, ok := Arguments(flag.NewFlagSet(p.name, flag.ContinueOnError), p.about, os.Args[1:], os.Stderr)
	if !ok {
		return code
	}
	return Execute(p, instrument)
}

// Arguments parses the arguments of a part, which are flags alone. Where the part is not to
// run, it has written to w why, and returns the exit code and false: 0 after -help, 2 where
// the arguments are wrong.
func Arguments(flags *flag.FlagSet, about string, args []string, w io.Writer) (code int, ok bool) {
	flags.SetOutput(w)
	flags.Usage = func() {
		_, _ = fmt.Fprintf(w, "%s: %s.\nIt is configured by environment variables: see docs/operations.md.\n", flags.Name(), about)
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0, false
	case err != nil:
		return 2, false // the package has said why
	case flags.NArg() > 0:
		_, _ = fmt.Fprintf(w, "%s: unexpected argument %s\n", flags.Name(), flags.Arg(0))
		return 2, false
	}
	return 0, true
}
