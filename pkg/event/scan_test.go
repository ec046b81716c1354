package event

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// walk is the reference: the same by the token reader of encoding/json.
func walk(dec *json.Decoder, at []string, twice *[]string) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	open, ok := tok.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for i := 0; dec.More(); i++ {
		name := strconv.Itoa(i)
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return err
			}
			name, _ = key.(string)
			if seen[name] && *twice == nil {
				*twice = append(slices.Clone(at), name)
			}
			seen[name] = true
		}
		if err := walk(dec, append(at, name), twice); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

var scanned = []string{
	`{}`, `{"a":1,"a":2}`, `{"a":{"b":1},"c":{"b":1}}`, `[{"a":1},{"a":1,"b":[{"x":1,"x":2}]}]`, `{"a":"\"b\":","b":1}`,
	`{"\u0061":1,"a":2}`, `{"a":[1,[2,{"k":1,"k":1}]]}`, `{"键":1,"键":2}`, `{"a\\":1,"a":2}`, `"a"`, `[]`, `{"":1,"":2}`,
	`{"a":[{"b":1,"c":{"d":1,"d":2}},2],"a":1}`, ` { "a" : { } , "b" : [ ] , "b" : null } `,
}

// FuzzScan compares the scanner with the reference on whatever is valid JSON.
func FuzzScan(f *testing.F) {
	for _, s := range scanned {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := scan(raw)
		if !json.Valid(raw) || !utf8.Valid(raw) || err != nil {
			return // refused elsewhere: it must only not panic
		}
		var want []string
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := walk(dec, nil, &want); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("scan(%q) = %q, want %q", raw, got, want)
		}
	})
}

func TestScanOfManyKeys(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		b.WriteString(`"k` + strconv.Itoa(i) + `":1,`)
	}
	for name, want := range map[string][]string{"new": nil, "k3": {"k3"}, "k9999": {"k9999"}} {
		got, err := scan([]byte("{" + b.String() + `"` + name + `":1}`))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("a last key %s: %q, %v, want %q", name, got, err, want)
		}
	}
}
