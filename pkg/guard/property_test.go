package guard

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/memory"
	"pgregory.net/rapid"
)

// around is ordinary text to plant secrets in, in both languages.
var around = rapid.SampledFrom([]string{
	"", "I live in Oslo. ", "By the way, ", "Order 42 has shipped.\n", "数据库在 .env 里。", "我住在杭州，", "端口是 3306。\n", "you know — ",
	"\n\n", "(see below) ", "“quoted” ", "👩‍🔬 ", "- item ", "my flight is at 17:00; ", "版本 v1.18.3，", "\t", "zero\u200bwidth ",
})

// behind is what may follow a secret; something always sets it apart from the next word.
var behind = rapid.SampledFrom([]string{".", "。", ", thanks", "，谢谢", "\nI ski.", " and I live in Oslo.", "！", " 记一下", "; bye", "\n\n"})

func chars(set string, least, most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return string(rapid.SliceOfN(rapid.SampledFrom([]rune(set)), least, most).Draw(t, "chars"))
	})
}

const (
	alnum  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	digits = "0123456789"
	hexes  = "0123456789abcdef"
)

// cued makes a secret of body behind one of cues.
func cued(kind Kind, body *rapid.Generator[string], cues ...string) planted {
	return planted{kind, func(t *rapid.T) (string, string) {
		secret := body.Draw(t, "secret")
		return rapid.SampledFrom(cues).Draw(t, "cue") + secret, secret
	}}
}

// planted draws a text that holds a secret, and the secret.
type planted struct {
	kind Kind
	draw func(t *rapid.T) (text, secret string)
}

func prefixed(prefix string, body *rapid.Generator[string]) planted {
	return cued(KindAPIKey, rapid.Map(body, func(s string) string { return prefix + s }), "", "key ", "用 ")
}

var plants = []planted{
	prefixed("sk-proj-", chars(alnum+"_", 20, 60)),
	prefixed("sk-ant-api03-", chars(alnum+"_", 20, 90)),
	prefixed("sk-", chars(hexes, 32, 32)),
	prefixed("ghp_", chars(alnum, 36, 36)),
	prefixed("github_pat_", chars(alnum+"_", 40, 80)),
	prefixed("AKIA", chars("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16, 16)),
	prefixed("AIza", chars(alnum+"_", 35, 35)),
	prefixed("glpat-", chars(alnum+"_", 20, 20)),
	prefixed("xoxb-", chars(alnum, 20, 50)),
	prefixed("sk_live_", chars(alnum, 24, 24)),
	prefixed("hf_", chars(alnum, 34, 34)),
	cued(KindToken, rapid.Custom(func(t *rapid.T) string {
		part := chars(alnum+"_", 10, 60)
		return "eyJ" + part.Draw(t, "head") + ".eyJ" + part.Draw(t, "body") + "." + part.Draw(t, "sign")
	}), "", "jwt ", "Bearer "),
	cued(KindAPIKey, rapid.Map(chars(alnum, 16, 40), func(s string) string { return "a1" + s }),
		"my API key is ", "api_key=", "secret: ", "client_secret = ", "我的密钥是", "密钥：", "access token: ", "token="),
	cued(KindPassword, rapid.Map(chars(alnum+"!@#$%^*_+", 5, 24), func(s string) string { return "x" + s + "7Q" }),
		"my password is ", "password: ", "Password=", "pwd=", "the passcode is ", "密码是", "密码：", "我的密码为 ", "Wi-Fi 密码是 ", "口令: ", "the password for the router is "),
	cued(KindPassword, rapid.SampledFrom([]string{"swordfish", "correct horse", "correct horse battery staple", "Fluffy"}),
		"my password is ", "password: ", "The Passphrase is "),
	cued(KindPassword, rapid.SampledFrom([]string{"芝麻开门", "天王盖地虎"}), "密码是", "口令：", "密码为"),
	{KindPassword, func(t *rapid.T) (string, string) {
		secret := chars(alnum+"!$%^*_+-", 4, 20).Draw(t, "secret")
		return "postgres://app:" + secret + "@db.internal:5432/shop", ":" + secret + "@"
	}},
	cued(KindPrivateKey, rapid.Map(chars(alnum+"+/", 64, 64), func(s string) string { return s }),
		"-----BEGIN PRIVATE KEY-----\n", "-----BEGIN OPENSSH PRIVATE KEY-----\n", "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIBkgAAAAAAAAAAAAAAAA\n"),
	cued(KindCard, cards(), "", "my card is ", "卡号是", "card number: "),
	cued(KindCVV, chars(digits, 3, 4), "CVV ", "cvc: ", "安全码是"),
	cued(KindIBAN, ibans(), "", "IBAN: ", "账户 "),
	cued(KindCard, chars(digits, 16, 19), "银行卡号 ", "卡号：", "储蓄卡号码是"),
	cued(KindNationalID, chineseIDs(), "", "身份证号 ", "我的身份证号码是"),
	cued(KindNationalID, chars(digits, 18, 18), "身份证号：", "身份证号码是 "),
	cued(KindSSN, rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("%03d-%02d-%04d", rapid.IntRange(1, 665).Draw(t, "a"), rapid.IntRange(1, 99).Draw(t, "b"), rapid.IntRange(1, 9999).Draw(t, "c"))
	}), "", "my SSN is ", "SSN: "),
	cued(KindPassport, rapid.Map(chars(digits, 8, 8), func(s string) string { return "E" + s }), "passport number: ", "护照号 ", "my passport no is "),
	cued(KindOneTimeCode, chars(digits, 4, 8), "验证码 ", "验证码是", "your verification code is ", "OTP: ", "动态码：", "2FA code "),
	cued(KindPIN, chars(digits, 4, 6), "my PIN is ", "PIN: ", "pin code "),
	cued(KindBankAccount, chars(digits, 8, 12), "account number: ", "routing number is ", "银行账号是"),
	cued(KindSeedPhrase, rapid.Map(rapid.SliceOfN(rapid.SampledFrom(strings.Fields(seed)), 12, 24),
		func(w []string) string { return strings.Join(w, " ") }), "seed phrase: ", "my recovery phrase is ", "助记词："),
}

// cards makes Luhn-valid numbers in the groups, blanks and widths in which people write them.
func cards() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		n := rapid.IntRange(13, 19).Draw(t, "n")
		number := rapid.SampledFrom([]string{"4", "51", "37", "62", "6011", "35"}).Draw(t, "issuer")
		number += chars(digits, n, n).Draw(t, "body")
		number = number[:n-1]
		for d := range 10 {
			if full := number + fmt.Sprint(d); luhn(full) {
				number = full
				break
			}
		}
		sep := rapid.SampledFrom([]string{"", " ", "-", "\u00a0", "\u3000", "\u200b", "–"}).Draw(t, "separator")
		wide := rapid.Bool().Draw(t, "wide")
		var b strings.Builder
		for i, d := range number {
			if i > 0 && i%4 == 0 {
				b.WriteString(sep)
			}
			if wide {
				d += '０' - '0'
			}
			b.WriteRune(d)
		}
		return b.String()
	})
}

func ibans() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		body := chars(digits, 18, 18).Draw(t, "account")
		n, _ := new(big.Int).SetString(body+"131400", 10)
		check := 98 - int(new(big.Int).Mod(n, big.NewInt(97)).Int64())
		iban := fmt.Sprintf("DE%02d%s", check, body)
		if rapid.Bool().Draw(t, "grouped") {
			iban = strings.Join([]string{iban[:4], iban[4:8], iban[8:12], iban[12:16], iban[16:20], iban[20:]}, " ")
		}
		return iban
	})
}

func chineseIDs() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		id := fmt.Sprintf("%06d%04d%02d%02d%03d", rapid.IntRange(110000, 659999).Draw(t, "place"), rapid.IntRange(1900, 2020).Draw(t, "year"),
			rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 28).Draw(t, "day"), rapid.IntRange(0, 999).Draw(t, "order"))
		for _, c := range "0123456789X" {
			if full := id + string(c); chineseID(full) {
				return full
			}
		}
		panic("no check character")
	})
}

func TestPlantedSecretsAreCut(t *testing.T) {
	for i, p := range plants {
		t.Run(fmt.Sprintf("%d %s", i, p.kind), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				said, secret := p.draw(t)
				text := around.Draw(t, "before") + around.Draw(t, "before") + said + behind.Draw(t, "behind") + around.Draw(t, "after")
				clean, found := Redact(text)
				if strings.Count(clean, secret) >= strings.Count(text, secret) {
					t.Fatalf("%q left %q", text, clean)
				}
				if len(found) == 0 || !utf8.ValidString(clean) {
					t.Fatalf("%q became %q with %v", text, clean, found)
				}
				if again, more := Redact(clean); again != clean || more != nil {
					t.Fatalf("%q became %q, then %q", text, clean, again)
				}
			})
		})
	}
}

// texts draws texts in which cues, values and marks stand in any order.
var texts = rapid.Custom(func(t *rapid.T) string {
	parts := rapid.SliceOfN(rapid.OneOf(around, behind, rapid.String(), rapid.SampledFrom([]string{
		"password", " is ", ": ", "=", "密码", "是", "hunter2", "4111 1111", " 1111 1111", "PIN", "4821", "验证码", "[redacted:", "card", "]",
		"[redacted:pin]", "token", "api key", "-----BEGIN PRIVATE KEY-----", "://a:b@", "\"", "'", " and ", "my ", "１２３", "\u200b", "passport",
		"```", "~~~", "\n> ", "\nAlice: ", "\nBob：", "Translate this: ", "帮我润色：", BlockOpen, BlockClose, "[memory 7c1e, 2026-03-01] ", "“", "”", "‘",
		"\n", StaleNoticeZH, "发件人：", "\nFrom: a\nTo: b",
	})), 0, 24).Draw(t, "parts")
	return strings.Join(parts, "")
})

func TestRedactIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRedact(t, texts.Draw(t, "text")) })
}

func TestSanitiseLeavesPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkSanitise(t, texts.Draw(t, "text")) })
}

func TestQuotedSpansAreOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkSpans(t, texts.Draw(t, "text")) })
}

// failer is what *testing.T and *rapid.T have in common here.
type failer interface {
	Fatalf(format string, args ...any)
}

func checkRedact(t failer, text string) {
	clean, found := Redact(text)
	if again, more := Redact(clean); again != clean || more != nil {
		t.Fatalf("%q became %q, then %q", text, clean, again)
	}
	if (clean == text) != (found == nil) {
		t.Fatalf("%q became %q with %v", text, clean, found)
	}
	if utf8.ValidString(text) && !utf8.ValidString(clean) {
		t.Fatalf("%q became invalid: %q", text, clean)
	}
	rest := text
	for i, part := range splitMarkers(clean) {
		j := strings.Index(rest, part)
		if j < 0 || i == 0 && j > 0 {
			t.Fatalf("%q became %q, whose %q is not in it", text, clean, part)
		}
		rest = rest[j+len(part):]
	}
}

func splitMarkers(s string) []string {
	var parts []string
	for {
		start, end := nextMarker(s, 0)
		parts = append(parts, s[:start])
		if start == len(s) {
			return parts
		}
		s = s[end:]
	}
}

func checkSanitise(t failer, text string) {
	m := memory.Message{Number: 3, Role: memory.RoleUser, Content: text}
	got := Sanitise([]memory.Message{m})[0]
	if got.Number != 3 || got.Role != memory.RoleUser || got.Context || m.Content != text {
		t.Fatalf("%q: fields changed: %+v", text, got)
	}
	rest := text
	for l := range strings.SplitSeq(got.Content, "\n") {
		i := strings.Index(rest, l)
		if i < 0 {
			t.Fatalf("%q became %q, whose %q is not in it", text, got.Content, l)
		}
		rest = rest[i+len(l):]
	}
	for _, mark := range []string{BlockOpen, BlockClose, StaleNoticeEN, StaleNoticeZH} {
		if strings.Contains(lowerASCII(got.Content), mark) {
			t.Fatalf("%q kept %q: %q", text, mark, got.Content)
		}
	}
}

func checkSpans(t failer, text string) {
	done := 0
	for _, s := range QuotedSpans(text) {
		if s[0] < done || s[1] <= s[0] || s[1] > len(text) {
			t.Fatalf("%q: span %v after %d", text, s, done)
		}
		if utf8.ValidString(text) && !utf8.ValidString(text[s[0]:s[1]]) {
			t.Fatalf("%q: span %v cuts a character", text, s)
		}
		done = s[1]
	}
}

func FuzzGuard(f *testing.F) {
	for _, c := range secrets {
		f.Add(c.text)
	}
	for _, text := range harmless {
		f.Add(text)
	}
	f.Add("Translate this: “a\n> b\n```c\nAlice: d\nBob: e")
	f.Fuzz(func(t *testing.T, text string) {
		checkRedact(t, text)
		checkSanitise(t, text)
		checkSpans(t, text)
	})
}

func TestFindingsHoldNoSecretAndKeepTheirOrder(t *testing.T) {
	_, found := Redact("PIN 4821, 验证码 123456, my card is 4111 1111 1111 1111 or 5500-0055-5555-5559")
	want := []Finding{{KindPIN, 1}, {KindCard, 2}, {KindOneTimeCode, 1}}
	if !slices.Equal(found, want) {
		t.Errorf("got %v, want %v", found, want)
	}
}
