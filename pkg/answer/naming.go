package answer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
)

// named returns the side that s, whose canonical form is given, names in other words or in
// short: -1 where it names none or could name several. s is folded.
func (m *matter) named(s, form string) int {
	if i := slices.Index(m.forms, form); i >= 0 {
		return i
	}
	return m.one(func(i int) bool {
		switch m.class {
		case canon.ClassDate:
			return sameDate(s, form, m.forms[i])
		case canon.ClassPlace:
			return within(s, m.sides[i].Value) || shortens(s, m.folded[i])
		}
		return shortens(s, m.folded[i])
	})
}

// one returns the only side that fits, or -1.
func (m *matter) one(fits func(i int) bool) int {
	found := -1
	for i := range m.sides {
		if !fits(i) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// within reports whether s is a place inside of another one. In Chinese, what follows a
// place is a part of it only by its last character: 上海天气 is none.
func within(s, place string) bool {
	if strings.ContainsAny(s, ",，、") || han(s) && !district.MatchString(s) {
		return false
	}
	more, ok := canon.Refines(s, place, canon.ClassPlace)
	return ok && more == s
}

var district = regexp.MustCompile(`[省市区县州镇乡村路街道]$`)

// shortest are the least letters, and characters, of a shortened value.
const (
	shortestWord = 3
	shortestHan  = 2
)

// shortens reports whether s is one of the words of value, or the beginning of a Chinese
// one: "joan" of "wife joan", 建设 of 建设银行.
func shortens(s, value string) bool {
	if han(s) {
		return len([]rune(s)) >= shortestHan && strings.HasPrefix(value, s)
	}
	return len(s) >= shortestWord && slices.Contains(strings.Fields(value), s)
}
