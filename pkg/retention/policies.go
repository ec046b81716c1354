package retention

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Policies are those of an installation. The zero value holds the defaults for everybody.
type Policies struct {
	// Default is the policy of every tenant that is not listed.
	Default Policy `json:"default"`
	// Tenants have limits of their own; a field that is zero is taken from Default.
	Tenants map[memory.Tenant]Policy `json:"tenants,omitempty"`
}

// For is the policy of a tenant.
func (p Policies) For(t memory.Tenant) Policy {
	out := p.Default
	own := p.Tenants[t]
	for _, l := range limits {
		if d := *l.of(&own); d != 0 {
			*l.of(&out) = d
		}
	}
	return out
}

// Validate reports the first policy that cannot be used, by tenant and field, or nil. Events
// is for how long events can be replayed.
func (p Policies) Validate(events time.Duration) error {
	if err := p.Default.Validate(events); err != nil {
		return fmt.Errorf("default: %w", err)
	}
	for _, t := range slices.Sorted(maps.Keys(p.Tenants)) {
		if err := memory.ValidateID(string(t)); err != nil {
			return fmt.Errorf("tenants: %q: %w", t, err)
		}
		if err := p.For(t).Validate(events); err != nil {
			return fmt.Errorf("tenants: %q: %w", t, err)
		}
	}
	return nil
}

// UnmarshalText reads the JSON form, as a file or an environment variable holds it:
//
//	{"default": {"cold_after": "2160h"}, "tenants": {"acme": {"archive_for": "never"}}}
//
// It refuses unknown fields; Validate is the caller's. Nothing at all means the defaults.
func (p *Policies) UnmarshalText(raw []byte) error {
	type plain Policies // without this method
	var out plain
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("retention policies: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("retention policies: more than one JSON value")
	}
	*p = Policies(out)
	return nil
}
