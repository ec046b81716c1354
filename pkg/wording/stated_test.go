package wording_test

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/wording"
)

// TestStated: a value without words of its own is stated in its own language, as it was given.
func TestStated(t *testing.T) {
	asks := profile.Field{Asks: map[string][]string{"zh": {"!排除", "住在哪里"}}}
	for _, c := range []struct {
		key         memory.Key
		value, want string
	}{
		{"user.city", "Oslo", "city: Oslo"},
		{"user.shoe_size", "42", "shoe size: 42"},
		{"user.city", "杭州", "住在哪里：杭州"},
		{"user.likes", "100% cotton", "likes: 100% cotton"},
	} {
		if got := wording.Stated(c.key, asks, c.value); got != c.want {
			t.Errorf("%s %q is stated as %q, want %q", c.key, c.value, got, c.want)
		}
	}
}
