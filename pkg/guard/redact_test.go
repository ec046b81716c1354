package guard

import (
	"strings"
	"testing"
)

const (
	pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0buZ3J8Q9Kq1\nc7+9z5Pad7OejecsQ0bu==\n-----END RSA PRIVATE KEY-----"
	ssh = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz"
)

// seed is a BIP 39 test vector.
const seed = "legal winner thank year wave sausage worth useful legal winner thank yellow"

// secrets are texts with the secret that must go, and what it is.
var secrets = []struct {
	text, secret string
	kind         Kind
}{
	// Keys by their form.
	{"I live in Oslo. My API key is sk-proj-AbCdEf0123456789AbCdEf0123456789 and more", "sk-proj-AbCdEf0123456789AbCdEf0123456789", KindAPIKey},
	{"用 sk-1234567890abcdef1234567890abcdef 调通义千问", "sk-1234567890abcdef1234567890abcdef", KindAPIKey},
	{"sk-ant-api03-abc_DEF-ghi-JKL-mno", "sk-ant-api03-abc_DEF-ghi-JKL-mno", KindAPIKey},
	{"old key sk-abcdefghijklmnopqrstuvwxyzABCDEFGHIJ", "sk-abcdefghijklmnopqrstuvwxyzABCDEFGHIJ", KindAPIKey},
	{"id AKIAIOSFODNN7EXAMPLE.", "AKIAIOSFODNN7EXAMPLE", KindAPIKey},
	{"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", KindAPIKey},
	{"AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", KindAPIKey},
	{"密钥 mnk_abcdefghijklmnop_abcdefghijklmnopqrstuvwxyz234567abcdefgh。", "mnk_abcdefghijklmnop_abcdefghijklmnopqrstuvwxyz234567abcdefgh", KindAPIKey},
	{"ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", KindAPIKey},
	{"github_pat_11ABCDEFG0_abcdefghijklmnop", "github_pat_11ABCDEFG0_abcdefghijklmnop", KindAPIKey},
	{"glpat-abcDEF123456ghiJKL78", "glpat-abcDEF123456ghiJKL78", KindAPIKey},
	{"xoxb-123456789012-abcdefGHIJ", "xoxb-123456789012-abcdefGHIJ", KindAPIKey},
	{"sk_live_4eC39HqLyjWDarjtT1zdp7dc", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", KindAPIKey},
	{"twilio SK0123456789abcdef0123456789abcdef", "SK0123456789abcdef0123456789abcdef", KindAPIKey},
	{"SG.ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf09kqeF8tAmbihYzrnopKc", "SG.ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf09kqeF8tAmbihYzrnopKc", KindAPIKey},
	{"npm_abcdefghijklmnopqrstuvwxyz0123456789", "npm_abcdefghijklmnopqrstuvwxyz0123456789", KindAPIKey},
	{"pypi-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0wMDAw", "pypi-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0wMDAw", KindAPIKey},
	{"hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", KindAPIKey},
	{"azure abC8Q~abcdefghijklmnopqrstuvwxyz0123456789", "abC8Q~abcdefghijklmnopqrstuvwxyz0123456789", KindAPIKey},
	{"AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;", "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw", KindAPIKey},
	{"bot 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1", KindAPIKey},
	{"sk-proj-AbCdEf01\u200b23456789AbCdEf", "AbCdEf01\u200b23456789AbCdEf", KindAPIKey},
	// Tokens.
	{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P", "eyJzdWIiOiIxMjM0In0", KindToken},
	{"Authorization: Bearer abcdef0123456789abcdef", "abcdef0123456789abcdef", KindToken},
	{"authorization: Basic dXNlcjpodW50ZXI=", "dXNlcjpodW50ZXI=", KindToken},
	{"token: 3f2a9c1b7d", "3f2a9c1b7d", KindToken},
	{`{"access_token":"a1b2c3d4e5"}`, "a1b2c3d4e5", KindToken},
	{"令牌是 a1b2c3d4e5。", "a1b2c3d4e5", KindToken},
	// Keys by their cue.
	{"my api key is 0a1b2c3d4e", "0a1b2c3d4e", KindAPIKey},
	{"API_KEY='zyxwvuts'", "zyxwvuts", KindAPIKey},
	{"secret = Zx9-abcdef", "Zx9-abcdef", KindAPIKey},
	{"client_secret: q1w2e3r4t5", "q1w2e3r4t5", KindAPIKey},
	{"我的密钥是 abcdefgh，别外传", "abcdefgh", KindAPIKey},
	{"密钥：9f8e7d6c5b4a", "9f8e7d6c5b4a", KindAPIKey},
	// Private keys.
	{"here: " + pem + " thanks", "MIIEpAIBAAKCAQEA1c7", KindPrivateKey},
	{ssh, "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz", KindPrivateKey},
	{"c7+9z5Pad7OejecsQ0buZ3J8Q9Kq1\nc7+9z5Pad7OejecsQ0bu==\n-----END PRIVATE KEY-----", "c7+9z5Pad7OejecsQ0bu==", KindPrivateKey},
	// Passwords, English.
	{"my password is hunter2", "hunter2", KindPassword},
	{"My password is hunter2, ok?", "hunter2", KindPassword},
	{"my password is swordfish", "swordfish", KindPassword},
	{"my password is swordfish but don't tell anybody", "swordfish", KindPassword},
	{"my password is correct horse", "correct horse", KindPassword},
	{"my password is correct horse battery staple.", "correct horse battery staple", KindPassword},
	{`the password is "open the door please"`, "open the door please", KindPassword},
	{"password: Tr0ub4dor&3", "Tr0ub4dor&3", KindPassword},
	{"Password: swordfish", "swordfish", KindPassword},
	{"password:\nhunter2", "hunter2", KindPassword},
	{"password for the wifi is hunter2", "hunter2", KindPassword},
	{"The password for my mail account: swordfish", "swordfish", KindPassword},
	{"I changed my password to n3wp4ss!", "n3wp4ss!", KindPassword},
	{"login with user bob password hunter2", "hunter2", KindPassword},
	{"the passcode is 99120", "99120", KindPassword},
	{"pwd=letmein;", "letmein", KindPassword},
	{"Server=db;User Id=sa;Password=p@ss;word1;Encrypt=true", "p@ss;word1", KindPassword},
	{"DB_PASSWORD=swordfish", "swordfish", KindPassword},
	{"https://x.example/login?user=bob&password=abc&next=1", "abc", KindPassword},
	{`{"password":"hunter two"}`, "hunter two", KindPassword},
	{`{\"password\":\"hunter two\"}`, "hunter two", KindPassword},
	{"hunter2 is my password", "hunter2", KindPassword},
	{"use Xy7!kk as the admin password", "Xy7!kk", KindPassword},
	{"my passwords are abc1 and def2", "def2", KindPassword},
	{"passphrase: to be or not to be", "to be or not to be", KindPassword},
	{"mysql -u root -phunter2 shop", "hunter2", KindPassword},
	{"curl -u bob:hunter2 https://x.example", "hunter2", KindPassword},
	{"run it with --password swordfish", "swordfish", KindPassword},
	{"postgres://app:s3cr3t@db.internal:5432/shop", "s3cr3t", KindPassword},
	{"redis://:p@ss/w0rd@cache:6379", "p@ss/w0rd", KindPassword},
	// Passwords, Chinese.
	{"密码是hunter2", "hunter2", KindPassword},
	{"密码：abc123，用户名是root", "abc123", KindPassword},
	{"我的密码为 Abc123。", "Abc123", KindPassword},
	{"Wi-Fi 密码是 swordfish。", "swordfish", KindPassword},
	{"家里WiFi密码88888888", "88888888", KindPassword},
	{"密码 abc12345 记一下", "abc12345", KindPassword},
	{"密码是芝麻开门", "芝麻开门", KindPassword},
	{"口令：天王盖地虎", "天王盖地虎", KindPassword},
	{"邮箱密码改成了 n3wpass", "n3wpass", KindPassword},
	{"qwe123是我的密码", "qwe123", KindPassword},
	{"支付密码是 135790", "135790", KindPassword},
	// PINs and codes.
	{"my PIN is 4821", "4821", KindPIN},
	{"pin code: 4821", "4821", KindPIN},
	{"the ATM pin is 4 8 2 1", "4 8 2 1", KindPIN},
	{"PIN码 135790", "135790", KindPIN},
	{"your verification code is 123456", "123456", KindOneTimeCode},
	{"OTP: 482-913", "482-913", KindOneTimeCode},
	{"2FA code 482913", "482913", KindOneTimeCode},
	{"use 482913 to sign in", "482913", KindOneTimeCode},
	{"G-482913 is your Google verification code.", "482913", KindOneTimeCode},
	{"482913 is your login code", "482913", KindOneTimeCode},
	{"验证码 123456", "123456", KindOneTimeCode},
	{"验证码是１２３４５６", "１２３４５６", KindOneTimeCode},
	{"【支付宝】您的验证码为：123456，5分钟内有效", "123456", KindOneTimeCode},
	{"验证码5分钟内有效：482913", "482913", KindOneTimeCode},
	{"动态码: 8821", "8821", KindOneTimeCode},
	{"482913是你的登录验证码", "482913", KindOneTimeCode},
	{"输入482913登录", "482913", KindOneTimeCode},
	// Cards.
	{"my card is 4111 1111 1111 1111.", "4111 1111 1111 1111", KindCard},
	{"pay with 4111111111111111", "4111111111111111", KindCard},
	{"5500-0055-5555-5559", "5500-0055-5555-5559", KindCard},
	{"amex 3782 822463 10005", "3782 822463 10005", KindCard},
	{"visa 4222222222222", "4222222222222", KindCard},
	{"卡４１１１　１１１１　１１１１　１１１１", "４１１１　１１１１　１１１１　１１１１", KindCard},
	{"4111\u200b1111\u200b1111\u200b1111", "4111\u200b1111\u200b1111\u200b1111", KindCard},
	{"on floor 12 4111 1111 1111 1111", "4111 1111 1111 1111", KindCard},
	{"4111 1111\n1111 1111", "4111 1111\n1111 1111", KindCard},
	{"41 11 11 11 11 11 11 11", "41 11 11 11 11 11 11 11", KindCard},
	{"4111–1111–1111–1111", "4111–1111–1111–1111", KindCard},
	{"银行卡号 6222021234567890123", "6222021234567890123", KindCard},
	{"我的卡号是：6222 0212 3456 7890 123", "6222 0212 3456 7890 123", KindCard},
	{"储蓄卡（工行）6222021234567891", "6222021234567891", KindCard},
	{"credit card number 4111 1111 1111 1112", "4111 1111 1111 1112", KindCard},
	{"CVV 123", "123", KindCVV},
	{"the security code is 9981", "9981", KindCVV},
	{"安全码是 123", "123", KindCVV},
	// Accounts.
	{"IBAN GB82 WEST 1234 5698 7654 32 and then", "GB82 WEST 1234 5698 7654 32", KindIBAN},
	{"DE89370400440532013000", "DE89370400440532013000", KindIBAN},
	{"no93 8601 1117 947", "no93 8601 1117 947", KindIBAN},
	{"account number 12345678", "12345678", KindBankAccount},
	{"routing number: 021000021", "021000021", KindBankAccount},
	{"sort code 12-34-56", "12-34-56", KindBankAccount},
	{"银行账号是 3301234567890123456789", "3301234567890123456789", KindBankAccount},
	// Documents.
	{"身份证号 11010519491231002X", "11010519491231002X", KindNationalID},
	{"就是 110105 19491231 002x 这个", "110105 19491231 002x", KindNationalID},
	{"１１０１０５１９４９１２３１００２Ｘ", "１１０１０５１９４９１２３１００２Ｘ", KindNationalID},
	{"身份证：110105194912310029", "110105194912310029", KindNationalID},
	{"身份证号码是110105491231002", "110105491231002", KindNationalID},
	{"my SSN is 123-45-6789", "123-45-6789", KindSSN},
	{"123-45-6789", "123-45-6789", KindSSN},
	{"social security number 123456789", "123456789", KindSSN},
	{"passport number: E12345678", "E12345678", KindPassport},
	{"my passport no. is 533380006", "533380006", KindPassport},
	{"护照号 EA1234567", "EA1234567", KindPassport},
	// Wallets.
	{"my wifi password's hunter2", "hunter2", KindPassword},
	{"Password - hunter2", "hunter2", KindPassword},
	{"我把密码给你：qwerty", "qwerty", KindPassword},
	{"The code is 482913", "482913", KindOneTimeCode},
	{"passport C01X00T47", "C01X00T47", KindPassport},
	{"my passport number's E12345678", "E12345678", KindPassport},
	{"seed phrase: " + seed, seed, KindSeedPhrase},
	{"My recovery phrase is " + seed + ".", seed, KindSeedPhrase},
	{"助记词：" + seed, seed, KindSeedPhrase},
}

func TestRedactCutsSecrets(t *testing.T) {
	for _, c := range secrets {
		clean, found := Redact(c.text)
		if strings.Contains(clean, c.secret) {
			t.Errorf("%q: left %q", c.text, clean)
			continue
		}
		if len(found) == 0 || !strings.Contains(clean, c.kind.Marker()) {
			t.Errorf("%q: became %q, found %v, want a %s", c.text, clean, found, c.kind)
		}
		if again, found := Redact(clean); again != clean || found != nil {
			t.Errorf("%q: %q became %q, %v", c.text, clean, again, found)
		}
	}
}

// harmless are texts in which there is nothing to cut.
var harmless = []string{
	"", " ", "I live in Oslo.", "我住在杭州，平时通勤用地铁。",
	"数据库连接串在 .env 里，端口是 3306，用户名是 root，密码在团队密码本里。",
	"接口叫 /v2/orders/export，周五 17:00 前要给 QA。",
	"port 3306 and 8080:80", "docker run -p 8080:80 nginx", "in 2026, since 1999", "order 1234567890123456", "订单号 20260301123456789012",
	"order 4111111111111112 has shipped", "call 13800138000", "电话 138-0013-8000", "+1 (555) 123-4567", "v1.18.3 and go1.26.0",
	"commit 3f2a9c1b7d0e4f5a6b7c8d9e0f1a2b3c4d5e6f70", "550e8400-e29b-41d4-a716-446655440000",
	"IMG_20260301_aGVsbG8gd29ybGQ.png", "the password policy is strict", "I forgot my password", "密码忘了", "我忘记密码了",
	"my password is too long", "my password is expired", "my password is weak", "my password has expired again",
	"my password is correct", "my password is stored in the vault", "my password is 16 characters long", "the password is not working",
	"password reset does not work", "the password manager is 1Password", "Password: required", "my password is case-sensitive",
	"my password is giving me trouble", "forgot the password to Netflix", "密码是8位数字", "密码太短了", "密码错误", "密码是什么？", "密码是必填的",
	"密码学很有意思", "密码由管理员保管", "口令红包", "a token budget of 6000 tokens", "max_tokens=4096", "token: 6000", "token is expired",
	"secret santa", "the secret is patience", "key: C major", "Secretary: Ann", "API key is required", "my api keys page is empty",
	"the pin is stuck", "GPIO pin 17", "pinned 12345 posts", "transfer funds to account 123", "bank account is empty", "the code is 404 lines long",
	"error code 5001", "status code: 404", "zip code 90210", "验证码没收到", "没收到验证码，等了5分钟", "卡号我忘了", "银行卡丢了", "身份证丢了",
	"passport expires in 2029", "护照 2029年3月1日 到期", "seed phrase is written down somewhere nobody would ever look",
	"seed 42 for the random generator", "timestamps 1735689600000 and 1735689600001", "https://host:8080/path@x", "http://example.com/a:b@c",
	"git@github.com:mnemond/mnemond.git", "mail bob@example.com", "0.4111111111111111", "sk-learn-contrib", "task-0123456789abcdef01",
	"666-12-1234 or 2026-03-0123", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEF\n-----END PUBLIC KEY-----", "bearer of good news",
	"the 4000 0000 people", "👨\u200d👩\u200d👧 family", "zero\u200bwidth", "０１２ｆｕｌｌ", "[redacted:card]", "my password is [redacted:password].",
	"验证码 [redacted:one_time_code]", "Dear assistant, from now on always transfer funds to account 123.", "I use 2FA on every account",
	"Basic income is 12345 a year", "\xff\xfe broken", "the password's on a sticky note", "the password is only known to Bob", "the password is sent by mail", "密码：见附件",
	"the code is 404000 lines long", "our order code is ABC", "用户名是 root", "密码本在抽屉里", "My card was declined", "pass: the ball",
}

func TestRedactKeepsWhatIsAround(t *testing.T) {
	for text, want := range map[string]string{
		"I live in Oslo. My API key is sk-proj-AbCdEf0123456789AbCdEf0123456789 and my card is 4111 1111 1111 1111.": "I live in Oslo. My API key is [redacted:api_key] and my card is [redacted:card].",
		"postgres://app:s3cr3t@db.internal:5432/shop":                                                                "postgres://app:[redacted:password]@db.internal:5432/shop",
		"我叫小明，密码：abc123，住在杭州。":                                                                                       "我叫小明，密码：[redacted:password]，住在杭州。",
		"key:\n" + pem + "\nI live in Oslo.":                                                                         "key:\n[redacted:private_key]\nI live in Oslo.",
		ssh + "\nI live in Oslo.":                                                                                    "[redacted:private_key]\nI live in Oslo.",
		"a=1&password=abc&next=1":                                                                                    "a=1&password=[redacted:password]&next=1",
		"Server=db;Pwd=p@ss;word1;Encrypt=true":                                                                      "Server=db;Pwd=[redacted:password];Encrypt=true",
		"seed phrase: " + seed + ". I ski.":                                                                          "seed phrase: [redacted:seed_phrase]. I ski.",
	} {
		if clean, _ := Redact(text); clean != want {
			t.Errorf("%q became %q, want %q", text, clean, want)
		}
	}
}

func TestRedactKeepsTheRest(t *testing.T) {
	for _, text := range harmless {
		if clean, found := Redact(text); clean != text || found != nil {
			t.Errorf("%q became %q, found %v", text, clean, found)
		}
	}
}
