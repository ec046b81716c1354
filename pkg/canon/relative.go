package canon

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// namesRelative reports whether more is the person or animal that less names, with a name
// besides, or by a closer role: "girlfriend Nina" for girlfriend, 老婆小美 for 太太, wife for
// partner. A role is also a common noun; what follows it is a name if it has a capital, or
// is as short as Chinese names are.
func namesRelative(more, less string) bool {
	role, name, ok := relative(more)
	other, named, ok2 := relative(less)
	if !ok || !ok2 {
		return false
	}
	closer, looser := slices.Contains(closerRoles[other], role), slices.Contains(closerRoles[role], other)
	if named == "" && name != "" {
		return role == other || closer || looser
	}
	return name == named && closer
}

// closerRoles are the roles, in canonical form, that a looser one covers.
var closerRoles = map[string][]string{
	"伴侣": {"妻子", "丈夫", "女朋友", "男朋友", "未婚妻", "未婚夫", "爱人", "对象"},
	"对象": {"妻子", "丈夫", "女朋友", "男朋友", "未婚妻", "未婚夫", "爱人"},
	"爱人": {"妻子", "丈夫"},
}

// relative takes a relative apart into role, in canonical form, and name, if there is one.
func relative(s string) (role, name string, ok bool) {
	s = strings.TrimSpace(s)
	if wholly(relativeRole, s) {
		return Value(s), "", true
	}
	role, name, ok = relativeName(s)
	return Value(role), strings.TrimSpace(name), ok
}

// relativeName takes a relative apart into role and name.
func relativeName(s string) (role, name string, ok bool) {
	at := relativeRole.FindStringIndex(s)
	if at == nil || at[1] >= len(s) {
		return "", "", false
	}
	role, name = s[:at[1]], s[at[1]:]
	if allHan(role) {
		n := utf8.RuneCountInString(name)
		return role, name, n >= 2 && n <= 4 && allHan(name) && !strings.ContainsAny(name, "的和跟与也是在有们家")
	}
	words := strings.Fields(name)
	if name[0] != ' ' || len(words) == 0 || len(words) > 3 {
		return "", "", false
	}
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); !unicode.IsUpper(r) {
			return "", "", false
		}
	}
	return role, name, true
}

// wholly reports whether the whole of s matches.
func wholly(re *regexp.Regexp, s string) bool {
	at := re.FindStringIndex(s)
	return at != nil && at[1] == len(s)
}

// relativeRole are the roles of people to whom one is related, and of their kinds of pets.
var relativeRole = func() *regexp.Regexp {
	re := regexp.MustCompile(`(?i)^(?:(?:older |younger |elder |little |big |twin |eldest |youngest )?(?:wife|husband|girlfriend|boyfriend|partner|fianc[eé]e?|spouse|other half|better half|significant other|mother|mom|mum|father|dad|brother|sister|son|daughter|grandmother|grandma|grandfather|grandpa|aunt|uncle|cousin|nephew|niece|baby|kid|stepson|stepdaughter|stepmother|stepfather|mother-in-law|father-in-law|sister-in-law|brother-in-law)|女朋友|男朋友|女友|男友|老婆|老公|妻子|丈夫|太太|媳妇|爱人|配偶|对象|伴侣|另一半|未婚妻|未婚夫|儿子|女儿|哥哥|弟弟|姐姐|妹妹|双胞胎(?:哥哥|弟弟|姐姐|妹妹))`)
	re.Longest() // a mother-in-law is no mother
	return re
}()
