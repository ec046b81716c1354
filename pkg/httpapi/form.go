package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/door"
)

// form is where the fields of an operation's request stand.
type form struct {
	limit int64
	path  []string
	// query are the fields that may stand in the query, by name; nil where they stand in the
	// body.
	query map[string]door.Field
	// beside are the fields that stand in the query where the body is a bare JSON Patch; nil
	// where it may not be.
	beside map[string]door.Field
}

func formOf(op *door.Operation) form {
	f := form{limit: op.MaxBody}
	if !inBody(op) {
		f.query = map[string]door.Field{}
	}
	if op.JSONPatch {
		f.beside = map[string]door.Field{}
	}
	for _, field := range op.Fields() {
		switch {
		case f.beside != nil && field.Name != fieldPatch:
			f.beside[field.Name] = field
		case field.Path:
			f.path = append(f.path, field.Name)
		case f.query != nil:
			f.query[field.Name] = field
		}
	}
	return f
}

// inBody reports whether the fields of the operation's request stand in its body.
func inBody(op *door.Operation) bool {
	return op.Method != http.MethodGet && (op.Method != http.MethodDelete || op.BodyOnDelete)
}

// read makes one JSON object of a request.
func (f form) read(r *http.Request) ([]byte, error) {
	values := r.URL.Query()
	if f.query != nil {
		object, err := f.fromQuery(values)
		if err != nil {
			return nil, err
		}
		if err := f.fromPath(r, object); err != nil {
			return nil, err
		}
		return json.Marshal(object)
	}
	if f.beside != nil && isPatch(r) {
		return f.fromPatch(r, values)
	}
	if len(values) > 0 {
		return nil, door.BadField(first(values), "is not a known parameter: the fields stand in the body")
	}
	if _, err := mediaType(r, door.TypeJSON); err != nil {
		return nil, err
	}
	body, err := readBody(r, f.limit)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, door.BadField("", "not valid JSON: the body is empty")
	}
	if len(f.path) == 0 {
		return body, nil
	}
	return f.withPath(r, body)
}

// withPath puts the fields of the path in front of those of the body: one that stands there as
// well is refused as any that stands twice. A body that is no object is left as it is: the
// operation says what is wrong with it.
func (f form) withPath(r *http.Request, body []byte) ([]byte, error) {
	rest, isObject := bytes.CutPrefix(bytes.TrimSpace(body), []byte("{"))
	if !isObject {
		return body, nil
	}
	fields := map[string]any{}
	if err := f.fromPath(r, fields); err != nil {
		return nil, err
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("encode path: %w", err)
	}
	out = out[:len(out)-1]
	if !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("}")) {
		out = append(out, ',')
	}
	return append(out, rest...), nil
}

func (f form) fromPath(r *http.Request, object map[string]any) error {
	for _, name := range f.path {
		value := r.PathValue(name)
		if !utf8.ValidString(value) {
			return door.BadField(name, "must be valid UTF-8")
		}
		object[name] = value
	}
	return nil
}

// fromQuery reads the parameters of a query. One that is given twice is an error, unless the
// field is a list.
func (f form) fromQuery(values url.Values) (map[string]any, error) {
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		field, known := f.query[name]
		given := values[name]
		switch {
		case !known:
			return nil, door.BadField(name, "is not a known parameter: want one of %q", slices.Sorted(maps.Keys(f.query)))
		case slices.ContainsFunc(given, func(v string) bool { return !utf8.ValidString(v) }):
			return nil, door.BadField(name, "must be valid UTF-8")
		case field.Schema.Type == "array":
			object[name] = given
		case len(given) > 1:
			return nil, door.BadField(name, "is given twice")
		default:
			object[name] = typed(field.Schema.Type, given[0])
		}
	}
	return object, nil
}

// typed is a parameter as its field's type has it, or as text, which the operation refuses
// where the field wants something else.
func typed(kind, text string) any {
	switch kind {
	case "boolean":
		if text == "true" || text == "false" {
			return text == "true"
		}
	case "integer", "number":
		if _, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) {
			return json.Number(text)
		}
	}
	return text
}

// first is the first of the parameters, by name.
func first(values url.Values) string { return slices.Min(slices.Collect(maps.Keys(values))) }
