package verify

import "testing"

func TestSpoken(t *testing.T) {
	tests := []struct {
		content, quote string
		want           Reason
	}{
		{"My character says: 'I am a surgeon in Berlin.' Nice?", "I am a surgeon in Berlin.", ReasonQuoted},
		{"She wrote “I live in Oslo” on the card.", "I live in Oslo", ReasonQuoted},
		{"小说里的主角说：“我住在柏林。”", "我住在柏林", ReasonQuoted},
		{"“I live in Oslo” is what she says, and I live in Oslo too.", "I live in Oslo", ""},
		{`"I live in Oslo."`, "I live in Oslo.", ""},
		{"“我住在杭州。”", "我住在杭州", ""},
		{`My band is called "The Fjords".`, `My band is called "The Fjords"`, ""},
		{"我的店叫“小春”。", "我的店叫“小春”", ""},
		{"If I lived in Paris I'd eat croissants.", "I lived in Paris", ReasonSupposed},
		{"Imagine I work at the zoo.", "I work at the zoo", ReasonSupposed},
		{"I wish I had a dog.", "I had a dog", ReasonSupposed},
		{"如果我住在巴黎，每天吃可颂。", "我住在巴黎", ReasonSupposed},
		{"要是我有一条狗就好了", "我有一条狗", ReasonSupposed},
		{"If you must know, I live in Oslo.", "I live in Oslo", ""},
		{"如果你想知道，我住在杭州。", "我住在杭州", ""},
		{"I live in Oslo. If I lived in Oslo proper, I'd walk.", "I live in Oslo", ""},
		{"I don't know if I mentioned it: I live in Oslo.", "I live in Oslo", ""},
	}
	for _, tt := range tests {
		if got := spoken(tt.content, tt.quote); got != tt.want {
			t.Errorf("%q in %q: %q, want %q", tt.quote, tt.content, got, tt.want)
		}
	}
}
