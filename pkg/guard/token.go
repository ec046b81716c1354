package guard

import "strings"

// token is a credential known by its prefix.
type token struct {
	prefix string
	kind   Kind
	class  func(byte) bool
	// min is how many bytes of class must follow the prefix.
	min int
	// ok judges the whole token; nil accepts it.
	ok func(string) bool
}

var tokens = []token{
	{"mnk_", KindAPIKey, isURLSafe, 40, nil}, // our own: see pkg/access
	{"sk-proj-", KindAPIKey, isURLSafe, 12, nil},
	{"sk-ant-", KindAPIKey, isURLSafe, 12, nil},
	{"sk-svcacct-", KindAPIKey, isURLSafe, 12, nil},
	{"sk-or-", KindAPIKey, isURLSafe, 12, nil},
	{"sk-", KindAPIKey, isURLSafe, 16, likeSK}, // OpenAI, DashScope, DeepSeek, Moonshot
	{"AKIA", KindAPIKey, isAlnum, 16, hasDigitOrCaps},
	{"ASIA", KindAPIKey, isAlnum, 16, hasDigitOrCaps},
	{"LTAI", KindAPIKey, isAlnum, 12, hasDigit},
	{"AKID", KindAPIKey, isAlnum, 13, hasDigit},
	{"AIza", KindAPIKey, isURLSafe, 30, nil},
	{"ya29.", KindToken, isDotted, 16, nil},
	{"GOCSPX-", KindAPIKey, isURLSafe, 16, nil},
	{"ghp_", KindAPIKey, isAlnum, 16, nil},
	{"gho_", KindAPIKey, isAlnum, 16, nil},
	{"ghs_", KindAPIKey, isAlnum, 16, nil},
	{"ghu_", KindAPIKey, isAlnum, 16, nil},
	{"ghr_", KindAPIKey, isAlnum, 16, nil},
	{"github_pat_", KindAPIKey, isURLSafe, 16, nil},
	{"glpat-", KindAPIKey, isURLSafe, 16, nil},
	{"xoxa-", KindAPIKey, isURLSafe, 10, nil},
	{"xoxb-", KindAPIKey, isURLSafe, 10, nil},
	{"xoxp-", KindAPIKey, isURLSafe, 10, nil},
	{"xoxr-", KindAPIKey, isURLSafe, 10, nil},
	{"xoxs-", KindAPIKey, isURLSafe, 10, nil},
	{"xapp-", KindAPIKey, isURLSafe, 16, nil},
	{"hooks.slack.com/services/", KindAPIKey, isTokenByte, 16, nil},
	{"sk_live_", KindAPIKey, isAlnum, 12, nil},
	{"sk_test_", KindAPIKey, isAlnum, 12, nil},
	{"rk_live_", KindAPIKey, isAlnum, 12, nil},
	{"rk_test_", KindAPIKey, isAlnum, 12, nil},
	{"pk_live_", KindAPIKey, isAlnum, 12, nil},
	{"whsec_", KindAPIKey, isBase64, 16, nil},
	{"SK", KindAPIKey, isHex, 32, func(s string) bool { return len(s) == 34 }}, // Twilio
	{"SG.", KindAPIKey, isDotted, 30, nil},
	{"npm_", KindAPIKey, isAlnum, 20, nil},
	{"pypi-", KindAPIKey, isURLSafe, 30, nil},
	{"hf_", KindAPIKey, isAlnum, 20, nil},
	{"gsk_", KindAPIKey, isAlnum, 20, nil},
	{"r8_", KindAPIKey, isAlnum, 20, nil},
	{"xai-", KindAPIKey, isURLSafe, 20, nil},
	{"pplx-", KindAPIKey, isAlnum, 20, nil},
	{"nvapi-", KindAPIKey, isURLSafe, 20, nil},
	{"tvly-", KindAPIKey, isURLSafe, 16, nil},
	{"dop_v1_", KindAPIKey, isHex, 32, nil},
	{"shpat_", KindAPIKey, isHex, 20, nil},
	{"dckr_pat_", KindAPIKey, isURLSafe, 16, nil},
	{"ATATT3", KindAPIKey, isTokenByte, 30, nil},
	{"lin_api_", KindAPIKey, isAlnum, 20, nil},
	{"AGE-SECRET-KEY-1", KindPrivateKey, isAlnum, 30, nil},
	{"eyJ", KindToken, isDotted, 20, func(s string) bool { return strings.Contains(s, ".") }},
}

// tokenPrefixes are the prefixes of tokens in lower case.
var tokenPrefixes = func() []string {
	low := make([]string, len(tokens))
	for i := range tokens {
		low[i] = lowerASCII(tokens[i].prefix)
	}
	return low
}()

// findTokens finds credentials by their form alone.
func findTokens(t *folded) []span {
	if t.longest < 15 {
		return nil
	}
	var found []span
	for i := range tokens {
		if !t.may(tokenPrefixes[i]) {
			continue
		}
		found = append(found, tokens[i].find(t.s)...)
	}
	found = append(found, findAzureSecrets(t.s)...)
	return append(found, findBotTokens(t.s)...)
}

func (k *token) find(s string) []span {
	var found []span
	for i := 0; ; {
		j := strings.Index(s[i:], k.prefix)
		if j < 0 {
			return found
		}
		start := i + j
		body := start + len(k.prefix)
		i = body
		if start > 0 && isAlnum(s[start-1]) {
			continue
		}
		end := runEnd(s, body, k.class)
		end = body + len(strings.TrimRight(s[body:end], ".-"))
		if end-body >= k.min && (k.ok == nil || k.ok(s[start:end])) {
			found = append(found, span{start, end, k.kind})
		}
		i = end
	}
}

// likeSK tells a key from a hyphenated name that begins with "sk-".
func likeSK(s string) bool {
	if hasDigit(s) {
		return true
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '-' || r == '_' }) {
		if len(part) >= 16 {
			return true
		}
	}
	return false
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func hasDigitOrCaps(s string) bool { return hasDigit(s) || strings.ToUpper(s) == s }

func hasLetter(s string) bool {
	for i := range len(s) {
		if isLetter(s[i]) {
			return true
		}
	}
	return false
}

// findAzureSecrets finds client secrets: three characters, a digit, "Q~", 31 to 34 more.
func findAzureSecrets(s string) []span {
	var found []span
	class := func(b byte) bool { return isDotted(b) || b == '~' }
	for i := 0; ; {
		j := strings.Index(s[i:], "Q~")
		if j < 0 {
			return found
		}
		q := i + j
		i = q + 2
		end := runEnd(s, i, class)
		if q >= 4 && isDigit(s[q-1]) && class(s[q-2]) && class(s[q-3]) && class(s[q-4]) && end-i >= 31 {
			found = append(found, span{q - 4, end, KindAPIKey})
			i = end
		}
	}
}

// findBotTokens finds Telegram bot tokens: an id of digits, a colon, 30 or more characters.
func findBotTokens(s string) []span {
	var found []span
	for i := 0; ; {
		j := strings.IndexByte(s[i:], ':')
		if j < 0 {
			return found
		}
		colon := i + j
		i = colon + 1
		start := colon
		for start > 0 && isDigit(s[start-1]) && colon-start < 13 {
			start--
		}
		if n := colon - start; n < 6 || n > 12 {
			continue
		}
		if end := runEnd(s, i, isURLSafe); end-i >= 30 {
			found = append(found, span{start, end, KindAPIKey})
			i = end
		}
	}
}
