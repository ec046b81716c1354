package guard

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var passwordCues = []string{
	"password", "passwords", "passwd", "passcode", "passphrase", "passkey", "pwd", "psw", "pw", "my pass", "pass",
	"wifi key", "wi-fi key", "密码", "密碼", "口令", "通行码", "暗号",
}

// ordinary are the words that say something about a password rather than being one.
var ordinary = words(`
	too very so really quite pretty super extremely fairly just still now again soon already always never often
	not no none null nil n/a empty blank unset undefined unknown missing redacted hidden masked secret private
	confidential personal public shared common same different unique new old older long longer short shorter weak
	weaker strong stronger strict simple complex complicated easy hard difficult tricky random secure insecure safe
	unsafe good bad great fine ok okay correct incorrect right wrong invalid valid true false expired expiring
	required mandatory optional needed necessary important essential case-sensitive sensitive plain plaintext
	encrypted hashed stored saved kept written changed reset updated lost forgotten stolen leaked compromised
	breached reused recycled protected managed generated rotated enforced disabled enabled locked available
	due overdue stale outdated temporary permanent default something anything everything nothing somewhere elsewhere
	here there gone broken working failing outside above below attached see ask check contact look use please tbd
	string number text bool int bytes yes what who where which how why when likely characters char chars letters
	digits enough alright annoying terrible awful stupid obvious guessable memorable impossible fine. 1password
	bitwarden lastpass keepass keychain vault 2fa mfa bcrypt argon2 sha256 sha-256 md5 base64 utf-8 plain-text
	pending ready set up off on out down back well also only both either simply actually currently about
	supposed guess sent known shown given taken found held put hid built made left seen`)

// connective are the words with which a sentence goes on: they end a passphrase, and what
// begins with one is prose.
var connective = words(`
	a an the this that these those my your his her our their its it i i'm i've we you he she they me us them
	and or but so because since as if when while after before until than then though although which who whose
	to for of on in at from with without by into over under about via per between during against
	is was are were be been being has have had do does did don't doesn't isn't wasn't won't can't can could
	should would will must may might shall not please thanks thank btw by`)

var (
	unitNumber  = regexp.MustCompile(`^\d{1,3}(?:\+|(?:-[a-z]+)+|(?:st|nd|rd|th|h|d|m|s|ms|k)?)$`)
	hyphenWords = regexp.MustCompile(`^[a-z]+(?:['’-][a-z]+)*$`)
	adjectival  = regexp.MustCompile(`^[a-z]{2,}(?:ing|ed|able|ible|ly|less|ful)$`)
)

// findPasswords finds the values of password cues, before or behind them.
func findPasswords(t *folded) []span {
	var found []span
	for _, word := range passwordCues {
		t.sites(word, func(c site) int {
			if s, ok := t.passwordBefore(c); ok {
				found = append(found, s)
			}
			spans := t.passwordsAt(c)
			if len(spans) == 0 {
				return c.end
			}
			found = append(found, spans...)
			return spans[len(spans)-1].end
		})
	}
	return found
}

// passwordsAt returns the value of a cue and what is enumerated after it ("abc1 and abc2").
func (t *folded) passwordsAt(c site) []span {
	start, tie := t.link(c)
	if start < 0 || start >= len(t.s) {
		return nil
	}
	if strings.HasPrefix(t.s[max(0, c.start-2):], "--") && c.start >= 2 {
		tie = assign // a command's --password value
	}
	if c.word == "pass" && (tie != assign || !secretive(t.s[start:run(t.s, start, judged)])) {
		return nil
	}
	start, end, ok := t.passwordValue(c, start, tie)
	if !ok {
		return nil
	}
	spans := []span{{start, end, KindPassword}}
	for {
		m := enumeration.FindStringIndex(t.low[end:min(len(t.low), end+16)])
		if m == nil {
			return spans
		}
		start = end + m[1]
		end = run(t.s, start, judged)
		if !secretive(t.s[start:end]) {
			return spans
		}
		end = run(t.s, start, len(t.s))
		spans = append(spans, span{start, end, KindPassword})
	}
}

var enumeration = regexp.MustCompile("^[\"'`”]?(?:,? (?:and|or|then|&) |, |/ ?|[ ]?(?:和|或者?|、|以及) ?)[\"'`“]?")

// passwordValue returns the place of the password that begins at start.
func (t *folded) passwordValue(c site, start int, tie strength) (from, to int, ok bool) {
	if from, to, ok = quoted(t.s, start); ok {
		return from, to, tie != bare && !redundant(t.low[from:to]) || secretive(t.s[from:to])
	}
	if start = skipOpeners(t.s, start); start >= len(t.s) {
		return 0, 0, false
	}
	if r, _ := utf8.DecodeRuneInString(t.s[start:]); isCJK(r) {
		end := hanRun(t.s, start)
		return start, end, hanPassword(t.s[start:end], tie)
	}
	end := run(t.s, start, judged)
	value := t.s[start:end]
	switch {
	case value == "" || countsSomething(value, t.s[end:]):
		return 0, 0, false
	case secretive(value):
		return start, run(t.s, start, len(t.s)), true
	case tie == bare:
		return 0, 0, false
	case !c.latin() || tie == assign && start > 0 && t.s[start-1] == '=':
		return start, end, !ordinary[t.low[start:end]] && !shortNumber(value)
	}
	end = t.phrase(start, tie)
	return start, end, end > start
}

// redundant reports whether a quoted value is one word that states no password.
func redundant(low string) bool { return ordinary[strings.TrimSpace(low)] }

// secretive reports whether a value looks like a password by itself: it has a digit, a
// symbol, or capitals in an odd place.
func secretive(s string) bool {
	low := lowerASCII(s)
	if ordinary[low] || unitNumber.MatchString(low) || len(s) < 3 {
		return false
	}
	if hasDigit(s) {
		return true
	}
	if strings.Trim(s, "-_=*.·~/\\|:;,()[]{}<>") == "" {
		return false // a rule or an empty field, not a value
	}
	if hyphenWords.MatchString(low) {
		for i := 1; i < len(s); i++ {
			if isUpper(s[i]) && isLower(s[i-1]) {
				return true
			}
		}
		return false
	}
	return strings.ContainsAny(s[:len(s)-1], "!@#$%^&*_+=~?|<>{}[]/\\") || strings.ContainsAny(s[len(s)-1:], "@#$%^&*_+=~|")
}

func shortNumber(s string) bool { return len(s) < 3 && onlyDigits(s) == s }

var chineseUnit = regexp.MustCompile(`^ ?(?:位|个|次|天|年|月|日|分钟|小时|秒|种|字符|遍|条)`)

// countsSomething reports whether a value is a number that counts what follows it.
func countsSomething(value, rest string) bool {
	return onlyDigits(value) == value && chineseUnit.MatchString(rest[:min(len(rest), 16)])
}

// maxPhrase is the longest passphrase, in words.
const maxPhrase = 10

// phrase is the end of the passphrase of letters that begins at start, or start if what
// stands there is prose: "hunter", "correct horse" against "too long", "in the vault". A
// connective ends it, unless an assigned one begins with a connective ("to be or not").
func (t *folded) phrase(start int, tie strength) int {
	end, telling, odd := start, false, false
	for i, n := start, 0; ; n++ {
		next := run(t.s, i, judged)
		word := t.low[i:next]
		if word == "" || n > 0 && next < len(t.s) && (t.s[next] == ':' || t.s[next] == '=') {
			break
		}
		if n == 0 && connective[word] {
			if tie != assign || places[word] {
				return start
			}
			odd = true
		}
		if n > 0 && connective[word] && !odd {
			break
		}
		if n == maxPhrase {
			if tie == assign {
				return run(t.s, start, judged) // a password, then a sentence
			}
			return start
		}
		telling = telling || !ordinary[word] && !adjectival.MatchString(word) && !shortNumber(word)
		end = next
		if next+1 >= len(t.s) || t.s[next] != ' ' {
			break
		}
		i = next + 1
	}
	if !telling {
		return start
	}
	return end
}

// places are the connectives with which the place of a password begins.
var places = words("in at on under with from by the see")

// hanProse are the characters and words that make a run of Chinese a sentence.
var hanProse = regexp.MustCompile(`[的了吗呢吧啊不没在我你您他她它谁哪么很太要会能需请把被让给忘记错对]|什么|多少|过期|默认|^(?:详?见|参见|同上|问|找)|一样|相同|必填|为空|问题|明文|加密|保密|生日|电话|手机号|名字|随机`)

// hanPassword reports whether a run of Chinese after a password cue is the password
// itself (芝麻开门) rather than something about it.
func hanPassword(s string, tie strength) bool {
	n := utf8.RuneCountInString(s)
	if hanProse.MatchString(s) || n < 2 {
		return false
	}
	return tie == assign && n <= maxHan || tie == copula && n <= 10
}

var (
	valueIsMine   = regexp.MustCompile(`(\S+)[ \t]+(?:is|as|was|for)[ \t]+(?:my|the|our|his|her|their)(?:[ \t]+[\w'-]+){0,3}[ \t]+$`)
	valueIsMineZH = regexp.MustCompile(`([!-~]{4,64})[ \t]*(?:就?是|作为|当作?)[ \t]*我?们?的?[^\n,，。!-~]{0,8}[ \t]*$`)
)

// passwordBefore finds "hunter2 is my password" and "use hunter2 as the password".
func (t *folded) passwordBefore(c site) (span, bool) {
	from := max(0, c.start-96)
	form := valueIsMineZH
	if c.latin() {
		form = valueIsMine
	}
	m := form.FindStringSubmatchIndex(t.low[from:c.start])
	if m == nil {
		return span{}, false
	}
	start := skipOpeners(t.s, from+m[2])
	end := start + len(strings.TrimRight(t.s[start:from+m[3]], "\"'`,"))
	if start >= end || from > 0 && start == from || !secretive(t.s[start:end]) {
		return span{}, false
	}
	if i := strings.LastIndexFunc(t.s[start:end], isCJK); i >= 0 {
		_, n := utf8.DecodeRuneInString(t.s[start+i:])
		start += i + n
	}
	return span{start, end, KindPassword}, start < end
}
