package canon

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var (
	// aside is what separates a value from a remark on it.
	aside = regexp.MustCompile(`[,;，。、(（]|:(?:\D|$)| - `)
	// addition begins what is added to a noun without a separator.
	addition = regexp.MustCompile(
		` (?:at|in|for|with|on|near|from|of|about|around|named|called|who|that|which) ` +
			`|名叫|叫做|叫|名字|大概|大约|约|差不多|左右|每天|要花|[0-9一二两三四五六七八九十]+(?:个?小时|分钟|年|个月)`)
	// countLead is a number at the start.
	countLead = regexp.MustCompile(`^(?:[0-9]+ |(?:two|three|four|five|several|many) |[0-9两二三四五六七八九十几]+[` + measures + `])`)
	// denial marks what is not, or no longer, so, wherever it stands beside the noun.
	denial = regexp.MustCompile(`\b(?:not|no|never|nor|cannot|without|former|formerly|ex|past|used to|non|fake|aspiring|` +
		`future|retired|assistant|deputy|vice|student|trainee|apprentice|almost|nearly|except|anti|quit|quitting)\b` +
		`|n't\b|不|没|非|未|无|前|曾|假|伪|以前|不再|准备|实习|助理|副|原`)
)

// readings returns the shorter readings of a normal s: without the remark, what is added,
// the count and the leading modifiers, each only if what is left out denies nothing. The
// last word, or the last characters, are taken to be what it is about.
func readings(s string) []string {
	found := []string{}
	add := func(whole, short string) {
		short = trim(short)
		if short != "" && short != whole {
			found = append(found, short)
		}
	}
	cut := s
	for _, re := range []*regexp.Regexp{aside, addition} {
		if at := re.FindStringIndex(cut); at != nil && at[0] > 0 && !denial.MatchString(cut[at[0]:]) {
			cut = trim(cut[:at[0]])
			add(s, cut)
		}
	}
	for _, whole := range slices.Compact([]string{s, cut}) {
		whole = dropLead(whole)
		if at := countLead.FindStringIndex(whole); at != nil {
			add(s, whole[at[1]:])
		}
		for _, i := range headStarts(whole) {
			if modifies(whole[:i]) {
				add(s, whole[i:])
			}
		}
	}
	return found
}

// headStarts are the places in s at which a head noun may start: the words of English,
// and the characters of Chinese up to the last two.
func headStarts(s string) []int {
	var starts []int
	var last rune
	for i, r := range s {
		switch {
		case i == 0:
		case last == ' ':
			starts = append(starts, i)
		case isHan(r) && utf8.RuneCountInString(s[i:]) >= 2:
			starts = append(starts, i)
		}
		last = r
	}
	return starts
}

// modifies reports whether lead only says more about the noun after it: it denies nothing,
// names no other bearer (nurse's, 朋友的) and joins nothing.
func modifies(lead string) bool {
	lead = strings.TrimSpace(lead)
	if denial.MatchString(lead) || addition.MatchString(" "+lead+" ") || aside.MatchString(lead) {
		return false
	}
	lead = collective.ReplaceAllString(lead, "$1")
	if strings.Contains(lead, "'s") || strings.HasSuffix(lead, "'") || strings.HasSuffix(lead, "的") {
		return false
	}
	return !joined.MatchString(lead)
}

// collective bearers say of which kind the noun is: a children's hospital.
var collective = regexp.MustCompile(`\b(children|women|men|people|girls|boys|kids|veterans|farmers)(?:'s|')`)

// joined marks lists and other bearers: of "cats and dogs" neither is the head.
var joined = regexp.MustCompile(`\b(?:and|or|his|her|their|your|to|by)\b|[和与或跟及再&/]|然后|换乘`)
