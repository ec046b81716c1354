package eval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/bench"
)

func TestSaidLeavesOutWhoItIsAbout(t *testing.T) {
	for _, c := range []struct {
		text, name string
		want       words
	}{
		{"The user's cats live in Oslo.", "user", words{"cat", "live", "oslo"}},
		{"Caroline's cats live with Melanie.", "Caroline", words{"cat", "live", "melani"}},
		{"Annotations are hard for Ann.", "Ann", words{"annot", "hard"}},
		{"用户住在杭州。", "user", words{"住", "杭州"}},
		{"小明住在杭州。", "小明", words{"住", "杭州"}},
		{"", "user", nil},
	} {
		if got := said(c.text, c.name); !slices.Equal(got, c.want) {
			t.Errorf("said(%q, %q) = %q, want %q", c.text, c.name, got, c.want)
		}
	}
}

func TestFactLeavesTheLabelOut(t *testing.T) {
	for text, want := range map[string]string{
		"【Travel Plan】 The hike is optional.": "The hike is optional.",
		"【旅行】徒步是可选的。":                         "徒步是可选的。",
		"The 【hike】 is optional.":             "The 【hike】 is optional.",
		"【Travel Plan】":                       "【Travel Plan】",
		"No label.":                           "No label.",
	} {
		if got := fact(text); got != want {
			t.Errorf("fact(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"NGN 750,000 at 22.5% until 4:30, then 1,2 and 750,000.", []string{"1,2", "22.5", "4:30", "750000"}},
		{"３０００元，三千人", []string{"3000", "三千"}},
		{"一些人十分高兴", nil},
		{"two weeks", nil},
	} {
		if got := numbersOf(c.text); !slices.Equal(got, c.want) {
			t.Errorf("numbersOf(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		text, of string
		want     bool
	}{
		{"It costs 1200 euros", "1,200 euros", true},
		{"It costs 12000 euros", "1,200 euros", false},
		{"It costs 1200 euros", "1,200 euros in 2 parts", false},
		{"It costs much", "much", true},
	} {
		if got := hasNumbers(c.text, numbersOf(c.of)); got != c.want {
			t.Errorf("hasNumbers(%q, %q) = %t, want %t", c.text, c.of, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Lives in New York, near Access Bank.", []string{"Access", "Bank", "New", "York"}},
		{"Met Tom’s and Ann's cats. They left. I stayed", []string{"Ann", "Tom"}},
		{"在读《三体》和《红楼梦》", []string{"三体", "红楼梦"}},
		{"* Brand: logo", nil},
	} {
		if got := namesOf(c.text); !slices.Equal(got, c.want) {
			t.Errorf("namesOf(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		text, of string
		want     bool
	}{
		{"i met tom's cat", "Met Tom", true},
		{"I met Tommy", "met Tom", false},
		{"我在看三体", "在读《三体》", true},
		{"我在看三国", "在读《三体》", false},
		{"I met Tom", "met Tom and Ann", false},
	} {
		if got := hasNames(c.text, namesOf(c.of)); got != c.want {
			t.Errorf("hasNames(%q, %q) = %t, want %t", c.text, c.of, got, c.want)
		}
	}
}

// TestRareWordsWeighMore: "live" stands in two of three turns, "oslo" in one, "norway" in none.
func TestRareWordsWeighMore(t *testing.T) {
	w := weigh([]bench.Turn{{Text: "I live in Oslo, I live."}, {Text: "You live!"}, {Text: "Hm."}})
	if live, oslo, norway := w.of("live"), w.of("oslo"), w.of("norway"); !(0 < live && live < oslo && oslo < norway) {
		t.Errorf("live %f, oslo %f, norway %f", live, oslo, norway)
	}
}

// A share is one of a whole: nothing of what is not there, all of what is, and never less
// for more words.
func TestShareIsAShare(t *testing.T) {
	vocabulary := rapid.SliceOfDistinct(rapid.StringMatching(`[a-e]{1,2}`), rapid.ID[string])
	rapid.Check(t, func(t *rapid.T) {
		w := weigh([]bench.Turn{{Text: "aa bb cc"}, {Text: "aa"}, {Text: "dd"}})
		want := words(vocabulary.Draw(t, "want"))
		given := setOf(vocabulary.Draw(t, "given"))
		share := w.share(want, given)
		if share < 0 || share > 1 {
			t.Fatalf("share %f", share)
		}
		if len(want) == 0 {
			if share != 0 {
				t.Fatalf("share %f of nothing", share)
			}
			return
		}
		more := setOf(want[:1])
		for g := range given {
			more[g] = true
		}
		if got := w.share(want, more); got < share || given[want[0]] != (got == share) {
			t.Fatalf("share %f, and with %q as well %f", share, want[0], got)
		}
		if got := w.share(want, setOf(want)); got != 1 {
			t.Fatalf("share %f of all", got)
		}
	})
}
