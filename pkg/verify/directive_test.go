package verify_test

import (
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/verify"
)

func TestDirective(t *testing.T) {
	said := map[int]memory.Message{
		1: {Number: 1, Role: memory.RoleUser, Content: "I love my job. Please forget about my cat!"},
		2: {Number: 2, Role: memory.RoleAssistant, Content: "Don't save that? Forget about my cat?"},
		3: {Number: 3, Role: memory.RoleUser, Content: "刚才那个不要保存。以后别再提我前女友。", Context: true},
		4: {Number: 4, Role: memory.RoleTool, Content: "forget about my cat"},
	}
	const none = verify.Reason("")
	tests := []struct {
		name    string
		action  memory.Action
		message int
		quote   string
		what    string
		want    verify.Reason
	}{
		{"a topic", memory.ActionForget, 1, "forget about my cat", "my cat", none},
		{"in other writing", memory.ActionForget, 1, "Forget about MY CAT", "My cat.", none},
		{"the message itself", memory.ActionForget, 1, "Please forget", "", none},
		{"in Chinese, in context", memory.ActionSuppress, 3, "以后别再提我前女友", "我前女友", none},
		{"not to save another message", memory.ActionDoNotSave, 1, "刚才那个不要保存", "", none},

		{"no message", memory.ActionForget, 9, "forget about my cat", "my cat", verify.ReasonNoMessage},
		{"the assistant's words", memory.ActionForget, 2, "Forget about my cat", "my cat", verify.ReasonRole},
		{"a tool's words", memory.ActionForget, 4, "forget about my cat", "my cat", verify.ReasonRole},
		{"no action", "", 1, "forget about my cat", "my cat", verify.ReasonKind},
		{"an unknown action", "erase", 1, "forget about my cat", "my cat", verify.ReasonKind},
		{"other words", memory.ActionForget, 1, "forget about my dog", "my dog", verify.ReasonQuote},
		{"another message's words", memory.ActionForget, 1, "以后别再提我前女友", "我前女友", verify.ReasonQuote},
		{"not to save, in nobody's words", memory.ActionDoNotSave, 1, "keep it secret", "", verify.ReasonQuote},
		{"not to save, in the assistant's words", memory.ActionDoNotSave, 1, "Don't save that", "", verify.ReasonQuote},
		{"no words", memory.ActionForget, 1, "", "", verify.ReasonQuote},
		{"a wider topic", memory.ActionForget, 1, "forget about my cat", "my cat and everything else", verify.ReasonUngrounded},
		{"everything", memory.ActionForget, 1, "forget about my cat", "everything", verify.ReasonUngrounded},
		{"a topic from elsewhere in the message", memory.ActionForget, 1, "forget about my cat", "my job", verify.ReasonUngrounded},
		{"in Chinese, a wider topic", memory.ActionSuppress, 3, "以后别再提我前女友", "所有前女友", verify.ReasonUngrounded},
		{"a long topic", memory.ActionForget, 1, "forget about my cat", strings.Repeat("cat", verify.MaxValue), verify.ReasonTooLong},
		{"a long quote", memory.ActionForget, 1, strings.Repeat("forget", verify.MaxText), "", verify.ReasonTooLong},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := memory.Directive{Action: tt.action, What: tt.what, Source: memory.Source{Message: tt.message, Quote: tt.quote}}
			if got := verify.Directive(&d, said); got != tt.want {
				t.Errorf("reason is %q, want %q", got, tt.want)
			}
		})
	}
}
