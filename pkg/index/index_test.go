package index_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/terms"
	"github.com/mnemond/mnemond/schemas"
)

func TestText(t *testing.T) {
	tests := []struct {
		name string
		m    memory.Memory
		want string
	}{
		{"text alone", memory.Memory{Text: "I ran a marathon"}, "I ran a marathon"},
		{"the value stands in the text", memory.Memory{Text: "我住在杭州", Value: "杭州"}, "我住在杭州"},
		{"the value does not", memory.Memory{Text: "his name is Rex", Value: "dog named Rex"}, "his name is Rex\ndog named Rex"},
		{"an answer", memory.Memory{Text: "Yes.", Evidence: []memory.Evidence{{Asked: "Do you live in Oslo?"}}}, "Yes.\nDo you live in Oslo?"},
		{"the user's own words", memory.Memory{Text: "The user has a partner", Evidence: []memory.Evidence{{Quote: "me and my sweetheart"}}}, "The user has a partner\nme and my sweetheart"},
		{"words that are there already", memory.Memory{Text: "I live in Oslo", Evidence: []memory.Evidence{{Quote: "i live in oslo!"}, {Quote: "in Oslo"}}}, "I live in Oslo"},
		{"own words once", memory.Memory{Text: "有伴侣", Evidence: []memory.Evidence{{Quote: "我家那口子"}, {Quote: "我家那口子。"}}}, "有伴侣\n我家那口子"},
		{"an answer that repeats the question", memory.Memory{Text: "Oslo? Yes.", Evidence: []memory.Evidence{{Asked: "Oslo?"}}}, "Oslo? Yes."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := index.Text(&tt.m); got != tt.want {
				t.Errorf("text is %q, want %q", got, tt.want)
			}
		})
	}
}

// Who asks for a key, in either language, asks with a term that its memories have; and who
// asks for something else does not.
func TestAskingFindsTheKey(t *testing.T) {
	r, err := profile.Parse(schemas.Profile)
	if err != nil {
		t.Fatal(err)
	}
	cat := memory.Memory{Key: "user.pets", Value: "猫", Text: "我养了一只猫"}
	died := memory.Memory{About: "user.pets", Text: "我家猫去世了"}
	city := memory.Memory{Key: "user.city", Text: "I live in Boston"}
	trip := memory.Memory{Plan: true, Text: "I'm flying to Shenzhen on Friday"}
	free := memory.Memory{Text: "my favourite colour is green"}
	tests := []struct {
		query string
		finds []*memory.Memory
	}{
		{"What should I buy for my pet?", []*memory.Memory{&cat, &died}},
		{"给我的宠物买点什么？", []*memory.Memory{&cat, &died}},
		{"我住在哪个城市？", []*memory.Memory{&city}},
		{"我最近有什么出差安排？", []*memory.Memory{&trip}},
		{"What's on my schedule?", []*memory.Memory{&trip}},
		{"How do I reverse a list in Go?", nil},
	}
	for _, tt := range tests {
		t.Run(tt.query, func(t *testing.T) {
			asked := index.QueryTerms(r, tt.query)
			for _, m := range []*memory.Memory{&cat, &died, &city, &trip, &free} {
				shares := slices.ContainsFunc(index.Terms(m), func(term string) bool { return slices.Contains(asked, term) })
				if want := slices.Contains(tt.finds, m); shares != want {
					t.Errorf("%q: found is %v, want %v (%v and %v)", m.Text, shares, want, asked, index.Terms(m))
				}
			}
		})
	}
}

func TestTermsAreOfAnotherSpaceThanWords(t *testing.T) {
	m := memory.Memory{Key: "user.city", About: "user.pets", Plan: true}
	got := index.Terms(&m)
	if len(got) != 3 {
		t.Fatalf("terms are %v", got)
	}
	for _, term := range got {
		if !strings.Contains(term, ":") {
			t.Errorf("%q could be a word of a text", term)
		}
	}
	if got := index.Terms(&memory.Memory{Text: "x"}); len(got) != 0 {
		t.Errorf("terms are %v", got)
	}
}

func TestSparseHasTheTerms(t *testing.T) {
	m := memory.Memory{Key: "user.city", Text: "I live in Oslo"}
	if got, want := index.Sparse(&m), terms.Document("I live in Oslo", "asks:user.city"); !slices.Equal(got.Indices, want.Indices) || len(want.Indices) != 3 {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDocumentText(t *testing.T) {
	at := time.Date(2026, 3, 5, 9, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name string
		d    document.Document
		want string
	}{
		{"all of its text", document.Document{Value: []byte(`{"title":"Tea","n":3}`)}, "Tea\n3"},
		{"the fields that it names", document.Document{Value: []byte(`{"title":"Tea","body":"green"}`), Index: []string{"body"}}, "green"},
		{"none of them", document.Document{Value: []byte(`{"title":"Tea"}`), Index: []string{}, Source: document.Source{Speaker: "Ann", At: at}}, ""},
		{"who said it", document.Document{Value: []byte(`{"text":"Tea"}`), Source: document.Source{Speaker: "Ann"}}, "Ann: Tea"},
		{"the user", document.Document{Value: []byte(`{"text":"Tea"}`), Source: document.Source{Speaker: "user"}}, "Tea"},
		{"the assistant", document.Document{Value: []byte(`{"text":"Tea"}`), Source: document.Source{Speaker: "Max", Assistant: true}}, "Tea"},
		{"when", document.Document{Value: []byte(`{"text":"Tea"}`), Source: document.Source{Speaker: "Ann", At: at}}, "Thursday 5 March 2026\nAnn: Tea"},
		{"when, in Chinese", document.Document{Value: []byte(`{"text":"绿茶"}`), Source: document.Source{At: at}}, "2026年3月5日 周四\n绿茶"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := index.DocumentText(&tt.d); got != tt.want {
				t.Errorf("text is %q, want %q", got, tt.want)
			}
		})
	}
	said := document.Document{Value: []byte(`{"text":"Tea"}`), Source: document.Source{At: at}}
	if got := index.DocumentTerms(&said); !slices.Equal(got, []string{"said:2026-03-05", "said:2026-03"}) {
		t.Errorf("terms are %q", got)
	}
	want := terms.Document("Thursday 5 March 2026\nTea", "said:2026-03-05", "said:2026-03")
	if got := index.DocumentSparse(&said); !slices.Equal(got.Indices, want.Indices) {
		t.Errorf("the vector is %v, want %v", got, want)
	}
}
