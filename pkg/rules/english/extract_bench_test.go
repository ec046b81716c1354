package english

import "testing"

func BenchmarkExtract(b *testing.B) {
	for _, bench := range []struct{ name, content string }{
		{"short fact", "I live in Boston and I work as a nurse."},
		{"small talk", "haha yeah that makes sense, thanks a lot!"},
		{"request", "Can you help me write a cover letter for a job at a bank? It should be short and friendly."},
		{"long", "Hey there! I’m planning a birthday party for my daughter Mia (she turns 6 next Saturday) and I'm allergic to nuts, so can you suggest a cake? We live in Leeds, my husband hates chocolate, and I have a dentist appointment tomorrow at 3. Thanks!"},
	} {
		messages := conversation(bench.content)
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Extract(messages)
			}
		})
	}
}
