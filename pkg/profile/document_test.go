package profile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// keyed is the n-th memory that was said.
func keyed(n int, key memory.Key, value string) memory.Memory {
	at := noon.Add(time.Duration(n) * time.Minute)
	return memory.Memory{
		ID: memory.ID(fmt.Sprintf("%08d-0000-5000-8000-000000000000", n)), Scope: alice, Key: key, Value: value,
		Text: "I say " + value, Status: memory.StatusCurrent, SaidAt: at, ConfirmedAt: at,
	}
}

func encoded(t interface{ Fatal(...any) }, v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestTheDocumentNestsValuesByKey(t *testing.T) {
	r := defaults(t)
	doc := r.Document([]memory.Memory{
		keyed(5, "user.likes", "寿司"), keyed(1, "user.city", "杭州"), keyed(3, "user.likes", "tea"), keyed(2, "", "free"),
		keyed(4, "user.birthday", "May 4"),
	})
	if got, want := encoded(t, doc.Profile), `{"user":{"birthday":"May 4","city":"杭州","likes":["tea","寿司"]}}`; got != want {
		t.Errorf("profile %s, want %s", got, want)
	}
	got := map[string]string{}
	for pointer, m := range doc.Sources {
		got[pointer] = m.ID.Short()
	}
	want := map[string]string{"/user/birthday": "00000004", "/user/city": "00000001", "/user/likes/0": "00000003", "/user/likes/1": "00000005"}
	if !maps.Equal(got, want) || len(doc.Unfit) != 0 {
		t.Errorf("sources %v, want %v; unfit %v", got, want, doc.Unfit)
	}
	if empty := r.Document(nil); encoded(t, empty.Profile) != "{}" || len(empty.Sources) != 0 {
		t.Errorf("of nothing: %+v", empty)
	}
}

// other is a schema of an operator's own.
const other = `{"type":"object","additionalProperties":false,"properties":{
	"person":{"type":"object","dependentRequired":{"street":["town"]},"properties":{
		"age":{"type":"integer","minimum":0,"maximum":150},
		"height":{"type":"number"},
		"smoker":{"type":"boolean"},
		"born":{"type":"string","format":"date"},
		"town":{"type":"string","pattern":"^\\p{L}+$"},
		"street":{"type":"string"},
		"plan":{"enum":["free","paid"],"type":"string"},
		"lucky":{"type":"array","items":{"type":"integer"}},
		"pets":{"type":"array","uniqueItems":true,"maxItems":2,"items":{"type":"string","maxLength":8}}}}}}`

func parsed(t *testing.T, schema string) *Registry {
	t.Helper()
	r, err := Parse([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestValuesHaveTheTypesOfTheSchema(t *testing.T) {
	r := parsed(t, other)
	for _, c := range []struct {
		key         memory.Key
		value, want string
	}{
		{"person.age", "34", "34"}, {"person.age", "34 years old", "34"}, {"person.age", "三十四岁", "34"}, {"person.age", "十二", "12"},
		{"person.age", "一百零五岁", "105"}, {"person.age", "３４岁", "34"},
		{"person.height", "1.78 m", "1.78"}, {"person.height", "1,780", "1780"}, {"person.height", "-5", "-5"}, {"person.height", "三万两千", "32000"},
		{"person.smoker", "No", "false"}, {"person.smoker", "是", "true"},
		{"person.born", "May 4, 1990", `"1990-05-04"`}, {"person.born", "1990年5月4日", `"1990-05-04"`}, {"person.born", "1990-05-04", `"1990-05-04"`},
		{"person.plan", "free", `"free"`}, {"person.town", "杭州", `"杭州"`}, {"person.lucky", "七", "[7]"},
	} {
		doc := r.Document([]memory.Memory{keyed(1, c.key, c.value)})
		name := strings.TrimPrefix(string(c.key), "person.")
		if got, want := encoded(t, doc.Profile), `{"person":{"`+name+`":`+c.want+`}}`; got != want {
			t.Errorf("%s %q: %s, want %s (%v)", c.key, c.value, got, want, doc.Unfit)
		}
	}
}

func TestWhatDoesNotFitIsReported(t *testing.T) {
	r := parsed(t, other)
	for name, c := range map[string]struct {
		memories []memory.Memory
		want     string // the profile
		unfit    map[string]string
	}{
		"no such key":      {[]memory.Memory{keyed(1, "user.city", "Oslo")}, `{}`, map[string]string{"Oslo": "no such key"}},
		"a key above keys": {[]memory.Memory{keyed(1, "person", "Oslo")}, `{}`, map[string]string{"Oslo": "no such key"}},
		"no number":        {[]memory.Memory{keyed(1, "person.age", "young")}, `{}`, map[string]string{"young": "number"}},
		"two numbers":      {[]memory.Memory{keyed(1, "person.age", "34 or 35")}, `{}`, map[string]string{"34 or 35": "number"}},
		"not whole":        {[]memory.Memory{keyed(1, "person.age", "3.5")}, `{}`, map[string]string{"3.5": "whole number"}},
		"too large":        {[]memory.Memory{keyed(1, "person.age", "151")}, `{}`, map[string]string{"151": "maximum"}},
		"neither":          {[]memory.Memory{keyed(1, "person.smoker", "sometimes")}, `{}`, map[string]string{"sometimes": "yes nor no"}},
		"no whole day":     {[]memory.Memory{keyed(1, "person.born", "5月4日")}, `{}`, map[string]string{"5月4日": "date"}},
		"enum":             {[]memory.Memory{keyed(1, "person.plan", "gold")}, `{}`, map[string]string{"gold": "'free', 'paid'"}},
		"pattern":          {[]memory.Memory{keyed(1, "person.town", "New York")}, `{}`, map[string]string{"New York": "pattern"}},
		"two of one": {
			[]memory.Memory{keyed(2, "person.town", "Bergen"), keyed(1, "person.town", "Oslo"), keyed(3, "person.town", "St. Paul")},
			`{"person":{"town":"Bergen"}}`, map[string]string{"Oslo": "one value", "St. Paul": "pattern"},
		},
		"too many": {
			[]memory.Memory{keyed(1, "person.pets", "a cat"), keyed(2, "person.pets", "a dog"), keyed(3, "person.pets", "a hamster"), keyed(4, "person.pets", "一条蛇")},
			`{"person":{"pets":["a dog","一条蛇"]}}`, map[string]string{"a cat": "maxItems", "a hamster": "maxLength"},
		},
		"twice": {
			[]memory.Memory{keyed(1, "person.pets", "a cat"), keyed(2, "person.pets", "a cat")},
			`{"person":{"pets":["a cat"]}}`, map[string]string{"a cat": "equal"},
		},
		"needs another": {[]memory.Memory{keyed(1, "person.street", "Main St"), keyed(2, "person.age", "34")}, `{"person":{"age":34}}`, map[string]string{"Main St": "required"}},
		"has the other": {[]memory.Memory{keyed(1, "person.street", "Main St"), keyed(2, "person.town", "Oslo")}, `{"person":{"street":"Main St","town":"Oslo"}}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			doc := r.Document(c.memories)
			if got := encoded(t, doc.Profile); got != c.want {
				t.Errorf("profile %s, want %s", got, c.want)
			}
			if len(doc.Unfit) != len(c.unfit) {
				t.Errorf("unfit %+v, want %v", doc.Unfit, c.unfit)
			}
			for _, u := range doc.Unfit {
				if want, ok := c.unfit[u.Value]; !ok || !strings.Contains(u.Reason, want) {
					t.Errorf("unfit %+v, want the reason %q", u, want)
				}
			}
		})
	}
}

// schemas that are hard to please: what fits depends on what else is there.
var hard = []string{
	other,
	`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","minItems":2,"items":{"type":"string"}},"c":{"type":"integer"}},
		"maxProperties":2,"not":{"required":["a","b"]}}`,
	`{"type":"object","properties":{"u":{"type":"object","required":["b"],"properties":{"a":{"type":"string"},"b":{"type":"number"}}}}}`,
	`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentRequired":{"a":["b"],"b":["a"]},
		"anyOf":[{"maxProperties":0},{"properties":{"a":{"const":"1"}}}]}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array","items":{"type":"string","pattern":"^[ab]+$"}}}}`,
}

// TestTheDocumentIsAlwaysValid: whatever the memories, the document validates, each keyed
// memory is in it or reported, and none is both.
func TestTheDocumentIsAlwaysValid(t *testing.T) {
	registries := []*Registry{defaults(t)}
	for _, schema := range hard {
		registries = append(registries, parsed(t, schema))
	}
	values := []string{"", "1", "34", "三十", "a", "b", "ab", "yes", "free", "杭州", "1990-05-04", "\x00", "\xff", strings.Repeat("长", 300)}
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(registries).Draw(t, "registry")
		keys := append(r.Keys(), "", "user", "user.gone", "a.b.c")
		var all []memory.Memory
		for i := range rapid.IntRange(0, 12).Draw(t, "memories") {
			m := keyed(rapid.IntRange(0, 5).Draw(t, "said"), rapid.SampledFrom(keys).Draw(t, "key"),
				rapid.OneOf(rapid.SampledFrom(values), rapid.String()).Draw(t, "value"))
			m.ID = memory.ID(fmt.Sprintf("%08d-0000-5000-8000-000000000000", i))
			all = append(all, m)
		}
		doc := r.Document(all)
		var read any
		if err := json.Unmarshal([]byte(encoded(t, doc.Profile)), &read); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(read); err != nil {
			t.Fatalf("%s: %v", encoded(t, doc.Profile), err)
		}
		var placed []memory.ID
		for pointer, m := range doc.Sources {
			at := read
			for _, part := range strings.Split(pointer, "/")[1:] {
				switch node := at.(type) {
				case map[string]any:
					at = node[part]
				case []any:
					var i int
					if _, err := fmt.Sscan(part, &i); err != nil {
						t.Fatal(err)
					}
					at = node[i]
				}
			}
			if at == nil {
				t.Fatalf("nothing at %s in %s", pointer, encoded(t, doc.Profile))
			}
			placed = append(placed, m.ID)
		}
		for _, u := range doc.Unfit {
			if u.Reason == "" {
				t.Fatalf("%+v has no reason", u)
			}
			placed = append(placed, u.Memory)
		}
		var want []memory.ID
		for _, m := range all {
			if m.Key != "" {
				want = append(want, m.ID)
			}
		}
		if slices.Sort(placed); !slices.Equal(placed, want) {
			t.Fatalf("placed or reported %v, want %v", placed, want)
		}
	})
}

func BenchmarkDocument(b *testing.B) {
	r := defaults(b)
	all := []memory.Memory{keyed(0, "user.city", "Oslo")}
	for i := range 500 {
		all = append(all, keyed(i+1, "user.likes", fmt.Sprint("food ", i)))
	}
	for b.Loop() {
		r.Document(all)
	}
}
