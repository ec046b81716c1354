package index_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
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
