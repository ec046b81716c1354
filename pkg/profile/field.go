package profile

import (
	"slices"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Sensitivity says how carefully values of a key are to be handled.
type Sensitivity string

// The sensitivities. SensitivitySpecial is for what data protection law singles out:
// health, belief, life with a partner.
const (
	SensitivityNone     Sensitivity = "none"
	SensitivityPersonal Sensitivity = "personal"
	SensitivitySpecial  Sensitivity = "special"
)

// Mutability says whether values of a key are expected to change in the course of a life.
type Mutability string

// The mutabilities.
const (
	MutabilityStable  Mutability = "stable"
	MutabilityChanges Mutability = "changes"
)

// Field is what the registry knows about one key. It is shared: do not change its maps.
type Field struct {
	// Key is the property path, such as "user.city".
	Key memory.Key
	// Multi is set for keys that hold many values at a time.
	Multi bool
	// Type is the JSON type of a value: string, integer, number or boolean. Format is that of
	// a string, as the schema has it, or empty.
	Type, Format string
	// Kind is the kind of its memories: profile, preference, constraint or relation;
	// default profile.
	Kind memory.Kind
	// Class says when two of its values are the same; default text.
	Class canon.Class
	// Opposite is the key under which a value cannot stand at the same time, or empty.
	Opposite memory.Key
	// Ages is unset for what never goes cold, such as a name or an allergy; default set.
	Ages bool
	// Sensitivity defaults to none, Mutability to changes.
	Sensitivity Sensitivity
	Mutability  Mutability
	// DefaultExpiry is how long a value holds where nothing else is said; zero is for ever.
	DefaultExpiry Period
	// Asks holds, by language, the words with which people ask for it.
	Asks map[string][]string
	// Description is the schema's own.
	Description string
}

// Registry holds the fields of one profile schema. It is immutable and safe for
// concurrent use.
type Registry struct {
	fields map[memory.Key]Field
	keys   []memory.Key
	asks   *asker
	schema *jsonschema.Schema
}

// Field returns what is known about a key, and whether the schema has it.
func (r *Registry) Field(k memory.Key) (Field, bool) {
	f, ok := r.fields[k]
	return f, ok
}

// Keys returns all keys, sorted. The slice is the caller's.
func (r *Registry) Keys() []memory.Key { return slices.Clone(r.keys) }

// Validate reports how a profile document, as encoding/json decodes it into an any,
// departs from the schema, or nil.
func (r *Registry) Validate(document any) error { return r.schema.Validate(document) }
