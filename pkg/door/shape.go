package door

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/mnemond/mnemond/pkg/event"
)

// shape is the form of a request: its JSON Schema, and where its fields stand over HTTP.
type shape struct {
	registry huma.Registry
	schema   *huma.Schema
	// path are the names of the fields that stand in the path.
	path []string
}

// definitions is where a schema that stands alone keeps what it refers to.
const definitions = "#/$defs/"

// strict has huma tell "User" from "user", as encoding/json does not.
var strict = sync.OnceFunc(func() { huma.ValidateStrictCasing = true })

func shapeOf(t reflect.Type) *shape {
	strict()
	s := &shape{registry: huma.NewMapRegistry(definitions, SchemaName)}
	s.schema = huma.SchemaFromType(s.registry, t)
	for _, f := range reflect.VisibleFields(t) {
		if name := f.Tag.Get("path"); name != "" {
			s.path = append(s.path, name)
		}
	}
	return s
}

// decode reads one JSON object strictly. What has the wrong form is an error; what has the
// right one and lacks a field or is out of bounds is returned as limits, and into holds it.
func (s *shape) decode(raw []byte, into any) (limits, err error) {
	if !utf8.Valid(raw) {
		return nil, BadField("", "not valid JSON: not valid UTF-8")
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	var value any
	dec := json.NewDecoder(bytes.NewReader(raw))
	if err := dec.Decode(&value); err != nil {
		return nil, BadField("", "not valid JSON: %v", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, BadField("", "more than one JSON value")
	}
	// What stands twice deeper down belongs to a value, whose service says what it makes of it.
	if twice := event.Repeated(raw); len(twice) == 1 {
		return nil, BadField(twice[0], "appears twice")
	}
	var found huma.ValidateResult
	huma.Validate(s.registry, s.schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, value, &found)
	wrong, limits := s.first(found.Errors)
	if wrong != nil {
		return nil, wrong
	}
	if err := json.Unmarshal(raw, into); err != nil {
		if limits != nil {
			return nil, limits
		}
		return nil, undecodable(err)
	}
	return limits, nil
}

// first is the first finding of each sort: a wrong form, and a missing field or a bound.
func (s *shape) first(found []error) (form, limits error) {
	var unknown []string
	for _, err := range found {
		var d *huma.ErrorDetail
		if !errors.As(err, &d) {
			continue
		}
		if d.Message == validation.MsgUnexpectedProperty {
			unknown = append(unknown, fieldName(d.Location))
			continue
		}
		problem, isForm := s.finding(d)
		if isForm && form == nil {
			form = problem
		}
		if !isForm && limits == nil {
			limits = problem
		}
	}
	if form == nil && len(unknown) > 0 { // huma finds them in no order
		form = BadField(slices.Min(unknown), "is not a known field")
	}
	return form, limits
}

// finding is what a caller is told of one finding of huma's.
func (s *shape) finding(d *huma.ErrorDetail) (problem error, form bool) {
	field := fieldName(d.Location)
	rest, ok := strings.CutPrefix(d.Message, "expected ")
	switch {
	case !ok:
		return BadField(field, "%s", d.Message), false
	case slices.Contains([]string{"boolean", "number", "integer", "string", "array", "object"}, rest):
		return BadField(field, "must be of type %s, not %s", rest, kindOf(d.Value)), true
	case strings.HasPrefix(rest, "required property "):
		name := strings.TrimSuffix(strings.TrimPrefix(rest, "required property "), " to be present")
		if p := s.schema.Properties[name]; field == "" && p != nil && len(p.Enum) > 0 {
			return BadField(name, "must be one of %s", strings.Trim(fmt.Sprint(p.Enum), "[]")), false
		}
		if field != "" {
			name = field + "." + name
		}
		return BadField(name, "is required and must not be empty"), false
	case strings.HasPrefix(rest, "string to be RFC 3339 date-time"):
		return BadField(field, `must be a time such as "2026-03-01T09:00:00+08:00"`), true
	case strings.HasPrefix(rest, "value to be one of "):
		choice := strings.Trim(strings.TrimPrefix(rest, "value to be one of "), `"`)
		return BadField(field, "must be one of %s", strings.ReplaceAll(choice, ", ", " ")), false
	}
	for _, l := range []struct{ found, said string }{
		{"length >= ", "must be at least %s characters"}, {"length <= ", "must be at most %s characters"},
		{"array length >= ", "must be at least %s items"}, {"array length <= ", "must be at most %s items"},
		{"number >= ", "must be at least %s"}, {"number <= ", "must be at most %s"},
		{"number > ", "must be more than %s"}, {"number < ", "must be less than %s"},
	} {
		if bound, ok := strings.CutPrefix(rest, l.found); ok {
			if bound == "1" && strings.HasSuffix(l.found, "length >= ") {
				return BadField(field, "must not be empty"), false
			}
			return BadField(field, l.said, bound), false
		}
	}
	return BadField(field, "must be %s", rest), false
}

// fieldName is a field's path with dots; that of an item of a list is the list's.
func fieldName(location string) string {
	if i := strings.LastIndexByte(location, '['); i >= 0 && strings.HasSuffix(location, "]") {
		location = location[:i]
	}
	return strings.TrimPrefix(strings.NewReplacer("[", ".", "]", "").Replace(location), ".")
}

// kindOf is the JSON type of a decoded value.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	default:
		return "object"
	}
}

// undecodable says what encoding/json refuses although the schema does not: a number beyond
// its type, say.
func undecodable(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		parts := slices.DeleteFunc(strings.Split(wrong.Field, "."), func(p string) bool { return p != strings.ToLower(p) })
		return BadField(strings.Join(parts, "."), "must not be %s", wrong.Value)
	}
	return BadField("", "not valid JSON: %v", err)
}

// SchemaName names a type in documents: by its name, and where that says too little by its
// package as well.
func SchemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := huma.DefaultSchemaNamer(t, hint)
	p := t.PkgPath()
	owner := p[strings.LastIndexByte(p, '/')+1:]
	if t.Name() == "" || owner == "" || owner == "memory" || owner == "door" || strings.HasPrefix(strings.ToLower(name), owner) {
		return name
	}
	return strings.ToUpper(owner[:1]) + owner[1:] + name
}

// Schema is the JSON Schema of the operation's request, which stands alone.
func (op *Operation) Schema() json.RawMessage {
	return op.alone(op.request.schema, op.request.registry)
}

// ReplySchema is the JSON Schema of what a call is answered with, its reply or a Problem, which
// stands alone. Either may have more fields.
func (op *Operation) ReplySchema() json.RawMessage {
	registry := huma.NewMapRegistry(definitions, SchemaName)
	either := &huma.Schema{Type: huma.TypeObject, AnyOf: []*huma.Schema{
		registry.Schema(op.out, true, ""), registry.Schema(reflect.TypeFor[Problem](), true, ""),
	}}
	MayGrow(registry)
	return op.alone(either, registry)
}

// MayGrow lets what the schemas describe have more fields: replies gain some in later versions.
func MayGrow(registry huma.Registry) {
	for _, s := range registry.Map() {
		if s.AdditionalProperties == false {
			s.AdditionalProperties = nil
		}
	}
}

// alone is a schema with what it refers to.
func (op *Operation) alone(s *huma.Schema, registry huma.Registry) json.RawMessage {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("door: schema of %s: %v", op.ID, err))
	}
	if len(registry.Map()) == 0 {
		return raw
	}
	defs, err := json.Marshal(registry.Map())
	if err != nil {
		panic(fmt.Sprintf("door: schema of %s: %v", op.ID, err))
	}
	return slices.Concat(raw[:len(raw)-1], []byte(`,"$defs":`), defs, []byte("}"))
}

// Types are the Go types of its request and its reply.
func (op *Operation) Types() (in, out reflect.Type) { return op.in, op.out }

// Field is a field of a request.
type Field struct {
	Name string
	// Schema is its JSON Schema as huma has it. It is not to be changed.
	Schema *huma.Schema
	// Required says that the request is refused without it.
	Required bool
	// Path says that over HTTP it stands in the path.
	Path bool
}

// Fields are the request's fields, ordered by name.
func (op *Operation) Fields() []Field {
	var out []Field
	for name, s := range op.request.schema.Properties {
		out = append(out, Field{name, s, slices.Contains(op.request.schema.Required, name), slices.Contains(op.request.path, name)})
	}
	slices.SortFunc(out, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return out
}
