package app

import (
	"context"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
)

// variablePrefix begins every variable of mnemond's own.
const variablePrefix = "MNEMOND_"

// otherVariables are those that are none of Config's: of the command line, and of the tests.
var otherVariables = []string{"MNEMOND_URL", "MNEMOND_API_KEY"}

// injected matches what Kubernetes puts into the environment of a pod for a service that is
// called mnemond-something.
var injected = regexp.MustCompile(`_SERVICE_(HOST|PORT)(_|$)|_PORT(_|$)`)

// Unknown returns the names of the variables in an environment ("NAME=value") that look like
// mnemond's and are not, sorted: most likely they are misspelt, and have no effect.
func Unknown(environ []string) ([]string, error) {
	params, err := env.GetFieldParams(&Config{})
	if err != nil {
		return nil, err
	}
	known := slices.Clone(otherVariables)
	for _, p := range params {
		known = append(known, p.Key)
	}
	var out []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		switch {
		case !strings.HasPrefix(name, variablePrefix), strings.HasPrefix(name, variablePrefix+"TEST_"):
		case slices.Contains(known, name), injected.MatchString(name):
		default:
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

// WarnOfUnknown logs the variables of this process's environment that have no effect.
func WarnOfUnknown(ctx context.Context, log *slog.Logger) error {
	names, err := Unknown(os.Environ())
	if err == nil && len(names) > 0 {
		log.WarnContext(ctx, "unknown variables have no effect: is a name misspelt?", "variables", names)
	}
	return err
}
