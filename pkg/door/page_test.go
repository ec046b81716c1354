package door

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPagesAreTheList: page by page a list comes whole and in order, whatever is taken out of
// it or put into it meanwhile.
func TestPagesAreTheList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		latest := rapid.Bool().Draw(t, "latest")
		list := func(numbers []int) []string {
			out := make([]string, len(numbers))
			for i, n := range numbers {
				out[i] = fmt.Sprintf("%04d", n)
			}
			slices.Sort(out)
			out = slices.Compact(out)
			if latest {
				slices.Reverse(out)
			}
			return out
		}
		numbers := rapid.SliceOfN(rapid.IntRange(0, 99), 0, 30)
		all := list(numbers.Draw(t, "all"))
		stays, p := slices.Clone(all), Page{Limit: rapid.IntRange(1, 7).Draw(t, "limit")}
		var got []string
		for {
			part, next, err := cut(all, p, latest, func(i int) string { return all[i] })
			if err != nil || part == nil || len(part) > p.Limit {
				t.Fatalf("a page of %d: %v, %v", p.Limit, part, err)
			}
			got = append(got, part...)
			if p.Cursor = next.Cursor; p.Cursor == "" {
				break
			}
			changed := list(numbers.Draw(t, "then"))
			stays = slices.DeleteFunc(stays, func(s string) bool { return !slices.Contains(changed, s) && !slices.Contains(got, s) })
			all = changed
		}
		sorted := slices.IsSortedFunc(got, func(a, b string) int {
			if latest {
				a, b = b, a
			}
			return slices.Compare([]string{a}, []string{b})
		})
		if !sorted || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("the pages are %v", got)
		}
		for _, s := range stays {
			if !slices.Contains(got, s) {
				t.Fatalf("%s was there all the time, and is not in %v", s, got)
			}
		}
	})
}

func TestPlaces(t *testing.T) {
	all := []string{"a", "a", "b", "a"}
	by := func(s *string) string { return *s }
	if got := places(all, false, by); !slices.Equal(got, []string{"a/000000", "a/000001", "b/000000", "a/000000"}) {
		t.Errorf("places = %q", got)
	}
	if got := places([]string{"b", "a", "a"}, true, by); !slices.Equal(got, []string{"b/999999", "a/999999", "a/999998"}) {
		t.Errorf("places, the latest first = %q", got)
	}
}

func TestCursorsOfOthers(t *testing.T) {
	for _, cursor := range []string{"x", "eA", "MTp4=", "杭州", "Mjp4"} {
		_, _, err := cut([]string{"a"}, Page{Cursor: cursor}, false, func(int) string { return "a" })
		if p := ProblemOf(err); p.Status != 400 || p.Field != "cursor" {
			t.Errorf("%q: %v", cursor, err)
		}
	}
}
