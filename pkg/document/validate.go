package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Bounds of a document.
const (
	MaxLabels       = 16
	MaxLabelBytes   = 128
	MaxKeyBytes     = 512
	MaxValueBytes   = 64 << 10
	MaxIndexPaths   = 64
	MaxPathBytes    = 512
	MaxSpeakerBytes = 256
)

// Validate reports what is wrong with a document that is to be put, as a *fault.FieldError
// that names the field, or nil. Scope, times and identity are not its matter.
func (d *Document) Validate() error {
	if err := ValidateNamespace("namespace", d.Namespace); err != nil {
		return err
	}
	if err := ValidateKey(d.Key); err != nil {
		return err
	}
	if err := validateValue(d.Value); err != nil {
		return err
	}
	if len(d.Index) > MaxIndexPaths {
		return fault.BadField("index", fmt.Sprintf("must have at most %d paths", MaxIndexPaths))
	}
	for i, path := range d.Index {
		if _, ok := parsePath(path); !ok || len(path) > MaxPathBytes || !utf8.ValidString(path) {
			return fault.BadField(fmt.Sprintf("index[%d]", i), `must be a path such as "text", "meta.title", "items[*].name" or "$"`)
		}
	}
	return d.Source.validate()
}

// ValidateNamespace reports what is wrong with a namespace, under the name of its field.
func ValidateNamespace(field string, namespace []string) error {
	if len(namespace) == 0 {
		return fault.BadField(field, "must have a label")
	}
	return ValidatePrefix(field, namespace)
}

// ValidatePrefix reports what is wrong with the beginning of a namespace, which may be empty.
func ValidatePrefix(field string, prefix []string) error {
	if len(prefix) > MaxLabels {
		return fault.BadField(field, fmt.Sprintf("must have at most %d labels", MaxLabels))
	}
	for i, label := range prefix {
		if why := wrong(label, MaxLabelBytes); why != "" {
			return fault.BadField(fmt.Sprintf("%s[%d]", field, i), why)
		}
	}
	return nil
}

// ValidateKey reports what is wrong with a key.
func ValidateKey(key string) error {
	if why := wrong(key, MaxKeyBytes); why != "" {
		return fault.BadField("key", why)
	}
	return nil
}

func wrong(s string, most int) string {
	switch {
	case s == "":
		return "must not be empty"
	case len(s) > most:
		return fmt.Sprintf("must be at most %d bytes, is %d", most, len(s))
	case !utf8.ValidString(s):
		return "must be valid UTF-8"
	}
	for _, r := range s {
		if unicode.IsControl(r) {
			return "must not contain control characters"
		}
	}
	return ""
}

func validateValue(value json.RawMessage) error {
	if len(value) > MaxValueBytes {
		return fault.BadField("value", fmt.Sprintf("must be at most %d bytes, is %d", MaxValueBytes, len(value)))
	}
	if !utf8.Valid(value) {
		return fault.BadField("value", "must be valid UTF-8")
	}
	n, err := parse(value)
	if err != nil {
		return fault.BadField("value", err.Error())
	}
	if n.sort != isObject {
		return fault.BadField("value", "must be a JSON object")
	}
	return nil
}

func (s Source) validate() error {
	if s.Thread != "" {
		if err := memory.ValidateID(string(s.Thread)); err != nil {
			return fault.BadField("thread", err.Error())
		}
	}
	if s.Place < 0 || s.Place > maxPlace {
		return fault.BadField("place", fmt.Sprintf("must be from 0 to %d", int64(maxPlace)))
	}
	if s.Place > 0 && s.Thread == "" {
		return fault.BadField("place", "needs a thread")
	}
	if s.Speaker != "" {
		if why := wrong(s.Speaker, MaxSpeakerBytes); why != "" {
			return fault.BadField("speaker", why)
		}
	}
	return nil
}

// maxPlace is the greatest whole number that every reader of JSON keeps.
const maxPlace = 1<<53 - 1

// Compact is a value without the space between its parts; value itself if it is no JSON.
func Compact(value json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return value
	}
	return b.Bytes()
}

// Same reports whether putting o over d changes nothing: all but the times of the putting is
// the same, the values as JSON.
func Same(d, o *Document) bool {
	if d.ID != o.ID || d.RemovedAt.IsZero() != o.RemovedAt.IsZero() || !d.ExpiresAt.Equal(o.ExpiresAt) ||
		!slices.Equal(d.Index, o.Index) || (d.Index == nil) != (o.Index == nil) || !d.Source.same(o.Source) {
		return false
	}
	if bytes.Equal(d.Value, o.Value) {
		return true
	}
	x, err := parse(d.Value)
	if err != nil {
		return false
	}
	y, err := parse(o.Value)
	return err == nil && equal(x, y)
}
