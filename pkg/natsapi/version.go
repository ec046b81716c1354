package natsapi

import (
	"regexp"
	"runtime/debug"
	"strings"
)

// unversioned is the version of what was built from a working copy.
const unversioned = "0.0.0"

// semantic is what micro takes for a version.
var semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// Version is the program's version by its build information, without the v; "0.0.0" where it
// has none.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unversioned
	}
	return versionOf(info.Main.Version)
}

func versionOf(module string) string {
	if v := strings.TrimPrefix(module, "v"); semantic.MatchString(v) {
		return v
	}
	return unversioned
}
