package canon

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

var (
	//go:embed data/things.txt
	thingsData string
	//go:embed data/languages.txt
	languagesData string
)

// names maps every name of something, in the form that look-ups use, to its canonical one.
type names map[string]string

var things = sync.OnceValue(func() names { return mustNames(thingsData, plainValue) })

var languages = sync.OnceValue(func() names { return mustNames(languagesData, plainValue) })

// mustNames panics on a faulty table: it is part of the program.
func mustNames(data string, form func(string) string) names {
	table, err := parseNames(data, form)
	if err != nil {
		panic(err)
	}
	return table
}

// parseNames reads lines of names separated by "="; the first is the canonical one. No
// two lines may share a name.
func parseNames(data string, form func(string) string) (names, error) {
	table := make(names)
	for line := range dataLines(data) {
		parts := strings.Split(line, "=")
		canonical := form(parts[0])
		for _, part := range parts {
			name := form(part)
			if other, ok := table[name]; ok && other != canonical {
				return nil, fmt.Errorf("%q names both %s and %s", part, other, canonical)
			}
			table[name] = canonical
		}
	}
	return table, nil
}

// Words that say what is done with a thing and leave the thing the same: who likes
// drinking coffee likes coffee, and who goes by bus commutes with the bus. They are taken
// off only where a known thing is left.
var (
	doing = []string{
		"eating ", "eat ", "drinking ", "drink ", "playing ", "play ", "riding ", "ride ",
		"by ", "taking ", "take ", "吃", "喝", "打", "踢", "弹", "拉", "坐", "乘坐", "乘", "搭", "靠", "用", "骑",
	}
	done = []string{" allergy", "过敏", " language"}
)

// fold returns the canonical name of s, or s if the table has none.
func (t names) fold(s string) string {
	if c, ok := t[s]; ok {
		return c
	}
	for _, p := range doing {
		if rest, ok := strings.CutPrefix(s, p); ok {
			if c, ok := t[plainValue(rest)]; ok {
				return c
			}
		}
	}
	for _, p := range done {
		if rest, ok := strings.CutSuffix(s, p); ok {
			if c, ok := t[plainValue(rest)]; ok {
				return c
			}
		}
	}
	return s
}
