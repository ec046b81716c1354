package sign

import (
	"slices"
	"strings"
	"testing"
)

// said is a phrase with other words before, behind and in its gaps.
func (p phrase) said() string {
	var b strings.Builder
	b.WriteString("x ")
	for i, w := range p.words {
		switch {
		case w == pause && i == 0:
			b.Reset()
		case w == pause:
			b.WriteString(", ")
		case w == gap:
			b.WriteString("x ")
		case w == number:
			b.WriteString("5 ")
		default:
			b.WriteString(w + " ")
		}
	}
	if p.words[len(p.words)-1] != pause {
		b.WriteString("x")
	}
	return b.String()
}

func TestEveryPhraseIsFound(t *testing.T) {
	for table := range tables {
		all := read(table)
		if len(all) == 0 {
			t.Errorf("table %d is empty", table)
		}
		for _, p := range all {
			switch said := p.said(); {
			case p.words[0] == gap || p.words[len(p.words)-1] == gap:
				t.Errorf("%q begins or ends with a gap", p.words)
			case !p.except && !Of(said).Has(1<<table):
				t.Errorf("%q is no sign: an exception covers it", said)
			case p.except && !p.needed(all):
				t.Errorf("nothing may begin inside of the exception %q", said)
			}
		}
	}
}

// needed reports whether some phrase of the table may begin inside of the exception.
func (p phrase) needed(all []phrase) bool {
	return slices.ContainsFunc(all, func(q phrase) bool { return !q.except && slices.Contains(p.words, q.words[0]) })
}

func TestNoPhraseIsWrittenTwice(t *testing.T) {
	for table := range tables {
		seen := map[string]bool{}
		for _, p := range read(table) {
			if s := p.said(); seen[s] {
				t.Errorf("%q stands in its table twice", p.words)
			} else {
				seen[s] = true
			}
		}
	}
}

func TestExpand(t *testing.T) {
	tests := []struct {
		written string
		want    []string
	}{
		{"now", []string{"now"}},
		{"(a|b) c", []string{"a c", "b c"}},
		{"(a|b)(c|)", []string{"ac", "bc", "a", "b"}},
		{"!x (a|b) .. y", []string{"!x a .. y", "!x b .. y"}},
	}
	for _, tt := range tests {
		if got := expand(tt.written); !slices.Equal(got, tt.want) {
			t.Errorf("expand(%q) = %q, want %q", tt.written, got, tt.want)
		}
	}
}

func TestUnits(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "|"},
		{" ... ", "|"},
		{"I don't live here", "| i do not live here |"},
		{"I dont", "| i do not |"},
		{"I can't, I won’t", "| i can not | i will not |"},
		{"I'm my brother's keeper; it's fine", "| i am my brother keeper | it is fine |"},
		{"we've, they're, I'd, you'll", "| we have | they are | i | you will |"},
		{"O'Brien o''clock '90s ends'", "| o o 90s ends |"},
		{"full-time job at $650, 5%", "| full time job at 650 | 5 |"},
		{"我搬到Oslo了。", "| 我 搬 到 oslo 了 |"},
		{"我養貓", "| 我 养 猫 |"},
		{"Zoë 2021", "| zoë 2021 |"},
	}
	for _, tt := range tests {
		var got []string
		for _, w := range units(tt.text) {
			if w == pause {
				w = "|"
			}
			got = append(got, w)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("units(%q) = %q, want %q", tt.text, s, tt.want)
		}
	}
}
