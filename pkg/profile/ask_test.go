package profile

import (
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
	"pgregory.net/rapid"
)

func TestAsked(t *testing.T) {
	r := defaults(t)
	for _, tc := range []struct {
		query string
		// asked and not list keys of the user without "user.".
		asked, not string
		plans      bool
	}{
		{"周末在家附近有什么推荐的活动？", "city likes dislikes hobbies", "pets name", true},
		{"我住在哪个城市？", "city", "pets likes name", false},
		{"我住在哪個城市？", "city", "pets likes name", false},
		{"给我的宠物买点什么？", "pets", "city name likes dislikes", false},
		{"我该买点什么礼物？", "likes", "city", false},
		{"你喜欢什么？", "", "likes dislikes", false},
		{"我喜欢这首诗，翻译一下", "", "likes dislikes", false},
		{"What would you like to do?", "", "likes dislikes", false},
		{"I love this! Translate it.", "", "likes", false},
		{"What do I like?", "likes", "city", false},
		{"What does she love to eat?", "likes", "city", false},
		{"What is your favourite colour?", "", "likes dislikes", false},
		{"How many people live in Japan?", "", "city", false},
		{"Where do I live?", "city", "hometown", false},
		{"我最近有什么出差安排？", "", "city pets", true},
		{"雅思备考要怎么安排？", "", "city pets likes", true},
		{"推荐一部今天能看的电影", "likes dislikes", "city pets allergies", false},
		{"换流阀", "", "city likes dislikes pets occupation", false},
		{"今晚做饭吃什么好？", "allergies diet likes", "city name", false},
		{"我平时怎么去公司上班？", "commute employer", "pets", false},
		{"我对什么过敏？", "allergies", "city", false},
		{"我叫什么名字？", "name", "city pets", false},
		{"大家都说这位专家来自哪个国家", "", "city", false},
		{"帮我记住这个忍不住的笑话", "", "city", false},
		{"帮我订座位，我喜欢什么样的座位？", "likes dislikes", "city", false},
		{"帮我订机票，选什么座位好？", "likes", "city", false},
		{"我女朋友生日送什么礼物", "partner birthday likes", "city", false},
		{"我有什么讨厌的东西", "dislikes", "city", false},
		{"帮我找个健身房，离我近点", "city", "pets name", false},
		{"我是干啥的", "occupation", "city pets", false},
		{"娃的作业怎么辅导", "family", "pets", false},
		{"亲子活动推荐", "family", "pets", false},
		{"抓娃娃机在哪", "", "family", false},
		{"淘宝宝贝详情页", "", "family", false},
		{"这个药我能吃吗", "health allergies", "city", false},
		{"我有什么病", "health", "city", false},
		{"我会弹什么乐器", "skills", "city", false},
		{"where do I live, any allergies?", "city allergies", "likes pets name", false},
		{"what is my name?", "name", "city likes", false},
		{"what's the user's name", "name", "city", false},
		{"what should I buy for my pets?", "pets", "city likes dislikes", false},
		{"what should I cook for dinner", "allergies diet likes", "city pets", false},
		{"Suggest a restaurant NEAR me", "city allergies diet likes dislikes", "pets", false},
		{"what is my favourite colour, and where do I work?", "likes employer occupation", "pets", false},
		{"how do I get to work", "commute", "pets", false},
		{"What did I plan for my trips?", "", "city", true},
		{"any upcoming appointments", "", "city", true},
		{"what is the weather like", "city", "likes dislikes", false},
		{"I would like to book a plane, it is likely late", "", "likes dislikes", false},
		{"rename the file name in this animation", "", "name pets", false},
		{"what do I like, hate and love?", "likes dislikes", "city", false},
		{"which languages do I speak", "languages", "likes", false},
		{"move our orders database from MySQL to Postgres", "", "city likes dislikes pets skills occupation employer", false},
		{"", "", "city likes", false},
		{"ｐｅｔｓ", "pets", "city", false},
		{"home, page", "city", "", false},
		{"the home page", "", "city", false},
		{"petition", "", "pets", false},
	} {
		keys, plans := r.Asked(tc.query)
		if !slices.IsSorted(keys) {
			t.Errorf("%s: keys are not sorted: %q", tc.query, keys)
		}
		for _, k := range strings.Fields(tc.asked) {
			if !slices.Contains(keys, memory.Key("user."+k)) {
				t.Errorf("%s: does not ask for %s, but for %q", tc.query, k, keys)
			}
		}
		for _, k := range strings.Fields(tc.not) {
			if slices.Contains(keys, memory.Key("user."+k)) {
				t.Errorf("%s: asks for %s", tc.query, k)
			}
		}
		if plans != tc.plans {
			t.Errorf("%s: plans = %v", tc.query, plans)
		}
	}
}

// Every entry of the schema asks for its key when it is the whole query, and no exception
// does by itself.
func TestEveryEntryAsks(t *testing.T) {
	r := defaults(t)
	for _, k := range r.Keys() {
		f, _ := r.Field(k)
		for language, entries := range f.Asks {
			for _, entry := range entries {
				phrase, except := strings.CutPrefix(entry, "!")
				keys, _ := r.Asked(phrase)
				if got := slices.Contains(keys, k); got == except {
					t.Errorf("%s: %s entry %q: asked = %v", k, language, entry, got)
				}
			}
		}
	}
}

// A query asks for at least what its sentences ask for.
func TestAskedIsMonotone(t *testing.T) {
	r := defaults(t)
	sentence := rapid.OneOf(rapid.SampledFrom([]string{
		"where do I live", "我喜欢什么", "would like", "国家", "home page", "pets", "安排", "like", "住", "记住",
	}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		a, b := sentence.Draw(t, "a"), sentence.Draw(t, "b")
		inA, plansA := r.Asked(a)
		inBoth, plansBoth := r.Asked(a + ". " + b)
		for _, k := range inA {
			if !slices.Contains(inBoth, k) {
				t.Fatalf("%q asks for %s, but not before %q", a, k, b)
			}
		}
		if plansA && !plansBoth {
			t.Fatalf("%q asks for plans, but not before %q", a, b)
		}
	})
}

func TestWordForms(t *testing.T) {
	for word, forms := range map[string]string{
		"pets": "pet", "allergies": "allergy", "dishes": "dish", "living": "live", "planning": "plan", "cooked": "cook",
		"liked": "like", "user's": "user", "movies": "movie", "homes": "home",
	} {
		if u := wordUnit(word); !u.is(forms) {
			t.Errorf("%q has the forms %q, not %q", word, u, forms)
		}
	}
	for word, other := range map[string]string{"likely": "like", "animation": "animal", "plane": "plan", "glass": "glas", "thing": "th"} {
		if wordUnit(word).is(other) {
			t.Errorf("%q is taken for %q", word, other)
		}
	}
}

func BenchmarkAsked(b *testing.B) {
	r := defaults(b)
	for name, query := range map[string]string{
		"en":   "Can you suggest a nice restaurant near my home for dinner tomorrow?",
		"zh":   "周末在家附近有什么推荐的活动？",
		"long": strings.Repeat("I would like to know what the schedule looks like. 大家都说国家很大。", 50),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.Asked(query)
			}
		})
	}
}
