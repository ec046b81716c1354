package qdrantmem

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
	"unique"
)

// path is a parsed JSON path of Qdrant's dialect, for instance a.b, a[3].b, a[].b or
// "a.b".c. The first step is always a key. It is a dialect of its own (wildcards without
// descent into plain arrays), hence no JSONPath library.
type path []step

type step struct {
	kind  stepKind
	key   name
	index int
}

type stepKind uint8

const (
	stepKey stepKind = iota
	stepIndex
	stepEach
)

func parsePath(s string) (path, error) {
	key, rest, ok := cutKey(s)
	p := path{{kind: stepKey, key: unique.Make(key)}}
	for ok && rest != "" {
		var next step
		next, rest, ok = cutStep(rest)
		p = append(p, next)
	}
	if !ok {
		return nil, malformed("Invalid json path: '%s'", s)
	}
	return p, nil
}

func parsePaths(texts []string) ([]path, error) {
	paths := make([]path, len(texts))
	for i, text := range texts {
		var err error
		if paths[i], err = parsePath(text); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

func cutStep(s string) (next step, rest string, ok bool) {
	switch {
	case strings.HasPrefix(s, "[]"):
		return step{kind: stepEach}, s[2:], true
	case s[0] == '.':
		key, rest, ok := cutKey(s[1:])
		return step{kind: stepKey, key: unique.Make(key)}, rest, ok
	case s[0] == '[':
		digits, rest, closed := strings.Cut(s[1:], "]")
		index, err := strconv.ParseUint(digits, 10, 63)
		signed := strings.HasPrefix(digits, "+")
		return step{kind: stepIndex, index: int(index)}, rest, closed && err == nil && !signed
	default:
		return step{}, s, false
	}
}

// cutKey takes a bare or a quoted key off the front of s. A bare key has at least one
// character, a quoted one has neither quotes nor backslashes.
func cutKey(s string) (key, rest string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		key, rest, ok = strings.Cut(s[1:], `"`)
		return key, rest, ok && !strings.Contains(key, `\`)
	}
	end := strings.IndexFunc(s, func(r rune) bool { return !isBareKeyRune(r) })
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:], end > 0
}

func isBareKeyRune(r rune) bool {
	return r == '_' || r == '-' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// String is the canonical spelling: equal paths have equal strings.
func (p path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch s.kind {
		case stepEach:
			b.WriteString("[]")
		case stepIndex:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case stepKey:
			if i > 0 {
				b.WriteByte('.')
			}
			text := s.key.Value()
			if key, rest, ok := cutKey(text); ok && rest == "" && key == text {
				b.WriteString(text)
			} else {
				b.WriteString(`"` + text + `"`)
			}
		}
	}
	return b.String()
}

// elements is the path that ends in each element of the array at p.
func (p path) elements() path {
	if p[len(p)-1].kind == stepEach {
		return p
	}
	return append(slices.Clone(p), step{kind: stepEach})
}

// visit calls f with each value at p in doc until f returns false.
func (p path) visit(doc object, f func(any) bool) {
	if v, ok := doc.get(p[0].key); ok {
		p[1:].visitValue(v, f)
	}
}

func (p path) visitValue(v any, f func(any) bool) bool {
	if len(p) == 0 {
		return f(v)
	}
	switch p[0].kind {
	case stepKey:
		if o, ok := v.(object); ok {
			if child, ok := o.get(p[0].key); ok {
				return p[1:].visitValue(child, f)
			}
		}
	case stepIndex:
		if list, ok := v.([]any); ok && p[0].index < len(list) {
			return p[1:].visitValue(list[p[0].index], f)
		}
	case stepEach:
		list, _ := v.([]any)
		for _, element := range list {
			if !p[1:].visitValue(element, f) {
				return false
			}
		}
	}
	return true
}

// set merges src into the object at p, creating the path where it is absent.
func (p path) set(doc, src object) object {
	changed, _ := p.setValue(doc, src).(object)
	return changed
}

func (p path) setValue(v any, src object) any {
	if len(p) == 0 {
		o, _ := v.(object)
		return o.merged(src)
	}
	if p[0].kind == stepKey {
		o, _ := v.(object)
		child, _ := o.get(p[0].key)
		return o.with(p[0].key, p[1:].setValue(child, src))
	}
	list, _ := v.([]any)
	return p.mapElements(list, func(element any) any { return p[1:].setValue(element, src) })
}

// mapElements copies list with f applied to the elements that p's first step selects.
func (p path) mapElements(list []any, f func(any) any) []any {
	changed := append([]any{}, list...)
	for i := range changed {
		if p[0].kind == stepEach || p[0].index == i {
			changed[i] = f(changed[i])
		}
	}
	return changed
}

// remove deletes what is at p: a member of an object, or with [] all elements of an array.
// One element of an array cannot be removed.
func (p path) remove(doc object) object {
	changed, _ := p.removeValue(doc).(object)
	return changed
}

func (p path) removeValue(v any) any {
	last := len(p) == 1
	switch v := v.(type) {
	case object:
		if p[0].kind != stepKey {
			return v
		}
		child, ok := v.get(p[0].key)
		switch {
		case !ok:
			return v
		case last:
			return v.without(p[0].key)
		}
		return v.with(p[0].key, p[1:].removeValue(child))
	case []any:
		switch {
		case p[0].kind == stepKey || last && p[0].kind == stepIndex:
			return v
		case last:
			return []any{}
		}
		return p.mapElements(v, p[1:].removeValue)
	default:
		return v
	}
}

// prefixes reports whether one of p and q continues the other.
func (p path) prefixes(q path) bool {
	n := min(len(p), len(q))
	return slices.Equal(p[:n], q[:n])
}

// pick is doc without the values whose path keep refuses; keep is asked for containers
// before it is asked for what they contain.
func (o object) pick(at path, keep func(path) bool) object {
	picked := make(object, 0, len(o))
	for _, m := range o {
		here := append(slices.Clone(at), step{kind: stepKey, key: m.name})
		if keep(here) {
			picked = append(picked, member{m.name, pickValue(m.value, here, keep)})
		}
	}
	return picked
}

func pickValue(v any, at path, keep func(path) bool) any {
	switch v := v.(type) {
	case object:
		return v.pick(at, keep)
	case []any:
		picked := make([]any, 0, len(v))
		here := append(slices.Clone(at), step{kind: stepEach})
		for _, element := range v {
			if keep(here) {
				picked = append(picked, pickValue(element, here, keep))
			}
		}
		return picked
	default:
		return v
	}
}
