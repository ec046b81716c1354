package guard

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// keyCues introduce a credential without a form of its own.
var keyCues = []struct {
	kind  Kind
	words []string
	// letters is how long a value of letters alone must be.
	letters int
}{
	{KindAPIKey, []string{"api key", "api-key", "api_key", "apikey", "secret key", "secret-key", "secret_key", "secretkey",
		"access key", "access-key", "access_key", "accesskey", "accountkey", "sharedaccesskey", "app key", "app_key", "appkey",
		"auth key", "auth_key", "signing key", "encryption key", "license key", "subscription-key"}, 8},
	{KindPrivateKey, []string{"private key", "private_key", "privatekey"}, 16},
	{KindAPIKey, []string{"密钥", "秘钥", "密匙", "金钥", "私钥"}, 6},
	{KindToken, []string{"令牌"}, 6},
	{KindToken, []string{"token", "session_id", "sessionid", "session id", "jsessionid", "phpsessid"}, 16},
	{KindAPIKey, []string{"secret", "credential", "credentials", "appsecret", "app_secret"}, 16},
}

// findCuedKeys finds "api_key=…", "token: …", "my API key is …", 我的密钥是…
func findCuedKeys(t *folded) []span {
	found := append(t.findBearer("bearer"), t.findBearer("basic")...)
	for _, cue := range keyCues {
		for _, word := range cue.words {
			t.sites(word, func(c site) int {
				start, end, ok := t.keyValue(c, cue.letters)
				if !ok {
					return c.end
				}
				found = append(found, span{start, end, cue.kind})
				return end
			})
		}
	}
	return found
}

func (t *folded) keyValue(c site, letters int) (start, end int, ok bool) {
	start, tie := t.link(c)
	if start < 0 || start >= len(t.s) {
		return 0, 0, false
	}
	tight := t.s[start-1] == '='
	if from, to, ok := quoted(t.s, start); ok {
		value := t.s[from:to]
		return from, to, !strings.Contains(value, " ") && keyLike(value, tie, letters, tie == assign)
	}
	if start = skipOpeners(t.s, start); start >= len(t.s) {
		return 0, 0, false
	}
	if end = run(t.s, start, judged); !keyLike(t.s[start:end], tie, letters, tight) {
		return 0, 0, false
	}
	return start, run(t.s, start, len(t.s)), true
}

// keyLike reports whether a value can be a credential. A strict one is tied so closely to
// its cue that letters need no length.
func keyLike(s string, tie strength, letters int, strict bool) bool {
	low := lowerASCII(s)
	n := len(s)
	digits := hasDigit(s)
	switch {
	case n < 6 || !hasLetter(s) && !digits || ordinary[low] || schemes[low]:
		return false
	case tie == bare:
		return n >= 16 && digits && hasLetter(s)
	case digits && hasLetter(s):
		return true
	case digits:
		return n >= 8
	case strict || secretive(s):
		return true
	}
	return n >= letters && utf8.ValidString(s) && !adjectival.MatchString(low)
}

// schemes are values that name a kind of credential, or its absence.
var schemes = words("bearer basic digest optional required string number boolean integer undefined process.env nullptr santa")

var bearerValue = regexp.MustCompile("^[ \t]+([A-Za-z0-9._~+/-]{8,256}={0,2})")

// findBearer finds the credentials of an Authorization header.
func (t *folded) findBearer(scheme string) []span {
	var found []span
	t.sites(scheme, func(c site) int {
		m := bearerValue.FindStringSubmatchIndex(t.s[c.end:min(len(t.s), c.end+300)])
		if m == nil {
			return c.end
		}
		start, end := c.end+m[2], c.end+m[3]
		value := t.s[start:end]
		header := strings.Contains(t.low[max(0, c.start-20):c.start], "authorization")
		if header || hasDigit(value) && len(value) >= 16 {
			end = start + runLength(t.s[start:])
			found = append(found, span{start, end, KindToken})
			return end
		}
		return c.end
	})
	return found
}
