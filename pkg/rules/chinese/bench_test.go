package chinese

import (
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
)

// said is one message of the user, said on Wednesday 4 March 2026 at 10:00 in Shanghai.
func said(content string) []memory.Message {
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.FixedZone("CST", 8*3600))
	return []memory.Message{{Number: 1, Role: memory.RoleUser, At: at, Content: content}}
}

func BenchmarkExtract(b *testing.B) {
	for _, bench := range []struct{ name, content string }{
		{"trivial", "好的，谢谢"},
		{"fact", "我住在杭州，平时通勤用地铁。"},
		{"nothing", "帮我看看这段代码为什么跑不起来，报错信息在下面。"},
		{"long", "你好，我是一名护士，最近在上海工作。我对花生和海鲜过敏，平时比较喜欢吃清淡的东西，下周三要去深圳开会，想请你帮我规划一下行程和饮食。另外我养了一只猫，叫咪咪，出差的时候要寄养。"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			messages := said(bench.content)
			for b.Loop() {
				Extract(messages)
			}
		})
	}
}
