package guard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may stand in each other for RedactJSON.
const MaxDepth = 64

// The reasons why RedactJSON refuses a document. Trying again cannot help.
var (
	// ErrNotJSON: it is not exactly one JSON value in UTF-8.
	ErrNotJSON = errors.New("not a JSON document")
	// ErrTooDeep: arrays and objects stand in each other more than MaxDepth deep.
	ErrTooDeep = errors.New("JSON document too deep")
)

// RedactJSON is Redact for each string value of a JSON document. A key is the cue of its
// value and of the strings in its array: {"password": "swordfish"} is cut. Keys, numbers
// and layout stay byte for byte, except that a number which is a card's becomes the
// marker's string. Without findings raw itself is returned. It fails with ErrNotJSON or
// ErrTooDeep.
func RedactJSON(raw []byte) ([]byte, []Finding, error) {
	if !utf8.Valid(raw) {
		return nil, nil, fmt.Errorf("redact document of %d bytes: %w", len(raw), ErrNotJSON)
	}
	if depth(raw) > MaxDepth {
		return nil, nil, fmt.Errorf("redact document of %d bytes: %w", len(raw), ErrTooDeep)
	}
	if !json.Valid(raw) {
		return nil, nil, fmt.Errorf("redact document of %d bytes: %w", len(raw), ErrNotJSON)
	}
	r := rewriter{raw: raw, counts: tally{}, keys: make([]string, 0, 8)}
	if err := r.rewrite(); err != nil {
		return nil, nil, fmt.Errorf("redact document of %d bytes: %w", len(raw), err)
	}
	if len(r.counts) == 0 {
		return raw, nil, nil
	}
	return r.out.Bytes(), r.counts.findings(), nil
}

// depth is the deepest nesting outside of strings, whether or not raw is valid.
func depth(raw []byte) int {
	deepest, now := 0, 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = stringEnd(raw, i) - 1
		case '{', '[':
			now++
			deepest = max(deepest, now)
		case '}', ']':
			now--
		}
	}
	return deepest
}

// stringEnd is the offset behind the string that begins at i.
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

// rewriter copies a valid document and redacts its values on the way.
type rewriter struct {
	raw    []byte
	out    bytes.Buffer
	counts tally
	// keys holds, for each array and object that is open, the key that names its values.
	keys []string
	// key names the value that comes next.
	key string
}

func (r *rewriter) rewrite() error {
	for i := 0; i < len(r.raw); {
		next := i + 1
		switch b := r.raw[i]; {
		case b == '"':
			next = stringEnd(r.raw, i)
			if err := r.text(i, next); err != nil {
				return err
			}
			i = next
			continue
		case b == '-' || isDigit(b):
			next = runNumber(r.raw, i)
			if number := string(r.raw[i:next]); cardNumber(onlyDigits(number)) && onlyDigits(number) == number {
				r.counts[KindCard]++
				r.out.WriteString(`"` + KindCard.Marker() + `"`)
				i = next
				continue
			}
		case b == '{' || b == '[':
			r.keys = append(r.keys, r.key)
			if b == '{' {
				r.key = ""
			}
		case b == '}' || b == ']':
			r.key, r.keys = r.keys[len(r.keys)-1], r.keys[:len(r.keys)-1]
		}
		r.out.Write(r.raw[i:next])
		i = next
	}
	return nil
}

// text copies the string at raw[start:end], redacted unless it is a key.
func (r *rewriter) text(start, end int) error {
	var s string
	if err := json.Unmarshal(r.raw[start:end], &s); err != nil {
		return ErrNotJSON
	}
	if r.isKey(end) {
		r.key = s
		r.out.Write(r.raw[start:end])
		return nil
	}
	lead := ""
	if r.key != "" {
		lead = r.key + ": "
	}
	clean := redact(lead, s, r.counts)
	if clean == s {
		r.out.Write(r.raw[start:end])
		return nil
	}
	enc := json.NewEncoder(&r.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(clean); err != nil {
		return ErrNotJSON
	}
	r.out.Truncate(r.out.Len() - 1) // the encoder's newline
	return nil
}

// isKey reports whether the string that ends at i is a key.
func (r *rewriter) isKey(i int) bool {
	for i < len(r.raw) && isBlank(r.raw[i]) {
		i++
	}
	return i < len(r.raw) && r.raw[i] == ':'
}

func runNumber(raw []byte, i int) int {
	for i < len(raw) && (isDigit(raw[i]) || bytes.IndexByte([]byte("+-.eE"), raw[i]) >= 0) {
		i++
	}
	return i
}
