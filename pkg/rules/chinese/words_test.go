package chinese

import (
	"regexp/syntax"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"妳住在臺北嗎": "你住在台北吗", "我在Google做SRE": "我在google做sre", "\xff貓\xfe": "\xff猫\xfe", "": "",
	} {
		if got := fold(in); got != want {
			t.Errorf("fold(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestFoldKeepsOffsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s") + string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		got := fold(s)
		if len(got) != len(s) {
			t.Fatalf("fold(%q) has %d bytes, not %d", s, len(got), len(s))
		}
		for i := range s {
			if i < len(s) && utf8.RuneStart(s[i]) != utf8.RuneStart(got[i]) {
				t.Fatalf("fold(%q) moves a character at %d", s, i)
			}
		}
		if again := fold(got); again != got {
			t.Fatalf("fold is not idempotent: %q, %q", got, again)
		}
	})
}

// An expression must never be passed over where it would match.
func TestNeedsAreNeeded(t *testing.T) {
	patterns := []*expr{interrogative, changing, mistake, notable, planned, calledOff, remembers, keepsAway, forgets, forgotten, suppresses, suppressed, shunned, lifts, lifted, unshunned, announced}
	for _, table := range append([][]rule{endingRules, birthdayRules, peopleRules}, tables...) {
		for _, r := range table {
			patterns = append(patterns, r.pattern)
		}
	}
	for _, f := range filters {
		patterns = append(patterns, f.pattern)
	}
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(patterns).Draw(t, "pattern")
		s := rapid.StringMatching(e.String()).Draw(t, "match")
		has := newRuneSet(s)
		if e.MatchString(s) && !e.possible(&has) {
			t.Fatalf("%q is passed over by %s", s, e)
		}
	})
}

func TestNeeds(t *testing.T) {
	for pattern, want := range map[string]string{
		`^(?:我)?(?:靠|用)(.+)$`: "用靠", `喜欢(?:吃|喝)?`: "喜 欢", `[一二]只`: "一二 只", `.*`: "", `(?:a|b*)`: "", `(?:ab|cd){2}`: "ac",
	} {
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(needs(tree), " "); got != want {
			t.Errorf("needs(%s) = %q, want %q", pattern, got, want)
		}
	}
}

func TestTrimValue(t *testing.T) {
	for in, want := range map[string]string{
		"一名护士": "护士", "杭州五年了": "杭州", "上海现在": "上海", "“咪咪”": "咪咪", "一家互联网公司": "互联网公司", "了": "了",
		"一点法语": "法语", "咖啡啦": "咖啡", "北京": "北京",
	} {
		s := trimValue(in, span{0, len(in)})
		if got := in[s.from:s.to]; got != want {
			t.Errorf("trimValue(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestItems(t *testing.T) {
	for in, want := range map[string]string{
		"爬山、游泳和摄影": "爬山|游泳|摄影", "和服": "和服", "暖和的天气": "暖和的天气", "猫跟狗": "猫|狗", "c++和go": "c++|go",
		"tcp/ip": "tcp/ip", "英语以及一点日语": "英语|日语", "苹果或者梨": "苹果|梨", "跟团游": "跟团游",
	} {
		var got []string
		for _, s := range items(in, span{0, len(in)}) {
			got = append(got, in[s.from:s.to])
		}
		if strings.Join(got, "|") != want {
			t.Errorf("items(%q) = %v, want %s", in, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, place := range []string{"杭州", "杭州市", "杭州西湖区", "浦东", "纽约", "梅里雪山", "oslo", "石家庄"} {
		if !isPlace(place) {
			t.Errorf("%s is no place", place)
		}
	}
	for _, other := range []string{"公司附近", "学校宿舍", "五楼", "朋友家", "酒店", "这里", "哪", "院", "家", "北京出差"} {
		if isPlace(other) {
			t.Errorf("%s is a place", other)
		}
	}
}

func TestJobs(t *testing.T) {
	for _, job := range []string{"护士", "高中老师", "产品经理", "sre", "继电保护工程师", "吉他老师", "大三学生"} {
		if !isJob(job) {
			t.Errorf("%s is no job", job)
		}
	}
	for _, other := range []string{"新手", "会员", "好人", "独生子女", "素食者", "摄影爱好者", "女生", "谁"} {
		if isJob(other) {
			t.Errorf("%s is a job", other)
		}
	}
}

func TestCut(t *testing.T) {
	for in, want := range map[string]string{
		"我叫小林我住在杭州":       "我叫小林|我住在杭州",
		"我在 Google 做 SRE": "我在 Google 做 SRE",
		"我叫小林 在上海做设计":     "我叫小林|在上海做设计",
		"我住在 杭州":          "我住在 杭州",
		"我喜欢咖啡但是不喜欢茶":     "我喜欢咖啡|但是不喜欢茶",
		"价格是1,000元，我觉得贵":  "价格是1,000元|我觉得贵",
		"我对花生不过敏了":        "我对花生不过敏了",
		"我住在成都😂，哈哈":       "我住在成都|哈哈",
		"我住在杭州帮我推荐餐厅":     "我住在杭州|帮我推荐餐厅",
		"（我老婆是医生）":        "我老婆是医生",
	} {
		var got []string
		for _, s := range sentence.Split(in) {
			for _, c := range cut(s, in, fold(in)) {
				got = append(got, c.text())
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("cut(%q) = %v, want %s", in, got, want)
		}
	}
}

func TestOwnWords(t *testing.T) {
	for in, want := range map[string]string{
		"你住在杭州吗？": "我住在杭州", "所以你住在杭州，对吗？": "我住在杭州", "你喜不喜欢咖啡？": "我喜欢咖啡", "您是不是医生？": "我是医生",
		"你有没有养猫？": "我有养猫", "妳住在台北嗎？": "我住在台北",
	} {
		if got := ownWords(in); got != want {
			t.Errorf("ownWords(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWordLists(t *testing.T) {
	seen := map[string]string{}
	for kind, words := range wordKinds(openingsData) {
		for _, w := range words {
			if other, ok := seen[w]; ok && other != kind {
				t.Errorf("%s opens as %s and as %s", w, other, kind)
			}
			seen[w] = kind
			if fold(w) != w {
				t.Errorf("%s is not folded", w)
			}
		}
	}
	for word := range mistaken {
		if seen[word] == "" && word != "偶" {
			t.Errorf("%s opens nothing", word)
		}
	}
	for place := range places() {
		if fold(place) != place || utf8.RuneCountInString(place) > longestPlace {
			t.Errorf("%s: not folded or too long", place)
		}
	}
}
