package document

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/memory"
)

// root is the UUID under which the identities of documents are made, apart from those of
// memories. Changing it, or anything in Identity, gives every document another id.
var root = uuid.MustParse("2f0c8f53-6f0b-5d0a-9a55-1d7c3b0f4e86")

// Identity is the id of the one document that a scope can hold under a namespace and a key.
// The scope must be valid; Identity does not check it.
func Identity(s memory.Scope, namespace []string, key string) memory.ID {
	fields := []string{string(s.Tenant), string(s.Owner.Kind), s.Owner.ID}
	fields = append(append(fields, namespace...), key)
	b := make([]byte, 0, 256)
	for _, f := range fields { // each behind its length: no two lists are the same bytes
		b = binary.AppendUvarint(b, uint64(len(f)))
		b = append(b, f...)
	}
	return memory.ID(uuid.NewSHA1(root, b).String())
}

// separator stands between the labels of a namespace in one keyword; no label has it.
const separator = "\x1f"

// Joined is a namespace, or the beginning of one, as one keyword.
func Joined(namespace []string) string { return strings.Join(namespace, separator) }

// Labels are those of a namespace that Joined has made a keyword of.
func Labels(joined string) []string { return strings.Split(joined, separator) }

// Prefixes are the keywords of a namespace and of all that it lies below, shortest first.
func Prefixes(namespace []string) []string {
	out := make([]string, len(namespace))
	for i := range namespace {
		out[i] = Joined(namespace[:i+1])
	}
	return out
}

// Under reports whether a namespace begins with the labels of prefix.
func Under(namespace, prefix []string) bool {
	return len(prefix) <= len(namespace) && slices.Equal(namespace[:len(prefix)], prefix)
}
