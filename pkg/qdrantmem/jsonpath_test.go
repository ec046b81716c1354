package qdrantmem

import (
	"reflect"
	"strings"
	"testing"
	"unique"
)

// key spells an interned name shortly.
var key = unique.Make[string]

func TestParsePath(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // canonical; "" for a path that is refused
	}{
		{"foo", "foo"},
		{"foo[1][50].bar-baz[].\"qux[.]quux\"", "foo[1][50].bar-baz[].\"qux[.]quux\""},
		{`"plain"`, "plain"},
		{`"a.b".c`, `"a.b".c`},
		{`""`, `""`},
		{"城市.区_1", "城市.区_1"},
		{"a[007]", "a[7]"},
		{"", ""}, {".", ""}, {"a.", ""}, {"a..b", ""}, {"[0]", ""}, {"a[", ""}, {"a[-1]", ""}, {"a[+1]", ""}, {"a[x]", ""},
		{"a b", ""}, {`"a`, ""}, {`"a\"`, ""}, {"a[]b", ""}, {"a]", ""}, {"a[99999999999999999999]", ""}, {"a\xff", ""},
	} {
		p, err := parsePath(c.text)
		if (err != nil) != (c.want == "") || err == nil && p.String() != c.want {
			t.Errorf("parsePath(%q) = %v, %v; want %q", c.text, p, err, c.want)
		}
	}
}

func FuzzJSONPath(f *testing.F) {
	for _, seed := range []string{"a", "a.b[].c", `"x.y"[3]`, "城市[]", "a[", `""`, "a.\"b\\\""} {
		f.Add(seed)
	}
	doc := object{{key("a"), []any{object{{key("b"), int64(1)}}, nil}}, {key("城市"), "杭州"}}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePath(text)
		if err != nil {
			return
		}
		again, err := parsePath(p.String())
		if err != nil || !reflect.DeepEqual(p, again) {
			t.Fatalf("%q reads as %v, and that as %v, %v", text, p, again, err)
		}
		before := doc.proto()
		p.remove(doc)
		set := p.set(doc, object{{key("v"), true}})
		if !reflect.DeepEqual(doc.proto(), before) {
			t.Fatalf("%q changed its document", text)
		}
		if !strings.Contains(text, "[") {
			found := false
			p.visit(set, func(any) bool { found = true; return true })
			if !found {
				t.Fatalf("%q finds nothing where it has set a value", text)
			}
		}
	})
}

func TestChangesShareNothingWithTheirSource(t *testing.T) {
	doc := object{{key("a"), int64(1)}, {key("list"), []any{object{{key("x"), int64(1)}}}}}
	for _, change := range []func(object) object{
		func(o object) object { return o.with(key("a"), int64(2)) },
		func(o object) object { return o.with(key("b"), int64(2)) },
		func(o object) object { return o.without(key("a")) },
		func(o object) object { return o.merged(object{{key("a"), nil}, {key("z"), int64(3)}}) },
		func(o object) object {
			return path{{key: key("list")}, {kind: stepEach}}.set(o, object{{key("y"), int64(2)}})
		},
		func(o object) object { return path{{key: key("list")}, {kind: stepEach}, {key: key("x")}}.remove(o) },
	} {
		change(doc)
		want := object{{key("a"), int64(1)}, {key("list"), []any{object{{key("x"), int64(1)}}}}}
		if !reflect.DeepEqual(doc, want) {
			t.Fatalf("the source became %v", doc)
		}
	}
}
