package document_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/document"
)

func doc(value string, index ...string) *document.Document {
	return &document.Document{Namespace: []string{"notes"}, Key: "k", Value: json.RawMessage(value), Index: index}
}

func TestText(t *testing.T) {
	const value = `{"text":"周五去爬山","meta":{"title":"Plan","n":1.50,"done":true,"none":null},
		"items":[{"name":"rope"},{"name":"map"},{"size":3}],"list":["a","b"]}`
	tests := []struct {
		index []string
		want  string
	}{
		{nil, "周五去爬山\nPlan\n1.50\ntrue\nrope\nmap\n3\na\nb"},
		{[]string{"$"}, "周五去爬山\nPlan\n1.50\ntrue\nrope\nmap\n3\na\nb"},
		{[]string{}, ""},
		{[]string{"text"}, "周五去爬山"},
		{[]string{"meta.title", "text"}, "Plan\n周五去爬山"},
		{[]string{"items[*].name"}, "rope\nmap"},
		{[]string{"items[0]", "items[-1]"}, "rope\n3"},
		{[]string{"list[1]", "list[7]", "list"}, "b\na"},
		{[]string{"meta"}, "Plan\n1.50\ntrue"},
		{[]string{"missing", "meta.none", "text.deeper"}, ""},
	}
	for _, tt := range tests {
		d := doc(value)
		d.Index = tt.index
		if got := document.Text(d); got != tt.want {
			t.Errorf("text at %q is %q, want %q", tt.index, got, tt.want)
		}
	}
	removed := doc(value).Removed(noon)
	if got := document.Text(&removed); got != "" {
		t.Errorf("a removed document has the text %q", got)
	}
}

func TestPairs(t *testing.T) {
	d := doc(`{"lang":"中文","n":1e2,"at":{"city":"Rome","x":null},"tags":["a"],"ok":false}`)
	want := []string{`lang="中文"`, "n=100", `at.city="Rome"`, "at.x=null", "ok=false"}
	if got := document.Pairs(d); !reflect.DeepEqual(got, want) {
		t.Errorf("pairs are %q, want %q", got, want)
	}
	long := document.Pairs(doc(`{"text":"` + strings.Repeat("很", 500) + `"}`))
	if len(long) != 1 || len(long[0]) != 33 {
		t.Errorf("the pair of a long text is %q", long)
	}
}

func TestPairsOfManyFields(t *testing.T) {
	fields := func(n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf(`"f%d":%d`, i, i))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	if got := document.Pairs(doc(fields(document.MaxPairs))); len(got) != document.MaxPairs {
		t.Errorf("%d fields make %d pairs", document.MaxPairs, len(got))
	}
	if got := document.Pairs(doc(fields(document.MaxPairs + 1))); !reflect.DeepEqual(got, []string{document.PairsOverflow}) {
		t.Errorf("more fields than pairs make %q", got)
	}
}

// Whatever a filter of equalities holds for has all its pairs.
func TestPairsOfFilter(t *testing.T) {
	scalar := rapid.SampledFrom([]string{`1`, `1.0`, `10e-1`, `-0`, `0`, `"1"`, `"a"`, `true`, `null`, `12345678901234567890`, `1e30`})
	rapid.Check(t, func(t *rapid.T) {
		a, b := scalar.Draw(t, "stored"), scalar.Draw(t, "asked")
		name := rapid.SampledFrom([]string{"x", "y.z", "y"}).Draw(t, "name")
		d := doc(`{"x":` + a + `,"y":{"z":` + a + `},"y.z":` + a + `}`)
		f, err := document.ParseFilter(json.RawMessage(`{"` + name + `":` + b + `}`))
		if err != nil {
			t.Fatal(err)
		}
		has := strings.Contains("\n"+strings.Join(document.Pairs(d), "\n")+"\n", "\n"+f.Pairs()[0]+"\n")
		if f.Match(d) && !has {
			t.Fatalf("%s matches %s, whose pairs %q lack %q", b, d.Value, document.Pairs(d), f.Pairs())
		}
		if has && !f.Match(d) {
			t.Fatalf("%s does not match %s, which has the pair %q", b, d.Value, f.Pairs())
		}
	})
}
