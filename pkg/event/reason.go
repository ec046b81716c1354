package event

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// reasonTime does not repeat what was sent: a reason may be kept and logged, and what
// stands in a wrong field may be anything.
const reasonTime = "must be an RFC 3339 time, such as 2026-05-04T09:30:00+08:00"

// firstError reduces a validation result to one field and one reason. The outermost fault
// comes first; of several at one place, an unknown field comes before a missing one, since
// it is most often that one, misspelt.
func firstError(err error) error {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return &Error{Reason: err.Error()}
	}
	faults := leaves(v, nil)
	first := slices.MinFunc(faults, func(a, b *jsonschema.ValidationError) int {
		return cmp.Or(
			comparePaths(a.InstanceLocation, b.InstanceLocation),
			cmp.Compare(precedence(a), precedence(b)),
			slices.Compare(a.ErrorKind.KeywordPath(), b.ErrorKind.KeywordPath()),
		)
	})
	return describe(first)
}

func leaves(v *jsonschema.ValidationError, out []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(v.Causes) == 0 {
		return append(out, v)
	}
	for _, c := range v.Causes {
		out = leaves(c, out)
	}
	return out
}

// comparePaths orders a field before what stands in it, and array elements by number.
func comparePaths(a, b []string) int {
	return slices.CompareFunc(a, b, func(x, y string) int {
		i, errX := strconv.Atoi(x)
		j, errY := strconv.Atoi(y)
		if errX == nil && errY == nil {
			return cmp.Compare(i, j)
		}
		return cmp.Compare(x, y)
	})
}

func precedence(v *jsonschema.ValidationError) int {
	switch v.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		return 0
	case *kind.Required:
		return 1
	}
	return 2
}

func describe(v *jsonschema.ValidationError) *Error {
	at := v.InstanceLocation
	field := fieldPath(at...)
	switch k := v.ErrorKind.(type) {
	case *kind.Required:
		return &Error{Field: fieldPath(append(at, slices.Min(k.Missing))...), Reason: "is required"}
	case *kind.AdditionalProperties:
		name := slices.Min(k.Properties)
		reason := "is not a known field"
		if lower := strings.ToLower(name); lower != name && knownNames[lower] {
			reason += fmt.Sprintf("; did you mean %q?", lower)
		}
		return &Error{Field: fieldPath(append(at, name)...), Reason: reason}
	case *kind.Type:
		return &Error{Field: field, Reason: fmt.Sprintf("must be of type %s, not %s", strings.Join(k.Want, " or "), k.Got)}
	case *kind.Format:
		return &Error{Field: field, Reason: reasonTime}
	case *kind.MinLength, *kind.MinItems:
		return &Error{Field: field, Reason: "must not be empty"}
	case *kind.MaxLength:
		return &Error{Field: field, Reason: fmt.Sprintf("must be at most %d characters, has %d", k.Want, k.Got)}
	case *kind.MaxItems:
		return &Error{Field: field, Reason: fmt.Sprintf("must have at most %d elements, has %d", k.Want, k.Got)}
	}
	return &Error{Field: field, Reason: v.ErrorKind.LocalizedString(message.NewPrinter(language.English))}
}

// knownNames are the fields of an event and of its messages, for hints.
var knownNames = map[string]bool{
	"specversion": true, "id": true, "source": true, "type": true, "time": true,
	"datacontenttype": true, "dataschema": true, "subject": true, "tenant": true,
	"user": true, "thread": true, "agent": true, "timezone": true, "traceparent": true,
	"tracestate": true, "data": true, "messages": true, "role": true, "content": true,
	"name": true, "at": true,
}

// maxName bounds a field name in an error, in bytes: whoever sends it chooses it.
const maxName = 64

func fieldPath(names ...string) string {
	short := make([]string, len(names))
	for i, n := range names {
		if len(n) > maxName {
			n = strings.ToValidUTF8(n[:maxName], "") + "…"
		}
		short[i] = n
	}
	return strings.Join(short, ".")
}
