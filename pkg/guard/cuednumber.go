package guard

import "regexp"

// numberCue introduces a number that is secret only because of the cue. Latin cues are
// tied to their value by a link; Chinese ones reach over a few words.
type numberCue struct {
	kind  Kind
	words []string
	value *regexp.Regexp
	// loose lets the value of a Latin cue follow without "is" or a colon.
	loose bool
	// before lets the value stand before the cue: "482913 is your login code".
	before bool
}

var (
	pinValue      = regexp.MustCompile(`^\d(?:[ -]?\d){3,11}`)
	cvvValue      = regexp.MustCompile(`^\d{3,4}`)
	codeValue     = regexp.MustCompile(`^(?:[a-z]-)?\d{3}[ -]\d{3}|^(?:[a-z]-)?\d{4,10}|^[a-z]{0,3}\d[a-z0-9]{3,9}|^(?:\d ){3,7}\d`)
	plainCode     = regexp.MustCompile(`^\d{6}|^\d{3}[ -]\d{3}`)
	cardValue     = regexp.MustCompile(`^\d(?:[ -]{0,2}\d){12,18}`)
	bankCardValue = regexp.MustCompile(`^\d(?:[ -]{0,2}\d){15,18}`)
	idValue       = regexp.MustCompile(`^\d(?:[ -]?\d){14,16}(?:[ -]?[\dx])?`)
	anyIDValue    = regexp.MustCompile(`^[a-z]{0,3}\d(?:[ -]?[a-z0-9]){5,17}`)
	ssnValue      = regexp.MustCompile(`^\d{3}[ -]?\d{2}[ -]?\d{4}`)
	passportValue = regexp.MustCompile(`^[a-z]{0,2}\d{6,9}|^[a-z][a-z0-9]{7,8}`)
	accountValue  = regexp.MustCompile(`^[\dx*]{0,4}\d(?:[ -]?\d){4,24}`)
	sortValue     = regexp.MustCompile(`^\d{2}[ -]?\d{2}[ -]?\d{2}`)
)

var numberCues = []numberCue{
	{kind: KindPIN, words: []string{"pin", "pin code", "pincode", "pin码"}, value: pinValue, loose: true, before: true},
	{kind: KindCVV, words: []string{"cvv", "cvv2", "cvc", "cvc2", "card verification value", "card verification code",
		"security code", "安全码", "卡背面三位", "背面后三位", "背面三位"}, value: cvvValue, loose: true},
	{kind: KindOneTimeCode, words: []string{"verification code", "verify code", "one-time code", "one time code",
		"one-time password", "one time password", "one-time passcode", "one-time pin", "otp", "otp code", "totp", "2fa", "2fa code",
		"mfa", "mfa code", "two-factor code", "authentication code", "authenticator code", "auth code", "login code",
		"log-in code", "sign-in code", "signin code", "confirmation code", "security code", "access code", "activation code",
		"recovery code", "backup code", "sms code", "your code", "code to sign in", "code to log in"},
		value: codeValue, loose: true, before: true},
	{kind: KindOneTimeCode, words: []string{"the code", "my code", "this code"}, value: plainCode},
	{kind: KindOneTimeCode, words: []string{"验证码", "驗證碼", "动态码", "动态口令", "动态密码", "校验码", "短信码", "确认码",
		"一次性密码", "一次性口令", "登录码", "授权码", "安全码", "识别码"}, value: codeValue, before: true},
	{kind: KindCard, words: []string{"card number", "card no", "credit card", "debit card", "bank card", "my card", "card is"},
		value: cardValue, loose: true},
	{kind: KindCard, words: []string{"银行卡", "卡号", "卡號", "储蓄卡", "信用卡", "借记卡", "工资卡"}, value: bankCardValue},
	{kind: KindNationalID, words: []string{"身份证", "身份證", "身份号码", "证件号", "证件号码"}, value: idValue},
	{kind: KindNationalID, words: []string{"id card", "identity card", "national id", "identity number", "citizen id"},
		value: anyIDValue, loose: true},
	{kind: KindSSN, words: []string{"ssn", "social security", "social security number", "itin", "tax id"}, value: ssnValue, loose: true},
	{kind: KindPassport, words: []string{"passport"}, value: passportValue, loose: true},
	{kind: KindPassport, words: []string{"护照", "護照", "港澳通行证", "通行证号"}, value: passportValue},
	{kind: KindBankAccount, words: []string{"account number", "account no", "account #", "acct", "acct no", "bank account",
		"routing number", "routing", "aba", "bsb", "transit number"}, value: accountValue, loose: true},
	{kind: KindBankAccount, words: []string{"sort code"}, value: sortValue, loose: true},
	{kind: KindBankAccount, words: []string{"银行账号", "银行账户", "银行帐号", "银行帐户", "收款账号", "对公账号", "对公账户", "账户号码", "开户账号"},
		value: accountValue},
}

// findCuedNumbers finds PINs, codes, cards, accounts and documents by what is said of them.
func findCuedNumbers(t *folded) []span {
	if t.digits < 3 {
		return nil
	}
	var found []span
	for i := range numberCues {
		cue := &numberCues[i]
		for _, word := range cue.words {
			t.sites(word, func(c site) int {
				if s, ok := t.numberBefore(c, cue); ok {
					found = append(found, s)
				}
				start, end, ok := t.numberAt(c, cue)
				if !ok {
					return c.end
				}
				found = append(found, span{start, end, cue.kind})
				return end
			})
		}
	}
	return append(found, findCodesToEnter(t)...)
}

// minDigits is how many digits a value with letters has.
const minDigits = 2

// gap is what may stand between a Chinese cue and its number.
var gap = regexp.MustCompile(`^[^\n。！？!?\da-z]{0,14}`)

func (t *folded) numberAt(c site, cue *numberCue) (start, end int, ok bool) {
	var starts []int
	if c.latin() {
		value, tie := t.link(c)
		if value < 0 || tie == bare && !cue.loose {
			return 0, 0, false
		}
		starts = []int{skipOpeners(t.s, value)}
	} else {
		starts = t.afterGap(c)
	}
	for _, start := range starts {
		window := t.low[start:min(len(t.low), start+48)]
		m := cue.value.FindStringIndex(window)
		if m == nil {
			continue
		}
		end = start + m[1]
		if hasLetter(window[:m[1]]) && len(onlyDigits(window[:m[1]])) < minDigits {
			continue
		}
		if end < len(t.s) && isAlnum(t.s[end]) || measures(t.low[end:]) {
			continue
		}
		return start, end, true
	}
	return 0, 0, false
}

// afterGap lists where the number of a Chinese cue may begin: behind a few characters, and
// behind one short number among them (验证码5分钟内有效：482913).
func (t *folded) afterGap(c site) []int {
	window := t.low[c.end:min(len(t.low), c.end+linkWindow)]
	first := len(gap.FindString(window))
	starts := []int{c.end + first}
	next := runEnd(window, first, isAlnum)
	if n := next - first; n > 0 && n <= 4 {
		starts = append(starts, c.end+next+len(gap.FindString(window[next:])))
	}
	return starts
}

var unit = regexp.MustCompile(`^(?: ?(?:年|月|日|位|个|次|天|分钟|小时|秒|元|块|条)| (?:characters|chars|digits|lines|files|bytes|times|days|minutes|hours|seconds)\b|[.:/]\d)`)

// measures reports whether a number is a date, an amount or a count.
func measures(rest string) bool { return unit.MatchString(rest[:min(len(rest), 24)]) }

var (
	codeIsYours   = regexp.MustCompile(`(?:^|[^a-z0-9])((?:[a-z]-)?(?:\d{3}[ -]\d{3}|\d{4,10}))[ \t]+(?:is|as|was)[ \t]+(?:your|the|my|our|a)(?:[ \t]+[\w'.-]+){0,4}[ \t]+$`)
	codeIsYoursZH = regexp.MustCompile(`(?:^|[^a-z0-9])(\d{3}[ -]\d{3}|\d{4,8})[ \t]*(?:就?是|为|作为|[(（]|即)[^\n。\da-z]{0,12}$`)
	codeToEnter   = regexp.MustCompile(`(?:use|enter|type|input|code|code is|输入|使用|用|填写)[ \t]*(?:the |this )?(?:code )?[ \t:]*(\d{3}[ -]\d{3}|\d{4,8})[ \t]*(?:on [\w .]{1,20})?$`)
)

// numberBefore finds "482913 is your verification code" and 482913 是你的验证码.
func (t *folded) numberBefore(c site, cue *numberCue) (span, bool) {
	if !cue.before {
		return span{}, false
	}
	form, from := codeIsYours, max(0, c.start-80)
	if !c.latin() {
		form = codeIsYoursZH
	}
	if c.word == "your code" {
		return span{}, false
	}
	return before(t, form, from, c.start, cue.kind)
}

// before finds the first group of form in what ends at end.
func before(t *folded, form *regexp.Regexp, from, end int, kind Kind) (span, bool) {
	m := form.FindStringSubmatchIndex(t.low[from:end])
	if m == nil || m[2] == 0 && from > 0 {
		return span{}, false
	}
	return span{from + m[2], from + m[3], kind}, true
}

// findCodesToEnter finds "use 482913 to sign in" and 输入482913登录.
func findCodesToEnter(t *folded) []span {
	var found []span
	for _, word := range []string{"to sign in", "to log in", "to login", "to verify", "to confirm", "to complete",
		"登录", "登陆", "完成验证", "验证身份", "进行验证"} {
		t.sites(word, func(c site) int {
			if s, ok := before(t, codeToEnter, max(0, c.start-64), c.start, KindOneTimeCode); ok {
				found = append(found, s)
			}
			return c.end
		})
	}
	return found
}

var (
	seedCues = []string{"seed phrase", "seed words", "recovery phrase", "recovery words", "backup phrase", "mnemonic",
		"mnemonic phrase", "wallet seed", "wallet words", "12 words", "24 words", "助记词", "助記詞", "恢复短语", "恢复词"}
	seedWords = regexp.MustCompile(`^(?:[^\n:]{0,40}:)?[^a-z\p{Han}]{0,12}(?:(?:is|are|是|为)[^a-z\p{Han}]{0,6})?((?:[a-z]{3,8}[\s,.\d)、，-]{1,6}){11,23}[a-z]{3,8})`)
	seedHan   = regexp.MustCompile(`^[^\p{Han}\n]{0,12}(?:(?:是|为)[^\p{Han}\n]{0,6})?((?:\p{Han}[ 、,，]{1,2}){11,23}\p{Han})`)
)

// findSeedPhrases finds the 12 to 24 words of a wallet after a cue.
func findSeedPhrases(t *folded) []span {
	var found []span
	for _, word := range seedCues {
		t.sites(word, func(c site) int {
			window := t.low[c.end:min(len(t.low), c.end+480)]
			for _, form := range []*regexp.Regexp{seedWords, seedHan} {
				if m := form.FindStringSubmatchIndex(window); m != nil {
					found = append(found, span{c.end + m[2], c.end + m[3], KindSeedPhrase})
					return c.end + m[3]
				}
			}
			return c.end
		})
	}
	return found
}
