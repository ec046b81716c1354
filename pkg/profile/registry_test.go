package profile

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/schemas"
)

func defaults(tb testing.TB) *Registry {
	tb.Helper()
	r, err := Parse(schemas.Profile)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestDefaultSchema(t *testing.T) {
	r := defaults(t)
	single := []memory.Key{
		"user.birthday", "user.city", "user.commute", "user.diet", "user.employer", "user.hometown", "user.name",
		"user.occupation", "user.partner", "user.school",
	}
	multi := []memory.Key{
		"user.allergies", "user.dislikes", "user.family", "user.health", "user.hobbies", "user.languages", "user.likes",
		"user.pets", "user.skills",
	}
	all := slices.Sorted(slices.Values(slices.Concat(single, multi)))
	if got := r.Keys(); !slices.Equal(got, all) {
		t.Fatalf("keys are %q, want %q", got, all)
	}
	for _, k := range all {
		f, ok := r.Field(k)
		if !ok || f.Key != k || f.Multi != slices.Contains(multi, k) {
			t.Errorf("%s: %+v, %v", k, f, ok)
		}
		if len(f.Asks["en"]) == 0 || len(f.Asks["zh"]) == 0 || f.Description == "" {
			t.Errorf("%s lacks a description or asking-words", k)
		}
	}
	for _, k := range []memory.Key{"user.name", "user.allergies", "user.birthday"} {
		if f, _ := r.Field(k); f.Ages {
			t.Errorf("%s ages", k)
		}
	}
	likes, _ := r.Field("user.likes")
	if likes.Opposite != "user.dislikes" || likes.Kind != memory.KindPreference {
		t.Errorf("likes: %+v", likes)
	}
	if f, _ := r.Field("user.city"); f.Class != canon.ClassPlace {
		t.Errorf("city: %+v", f)
	}
	if _, ok := r.Field("user.shoe_size"); ok {
		t.Error("an unknown key is known")
	}
}

func TestKeysAreTheCallers(t *testing.T) {
	r := defaults(t)
	r.Keys()[0] = "changed"
	if r.Keys()[0] == "changed" {
		t.Error("the registry shares its keys")
	}
}

func TestValidate(t *testing.T) {
	r := defaults(t)
	for doc, valid := range map[string]bool{
		`{}`: true,
		`{"user":{"city":"杭州","allergies":["花生","latex"]}}`: true,
		`{"user":{"city":["杭州"]}}`:                          false,
		`{"user":{"allergies":["花生","花生"]}}`:                false,
		`{"user":{"shoe_size":"44"}}`:                       false,
	} {
		var v any
		if err := json.Unmarshal([]byte(doc), &v); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(v); (err == nil) != valid {
			t.Errorf("%s: %v", doc, err)
		}
	}
}

func TestParseDefaults(t *testing.T) {
	r, err := Parse([]byte(`{"type":"object","properties":{"pet":{"type":"object","properties":{
		"name":{"type":"string","x-mnemond-default-expiry":"P6M"},"toys":{"type":"array","items":{"type":"string"}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	f, ok := r.Field("pet.name")
	if !ok || f.Kind != memory.KindProfile || f.Class != canon.ClassText || !f.Ages || f.Multi ||
		f.Sensitivity != SensitivityNone || f.Mutability != MutabilityChanges || f.DefaultExpiry != (Period{Months: 6}) {
		t.Errorf("%+v", f)
	}
	if f, ok := r.Field("pet.toys"); !ok || !f.Multi {
		t.Errorf("%+v", f)
	}
	if keys, plans := r.Asked("my pet's name, and my plans"); keys != nil || plans {
		t.Errorf("asked %q, %v without asking-words", keys, plans)
	}
}

func TestParseNamesEveryFault(t *testing.T) {
	const faulty = `{"type":"object","x-mnemond-kind":"profile","x-mnemond-plans":{"words":[]},"properties":{"user":{"type":"object","properties":{
		"A b":{"type":"string"},
		"age":{"type":"null"},
		"bare":true,
		"city":{"type":"string","x-mnemond-kind":"fact","x-mnemond-class":"city","x-mnemond-ages":"no","x-mnemond-typo":1},
		"empty":{"type":"object"},
		"foes":{"type":"array","items":{"type":"string"},"x-mnemond-opposite":"user.friends"},
		"friends":{"type":"array","items":{"type":"array"}},
		"job":{"type":"string","x-mnemond-opposite":"user.nothing","x-mnemond-default-expiry":"6 months",
			"x-mnemond-asks":{"en":["job","what, job?",7],"english!":["job"]},"x-mnemond-sensitivity":"high","x-mnemond-mutability":""},
		"likes":{"type":"array","items":{"type":"string"},"x-mnemond-opposite":"user.taste"},
		"taste":{"type":"string","x-mnemond-opposite":"user.likes"}
	}}}}`
	const user = "/properties/user/properties/"
	_, err := Parse([]byte(faulty))
	if !errors.Is(err, ErrSchema) {
		t.Fatalf("error is %v", err)
	}
	for _, path := range []string{
		"/x-mnemond-kind", "/x-mnemond-plans", user + "A b", user + "age/type", user + "bare", user + "city/x-mnemond-kind",
		user + "city/x-mnemond-class", user + "city/x-mnemond-ages", user + "city/x-mnemond-typo", user + "empty/properties",
		user + "foes/x-mnemond-opposite", user + "friends/items/type", user + "job/x-mnemond-opposite",
		user + "job/x-mnemond-default-expiry", user + "job/x-mnemond-asks/en/1", user + "job/x-mnemond-asks/en/2",
		user + "job/x-mnemond-asks/english!", user + "job/x-mnemond-sensitivity", user + "job/x-mnemond-mutability",
		user + "likes/x-mnemond-opposite", user + "taste/x-mnemond-opposite",
	} {
		if !strings.Contains(err.Error(), path+": ") {
			t.Errorf("no fault at %s", path)
		}
	}
	if strings.Contains(err.Error(), "job/x-mnemond-asks/en/0") {
		t.Error("a good word is a fault")
	}
}

// TestParseNamesFaultsOfEitherSort: what is no JSON Schema hides nothing that is no profile
// schema.
func TestParseNamesFaultsOfEitherSort(t *testing.T) {
	_, err := Parse([]byte(`{"type":"object","properties":{"a":{"type":"text"},"b":{"type":"string","x-mnemond-ages":3,"maxLength":-1}}}`))
	if !errors.Is(err, ErrSchema) {
		t.Fatalf("error is %v", err)
	}
	for _, path := range []string{"/properties/a/type: ", "/properties/b/x-mnemond-ages: ", "/properties/b/maxLength: "} {
		if !strings.Contains(err.Error(), path) {
			t.Errorf("no fault at %s in %v", path, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}}`, `{"type":"object","minProperties":1,"properties":{"a":{"type":"string"}}}`,
		"", "[]", "{", `{"type":"array"}`, `{"type":"object"}`, `{"type":"object","properties":{"a":{"type":"strong"}}}`,
		`{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}`,
		`{"type":"object","properties":{"a":{"$ref":"https://example.com/a.json"}}}`,
	} {
		if r, err := Parse([]byte(schema)); !errors.Is(err, ErrSchema) || r != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

func TestPeriod(t *testing.T) {
	start := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for in, want := range map[string]time.Time{
		"P1Y":         time.Date(2027, 1, 31, 12, 0, 0, 0, time.UTC),
		"P2W3D":       time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC),
		"PT36H":       time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC),
		"P1DT1H30M5S": time.Date(2026, 2, 1, 13, 30, 5, 0, time.UTC),
	} {
		p, err := ParsePeriod(in)
		if err != nil || !p.After(start).Equal(want) {
			t.Errorf("%s: %v, %v, want %v", in, p.After(start), err, want)
		}
	}
	for _, in := range []string{"", "P", "PT", "P1DT", "P0D", "1D", "P1.5D", "P99999D", "-P1D", "p1d", "P1H"} {
		if p, err := ParsePeriod(in); err == nil {
			t.Errorf("%q is %+v", in, p)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(schemas.Profile)
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"string","x-mnemond-asks":{"en":["!x"]}}}}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		r, err := Parse(schema)
		if (r == nil) == (err == nil) {
			t.Fatalf("registry %v with error %v", r, err)
		}
		if err == nil && len(r.Keys()) == 0 {
			t.Fatal("a registry without keys")
		}
	})
}
