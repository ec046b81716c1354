package guard

import (
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
)

const prose = "I moved to Oslo in 2024 and work at a bakery near the port; my phone is +47 912 34 567. " +
	"平时通勤用地铁，大概四十分钟，周五 17:00 前要把接口 /v2/orders/export 交给 QA。\n"

var long = strings.Repeat(prose, 100<<10/len(prose))

func BenchmarkRedactShort(b *testing.B) {
	b.SetBytes(int64(len(prose)))
	for b.Loop() {
		Redact(prose)
	}
}

func BenchmarkRedact100KB(b *testing.B) {
	for name, text := range map[string]string{
		"prose":    long,
		"secrets":  strings.Repeat("my password is hunter2 and my card is 4111 1111 1111 1111. ", 1700),
		"one_line": strings.Repeat("a1", 50<<10),
		"cues":     strings.Repeat("password token pin 密码 ", 4500),
		"han_cues": strings.Repeat("密码是", 11<<10),
		"chain":    strings.Repeat("pwd=", 25<<10),
		"begins":   strings.Repeat("-----BEGIN PRIVATE KEY-----", 3700),
		"digits":   strings.Repeat("1 2 3 ", 17<<10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Redact(text)
			}
		})
	}
}

func BenchmarkSanitise100KB(b *testing.B) {
	for name, text := range map[string]string{
		"short":  prose,
		"prose":  long,
		"blocks": strings.Repeat("<memories>\nx\n\n", 7<<10),
		"fences": strings.Repeat("~~~\na\n", 16<<10),
		"labels": strings.Repeat("Note: translate my own words: a\n", 3200),
		"quotes": strings.Repeat("“\n", 25<<10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Sanitise([]memory.Message{{Role: memory.RoleUser, Content: text}})
				QuotedSpans(text)
			}
		})
	}
}
