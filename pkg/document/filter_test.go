package document_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
)

func TestFilter(t *testing.T) {
	d := doc(`{"kind":"note","n":10,"big":9007199254740993,"price":-2.50,"at":{"city":"北京"},"tags":["a","b"],
		"o":{"x":1,"y":[1.0]},"none":null,"ok":true,"a.b":1,"day":"2026-05-01"}`)
	tests := []struct {
		filter string
		want   bool
	}{
		{``, true}, {`null`, true}, {`{}`, true},
		{`{"kind":"note"}`, true}, {`{"kind":"Note"}`, false}, {`{"kind":{"$eq":"note"}}`, true}, {`{"kind":{"$ne":"note"}}`, false},
		{`{"n":10.0}`, true}, {`{"n":1e1}`, true}, {`{"n":"10"}`, false}, {`{"n":{"$ne":"10"}}`, true},
		{`{"n":{"$gt":9}}`, true}, {`{"n":{"$gt":10}}`, false}, {`{"n":{"$gte":10}}`, true}, {`{"n":{"$lt":10}}`, false},
		{`{"n":{"$lt":100}}`, true}, {`{"n":{"$lte":10}}`, true}, {`{"n":{"$lt":"2"}}`, false}, {`{"n":{"$gt":5,"$lt":11}}`, true}, {`{"n":{"$gt":5,"$lt":7}}`, false},
		{`{"big":9007199254740993}`, true}, {`{"big":9007199254740992}`, false}, {`{"big":{"$gt":9007199254740992}}`, true},
		{`{"price":{"$lt":-2}}`, true}, {`{"price":{"$lt":-3}}`, false}, {`{"price":{"$gt":-2.6}}`, true}, {`{"price":{"$lt":0.0}}`, true}, {`{"price":-25e-1}`, true},
		{`{"at.city":"北京"}`, true}, {`{"at.city":"上海"}`, false}, {`{"at.street":{"$ne":"x"}}`, true}, {`{"at":{"city":"北京"}}`, true}, {`{"at":{}}`, false},
		{`{"tags":["a","b"]}`, true}, {`{"tags":["b","a"]}`, false}, {`{"tags":"a"}`, false},
		{`{"o":{"y":[1],"x":1.0}}`, true}, {`{"o":{"x":1}}`, false},
		{`{"none":null}`, true}, {`{"missing":null}`, false}, {`{"missing":{"$ne":1}}`, true}, {`{"missing":{"$lt":1}}`, false}, {`{"missing":{"$eq":1}}`, false},
		{`{"ok":true}`, true}, {`{"ok":1}`, false}, {`{"a.b":1}`, true},
		{`{"day":{"$gte":"2026-05-01","$lt":"2026-06-01"}}`, true}, {`{"day":{"$gt":"2026-05-01"}}`, false},
		{`{"kind":"note","n":11}`, false},
	}
	for _, tt := range tests {
		f, err := document.ParseFilter(json.RawMessage(tt.filter))
		if err != nil {
			t.Errorf("%s: %v", tt.filter, err)
			continue
		}
		if got := f.Match(d); got != tt.want {
			t.Errorf("%s matches: %v, want %v", tt.filter, got, tt.want)
		}
	}
}

func TestFilterErrors(t *testing.T) {
	tests := []struct{ filter, field, reason string }{
		{`[]`, "filter", "object"}, {`{"a":1,"a":2}`, "filter", "twice"}, {`{"a"`, "filter", "JSON"}, {`{"a":1} 2`, "filter", "follows"},
		{`{"a":{"$in":[1]}}`, "filter.a", "unknown operator"}, {`{"a":{"$gt":1,"b":2}}`, "filter.a", "unknown operator"},
		{`{"a":{"$gt":true}}`, "filter.a.$gt", "number or a string"}, {`{"a":{"$lte":null}}`, "filter.a.$lte", "number or a string"},
		{`{"":1}`, "filter", "name"}, {`{"a":"` + strings.Repeat("x", document.MaxFilterBytes) + `"}`, "filter", "bytes"},
	}
	for _, tt := range tests {
		_, err := document.ParseFilter(json.RawMessage(tt.filter))
		var field *fault.FieldError
		if !errors.As(err, &field) || field.Field != tt.field || !strings.Contains(field.Reason, tt.reason) {
			t.Errorf("%.40s: error is %v, want %s … %s", tt.filter, err, tt.field, tt.reason)
		}
	}
}

func FuzzFilter(f *testing.F) {
	f.Add(`{"a":{"$gt":1}}`, `{"a":2}`)
	f.Add(`{"a.b":"x"}`, `{"a":{"b":"x"},"c":[1e9,{"d":null}]}`)
	f.Fuzz(func(t *testing.T, filter, value string) {
		d := doc(value)
		_ = document.Text(d)
		p, err := document.ParseFilter(json.RawMessage(filter))
		if err != nil || d.Validate() != nil {
			return
		}
		pairs := map[string]bool{}
		for _, one := range document.Pairs(d) {
			pairs[one] = true
		}
		if !p.Match(d) || pairs[document.PairsOverflow] {
			return
		}
		for _, one := range p.Pairs() {
			if !pairs[one] {
				t.Errorf("%s holds for %s, which lacks %s", filter, value, one)
			}
		}
	})
}
