package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/llm/wire"
	"github.com/mnemond/mnemond/schemas"
)

func sure(c float64) *float64 { return &c }

// one is a reply with one statement.
var one = wire.Reply{
	Candidates: []wire.Candidate{{
		Kind: "fact", Text: "it says \"}\" 杭州", Language: "en", Stability: "stable", Confidence: sure(0.9),
		Relation: wire.Relation{Type: "new"}, Evidence: wire.Evidence{Message: 1, Quote: "it says \"}\" 杭州"},
	}},
	Directives: []wire.Directive{},
}

func text(t testing.TB, r wire.Reply) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestRead(t *testing.T) {
	object := text(t, one)
	array := strings.TrimSuffix(strings.TrimPrefix(object, `{"candidates":`), `,"directives":[]}`)
	arrayOnly := wire.Reply{Candidates: one.Candidates, Directives: []wire.Directive{}}
	empty := wire.Reply{Candidates: []wire.Candidate{}, Directives: []wire.Directive{}}
	other := `{"candidates":[],"directives":[{"do":"forget"}]}`
	for _, tt := range []struct {
		name, content string
		want          wire.Reply
		err           error
	}{
		{"alone", object, one, nil},
		{"nothing", `{"candidates":[],"directives":[]}`, empty, nil},
		{"without directives", `{"candidates":[]}`, empty, nil},
		{"without candidates", `{"directives":[]}`, empty, nil},
		{"fenced", "```json\n" + object + "\n```", one, nil},
		{"fenced, without a language", "```\n" + object + "\n```", one, nil},
		{"fenced, with a sentence around", "Here you are:\n```json\n" + object + "\n```\nAnything else?", one, nil},
		{"with prose that has braces", "As {you} asked { here: " + object + " done }", one, nil},
		{"behind reasoning", "<think>first {\"candidates\":[]} or \"</think>\n\n" + object, one, nil},
		{"behind reasoning in another tag", "<reasoning>so</reasoning>" + object, one, nil},
		{"a tag within a string", strings.Replace(object, "it says", "<think> </think>", 1), wire.Reply{
			Candidates: []wire.Candidate{func() wire.Candidate {
				c := one.Candidates[0]
				c.Text = "<think> </think> \"}\" 杭州"
				return c
			}()}, Directives: []wire.Directive{},
		}, nil},
		{"a draft before the reply", other + "\nno, rather:\n" + object, one, nil},
		{"trailing commas", strings.NewReplacer("}]", "},\n ]", `[]}`, `[],}`).Replace(object), one, nil},
		{"a bare array", array, arrayOnly, nil},
		{"a bare array in a fence", "```json\n" + array + "\n```", arrayOnly, nil},
		{"an empty array", "[]", empty, nil},
		{"raw line breaks in a string", "{\"directives\":[{\"what\":\"a\nb\tc\"}]}", wire.Reply{
			Candidates: []wire.Candidate{}, Directives: []wire.Directive{{What: "a\nb\tc"}},
		}, nil},
		{"fields that nobody asked for", `{"thoughts":"...","candidates":[{"text":"x","score":1}]}`, wire.Reply{
			Candidates: []wire.Candidate{{Text: "x"}}, Directives: []wire.Directive{},
		}, nil},
		{"nulls", `{"candidates":[{"text":"x","key":null,"evidence":null}],"directives":null}`, wire.Reply{
			Candidates: []wire.Candidate{{Text: "x"}}, Directives: []wire.Directive{},
		}, nil},
		{"a candidate of other types", `{"candidates":[{"text":7},{"text":"x"},"y",{"evidence":{"message":"1"}}]}`, wire.Reply{
			Candidates: []wire.Candidate{{}, {Text: "x"}, {}, {}}, Directives: []wire.Directive{},
		}, nil},

		{"no content", " \n", wire.Reply{}, wire.ErrEmpty},
		{"reasoning alone", "<think>hm, " + object + "</think>", wire.Reply{}, wire.ErrEmpty},
		{"reasoning that never ends", "<think>hm, " + object, wire.Reply{}, wire.ErrEmpty},
		{"prose", "I found nothing that is worth remembering.", wire.Reply{}, wire.ErrNotJSON},
		{"cut off", object[:len(object)-3], wire.Reply{}, wire.ErrContract},
		{"cut off behind directives", `{"directives":[],"candidates":[{"text":"I li`, wire.Reply{}, wire.ErrNotJSON},
		{"cut off within the first candidate", `{"candidates":[{"kind":"fact","text":"I li`, wire.Reply{}, wire.ErrNotJSON},
		{"another object", `{"memories":[]}`, wire.Reply{}, wire.ErrContract},
		{"a number", "7", wire.Reply{}, wire.ErrNotJSON},
		{"candidates that are none", `{"candidates":"none"}`, wire.Reply{}, wire.ErrContract},
		{"an array of something else", `[1,`, wire.Reply{}, wire.ErrNotJSON},
		{"too many", `{"candidates":[` + strings.Repeat("{},", 1000) + `{}]}`, wire.Reply{}, wire.ErrContract},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := wire.Read(tt.content)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error is %v, want %v", err, tt.err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// The schema and the type have the same fields, and a reply without any fault satisfies it.
func TestReplyIsTheSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Extraction))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "reply", doc.(map[string]any), reflect.TypeFor[wire.Reply]())
	c := jsonschema.NewCompiler()
	if err := c.AddResource("extraction.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("extraction.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	full := one
	full.Directives = []wire.Directive{{Do: "answer", What: "x", Quote: "x", Message: 1, Question: 1, Decision: "keep"}}
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(text(t, full)))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(instance); err != nil {
		t.Error(err)
	}
}

// compare checks a schema against a type, and that it holds only what every server that can
// enforce a schema knows: nothing optional, nothing of several types.
func compare(t *testing.T, path string, node map[string]any, typ reflect.Type) {
	t.Helper()
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	want := map[reflect.Kind]string{
		reflect.Struct: "object", reflect.Slice: "array", reflect.String: "string", reflect.Int: "integer",
		reflect.Float64: "number", reflect.Bool: "boolean",
	}[typ.Kind()]
	if node["type"] != want {
		t.Errorf("%s is of type %v, want %s", path, node["type"], want)
	}
	switch typ.Kind() {
	case reflect.Slice:
		compare(t, path+"[]", node["items"].(map[string]any), typ.Elem())
	case reflect.Struct:
		properties := node["properties"].(map[string]any)
		required := map[any]bool{}
		for _, name := range node["required"].([]any) {
			required[name] = true
		}
		if len(properties) != typ.NumField() || len(required) != typ.NumField() || node["additionalProperties"] != false {
			t.Errorf("%s: %d properties, %d required, additional %v, want %d, all and none", path, len(properties), len(required), node["additionalProperties"], typ.NumField())
		}
		for _, f := range reflect.VisibleFields(typ) {
			name := f.Tag.Get("json")
			child, ok := properties[name].(map[string]any)
			if !ok || !required[name] {
				t.Errorf("%s has no required %s", path, name)
				continue
			}
			compare(t, path+"."+name, child, f.Type)
		}
	}
}

// Whatever is put around a reply that does not itself look like one, the reply is found.
func TestReadIgnoresWhatIsAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		around := rapid.StringOfN(rapid.SampledFrom([]rune("a}杭 \n\"'`.,:[]")), 0, 40, -1)
		r := wire.Reply{Directives: []wire.Directive{}, Candidates: []wire.Candidate{{
			Text: rapid.String().Draw(t, "text"), Key: rapid.String().Draw(t, "key"),
			Evidence: wire.Evidence{Message: rapid.Int().Draw(t, "message"), Quote: rapid.String().Draw(t, "quote")},
		}}}
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var want wire.Reply
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		got, err := wire.Read(around.Draw(t, "before") + string(raw) + around.Draw(t, "behind"))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
	})
}

// A reply that was cut off anywhere is never taken for a whole one.
func TestReadRefusesHalfAReply(t *testing.T) {
	two := one
	two.Candidates = append([]wire.Candidate{{Text: "first", Evidence: wire.Evidence{Message: 2}}}, one.Candidates...)
	whole := text(t, two)
	for i := range len(whole) {
		if r, err := wire.Read(whole[:i]); err == nil {
			t.Fatalf("%q was read as %+v", whole[:i], r)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		text(f, one), "```json\n{\"candidates\":[]}\n```", "<think>{</think>[]", `{"candidates":[1,{"text":2},],}`,
		"{\"directives\":[{\"what\":\"\x00\\u12\"}]}", "{{{{[[[[", `{"a":"\"}`, "[]", "```", `{"candidates":[[[[{`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := wire.Read(s)
		if err != nil {
			if !errors.Is(err, wire.ErrEmpty) && !errors.Is(err, wire.ErrNotJSON) && !errors.Is(err, wire.ErrContract) {
				t.Fatalf("error without a reason: %v", err)
			}
			if r.Candidates != nil || r.Directives != nil {
				t.Fatalf("an error with a reply: %+v", r)
			}
			return
		}
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := wire.Read(string(raw))
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v, written and read again, is %+v, %v", r, again, err)
		}
	})
}
