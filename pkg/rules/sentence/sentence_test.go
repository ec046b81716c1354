package sentence

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func texts(content string) []string {
	var out []string
	for _, s := range Split(content) {
		out = append(out, s.Text)
	}
	return out
}

func TestSplit(t *testing.T) {
	tests := []struct {
		name, content string
		want          []string
	}{
		{"nothing", "", nil},
		{"only marks", " ...!? \n 。。", nil},
		{"only an emoji", "😊", nil},
		{"one without a mark", "I live in Oslo", []string{"I live in Oslo"}},
		{"two", "I live in Oslo. I have a cat.", []string{"I live in Oslo.", "I have a cat."}},
		{"marks in a row", "Really?! Yes...", []string{"Really?!", "Yes..."}},
		{"semicolon", "I live in Oslo; I like it", []string{"I live in Oslo;", "I like it"}},
		{"lines", "I live in Oslo\nI have a cat", []string{"I live in Oslo", "I have a cat"}},
		{"blank lines", "Hi\n\n\nI have a cat\n", []string{"Hi", "I have a cat"}},
		{"Windows lines", "Hi\r\nI have a cat\r\n", []string{"Hi", "I have a cat"}},
		{"decimal", "It costs 3.50 a day. OK.", []string{"It costs 3.50 a day.", "OK."}},
		{"file name", "See main.go and .env for it.", []string{"See main.go and .env for it."}},
		{"title", "I see Dr. Smith today. He is good.", []string{"I see Dr. Smith today.", "He is good."}},
		{"initials", "I am J. Smith.", []string{"I am J. Smith."}},
		{"I is no initial", "So am I. Bye.", []string{"So am I.", "Bye."}},
		{"in brackets", "I moved (from St. Louis) there.", []string{"I moved (from St. Louis) there."}},
		{"Chinese", "我住在杭州。平时通勤用地铁！好吗？", []string{"我住在杭州。", "平时通勤用地铁！", "好吗？"}},
		{"Chinese comma", "我住在杭州，平时通勤用地铁。", []string{"我住在杭州，平时通勤用地铁。"}},
		{"mixed", "I live in Oslo. 我也有一只猫。", []string{"I live in Oslo.", "我也有一只猫。"}},
		{"full stop before Chinese", "I live in Oslo.我也有一只猫。", []string{"I live in Oslo.", "我也有一只猫。"}},
		{"quotation is kept whole", `He said "I live in Oslo. I have a cat." and left.`, []string{`He said "I live in Oslo. I have a cat." and left.`}},
		{"quotation ends a sentence", "My character says: 'I am a surgeon in Berlin.' Do I have a dog?",
			[]string{"My character says: 'I am a surgeon in Berlin.'", "Do I have a dog?"}},
		{"Chinese quotation", "他说：“我住在北京。我有狗。”我不信。", []string{"他说：“我住在北京。我有狗。”", "我不信。"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := texts(tt.content); strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("Split(%q)\n got %q\nwant %q", tt.content, got, tt.want)
			}
		})
	}
}

func TestQuestion(t *testing.T) {
	tests := []struct {
		content string
		want    bool
	}{
		{"Do I have a dog?", true},
		{"Do I have a dog?!", true},
		{"Do I have a dog??", true},
		{"我住在哪？", true},
		{"我住在哪？！", true},
		{"(Do I have a dog?)", true},
		{`Did he say "yes"?`, true},
		{"I have a dog.", false},
		{"I have a dog", false},
		{"我有狗。", false},
		{"Is it? I have a dog.", false},
	}
	for _, tt := range tests {
		t.Run(tt.content, func(t *testing.T) {
			all := Split(tt.content)
			if got := all[len(all)-1].Question; got != tt.want {
				t.Errorf("the last sentence of %q: Question = %v, want %v", tt.content, got, tt.want)
			}
		})
	}
}

func TestLanguageOf(t *testing.T) {
	tests := []struct {
		text string
		want Language
	}{
		{"I live in Oslo", English},
		{"我住在杭州", Chinese},
		{"I live in 上海", English},
		{"我在Google工作", Chinese},
		{"我在Google做software engineer", Chinese},
		{"我用 Python", Chinese},
		{"my name is 欧阳", English},
		{"don't 别", English},
		{"好 OK", Chinese},
		{"OK 好", English},
		{"我住 in Oslo", Chinese},
		{"Oslo 我住", Chinese},
		{"123", English},
		{"", English},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			if got := LanguageOf(tt.text); got != tt.want {
				t.Errorf("LanguageOf(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestInQuotes(t *testing.T) {
	content := `Hi. She said "I live in Oslo" to me.`
	all := Split(content)
	s := all[len(all)-1]
	at := func(word string) (int, int) {
		i := strings.Index(s.Text, word)
		return i, i + len(word)
	}
	tests := []struct {
		word string
		want bool
	}{
		{"live in Oslo", true},
		{`said "I`, true},
		{"She said", false},
		{"to me", false},
	}
	for _, tt := range tests {
		from, to := at(tt.word)
		if got := s.InQuotes(from, to); got != tt.want {
			t.Errorf("InQuotes(%q) = %v, want %v", tt.word, got, tt.want)
		}
	}
}

// check fails unless the sentences of content stand in it in order, apart, trimmed and
// with everything but white space and marks covered.
func check(t interface{ Fatalf(string, ...any) }, content string) {
	last := 0
	for _, s := range Split(content) {
		if s.From < last || s.To > len(content) || s.From >= s.To {
			t.Fatalf("%q: sentence [%d:%d] after %d", content, s.From, s.To, last)
		}
		if content[s.From:s.To] != s.Text {
			t.Fatalf("%q: [%d:%d] is not %q", content, s.From, s.To, s.Text)
		}
		if strings.TrimSpace(s.Text) != s.Text {
			t.Fatalf("%q: %q is not trimmed", content, s.Text)
		}
		for _, q := range s.Quoted {
			if q[0] < 0 || q[0] >= q[1] || q[1] > len(s.Text) {
				t.Fatalf("%q: quotation %v of %q", content, q, s.Text)
			}
		}
		if covered := content[last:s.From]; hasWord(covered) {
			t.Fatalf("%q: %q is in no sentence", content, covered)
		}
		last = s.To
	}
	if hasWord(content[last:]) {
		t.Fatalf("%q: %q is in no sentence", content, content[last:])
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r != utf8.RuneError && isWord(r) })
}

func TestSplitCoversTheContent(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"I live in Oslo", "我住在杭州", ".", "。", "?", "？", "!", "…", "\n", " ", "“", "”", "\"", "'", "「", "」",
		"Dr.", "3.5", "J.", ";", ",", "，", "(", ")", "’", "a", "猫", "😊", "```", "> ",
	})
	rapid.Check(t, func(t *rapid.T) {
		check(t, strings.Join(rapid.SliceOfN(piece, 0, 25).Draw(t, "content"), ""))
	})
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		"", "I live in Oslo. I have a cat.", "我住在杭州。你呢？", "He said \"Hi. Bye.\" Then 他走了。",
		"\xff.\xfe。", "\"\"\"''“”’’", "a.\"b", "“a。”b", "a.b.c. d", "```\nx. y\n```",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) { check(t, content) })
}
