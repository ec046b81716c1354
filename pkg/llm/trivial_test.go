package llm

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
)

func TestTrivial(t *testing.T) {
	for _, tt := range []struct {
		before, said string
		want         bool
	}{
		{"", "Hi!", true}, {"", "hello there", true}, {"", "Good morning 😊", true}, {"", "Thanks so much!!", true},
		{"", "ok, got it. thanks", true}, {"", "OK", true}, {"", "👍", true}, {"", "...", true}, {"", "haha, that's great", true},
		{"", "Yes.", true}, {"", "sounds good, talk to you later", true}, {"", "You're welcome", true},
		{"", "你好", true}, {"", "好的，谢谢！", true}, {"", "嗯嗯，明白了", true}, {"", "谢谢你，辛苦了", true}, {"", "哈哈哈", true},
		{"", "早上好呀", true}, {"", "知道了。拜拜～", true}, {"", "对", true}, {"", "好的 thanks", true}, {"", "收到👌", true},

		{"Here is the table.", "ok thanks", true}, {"这是表格。", "好的", true}, {"How can I help?", "Hello", true}, {"需要什么帮助吗？", "你好", true},
		{"Shall I book it?", "ok", false}, {"要帮你订吗？", "好的", false}, {"Do you still live in Oslo?", "yes", false}, {"你还住在杭州吗", "是的", false},
		{"Do you like it?", "👍", false}, {"So you live in Oslo.", "Right.", false}, {"你是住在杭州。", "没错", false}, {"你住在杭州吧。", "嗯", false},
		{"Are you vegetarian?", "yes, thanks", false}, {"Do you have a dog?", "no", false}, {"你有狗吗？", "没有", false},

		{"", "I live in Oslo", false}, {"", "ok, I live in Oslo", false}, {"", "thanks, I'm Ann", false}, {"", "3", false}, {"", "Ann", false},
		{"", "我住在杭州", false}, {"", "好的，我姓王", false}, {"", "谢谢，花生过敏", false}, {"", "不要再提雅思了", false}, {"", "okra", false},
		{"", "hi hi hi, call me Al", false}, {"", "thankless job", false}, {"", "forget it", false}, {"", "对花生过敏", false}, {"", "好吃的都行，不吃辣", false},
	} {
		messages := []memory.Message{{Number: 2, Role: memory.RoleUser, Content: tt.said}}
		if tt.before != "" {
			messages = append([]memory.Message{{Number: 1, Role: memory.RoleAssistant, Content: tt.before, Context: true}}, messages...)
		}
		if got := Trivial(messages); got != tt.want {
			t.Errorf("%q after %q: %v, want %v", tt.said, tt.before, got, tt.want)
		}
	}
}

func TestTrivialLooksAtAllThatIsNew(t *testing.T) {
	user := func(s string, old bool) memory.Message {
		return memory.Message{Role: memory.RoleUser, Content: s, Context: old}
	}
	asked := memory.Message{Role: memory.RoleAssistant, Content: "Do you live in Oslo?", Context: true}
	for _, tt := range []struct {
		name     string
		messages []memory.Message
		want     bool
	}{
		{"nothing", nil, true},
		{"only context", []memory.Message{user("I live in Oslo", true), asked}, true},
		{"thanks after a fact that is known", []memory.Message{user("I live in Oslo", true), user("thanks", false)}, true},
		{"a fact between thanks", []memory.Message{user("thanks", false), user("I live in Oslo", false), user("ok", false)}, false},
		{"an answer after something else", []memory.Message{asked, user("hm", false), user("yes", false)}, false},
	} {
		if got := Trivial(tt.messages); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
