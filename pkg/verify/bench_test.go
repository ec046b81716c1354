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
		{"update", func(c *memory.Candidate) {
			c.Relation, c.Target = memory.RelationUpdates, &memory.Target{Key: "user.city", Value: "Denver"}
			c.Text, c.Source = "I no longer live in Boston", memory.Source{Message: 10, Quote: "I no longer live in Boston"}
		}},
		{"update without a sign", func(c *memory.Candidate) { c.Relation = memory.RelationUpdates }},
		{"end", over},
	} {
		b.Run(bench.name, func(b *testing.B) {
			made := lives(bench.change)
			b.ReportAllocs()
			for b.Loop() {
				c := *made
				verify.Candidate(&c, messages, registry)
			}
		})
	}
}
