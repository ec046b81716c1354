package guard

import "regexp"

// group is a run of digits, by its place in the text.
type group struct{ start, end int }

func (g group) size() int { return g.end - g.start }

// findNumbers finds cards, identity numbers and social security numbers by their form.
func findNumbers(t *folded) []span {
	if t.digits < 9 {
		return nil
	}
	var found []span
	for i := 0; i < len(t.s); {
		if !isDigit(t.s[i]) {
			i++
			continue
		}
		groups := sequence(t.s, i)
		i = groups[len(groups)-1].end
		found = append(found, findCards(t.s, groups)...)
		found = append(found, findChineseIDs(t.low, groups)...)
		found = append(found, findSSNs(t.s, groups)...)
	}
	return found
}

// sequence collects the groups of digits from i on that at most two blanks, or one dash
// or line break, set apart.
func sequence(s string, i int) []group {
	var groups []group
	for {
		end := runEnd(s, i, isDigit)
		groups = append(groups, group{i, end})
		next := end
		switch {
		case next+1 < len(s) && (s[next] == '-' || s[next] == '\n'):
			next++
		default:
			for next < len(s) && next < end+2 && (s[next] == ' ' || s[next] == '\t') {
				next++
			}
		}
		if next == end || next >= len(s) || !isDigit(s[next]) {
			return groups
		}
		i = next
	}
}

func findCards(s string, groups []group) []span {
	var found []span
	for i := 0; i < len(groups); i++ {
		for j := lastWithin(groups, i, 19); j >= i; j-- {
			start, end := groups[i].start, groups[j].end
			if plausibleGroups(groups[i:j+1]) && standsAlone(s, start, end) && cardNumber(onlyDigits(s[start:end])) {
				found = append(found, span{start, end, KindCard})
				i = j
				break
			}
		}
	}
	return found
}

// lastWithin is the last group up to which there are at most n digits from group i on;
// i-1 if even that one is longer.
func lastWithin(groups []group, i, n int) int {
	j := i
	for j < len(groups) && n >= groups[j].size() {
		n -= groups[j].size()
		j++
	}
	return j - 1
}

// plausibleGroups reports whether people write card numbers in such groups: none, all
// alike but for the last, or the issuers' own forms.
func plausibleGroups(groups []group) bool {
	first, last := groups[0].size(), groups[len(groups)-1].size()
	even := true
	for _, g := range groups[:len(groups)-1] {
		even = even && g.size() == first
	}
	switch {
	case even && (last <= first || first == 4 && len(groups) == 4):
		return true
	case len(groups) == 3:
		return first == 4 && groups[1].size() == 6
	}
	return len(groups) == 1 || len(groups) == 2 && first == 6
}

// standsAlone reports whether a number is no part of a word, an identifier or a fraction.
func standsAlone(s string, start, end int) bool {
	if start > 0 && (isLetter(s[start-1]) || s[start-1] == '_') {
		return false
	}
	if start > 1 && s[start-1] == '.' && isDigit(s[start-2]) {
		return false
	}
	if end < len(s) && (isLetter(s[end]) || s[end] == '_') {
		return false
	}
	return end+1 >= len(s) || s[end] != '.' || !isDigit(s[end+1])
}

var chineseIDForm = regexp.MustCompile(
	`[1-9]\d{5}[ -]?(?:18|19|20)\d\d[ -]?(?:0[1-9]|1[0-2])[ -]?(?:0[1-9]|[12]\d|3[01])[ -]?\d{3} ?[\dx]`)

// findChineseIDs finds 身份证号 with a right check character, also in groups.
func findChineseIDs(low string, groups []group) []span {
	start, end := groups[0].start, groups[len(groups)-1].end
	if end-start < 17 {
		return nil
	}
	if x := runEnd(low, end, func(b byte) bool { return b == ' ' }); x <= end+1 && x < len(low) && low[x] == 'x' {
		end = x + 1
	}
	var found []span
	for _, m := range chineseIDForm.FindAllStringIndex(low[start:end], -1) {
		from, to := start+m[0], start+m[1]
		digits := onlyDigits(low[from:to])
		if low[to-1] == 'x' {
			digits += "x"
		}
		if chineseID(digits) && !alnumBeside(low, from, to) {
			found = append(found, span{from, to, KindNationalID})
		}
	}
	return found
}

func alnumBeside(s string, start, end int) bool {
	return start > 0 && isAlnum(s[start-1]) || end < len(s) && isAlnum(s[end])
}

// findSSNs finds 123-45-6789.
func findSSNs(s string, groups []group) []span {
	var found []span
	for i := 0; i+2 < len(groups); i++ {
		a, b, c := groups[i], groups[i+1], groups[i+2]
		if a.size() != 3 || b.size() != 2 || c.size() != 4 || s[a.end] != '-' || s[b.end] != '-' {
			continue
		}
		if a.start > 0 && s[a.start-1] == '-' || c.end < len(s) && s[c.end] == '-' {
			continue
		}
		if standsAlone(s, a.start, c.end) && socialSecurity(onlyDigits(s[a.start:c.end])) {
			found = append(found, span{a.start, c.end, KindSSN})
		}
	}
	return found
}

// findIBANs finds IBANs with right check digits, in groups or without.
func findIBANs(t *folded) []span {
	if t.digits < 9 {
		return nil
	}
	var found []span
	low := t.low
	for i := 0; i+15 <= len(low); i++ {
		if !isLower(low[i]) || !isLower(low[i+1]) || !isDigit(low[i+2]) || !isDigit(low[i+3]) ||
			i > 0 && isAlnum(low[i-1]) {
			continue
		}
		n, ok := ibanLengths[low[i:i+2]]
		if !ok {
			continue
		}
		end, iban := takeAlnum(low, i, n)
		if len(iban) == n && (end == len(low) || !isAlnum(low[end])) && mod97(iban) {
			found = append(found, span{i, end, KindIBAN})
			i = end - 1
		}
	}
	return found
}

// takeAlnum reads n letters and digits from i on, past single blanks and dashes.
func takeAlnum(s string, i, n int) (end int, taken string) {
	b := make([]byte, 0, n)
	for i < len(s) && len(b) < n {
		switch {
		case isAlnum(s[i]):
			b = append(b, s[i])
		case (s[i] == ' ' || s[i] == '-') && i+1 < len(s) && isAlnum(s[i+1]):
		default:
			return i, string(b)
		}
		i++
	}
	return i, string(b)
}
