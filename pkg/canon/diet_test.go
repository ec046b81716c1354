package canon

import "testing"

func TestTogether(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"vegetarian", "gluten-free", true},
		{"vegan", "low in salt", true},
		{"halal", "lactose free", true},
		{"keto", "halal", true},
		{"吃素", "不吃麸质", true},
		{"清真", "低盐", true},
		{"vegetarian", "无麸质", true},
		{"vegetarian", "vegan", false},
		{"吃素", "不吃牛肉", false},
		{"halal", "kosher", false},
		{"keto", "low carb", false},
		{"halal, low in salt", "low in sodium", false},
		{"vegetarian", "nurse", false},
		{"Boston", "Denver", false},
		{"", "", false},
	} {
		for _, order := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := Together(order[0], order[1]); got != tt.want {
				t.Errorf("Together(%q, %q) = %v", order[0], order[1], got)
			}
		}
	}
}
