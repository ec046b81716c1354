package httpapi

import (
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"net/url"

	"github.com/mnemond/mnemond/pkg/door"
)

// typePatch is the content type of a JSON Patch (RFC 6902) that stands alone, fieldPatch the
// field that it is of a request.
const (
	typePatch  = "application/json-patch+json"
	fieldPatch = "patch"
)

func isPatch(r *http.Request) bool {
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && got == typePatch
}

// fromPatch reads a request whose body is a bare JSON Patch.
func (f form) fromPatch(r *http.Request, values url.Values) ([]byte, error) {
	beside := form{query: maps.Clone(f.beside)}
	object, err := beside.fromQuery(values)
	if err != nil {
		return nil, err
	}
	body, err := readBody(r, f.limit)
	if err != nil {
		return nil, err
	}
	if !json.Valid(body) {
		return nil, door.BadField("", "not valid JSON")
	}
	object[fieldPatch] = json.RawMessage(body)
	return json.Marshal(object)
}
