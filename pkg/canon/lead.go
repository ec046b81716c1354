package canon

import (
	"strings"
	"unicode/utf8"
)

var (
	articles    = []string{"the ", "a ", "an ", "my ", "our ", "some "}
	possessives = []string{"我的", "我们的", "我家的", "我们家的", "我家", "我们家", "咱家"}
	ones        = []string{"一", "1"}
)

// homely begins what makes another word of 家: 我家乡 is 我 and 家乡.
const homely = "乡人庭里长务族"

// measures are the words that stand between a number and a noun, as far as "one" before
// them says no more than the English article.
const measures = "只个条匹头位名辆台部本杯瓶碗份种座张件块把棵朵盘"

// dropLead takes articles, possessives and 一 with a measure word off the start of a
// normal s, unless nothing would be left. Larger numbers say something and stay.
func dropLead(s string) string {
	for {
		rest, ok := cutLead(s)
		if !ok {
			return s
		}
		if rest = trim(rest); rest == "" || strings.Trim(rest, outer+".") == "" {
			return s
		}
		s = rest
	}
}

func cutLead(s string) (string, bool) {
	for _, p := range articles {
		if rest, ok := strings.CutPrefix(s, p); ok {
			return rest, true
		}
	}
	for _, p := range possessives {
		rest, ok := strings.CutPrefix(s, p)
		if next, _ := utf8.DecodeRuneInString(rest); ok && rest != "" && (strings.HasSuffix(p, "的") || !strings.ContainsRune(homely, next)) {
			return rest, true
		}
	}
	return cutCount(s, ones)
}

// cutCount takes one of the numbers and a measure word off the start of s.
func cutCount(s string, numbers []string) (string, bool) {
	for _, n := range numbers {
		rest, ok := strings.CutPrefix(s, n)
		if !ok {
			continue
		}
		for i, r := range rest {
			if i == 0 {
				if !strings.ContainsRune(measures, r) {
					break
				}
				continue
			}
			return rest[i:], true
		}
	}
	return s, false
}
