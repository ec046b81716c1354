package reconcile

import "testing"

func TestWithoutTakesOutTheWordsOfAnotherText(t *testing.T) {
	for _, c := range []struct{ text, other, want string }{
		{"how is the weather in Oslo?", "I live in Oslo", "how is the weather in […]?"},
		{"where do I live?", "I live in Oslo", "where do I […]?"},
		{"杭州的天气怎么样？", "我住在杭州", "[…]的天气怎么样？"},
		{"推荐一家餐厅", "我对花生过敏", "推荐一家餐厅"},
		{"我能吃花生酱吗？", "我对花生过敏", "我能吃[…]酱吗？"},
		{"what is tea?", "", "what is tea?"}, {"", "tea", ""},
	} {
		if got := Without(c.text, c.other); got != c.want {
			t.Errorf("Without(%q, %q) = %q, want %q", c.text, c.other, got, c.want)
		}
	}
}
