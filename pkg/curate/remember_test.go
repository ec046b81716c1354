package curate_test

import (
	"slices"
	"testing"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/memory"
)

// TestRememberKeepsAllOfIt: what is understood, and what is left over in the user's own words,
// each once and all of it pinned, however often the request comes.
func TestRememberKeepsAllOfIt(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		user       memory.User
		text, left string
		quote      string
		understood []memory.Key
	}{
		{"en", "I live in Oslo, the parking code is blue gate and I am allergic to peanuts.", "the parking code is blue gate", "the parking code is blue gate",
			[]memory.Key{"user.allergies", "user.city"}},
		{"zh", "我住在杭州，车位在地下二层B12。我对花生过敏", "车位在地下二层B12", "车位在地下二层B12。", []memory.Key{"user.allergies", "user.city"}},
		{"apart", "The bins go out on Tuesday. I live in Oslo. The gate sticks.", "The bins go out on Tuesday. The gate sticks.",
			"The bins go out on Tuesday. I live in Oslo. The gate sticks.", []memory.Key{"user.city"}},
		{"whole", "The spare key is under the pot, and the gate sticks.", "The spare key is under the pot, and the gate sticks.",
			"The spare key is under the pot, and the gate sticks.", nil},
	} {
		s := memory.UserScope(memory.DefaultTenant, c.user)
		for before := range 2 {
			got, err := w.Stack.Curate.Remember(t.Context(), s, "request:1", curate.Note{Text: c.text})
			want := curate.ResultAdded
			if before > 0 {
				want = curate.ResultUnchanged
			}
			if err != nil || got.Result != want || len(got.Refused) > 0 {
				t.Errorf("%q for time %d: %+v, %v", c.text, before+1, got, err)
			}
			all, err := w.Stack.Recall.Memories(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			var keys []memory.Key
			for _, m := range all {
				if !m.Pinned || len(m.Evidence) != 1 || m.Evidence[0].Event != "request:1" {
					t.Errorf("%q: kept is %+v", c.text, m)
				}
				if m.Key != "" {
					keys = append(keys, m.Key)
				} else if m.Text != c.left || m.Evidence[0].Quote != c.quote || m.Kind != memory.KindFact {
					t.Errorf("%q: left over is %q by %q, want %q by %q", c.text, m.Text, m.Evidence[0].Quote, c.left, c.quote)
				}
			}
			slices.Sort(keys)
			if !slices.Equal(keys, c.understood) || len(all) != len(keys)+1 {
				t.Errorf("%q: understood are %v of %d, want %v and one more", c.text, keys, len(all), c.understood)
			}
		}
	}
}
