package door

import (
	"slices"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Filter says which memories of a list are wanted: those that fit everything that is set.
type Filter struct {
	Status   string        `json:"status,omitempty" maxLength:"32" doc:"Only memories with this status: current, disputed, superseded, ended and so on; or \"suppressed\", what is kept from recall."`
	Kind     memory.Kind   `json:"kind,omitempty" maxLength:"32" doc:"Only memories of this kind: profile, preference, constraint, relation, fact, episodic or procedural."`
	Key      memory.Key    `json:"key,omitempty" maxLength:"256" doc:"Only memories under this key, or about it."`
	Thread   memory.Thread `json:"thread,omitempty" maxLength:"256" doc:"Only memories of which something was said in this thread."`
	Since    time.Time     `json:"since,omitzero" doc:"Only memories that were last said then or later."`
	Until    time.Time     `json:"until,omitzero" doc:"Only memories that were last said before then."`
	Contains string        `json:"contains,omitempty" maxLength:"1000" doc:"A part of their text or value; letter case makes no difference."`
}

// statusSuppressed asks for what a standing request keeps from recall, whatever its status.
const statusSuppressed = "suppressed"

func (f *Filter) validate() error {
	switch {
	case f.Status != "" && f.Status != statusSuppressed && !memory.Status(f.Status).Valid():
		return BadField("status", "unknown status %q", f.Status)
	case f.Kind != "" && !f.Kind.Valid():
		return BadField("kind", "unknown kind %q", f.Kind)
	case !f.Since.IsZero() && !f.Until.IsZero() && !f.Since.Before(f.Until):
		return BadField("until", "must be after since")
	}
	return nil
}

// fits reports whether a memory is wanted.
func (f *Filter) fits(m *memory.Memory) bool {
	part := strings.ToLower(f.Contains)
	switch {
	case f.Status == statusSuppressed && m.SuppressedBy == "",
		f.Status != "" && f.Status != statusSuppressed && string(m.Status) != f.Status,
		f.Kind != "" && m.Kind != f.Kind,
		f.Key != "" && m.Key != f.Key && m.About != f.Key,
		!f.Since.IsZero() && m.ConfirmedAt.Before(f.Since),
		!f.Until.IsZero() && !m.ConfirmedAt.Before(f.Until),
		part != "" && !strings.Contains(strings.ToLower(m.Text), part) && !strings.Contains(strings.ToLower(m.Value), part):
		return false
	}
	return f.Thread == "" || slices.ContainsFunc(m.Evidence, func(e memory.Evidence) bool { return e.Thread == f.Thread })
}
