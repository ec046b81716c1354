package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxDepth bounds how deep a value or a filter is nested.
const maxDepth = 64

// sort is what a node is.
type sort byte

const (
	isNull sort = iota
	isBool
	isNumber
	isString
	isList
	isObject
)

// node is a JSON value with its fields in the order in which they are written.
type node struct {
	sort sort
	// text is a string's content, and a number or a boolean as it is written.
	text   string
	names  []string
	fields map[string]*node
	items  []*node
}

// parse reads one JSON value. Names that stand twice in an object are an error: whoever
// reads the value would see one or the other.
func parse(data []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n, err := read(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the value")
	}
	return n, nil
}

func read(d *json.Decoder, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("is nested deeper than %d", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, errors.New("is not valid JSON")
	}
	switch t := token.(type) {
	case string:
		return &node{sort: isString, text: t}, nil
	case json.Number:
		if _, ok := parseNumber(t.String()); !ok {
			return nil, errors.New("has a number that is out of range")
		}
		return &node{sort: isNumber, text: t.String()}, nil
	case bool:
		return &node{sort: isBool, text: fmt.Sprint(t)}, nil
	case json.Delim:
		if t == '[' {
			return readList(d, depth)
		}
		return readObject(d, depth)
	}
	return &node{sort: isNull}, nil
}

func readList(d *json.Decoder, depth int) (*node, error) {
	n := &node{sort: isList}
	for d.More() {
		e, err := read(d, depth+1)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, e)
	}
	return n, end(d)
}

func readObject(d *json.Decoder, depth int) (*node, error) {
	n := &node{sort: isObject, fields: map[string]*node{}}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, errors.New("is not valid JSON")
		}
		f, err := read(d, depth+1)
		if err != nil {
			return nil, err
		}
		key, _ := name.(string)
		if n.fields[key] != nil {
			return nil, errors.New("has a field twice in one object")
		}
		n.names, n.fields[key] = append(n.names, key), f
	}
	return n, end(d)
}

func end(d *json.Decoder) error {
	if _, err := d.Token(); err != nil {
		return errors.New("is not valid JSON")
	}
	return nil
}

// field is the object's field of that name, nil for none and for what is no object.
func (n *node) field(name string) *node { return n.fields[name] }

// scalars calls fn for every string, number, boolean and null, in the order of writing, with
// its dotted name; within a list there is none.
func (n *node) scalars(name string, named bool, fn func(name string, named bool, n *node)) {
	switch n.sort {
	case isObject:
		for _, f := range n.names {
			path := f
			if name != "" {
				path = name + "." + f
			}
			n.fields[f].scalars(path, named, fn)
		}
	case isList:
		for _, e := range n.items {
			e.scalars(name, false, fn)
		}
	default:
		fn(name, named, n)
	}
}

// equal reports whether two values are the same JSON: the order of fields, and how a number
// is written, make no difference.
func equal(a, b *node) bool {
	if a.sort != b.sort {
		return false
	}
	switch a.sort {
	case isNumber:
		return compareNumbers(a.text, b.text) == 0
	case isList:
		return slices.EqualFunc(a.items, b.items, equal)
	case isObject:
		if len(a.names) != len(b.names) {
			return false
		}
		for name, f := range a.fields {
			if o := b.fields[name]; o == nil || !equal(f, o) {
				return false
			}
		}
		return true
	}
	return a.text == b.text
}

// canonical is a scalar as JSON, the same for what is equal.
func (n *node) canonical() string {
	switch n.sort {
	case isString:
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(n.text) // a string always has a form
		return strings.TrimSuffix(b.String(), "\n")
	case isNumber:
		v, _ := parseNumber(n.text)
		return v.String()
	case isBool:
		return n.text
	}
	return "null"
}
