package canon

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Refines reports whether one of two values of class c says all that the other says, and
// more, and returns that one as it was given: Hangzhou and "Hangzhou, Xihu district", May
// 4 and May 4, 1990, nurse and ICU nurse, 地铁 and 地铁，大概四十分钟. It is careful: with a
// different head noun (nurse's husband), a negation or a former state there is no
// refinement, and values that are the same refine nothing. A value is longer than about
// 200 bytes only if it is a sentence; those are not compared.
func Refines(a, b string, c Class) (moreSpecific string, ok bool) {
	if len(a) > maxRefinedBytes || len(b) > maxRefinedBytes || Same(a, b, c) {
		return "", false
	}
	refines := refinesText
	switch c {
	case ClassPlace:
		refines = refinesPlace
	case ClassDate:
		refines = refinesDate
	case ClassName:
		refines = refinesName
	}
	ab, ba := refines(a, b, c), refines(b, a, c)
	switch {
	case ab == ba:
		return "", false
	case ab:
		return a, true
	default:
		return b, true
	}
}

const maxRefinedBytes = 200

func refinesDate(more, less string, _ Class) bool {
	m, ok := parseDate(more)
	l, ok2 := parseDate(less)
	return ok && ok2 && m.refines(l)
}

// refinesName knows a given name that becomes a full one: Alice Smith, 欧阳晓岚 for 晓岚.
func refinesName(more, less string, c Class) bool {
	m, l := Identity(more, c), Identity(less, c)
	if surname, ok := strings.CutSuffix(m, l); ok && allHan(m) && utf8.RuneCountInString(l) > 1 {
		return utf8.RuneCountInString(surname) <= 2 && utf8.RuneCountInString(m) <= 4
	}
	for _, joint := range []string{" ", "·"} {
		if rest, ok := strings.CutPrefix(m, l+joint); ok {
			w := strings.Fields(rest)
			return len(w) <= 3 && !slices.ContainsFunc(w, func(s string) bool { return s == "and" || s == "or" || s == "&" })
		}
	}
	return false
}

// refinesPlace holds if every component of less is one of more, or contains one.
func refinesPlace(more, less string, _ Class) bool {
	m, l := placeParts(more), placeParts(less)
	covers := func(all, some []part) bool {
		return !slices.ContainsFunc(some, func(s part) bool {
			return !slices.ContainsFunc(all, func(a part) bool { return liesIn(a, s) })
		})
	}
	return covers(m, l) && (len(m) > len(l) || !covers(l, m))
}

// liesIn reports whether a is o or a place inside of it. Two unknown places with Chinese
// names are taken so if one name continues the other: 西湖区文三路, 西湖区.
func liesIn(a, o part) bool {
	switch {
	case a.name == o.name:
		return true
	case a.known != nil && o.known != nil:
		return a.known.within(o.known)
	case a.known == nil && o.known == nil:
		return allHan(o.name) && utf8.RuneCountInString(o.name) > 1 && strings.HasPrefix(a.name, o.name)
	}
	return false
}

// namesBranch reports whether more is a branch of the organisation less, by the place of it:
// 腾讯深圳总部.
func namesBranch(more, less string) bool {
	rest, ok := strings.CutPrefix(normal(more), normal(less))
	if !ok || !allHan(less) {
		return false
	}
	at := branch.FindStringIndex(rest)
	if at == nil {
		return false
	}
	where := strings.TrimPrefix(rest[:at[0]], "的")
	return where == "" || !slices.ContainsFunc(placeParts(where), func(p part) bool { return p.known == nil })
}

var branch = regexp.MustCompile(`(?:总部|总公司|分公司|分部|分行|支行|分店|分院|门店|办公室|办事处|园区|研发中心)$`)

// refinesText holds if one of the shorter readings of more is the same as less.
func refinesText(more, less string, c Class) bool {
	if namesRelative(more, less) || namesBranch(more, less) {
		return true
	}
	want := Identity(less, c)
	for _, reading := range readings(trim(normal(more))) {
		if Identity(reading, c) == want {
			return true
		}
	}
	return false
}
