package document

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Text is what a document is found by: the strings, numbers and booleans at the paths of its
// Index, one a line, in the order of the paths and within each in that of writing; what
// several paths name stands once. It is empty where the Index is empty, where the paths name
// nothing, and of a removed document.
func Text(d *Document) string {
	if d.Index != nil && len(d.Index) == 0 || len(d.Value) == 0 {
		return ""
	}
	root, err := parse(d.Value)
	if err != nil {
		return ""
	}
	paths := d.Index
	if paths == nil {
		paths = []string{whole}
	}
	var lines []string
	seen := map[*node]bool{}
	for _, path := range paths {
		steps, _ := parsePath(path)
		for _, n := range root.follow(steps, nil) {
			n.scalars("", false, func(_ string, _ bool, leaf *node) {
				if text := strings.TrimSpace(leaf.text); text != "" && !seen[leaf] {
					seen[leaf] = true
					lines = append(lines, text)
				}
			})
		}
	}
	return strings.Join(lines, "\n")
}

// MaxPairs is how many fields of a document are kept as keywords.
const MaxPairs = 64

// PairsOverflow stands alone in place of the pairs of a document that has more fields than
// MaxPairs: it is to be found by any pair, and read.
const PairsOverflow = "*"

// maxPairBytes is up to what length a pair stands as it is.
const maxPairBytes = 192

// Pairs are the fields of a document that hold a string, a number, a boolean or null, each as
// the keyword name=value: the name with dots, the value as canonical JSON, so that equal
// values are equal keywords. A long one is hashed. What is within a list is left out.
// Whatever has all the pairs of a Filter may still fail it; what lacks one, and is not
// PairsOverflow, does fail it.
func Pairs(d *Document) []string {
	if len(d.Value) == 0 {
		return nil
	}
	root, err := parse(d.Value)
	if err != nil {
		return nil
	}
	var pairs []string
	root.scalars("", true, func(name string, named bool, n *node) {
		if named && len(pairs) <= MaxPairs {
			pairs = append(pairs, pair(name, n))
		}
	})
	if len(pairs) > MaxPairs {
		return []string{PairsOverflow}
	}
	return pairs
}

func pair(name string, n *node) string {
	p := name + "=" + n.canonical()
	if len(p) <= maxPairBytes {
		return p
	}
	sum := sha256.Sum256([]byte(p))
	return "#" + hex.EncodeToString(sum[:16])
}
