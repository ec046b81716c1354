package chinese

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
)

func TestRolesAndContext(t *testing.T) {
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	for _, m := range []memory.Message{
		{Number: 1, Role: memory.RoleAssistant, At: at, Content: "我住在杭州"},
		{Number: 1, Role: memory.RoleTool, At: at, Content: "我住在杭州"},
		{Number: 1, Role: memory.RoleSystem, At: at, Content: "我住在杭州"},
		{Number: 1, Role: memory.RoleUser, At: at, Content: "我住在杭州", Context: true},
	} {
		if c, d := Extract([]memory.Message{m}); len(c)+len(d) > 0 {
			t.Errorf("%s, context %v: found %v %v", m.Role, m.Context, c, d)
		}
	}
}

// A question counts only when it comes directly before its answer.
func TestQuestionMustPrecede(t *testing.T) {
	if c, _ := Extract(messages("A:你住在杭州吗？ || 帮我查一下天气 || 对")); len(c) > 0 {
		t.Errorf("found %v", c)
	}
	if c, _ := Extract(messages("A:你住在杭州吗？我可以帮你查天气。 || 对")); len(c) > 0 {
		t.Errorf("found %v", c)
	}
}

func TestAnswerSource(t *testing.T) {
	c, _ := Extract(messages("A:好的！你住在杭州吗？ || 对"))
	if len(c) != 1 {
		t.Fatalf("found %v", c)
	}
	want := memory.Source{Message: 2, Quote: "对", AskedMessage: 1, AskedQuote: "你住在杭州吗？"}
	if c[0].Source != want {
		t.Errorf("source %+v, want %+v", c[0].Source, want)
	}
	if c[0].Confidence != answered {
		t.Errorf("confidence %v", c[0].Confidence)
	}
}

// The same pursuit said in other words is the same memory.
func TestPursuitKeepsItsValue(t *testing.T) {
	first, _ := Extract(said("我在备考雅思。"))
	again, _ := Extract(said("我还在备考雅思。"))
	if len(first) != 1 || len(again) != 1 || first[0].Value != again[0].Value || first[0].Value == "" {
		t.Errorf("found %v and %v", first, again)
	}
}

func TestOldValueIsNeverQuoted(t *testing.T) {
	for _, say := range []string{
		"我从北京搬到上海了", "我之前说我在北京，其实我现在搬到上海了。", "我不住北京了，现在住上海",
		"我以前住在北京，现在在上海", "我去年从北京搬到了上海",
	} {
		candidates, _ := Extract(said(say))
		for _, c := range candidates {
			if strings.Contains(c.Text+c.Value, "北京") {
				t.Errorf("%s: %s", say, c.Text)
			}
		}
		if len(candidates) != 1 || candidates[0].Value != "上海" {
			t.Errorf("%s: found %v", say, candidates)
		}
	}
}

func TestFilters(t *testing.T) {
	for say, want := range map[string]string{
		"开玩笑的": "jest", "你来扮演医生": "play", "翻译：我住在罗马": "material", "小说里我住在城堡": "fiction", "如果我住在巴黎": "supposition",
		"我会弹琴就好了": "wish", "我朋友说他住在罗马": "reported", "小明说": "saying", "大家都喜欢火锅": "generic", "帮我查天气": "request",
		"我住在杭州": "", "不开玩笑": "", "他说“我住在东京”": "reported", "“住在东京”是他说的": "quoted", "医生说我对花生过敏": "",
	} {
		s := sentence.Split(say)[0]
		c := cut(s, say, fold(say))[0]
		c.open(nil)
		if _, got := judge(&c, s); got != want {
			t.Errorf("%s: %q, want %q", say, got, want)
		}
	}
}

// grounded checks what every extraction must keep, whatever was said.
func grounded(t interface{ Errorf(string, ...any) }, in []memory.Message) {
	candidates, directives := Extract(in)
	for _, c := range candidates {
		source := in[c.Source.Message-1].Content
		if c.Source.Quote == "" || !strings.Contains(source, c.Source.Quote) {
			t.Errorf("quote %q not in %q", c.Source.Quote, source)
		}
		if c.Source.AskedMessage == 0 && !strings.Contains(source, c.Text) {
			t.Errorf("text %q not in %q", c.Text, source)
		}
		if asked := c.Source.AskedMessage; asked != 0 && !strings.Contains(in[asked-1].Content, c.Source.AskedQuote) {
			t.Errorf("asked %q not in %q", c.Source.AskedQuote, in[asked-1].Content)
		}
		if c.Text == "" || c.Kind == "" || c.Language != "zh" || c.Confidence <= 0 || c.Confidence > 1 {
			t.Errorf("incomplete: %+v", c)
		}
		if c.Key != "" && (c.Value == "" || c.Kind != kinds[c.Key]) {
			t.Errorf("bad keyed candidate: %+v", c)
		}
		if c.Stability == memory.Dated && c.ExpiresAt.IsZero() {
			t.Errorf("dated without expiry: %+v", c)
		}
	}
	for _, d := range directives {
		if d.Source.Message < 1 || d.Source.Message > len(in) {
			t.Errorf("directive of message %d", d.Source.Message)
		}
	}
	again, d := Extract(in)
	if !reflect.DeepEqual(again, candidates) || !reflect.DeepEqual(d, directives) {
		t.Errorf("not deterministic: %v and %v", candidates, again)
	}
}

// pieces are combined to sentences nobody thought of.
var pieces = []string{
	"我", "我们", "他", "我女朋友", "我家猫", "住在", "住", "在", "从", "搬到", "杭州", "北京", "上海", "其实", "现在",
	"以前", "我之前说", "不是", "不对", "说错了", "应该是", "是", "叫", "小林", "咪咪", "它", "养了一只猫", "对", "花生",
	"过敏", "不", "喜欢", "咖啡", "和", "、", "，", "。", "？", "！", " ", "\n", "了", "吗", "的", "记住", "忘掉", "别再提", "别记这个",
	"下周三", "去年", "去了", "去", "开会", "取消了", "改到", "医生", "Google", "做", "SRE", "生日", "5月4号", "“", "”", "如果",
	"开玩笑的", "翻译：", "😂", "臺灣", "妳", "\xff", "𠮷", "A:", " || ", "你", "嗎？",
}

func TestGroundedProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		say := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 24).Draw(t, "pieces"), "")
		grounded(t, messages(say))
	})
}

func FuzzExtract(f *testing.F) {
	for _, seed := range []string{
		"我住在杭州，平时通勤用地铁。", "我之前说我在北京，其实我现在搬到上海了。", "A:你住在杭州吗？ || 对",
		"我养了一只狗。它叫旺财。", "別記這個", "记住：我对花生过敏", "我下周三去深圳开会", "\xff我叫\xffX", "不是，", "记住，",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, say string) { grounded(t, messages(say)) })
}
