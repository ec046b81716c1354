package terms_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/terms"
)

func TestOfEnglish(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{" \t\n", ""},
		{"?!… — 🐱 ❤️", ""},
		{"what is my name?", "name"},
		{"I live in Oslo", "live oslo"},
		{"I'm living in Oslo.", "live oslo"},
		{"Don’t you know where she’s lived?", "know live"},
		{"I can't, won't, shouldn't and y'all couldn't", ""},
		{"Who's Bob's boss? The Smiths' dog", "bob boss smith dog"},
		{"Mr O'Brien", "mr o'brien brien"},
		{"dogs dog's DOG dog", "dog dog dog dog"},
		{"vegetarian vegetarians vegetarianism", "vegetarian vegetarian vegetarian"},
		{"I went there, bought shoes and wrote about it", "go buy shoe write"},
		{"two children, three women", "two child three woman"},
		{"I told you and she said so", ""},
		{"Mum, Mom or Mother; my kid's bikes", "mother mother mother child bicycl"},
		{"a rose in a bit of ground", "rose bit ground"},
		{"coffee and/or tea, either/or", "coffe tea"},
		{"coffee/tea", "coffee/tea coffe tea"},
		{"a well-known state-of-the-art thing", "well-known know state-of-the-art state art thing"},
		{"Zürich São Paulo ﬁne naïve", "zurich sao paulo fine naiv"},
		{"C++, C# and Go; C++.", "c++ c# go c++"},
		{"a+b", "b"},
		{"R&D at AT&T", "r&d at&t"},
		{"wait...what happened--oslo", "wait happen oslo"},
		{"Straße Ελλάδας МОСКВА", "straße ελλάδασ москва"},
		{"soft\u00adhyphen zero\u200bwidth no\ufeffbreak", "softhyphen zero width nobreak"},
		{"bad\xff\xfebytes", "bad byte"},
		{"日本\xe6", "日本"},
	} {
		check(t, tc.text, tc.want)
	}
}

func TestOfIdentifiers(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"upgrade to v1.18.3.", "upgrad v1.18.3 v1 18"},
		{"GET /v2/orders/export?page=2", "v2/orders/export?page=2 v2 order export page"},
		{"(/v2/orders/export)", "v2/orders/export v2 order export"},
		{"ticket PDX-42", "ticket pdx-42 pdx 42"},
		{"port 3306", "port 3306"},
		{"an iPhone13 of 164cm", "iphone13 iphon 13 164cm 164 cm"},
		{"a2 7b a1b2 deadbeef42cafe", "a2 7b a1b2 deadbeef42cafe"},
		{"mail ann.lee@example.com!", "mail ann.lee@example.com ann.lee ann lee example.com exampl com"},
		{"https://example.com/a/b", "https example.com/a/b example.com exampl com"},
		{"user_id=7", "user_id=7 user_id user id"},
		{"at 12:30, on 2026-03-04", "12:30 12 30 2026-03-04 2026 03 04"},
		{"pi is 3.5, or -5", "pi 3.5 5"},
		{"$1,200 and 1,234,567 but 1,2,3 and 1,2345", "1200 1234567 1 2 3 1 2345"},
		{"@alice #golang", "alic golang"},
		{`C:\Users\x`, `c users\x user`},
	} {
		check(t, tc.text, tc.want)
	}
}

func TestOfChinese(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"我住在哪个城市？", "住 城市"},
		{"我喜欢吃米粉。", "喜欢 欢吃 吃米 米粉"},
		{"我养了一只猫，叫咪咪。", "养 猫 叫咪 咪咪"},
		{"橘猫", "橘猫 猫"},
		{"我家有三条狗和2只猫", "家 狗 2 猫"},
		{"这只猫，那条狗，每个人，三十五位客人", "猫 狗 人 客人"},
		{"面条", "面条"},
		{"靠窗的座位", "靠窗 座位"},
		{"3月5日去了成都开会", "3月 5日 成都 都开 开会"},
		{"2019年，28 岁，300元", "2019 2019年 28岁 300 300元"},
		{"生日是02月05号", "生日 2月 5日"},
		{"00点", "00点"},
		{"我父亲和母亲", "爸 妈"},
		{"她老公的外婆", "丈夫 外婆"},
		{"你是谁？你叫什么名字呢？", "叫 名字"},
		{"請問我的貓在哪裡？", "猫"},
		{"我用ＭｙＳＱＬ数据库v8.0", "用 mysql 数据 据库 v8.0 v8"},
		{"我在研究特高压换流阀的阻尼电容。", "研究 究特 特高 高压 压换 换流 流阀 阻尼 尼电 电容"},
		{"有点心想吃", "有点 点心 吃"},
		{"\uf9d1\u2f64", "六用"},
	} {
		check(t, tc.text, tc.want)
	}
}

func TestOfOtherScripts(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"東京タワーに行く", "东京 タワ ワー 行"},
		{"ﾀﾜｰ", "タワ ワー"},
		{"서울에 살아요 김", "서울 울에 살아 아요 김"},
		{"ไทย", "ไท ทย"},
		{"שלום עולם", "שלום עולם"},
		{"हिन्दी", "हिन्दी"},
	} {
		check(t, tc.text, tc.want)
	}
}

func check(t *testing.T, text, want string) {
	t.Helper()
	if got := strings.Join(terms.Of(text), " "); got != want {
		t.Errorf("Of(%q)\n got %s\nwant %s", text, got, want)
	}
}

// Queries and memories of which it is known whether the one is about the other.
func TestQueryMeetsDocument(t *testing.T) {
	for _, tc := range []struct {
		query, document string
		share           bool
	}{
		{"换流阀", "我在研究特高压换流阀的阻尼电容。", true},
		{"雅思备考要怎么安排？", "我在备考雅思。", true},
		{"帮我订座位，我喜欢什么样的座位？", "我喜欢靠窗的座位。", true},
		{"帮我订机票，选什么座位好？", "我喜欢靠窗的座位。", true},
		{"我的猫", "我养了一只猫，叫咪咪。", true},
		{"我的猫", "我家有只橘猫", true},
		{"我的猫叫什么？", "橘猫", true},
		{"我的狗怎么样了", "我养了一只狗。", true},
		{"我住在哪个城市？", "我住在北京。", true},
		{"我对什么过敏？", "我对花生过敏。", true},
		{"我妈妈的生日", "我妈三月生日", true},
		{"我有没有買新車？", "我买了新车", true},
		{"我父亲的生日", "我爸爸8月19号生日", true},
		{"我的iPhone 13", "我用的手机是苹果iPhone13。", true},
		{"when did I buy the bike?", "I bought a bicycle in May.", true},
		{"what did Mum say about the kids?", "My mother likes children.", true},
		{"我3月有什么安排", "3月5日去深圳", true},
		{"我在哪里开会？", "下周三去深圳开会。", true},
		{"where do I live, any allergies?", "I live in Lyon and I'm allergic to shellfish.", true},
		{"what is my favourite colour?", "My favourite colour is green.", true},
		{"which MySQL port?", "mysql listens on 3306", true},
		{"endpoint v2/orders", "It failed at /v2/orders/export.", true},
		{"do I own any dogs?", "I have a dog called Rex", true},
		{"v1.18", "we run qdrant v1.18.3", true},
		{"Zurich", "I moved to Zürich", true},

		{"我住在哪个城市？", "我喜欢吃米粉。", false},
		{"我住在哪个城市", "我养了一只狗。", false},
		{"换流阀", "我喜欢吃米粉。", false},
		{"给我的宠物买点什么？", "我住在杭州", false},
		{"我的名字是什么？", "我是在北京的", false},
		{"我有几只狗", "我有几只猫", false},
		{"我有哪些爱好", "我有两个孩子", false},
		{"你还记得我是谁吗", "记住，我下周要去上海", false},
		{"3月5日", "8月20日", false},
		{"what is my name?", "I live in Oslo", false},
		{"do you remember who I am?", "Remember that you should call me Robin", false},
		{"what's my dog's name?", "I'm allergic to shellfish", false},
		{"v1.18.3", "v2.0.3", false},
	} {
		shared := common(terms.Of(tc.query), terms.Of(tc.document))
		if (len(shared) > 0) != tc.share {
			t.Errorf("%q and %q share %q, want any: %v", tc.query, tc.document, shared, tc.share)
		}
		inVectors := len(common(terms.Query(tc.query).Indices, terms.Document(tc.document).Indices))
		if (inVectors > 0) != tc.share {
			t.Errorf("vectors of %q and %q share %d indices", tc.query, tc.document, inVectors)
		}
	}
}

func common[T comparable](a, b []T) []T {
	var both []T
	for _, x := range a {
		if slices.Contains(b, x) {
			both = append(both, x)
		}
	}
	return both
}

// A noun is found whatever function words stand around it, in the query and in the
// document.
func TestNounsInAnySentence(t *testing.T) {
	nouns := strings.Fields(`猫 狗 车 茶 成都 首都 会议 音乐会 座位 面条 太阳能 过敏 吉他 可乐 人工智能 重要客户 有机蔬菜
		目的地 和服 社会学 酒吧 网吧 个人简历 都江堰 才艺 就业 归还日期 只身旅行 换流阀 雅思 米粉 被子 把手 方向盘 华为手机 埃及 高跟鞋
		以色列 对象 派对 未来 去世 存在 参与者 从业者 该死 别墅 不锈钢 思想 能源 邀请函 帮派 转让 那不勒斯 茶几`)
	frames := strings.Fields(`%s 我的%s 我的%s在哪里？ 我喜欢%s。 他也有%s吗 我们都想要%s了 这个%s和那个%s 一只%s 请给我%s 没有%s的话 你知道%s是什么吗
		对%s我不太懂 为了%s 两个%s都是我的`)
	for _, noun := range nouns {
		for _, q := range frames {
			for _, d := range frames {
				query := terms.Of(strings.ReplaceAll(q, "%s", noun))
				document := terms.Of(strings.ReplaceAll(d, "%s", noun))
				if len(common(query, document)) == 0 {
					t.Errorf("%s in %s and %s: %q, %q", noun, q, d, query, document)
				}
			}
		}
	}
}

func TestSameTextWrittenOtherwise(t *testing.T) {
	alphabet := rapid.RuneFrom([]rune("aZé的猫貓會会住 ，,.-/@'’3５ＡｶカーのКσςΣ\u0301\u200bß1v#+"), unicode.Han, unicode.Latin)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(alphabet).Draw(t, "text")
		if got, want := terms.Of(canon.Simplify(text)), terms.Of(text); !slices.Equal(got, want) {
			t.Fatalf("simplified: %q, want %q", got, want)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("abzAZéÉäÖçкКσςΣ的猫 .-/@'3"))).Draw(t, "text")
		for _, other := range []string{strings.ToUpper(text), strings.ToLower(text)} {
			if got, want := terms.Of(other), terms.Of(text); !slices.Equal(got, want) {
				t.Fatalf("%q: %q, want %q", other, got, want)
			}
		}
	})
}

// Texts that are apart do not change each other's terms.
func TestConcatenation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		want := append(terms.Of(a), terms.Of(b)...)
		if got := terms.Of(a + "\n;\n" + b); !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func FuzzOf(f *testing.F) {
	for _, seed := range []string{"", "I live in Oslo", "我養了一隻貓", "/v2/orders/export", "1,234 3月5日", "C++ c#", "don't", "\xff\xfe猫", "…'''---//", "ไทย हिन्दी", "3\u00a0只"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := terms.Of(text)
		if !slices.Equal(got, terms.Of(text)) {
			t.Fatal("not deterministic")
		}
		for _, term := range got {
			if term == "" || !utf8.ValidString(term) || strings.ContainsFunc(term, unicode.IsSpace) {
				t.Fatalf("bad term %q", term)
			}
		}
		if len(strings.Join(got, "")) > 18*len(text)+64 {
			t.Fatalf("%d bytes make %d bytes of terms", len(text), len(strings.Join(got, "")))
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for name, text := range map[string]string{
		"english": "I moved to Oslo in March and I'm looking for a flat near the university.",
		"chinese": "我三月搬到了杭州，现在想在大学附近找一套两居室的房子。",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				terms.Of(text)
			}
		})
	}
}

// A hostile text costs no more than its length.
func TestLongRunsAreLinear(t *testing.T) {
	const n = 200_000
	for _, unit := range []string{"一", "a", "a.", "a/", "1,234", "'", "/", "c++", "ま", "é", "只", "会"} {
		text := strings.Repeat(unit, n)
		if got := len(terms.Of(text)); got > 3*n {
			t.Errorf("%d times %q gives %d terms", n, unit, got)
		}
	}
}
