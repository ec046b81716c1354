package document

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/fault"
)

// Bounds of a filter.
const (
	MaxFilterFields = 64
	MaxFilterBytes  = 16 << 10
)

// fieldFilter names the filter in errors.
const fieldFilter = "filter"

// The operators of a condition.
const (
	opEq  = "$eq"
	opNe  = "$ne"
	opGt  = "$gt"
	opGte = "$gte"
	opLt  = "$lt"
	opLte = "$lte"
)

// Filter is conditions on the fields of a document, all of which must hold. The zero Filter
// holds for every document.
type Filter struct{ conditions []condition }

// condition compares the field of a dotted name with a value.
type condition struct {
	name, op string
	value    *node
}

// ParseFilter reads {"field": value}, which asks for equality, and {"field": {"$gt": value}}
// with one or more of $eq, $ne, $gt, $gte, $lt and $lte. A field within another is named with
// a dot between. Nothing, and null, is the zero Filter. Its errors are *fault.FieldError.
func ParseFilter(data json.RawMessage) (Filter, error) {
	if len(data) == 0 || string(data) == "null" {
		return Filter{}, nil
	}
	if len(data) > MaxFilterBytes {
		return Filter{}, fault.BadField(fieldFilter, fmt.Sprintf("must be at most %d bytes", MaxFilterBytes))
	}
	root, err := parse(data)
	if err != nil {
		return Filter{}, fault.BadField(fieldFilter, err.Error())
	}
	if root.sort != isObject {
		return Filter{}, fault.BadField(fieldFilter, "must be an object")
	}
	if len(root.names) > MaxFilterFields {
		return Filter{}, fault.BadField(fieldFilter, fmt.Sprintf("must have at most %d fields", MaxFilterFields))
	}
	var f Filter
	for _, name := range root.names {
		own, err := parseConditions(name, root.fields[name])
		if err != nil {
			return Filter{}, err
		}
		f.conditions = append(f.conditions, own...)
	}
	return f, nil
}

func parseConditions(name string, n *node) ([]condition, error) {
	field := fieldFilter + "." + name
	if name == "" {
		return nil, fault.BadField(fieldFilter, "has a field without a name")
	}
	if !slices.ContainsFunc(n.names, func(s string) bool { return strings.HasPrefix(s, "$") }) {
		return []condition{{name, opEq, n}}, nil
	}
	var out []condition
	for _, op := range n.names {
		v := n.fields[op]
		switch op {
		case opEq, opNe:
		case opGt, opGte, opLt, opLte:
			if v.sort != isNumber && v.sort != isString {
				return nil, fault.BadField(field+"."+op, "must be a number or a string")
			}
		default:
			return nil, fault.BadField(field, fmt.Sprintf("has the unknown operator %.40q; there are $eq, $ne, $gt, $gte, $lt and $lte", op))
		}
		out = append(out, condition{name, op, v})
	}
	return out, nil
}

// IsZero reports whether the filter holds for every document.
func (f Filter) IsZero() bool { return len(f.conditions) == 0 }

// Pairs are the keywords, as Pairs makes them, of which a document that the filter holds for
// has all, or it is one of PairsOverflow.
func (f Filter) Pairs() []string {
	var out []string
	for _, c := range f.conditions {
		if c.op == opEq && c.value.sort < isList {
			out = append(out, pair(c.name, c.value))
		}
	}
	return out
}

// Match reports whether every condition holds for the document. A field that it does not
// have fails all but $ne. Numbers compare as numbers and strings by their bytes; what is of
// different sorts is not equal, nor before or after.
func (f Filter) Match(d *Document) bool {
	if f.IsZero() {
		return true
	}
	root, err := parse(d.Value)
	if err != nil {
		return false
	}
	for _, c := range f.conditions {
		if !c.holds(root.lookup(c.name)) {
			return false
		}
	}
	return true
}

func (c condition) holds(n *node) bool {
	switch {
	case n == nil:
		return c.op == opNe
	case c.op == opEq:
		return equal(n, c.value)
	case c.op == opNe:
		return !equal(n, c.value)
	case n.sort != c.value.sort:
		return false
	}
	order := strings.Compare(n.text, c.value.text)
	if n.sort == isNumber {
		order = compareNumbers(n.text, c.value.text)
	}
	switch c.op {
	case opGt:
		return order > 0
	case opGte:
		return order >= 0
	case opLt:
		return order < 0
	}
	return order <= 0
}
