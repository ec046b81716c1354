package answer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/wording"
)

// worded is q with the sentence that is really put, in its language.
func worded(t *testing.T, q memory.Question, language string) memory.Question {
	field, _ := defaults(t).Field(q.Key)
	q.Language = language
	q.Rivals = slices.Clone(q.Rivals)
	q.Current.Evidence.At = said
	for i := range q.Rivals {
		q.Rivals[i].Evidence.At = said.AddDate(0, 0, i+1)
	}
	q.Text = wording.Question(&q, field)
	return q
}

// TestTheSentenceThatIsPut: what mnemond itself words is known for the question that it is,
// within whatever the assistant says around it.
func TestTheSentenceThatIsPut(t *testing.T) {
	for _, c := range []struct {
		q                              memory.Question
		language, first, second, value string
	}{
		{birthday, "en", "the first one", "the second", "May 14"},
		{city, "en", "the former", "the latter", "I live in Shanghai"},
		{partner, "en", "the old one", "the new one", "boyfriend"},
		{job, "en", "still an optician", "the second one", "I'm a florist"},
		{name, "en", "Rita", "the second one", "Vera"},
		{opera, "en", "I love it", "I hate it", "I hate opera"},
		{shengri, "zh", "第一个", "第二个", "14号"},
		{chengshi, "zh", "还是杭州", "后一个", "上海"},
		{duixiang, "zh", "前者", "后者", "男朋友"},
		{gongzuo, "zh", "没变", "新的那个", "我是消防员"},
		{mingzi, "zh", "叫刘洋", "第二个", "赵强"},
		{kafei, "zh", "还是喜欢", "讨厌", "不喜欢咖啡"},
	} {
		q := worded(t, c.q, c.language)
		replace := "replace " + c.q.Rivals[0].Value
		for _, around := range []string{"%", "Sure, done! %", "好的。%"} {
			put := setting{about: only(q), before: []string{"A: " + strings.ReplaceAll(around, "%", q.Text)}}
			for say, want := range map[string]string{c.first: "keep", c.second: replace, c.value: replace} {
				if got := render(put.ask(t, say), false); got != want {
					t.Errorf("%q after %q answers %q, want %q", say, put.before[0], got, want)
				}
			}
		}
	}
}

// TestTheDayIsNotTheValue: the day on which a side was said may be the value of the other.
func TestTheDayIsNotTheValue(t *testing.T) {
	q := birthday
	q.Language = "en"
	q.Current.Evidence.At = time.Date(2026, 5, 14, 9, 0, 0, 0, time.UTC)
	field, _ := defaults(t).Field(q.Key)
	q.Text = wording.Question(&q, field)
	put := setting{about: only(q), before: []string{"A: " + q.Text}}
	for say, want := range map[string]string{"the first one": "keep", "the second": "replace May 14", "May 14": "replace May 14", "yes": ""} {
		if got := render(put.ask(t, say), false); got != want {
			t.Errorf("%q after %q answers %q, want %q", say, q.Text, got, want)
		}
	}
}
