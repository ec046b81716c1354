package event

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// maxDepth bounds how deep objects and arrays may stand in one another. The schemas need
// four.
const maxDepth = 32

// level is an object or an array that the scanner stands in.
type level struct {
	array bool
	// index counts the elements of an array, key is the member of an object.
	index int
	key   string
	// wantsKey says that the next string of the object is a key.
	wantsKey bool
	keys     keySet
}

// Repeated is the path of the first key that an object of JSON text has twice, of which
// decoders silently keep one or the other; nil when there is none. Of text that is not valid
// JSON, or is nested more than 32 deep, it means nothing.
func Repeated(raw []byte) []string {
	twice, err := scan(raw)
	if err != nil {
		return nil
	}
	return twice
}

// scan looks through JSON text for what decoding does not show: nesting that is too deep,
// which is an error, and the path of the first key that an object has twice. Of text that is
// not valid JSON, the path means nothing. It is written by hand because the token reader of
// encoding/json took half of the time of decoding an event.
func scan(raw []byte) (twice []string, err error) {
	var levels []level
	for i := 0; i < len(raw); i++ {
		var top *level
		if n := len(levels); n > 0 {
			top = &levels[n-1]
		}
		switch raw[i] {
		case '{', '[':
			if len(levels) == maxDepth {
				return nil, &Error{Reason: fmt.Sprintf("nested more than %d deep", maxDepth)}
			}
			levels = append(levels, level{array: raw[i] == '[', wantsKey: raw[i] == '{'})
		case '}', ']':
			if top != nil {
				levels = levels[:len(levels)-1]
			}
		case ',':
			if top != nil {
				top.index++
				top.wantsKey = !top.array
			}
		case '"':
			end := stringEnd(raw, i)
			if top != nil && top.wantsKey {
				top.key, top.wantsKey = unquote(raw[i:end]), false
				if !top.keys.add(top.key) && twice == nil {
					twice = path(levels)
				}
			}
			i = end - 1
		}
	}
	return twice, nil
}

// stringEnd is the place after the string that begins at raw[i].
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// unquote is the text of a JSON string: keys that differ in their escapes are the same key.
func unquote(quoted []byte) string {
	for _, c := range quoted {
		if c == '\\' {
			var s string
			if json.Unmarshal(quoted, &s) == nil {
				return s
			}
			break // not valid, which decoding will say
		}
	}
	return string(quoted[1:max(1, len(quoted)-1)])
}

func path(levels []level) []string {
	out := make([]string, len(levels))
	for i, l := range levels {
		out[i] = l.key
		if l.array {
			out[i] = strconv.Itoa(l.index)
		}
	}
	return out
}

// keySet holds the keys of an object: a few in a list, many in a map.
type keySet struct {
	few  []string
	many map[string]bool
}

// maxFew is how many keys are compared one by one.
const maxFew = 24

// add adds a key and reports whether it is new.
func (s *keySet) add(key string) bool {
	if s.many == nil {
		for _, k := range s.few {
			if k == key {
				return false
			}
		}
		if s.few = append(s.few, key); len(s.few) <= maxFew {
			return true
		}
		s.many = make(map[string]bool, 2*maxFew)
		for _, k := range s.few {
			s.many[k] = true
		}
		return true
	}
	if s.many[key] {
		return false
	}
	s.many[key] = true
	return true
}
