package llm_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/mnemond/mnemond/pkg/llm/llmtest"
	"github.com/mnemond/mnemond/pkg/memory"
)

// BenchmarkExtract asks a server without latency about 10 turns, with so many memories that
// could matter. Time and memory are those of both sides of the connection.
func BenchmarkExtract(b *testing.B) {
	for _, n := range []int{10, 100, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := serve(b, llmtest.Options{})
			var tokens atomic.Int64
			s.SetScript(func(p llmtest.Prompt) (string, bool) {
				tokens.Store(int64(p.Tokens))
				return `{"candidates":[],"directives":[]}`, true
			})
			x := extractor(b, s, nil)
			in := long(10)
			for i := range n {
				in.Known = append(in.Known, memory.Memory{
					Key: "user.likes", Value: fmt.Sprintf("train number %d", i), Text: fmt.Sprintf("I like train number %d", i), Status: memory.StatusCurrent,
				})
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := x.Extract(context.Background(), in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(tokens.Load())/10, "tokens/turn")
			b.ReportMetric(float64(s.Calls())/float64(b.N)/10, "calls/turn")
		})
	}
}
