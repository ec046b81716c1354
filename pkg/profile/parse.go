package profile

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// annotation is the prefix of the keywords that are mnemond's own.
const annotation = "x-mnemond-"

// ErrSchema is wrapped by every error about an unusable profile schema.
var ErrSchema = errors.New("invalid profile schema")

// Parse reads a profile schema: JSON Schema 2020-12 of an object whose properties are
// objects, strings, integers, numbers or booleans (keys of one value), or arrays of one of
// these (keys of many), with the x-mnemond- annotations that Field describes. It is strict:
// an unknown annotation, or a value that an annotation cannot have, is a fault, and so is a
// schema that nobody's profile fits at first, since nothing is known of them yet. Formats are
// asserted. The error joins all faults, each with the path of the place, and wraps ErrSchema.
func Parse(schema []byte) (*Registry, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSchema, err)
	}
	root, ok := doc.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: it must be a JSON object", ErrSchema)
	}
	p := parser{fields: map[memory.Key]Field{}, places: map[memory.Key]string{}}
	compiled, err := compile(root)
	if err != nil {
		p.invalid(err)
	}
	p.object("", nil, root)
	plans := p.plans(root)
	p.opposites()
	if len(p.faults) == 0 {
		if err := compiled.Validate(map[string]any{}); err != nil {
			p.fault("/", "a profile in which nothing is known must be valid: %s", reasonOf(err))
		}
	}
	if len(p.faults) > 0 {
		return nil, fmt.Errorf("%w: %w", ErrSchema, errors.Join(p.faults...))
	}
	keys := slices.Sorted(maps.Keys(p.fields))
	return &Registry{fields: p.fields, keys: keys, asks: newAsker(keys, p.fields, plans), schema: compiled}, nil
}

// compile checks root against the metaschema. It loads nothing from anywhere.
func compile(root map[string]any) (*jsonschema.Schema, error) {
	const url = "mem:///profile.schema.json"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	if err := c.AddResource(url, root); err != nil {
		return nil, err
	}
	return c.Compile(url)
}

// parser walks a schema and collects fields and faults.
type parser struct {
	fields map[memory.Key]Field
	faults []error
	// places holds where each field stands, for faults that concern two of them.
	places map[memory.Key]string
}

func (p *parser) fault(path, format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...)))
}

// invalid adds what the metaschema has against the schema, each with its place.
func (p *parser) invalid(err error) {
	var schema *jsonschema.SchemaValidationError
	var v *jsonschema.ValidationError
	if !errors.As(err, &schema) || !errors.As(schema.Err, &v) {
		p.faults = append(p.faults, err)
		return
	}
	told := map[string]bool{}
	for _, l := range leavesOf(v, nil) {
		path := "/" + strings.Join(l.InstanceLocation, "/")
		if !told[path] {
			told[path] = true
			p.fault(path, "%s", reasonOf(l))
		}
	}
}

func leavesOf(v *jsonschema.ValidationError, out []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(v.Causes) == 0 {
		return append(out, v)
	}
	for _, c := range v.Causes {
		out = leavesOf(c, out)
	}
	return out
}

// segment is what a property may be called, so that paths are unambiguous keys.
var segment = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func (p *parser) object(path string, names []string, node map[string]any) {
	if node["type"] != "object" {
		p.fault(path+"/type", `must be "object"`)
	}
	for _, k := range slices.Sorted(maps.Keys(node)) {
		if strings.HasPrefix(k, annotation) && (path != "" || k != annotation+"plans") {
			p.fault(path+"/"+k, "is no annotation of an object")
		}
	}
	properties, _ := node["properties"].(map[string]any)
	if len(properties) == 0 {
		p.fault(path+"/properties", "must not be empty")
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		at := path + "/properties/" + name
		child, ok := properties[name].(map[string]any)
		switch {
		case !segment.MatchString(name):
			p.fault(at, "a property name must match %s", segment)
		case !ok:
			p.fault(at, "must be an object")
		case child["type"] == "object":
			p.object(at, append(slices.Clone(names), name), child)
		default:
			p.field(at, append(slices.Clone(names), name), child)
		}
	}
}

func (p *parser) field(path string, names []string, node map[string]any) {
	f := Field{
		Key: memory.Key(strings.Join(names, ".")), Kind: memory.KindProfile, Class: canon.ClassText, Ages: true,
		Sensitivity: SensitivityNone, Mutability: MutabilityChanges,
	}
	f.Description, _ = node["description"].(string)
	value := node
	if f.Multi = node["type"] == "array"; f.Multi {
		value, _ = node["items"].(map[string]any)
	}
	f.Type, _ = value["type"].(string)
	f.Format, _ = value["format"].(string)
	switch simple := slices.Contains([]string{typeString, typeInteger, typeNumber, typeBoolean}, f.Type); {
	case !simple && f.Multi:
		p.fault(path+"/items/type", `must be "string", "integer", "number" or "boolean"`)
	case !simple:
		p.fault(path+"/type", `must be "string", "integer", "number", "boolean", "array" or "object"`)
	}
	for _, k := range slices.Sorted(maps.Keys(node)) {
		if name, ok := strings.CutPrefix(k, annotation); ok {
			p.annotate(&f, path+"/"+k, name, node[k])
		}
	}
	p.fields[f.Key], p.places[f.Key] = f, path
}

// annotate sets what one annotation says.
func (p *parser) annotate(f *Field, path, name string, value any) {
	text, isText := value.(string)
	switch name {
	case "kind":
		f.Kind = memory.Kind(text)
		p.oneOf(path, text, "profile", "preference", "constraint", "relation")
	case "class":
		if f.Class = canon.Class(text); !f.Class.Valid() {
			p.fault(path, "is no class of values that is known")
		}
	case "sensitivity":
		f.Sensitivity = Sensitivity(text)
		p.oneOf(path, text, "none", "personal", "special")
	case "mutability":
		f.Mutability = Mutability(text)
		p.oneOf(path, text, "stable", "changes")
	case "opposite":
		if f.Opposite = memory.Key(text); !isText || text == "" {
			p.fault(path, "must be a key")
		}
	case "ages":
		ages, ok := value.(bool)
		if f.Ages = ages; !ok {
			p.fault(path, "must be true or false")
		}
	case "default-expiry":
		period, err := ParsePeriod(text)
		if f.DefaultExpiry = period; err != nil {
			p.fault(path, "%v", err)
		}
	case "asks":
		f.Asks = p.asks(path, value)
	default:
		p.fault(path, "is no annotation that is known")
	}
}

func (p *parser) oneOf(path, text string, allowed ...string) {
	if !slices.Contains(allowed, text) {
		p.fault(path, "must be one of %s", strings.Join(allowed, ", "))
	}
}

// languageTag is the form of the keys of asks.
var languageTag = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

func (p *parser) asks(path string, value any) map[string][]string {
	byLanguage, ok := value.(map[string]any)
	if !ok {
		p.fault(path, "must be an object of word lists by language")
	}
	asks := make(map[string][]string, len(byLanguage))
	for _, language := range slices.Sorted(maps.Keys(byLanguage)) {
		at := path + "/" + language
		list, ok := byLanguage[language].([]any)
		if !ok || !languageTag.MatchString(language) {
			p.fault(at, "must be a list of words under a language tag")
			continue
		}
		for i, entry := range list {
			word, _ := entry.(string)
			if _, ok := newPattern(word); !ok {
				p.fault(fmt.Sprintf("%s/%d", at, i), "must be a word or a phrase without punctuation")
				continue
			}
			asks[language] = append(asks[language], word)
		}
	}
	return asks
}

// plans reads the asking-words of plans, which belong to no key.
func (p *parser) plans(root map[string]any) map[string][]string {
	const path = "/" + annotation + "plans"
	value, ok := root[annotation+"plans"]
	if !ok {
		return nil
	}
	object, ok := value.(map[string]any)
	if !ok || len(object) != 1 || object["asks"] == nil {
		p.fault(path, "must be an object with asks and nothing else")
		return nil
	}
	return p.asks(path+"/asks", object["asks"])
}

// opposites checks that keys oppose one another in pairs whose values can be compared.
func (p *parser) opposites() {
	for _, k := range slices.Sorted(maps.Keys(p.fields)) {
		f := p.fields[k]
		if f.Opposite == "" {
			continue
		}
		path := p.places[k] + "/" + annotation + "opposite"
		o, ok := p.fields[f.Opposite]
		switch {
		case !ok || f.Opposite == k:
			p.fault(path, "%q is no other key", f.Opposite)
		case o.Opposite != k:
			p.fault(path, "%s must name %s as its opposite", f.Opposite, k)
		case !o.Multi || !f.Multi || o.Class != f.Class:
			p.fault(path, "opposites must both be arrays, of one class")
		}
	}
}
