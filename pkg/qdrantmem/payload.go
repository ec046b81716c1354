package qdrantmem

import (
	"math"
	"slices"
	"unique"

	"github.com/qdrant/go-client/qdrant"
)

// object is a JSON object, its members in no order. A value is nil, bool, int64, float64,
// string, []any or object. Stored objects are never modified: every change returns a copy
// that shares what did not change, so readers need no lock. A slice of interned names takes
// a third of what a map of protobuf values does, and finding one of some twenty names by
// comparing handles beats hashing.
type object []member

type member struct {
	name  name
	value any
}

// name is an interned key: names repeat in every point, and equal ones are one word.
type name = unique.Handle[string]

func objectFrom(fields map[string]*qdrant.Value) (object, error) {
	if len(fields) == 0 {
		return nil, nil
	}
	o := make(object, 0, len(fields))
	for key, field := range fields {
		value, err := valueFrom(field)
		if err != nil {
			return nil, err
		}
		o = append(o, member{unique.Make(key), value})
	}
	return o, nil
}

func valueFrom(v *qdrant.Value) (any, error) {
	switch kind := v.GetKind().(type) {
	case *qdrant.Value_BoolValue:
		return kind.BoolValue, nil
	case *qdrant.Value_IntegerValue:
		return kind.IntegerValue, nil
	case *qdrant.Value_DoubleValue:
		if math.IsNaN(kind.DoubleValue) || math.IsInf(kind.DoubleValue, 0) {
			return nil, malformed("Malformed payload value: %v is not a JSON number", kind.DoubleValue)
		}
		return kind.DoubleValue, nil
	case *qdrant.Value_StringValue:
		return stringFrom(kind.StringValue), nil
	case *qdrant.Value_ListValue:
		list := make([]any, len(kind.ListValue.GetValues()))
		for i, element := range kind.ListValue.GetValues() {
			var err error
			if list[i], err = valueFrom(element); err != nil {
				return nil, err
			}
		}
		return list, nil
	case *qdrant.Value_StructValue:
		return objectFrom(kind.StructValue.GetFields())
	default:
		return nil, nil
	}
}

// maxSharedString is the longest string that points share.
const maxSharedString = 64

// stringFrom is s as a value. Owners, kinds and states stand in many points: those that are
// stored at about the same time share one, which spares memory and the collector half of the
// objects. Text is too long to repeat, and dates, which begin with a digit, seldom do.
func stringFrom(s string) any {
	if s == "" || len(s) > maxSharedString || '0' <= s[0] && s[0] <= '9' {
		return s
	}
	return unique.Make(any(s)).Value()
}

func (o object) find(key name) int {
	for i := range o {
		if o[i].name == key {
			return i
		}
	}
	return -1
}

func (o object) get(key name) (any, bool) {
	if i := o.find(key); i >= 0 {
		return o[i].value, true
	}
	return nil, false
}

func (o object) with(key name, value any) object {
	i := o.find(key)
	if i < 0 {
		return append(slices.Clip(o), member{key, value})
	}
	changed := slices.Clone(o)
	changed[i].value = value
	return changed
}

func (o object) without(key name) object {
	i := o.find(key)
	if i < 0 {
		return o
	}
	return slices.Concat(o[:i], o[i+1:])
}

// merged is the shallow merge of src into o, in which null removes a member.
func (o object) merged(src object) object {
	for _, m := range src {
		if m.value == nil {
			o = o.without(m.name)
		} else {
			o = o.with(m.name, m.value)
		}
	}
	return o
}

func (o object) proto() map[string]*qdrant.Value {
	fields := make(map[string]*qdrant.Value, len(o))
	values := make([]qdrant.Value, len(o))
	for i, m := range o {
		fillValue(&values[i], m.value)
		fields[m.name.Value()] = &values[i]
	}
	return fields
}

func fillValue(dst *qdrant.Value, v any) {
	switch v := v.(type) {
	case bool:
		dst.Kind = &qdrant.Value_BoolValue{BoolValue: v}
	case int64:
		dst.Kind = &qdrant.Value_IntegerValue{IntegerValue: v}
	case float64:
		dst.Kind = &qdrant.Value_DoubleValue{DoubleValue: v}
	case string:
		dst.Kind = &qdrant.Value_StringValue{StringValue: v}
	case []any:
		list := &qdrant.ListValue{Values: make([]*qdrant.Value, len(v))}
		values := make([]qdrant.Value, len(v))
		for i, element := range v {
			fillValue(&values[i], element)
			list.Values[i] = &values[i]
		}
		dst.Kind = &qdrant.Value_ListValue{ListValue: list}
	case object:
		dst.Kind = &qdrant.Value_StructValue{StructValue: &qdrant.Struct{Fields: v.proto()}}
	default:
		dst.Kind = &qdrant.Value_NullValue{}
	}
}
