package embed_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/embed"
)

// embedAll embeds texts; embedding has no way to fail without a cancelled context.
func embedAll(t testing.TB, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := embed.NewLexical().Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

func cosine(a, b []float32) float64 {
	var dot float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
	}
	return dot
}

// What is spelt alike is nearer than what is not, by a clear margin.
func TestRelatedIsNearerThanUnrelated(t *testing.T) {
	const margin = 0.1
	for _, tc := range []struct{ query, related, unrelated string }{
		{"vegetarian", "vegetarians", "veterans"},
		{"vegetarian", "vegetarianism", "carpentry"},
		{"What is my favourite colour?", "My favourite colour is green.", "I work at a bakery."},
		{"Where do I live?", "I live in Lyon.", "I'm allergic to shellfish."},
		{"Do I have allergies?", "I'm allergic to shellfish.", "I live in Lyon."},
		{"any allergy?", "I have a peanut allergy.", "I moved to Oslo."},
		{"What do I do for work?", "I work at a bakery.", "My cat is called Tom."},
		{"How should you call me?", "Call me Robin from now on.", "I drink black coffee."},
		{"programming in Go", "I write Go programs", "I play the piano"},
		{"photography", "I'm a wedding photographer", "I run marathons"},
		{"move our orders database from MySQL to Postgres", "migrate the billing service from MySQL to PostgreSQL", "plan a birthday party"},
		{"PostgreSQL", "postgres", "kubernetes"},
		{"the export endpoint fails", "/v2/orders/export returns 500", "the office has a new printer"},
		{"which qdrant version", "we run qdrant v1.18.3", "we meet on Mondays"},
		{"ticket PDX-42", "PDX-42 is about the login page", "the login page is blue"},
		{"my dog's name", "The dog is named Rex", "The flat has two rooms"},
		{"training for a marathon", "I train for marathons", "I read novels at night"},
		{"Zurich flat", "I rent a flat in Zürich", "I rent a car in Lisbon"},
		{"colour-blind", "I'm colourblind", "I'm left-handed"},
		{"MOSCOW", "moscow in winter", "paris in spring"},
		{"московский", "москва", "берлин"},

		{"雅思备考要怎么安排？", "我在备考雅思。", "我喜欢靠窗的座位。"},
		{"帮我订座位，我喜欢什么样的座位？", "我喜欢靠窗的座位。", "我在备考雅思。"},
		{"换流阀", "我在研究特高压换流阀的阻尼电容。", "我喜欢吃米粉。"},
		{"我住在哪个城市？", "我住在杭州，平时通勤用地铁。", "我喜欢吃米粉。"},
		{"我的猫", "我养了一只猫，叫咪咪。", "我养了一只狗。"},
		{"我的貓咪", "橘猫咪咪", "公司的打印机"},
		{"我对什么过敏？", "我对花生过敏。", "我在北京工作。"},
		{"我在哪里工作？", "我在银行工作。", "我不吃辣。"},
		{"推荐一部悬疑片", "最近迷上了悬疑片。", "我不太喜欢吃香菜。"},
		{"会议安排", "下周三去深圳参加会议。", "女儿今年六岁。"},
		{"女儿的学校", "我女儿在实验小学上学", "我每天喝咖啡"},
		{"咖啡", "我每天喝咖啡", "我每天跑步"},
		{"數據庫用什麼？", "我们的数据库是MySQL 8.0", "我们的办公室在三楼"},
		{"喝茶的习惯", "我习惯下午喝绿茶", "周末常去爬山"},
		{"小猫", "养猫", "炒饭"},
	} {
		v := embedAll(t, tc.query, tc.related, tc.unrelated)
		near, far := cosine(v[0], v[1]), cosine(v[0], v[2])
		if near < far+margin {
			t.Errorf("%q: %.2f to %q, %.2f to %q", tc.query, near, tc.related, far, tc.unrelated)
		}
	}
}

// The limit that the documentation states: no meaning.
func TestSynonymsAreStrangers(t *testing.T) {
	for _, pair := range [][2]string{{"car", "automobile"}, {"宠物", "猫"}, {"physician", "doctor"}, {"cat", "猫"}} {
		v := embedAll(t, pair[0], pair[1])
		if c := cosine(v[0], v[1]); math.Abs(c) > 0.3 {
			t.Errorf("%q and %q have the cosine %.2f", pair[0], pair[1], c)
		}
	}
}

// Unrelated words meet by hashing only, evenly around zero.
func TestHashingIsBalanced(t *testing.T) {
	words := strings.Fields("oslo bakery green shellfish piano kubernetes winter novel printer lisbon marathon peanut 杭州 雅思 米粉 座位 换流阀 地铁 女儿 咖啡 爬山 银行 电容 香菜")
	v := embedAll(t, words...)
	var sum, squares, n float64
	for i := range v {
		for j := range i {
			c := cosine(v[i], v[j])
			sum, squares, n = sum+c, squares+c*c, n+1
		}
	}
	if mean, deviation := sum/n, math.Sqrt(squares/n); math.Abs(mean) > 0.03 || deviation > 0.12 {
		t.Errorf("mean %.3f, deviation %.3f", mean, deviation)
	}
}

// Stored vectors are compared with those of later processes on other machines.
func TestVectorsAreStable(t *testing.T) {
	for _, tc := range []struct {
		text string
		at   []int
		want []float32
	}{
		{"I live in Oslo.", []int{41, 71, 86, 97, 111}, []float32{-0.19081122, -0.19081122, -0.19081122, -0.19081122, -0.19081122}},
		{"我养了一只猫", []int{0, 35, 180, 236}, []float32{0, -0.6499337, -0.6499337, -0.278543}},
		{"v1.18.3", []int{25, 29, 40, 51, 53}, []float32{-0.09820377, 0.24076986, -0.37916514, -0.09820377, -0.09820377}},
		{"日本語カタカナ москва", []int{22, 23, 30, 34, 48}, []float32{-0.2874771, -0.08624314, 0.08624314, 0.0816435, 0.0816435}},
	} {
		v := embedAll(t, tc.text)[0]
		for i, at := range tc.at {
			if v[at] != tc.want[i] {
				t.Errorf("%q: element %d is %v, want %v", tc.text, at, v[at], tc.want[i])
			}
		}
	}
	e := embed.NewLexical()
	if e.Name() != "lexical-256-v3" || e.Dim() != 256 {
		t.Errorf("%s of %d dimensions", e.Name(), e.Dim())
	}
}

func TestTextWithoutTermsIsZero(t *testing.T) {
	for i, v := range embedAll(t, "", "what is it?", "我是谁？", "🐱") {
		if len(v) != 256 || slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
			t.Errorf("text %d: %v", i, v)
		}
	}
}

func TestRepeatsCountLessAndLess(t *testing.T) {
	v := embedAll(t, "oslo", "oslo paris", "oslo oslo oslo oslo paris", strings.Repeat("oslo ", 4096)+"paris", "paris")
	once, four, many := cosine(v[0], v[1]), cosine(v[0], v[2]), cosine(v[0], v[3])
	if once >= four || four >= many {
		t.Errorf("cosines %.3f, %.3f, %.3f do not grow", once, four, many)
	}
	if c := cosine(v[4], v[3]); c < 0.05 {
		t.Errorf("repeats drown the other word: %.3f", c)
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v, err := embed.NewLexical().Embed(ctx, []string{"oslo"}); !errors.Is(err, context.Canceled) || v != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if v, err := embed.NewLexical().Embed(ctx, nil); err != nil || len(v) != 0 {
		t.Errorf("nothing to do: got %v, %v", v, err)
	}
}

func TestVectorsAreUnitOrZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "texts")
		vectors, err := embed.NewLexical().Embed(context.Background(), texts)
		if err != nil || len(vectors) != len(texts) {
			t.Fatalf("%d vectors for %d texts, %v", len(vectors), len(texts), err)
		}
		again, err := embed.NewLexical().Embed(context.Background(), texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range vectors {
			if !slices.Equal(v, again[i]) {
				t.Fatal("not deterministic")
			}
			if length := cosine(v, v); len(v) != 256 || length != 0 && math.Abs(length-1) > 1e-5 {
				t.Fatalf("%q: length %v", texts[i], length)
			}
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	for name, text := range map[string]string{
		"english": "I moved to Oslo in March.",
		"chinese": "我三月搬到了杭州，住在大学附近。",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			e, texts := embed.NewLexical(), []string{text}
			for b.Loop() {
				if _, err := e.Embed(context.Background(), texts); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestRelated: texts that share no feature are not related, however high their cosine.
func TestRelated(t *testing.T) {
	e := embed.NewLexical()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"怎么学德语", "我叫小林", false}, {"what is the capital of France", "I live in Oslo", false}, {"", "I live in Oslo", false},
		{"vegeterian food", "I'm a vegetarian", true}, {"雅思怎么备考", "我在备考雅思", true}, {"Oslo", "I live in Oslo", true},
	} {
		if got := e.Related(c.a, c.b); got != c.want || e.Related(c.b, c.a) != c.want {
			t.Errorf("Related(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
