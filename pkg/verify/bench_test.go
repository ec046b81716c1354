package verify_test

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/verify"
)

func BenchmarkCandidate(b *testing.B) {
	for _, bench := range []struct {
		name   string
		change func(*memory.Candidate)
	}{
		{"new", nil},
		{"new in Chinese", func(c *memory.Candidate) {
			c.Value, c.Text, c.Source = "杭州西湖区", "我住在杭州西湖区", memory.Source{Message: 2, Quote: "我住在杭州西湖区"}
		}},
		{"an answer", answer},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c := lives(bench.change)
			b.ReportAllocs()
			for b.Loop() {
				verify.Candidate(c, messages, registry)
			}
		})
	}
}
