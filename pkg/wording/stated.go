package wording

import (
	"strings"
	"unicode"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Stated is a text for a value that was put under a key without words of its own: what the key
// is called and the value, as it was given, in the value's language: "home city: Oslo". Field is
// what the schema knows about k.
func Stated(k memory.Key, field profile.Field, value string) string {
	if strings.ContainsFunc(value, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return chineseTopic(k, field) + "：" + value
	}
	return topic(k) + ": " + value
}
