package httpapi

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Splitting loses nothing and adds nothing.
func FuzzSplitLines(f *testing.F) {
	f.Add([]byte("{}\n{}"))
	f.Add([]byte("\r\n a \r\n\n\tb"))
	f.Add([]byte{})
	f.Add([]byte("\xff\n\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		parts, err := split(typeNDJSON, body)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if len(p) == 0 || bytes.ContainsRune(p, '\n') || !bytes.Equal(p, bytes.TrimSpace(p)) {
				t.Fatalf("part %q of %q", p, body)
			}
		}
		if got, want := bytes.Join(bytes.Fields(bytes.Join(parts, []byte("\n"))), nil), bytes.Join(bytes.Fields(body), nil); !bytes.Equal(got, want) {
			t.Fatalf("%q became %q", want, got)
		}
	})
}

func FuzzSplitArray(f *testing.F) {
	f.Add([]byte(`[{"a":1},{}]`))
	f.Add([]byte(` [ ] `))
	f.Add([]byte(`[1,"x",null,[[]]]`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, body []byte) {
		parts, err := split(typeCloudEventBatch, body)
		if err != nil {
			return
		}
		for _, p := range parts {
			if !json.Valid(p) {
				t.Fatalf("part %q of %q", p, body)
			}
		}
	})
}
