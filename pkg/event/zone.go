package event

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// zones holds the locations that have been asked for: loading one reads and parses a file.
// Only names that exist get in, of which there are some hundred.
var zones sync.Map

var errLocal = errors.New("names the zone of this machine, not of a place")

// Zone is the location of an IANA time zone name.
func Zone(name string) (*time.Location, error) {
	if loc, ok := zones.Load(name); ok {
		return loc.(*time.Location), nil
	}
	if name == "Local" {
		return nil, fmt.Errorf("time zone %q %w", name, errLocal)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("time zone: %w", err)
	}
	zones.Store(name, loc)
	return loc, nil
}
