package guard

import (
	"regexp"
	"strings"
)

// maxKeyBlock is how far from its begin line the end line of a private key is looked for.
const maxKeyBlock = 16 << 10

var (
	keyBegin = regexp.MustCompile(`^-{3,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{0,5}`)
	keyEnd   = regexp.MustCompile(`^-{3,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{0,5}`)
	// keyHeader is a header line within a block.
	keyHeader = regexp.MustCompile(`^(?:Proc-Type|DEK-Info|Comment|Version|Charset|Hash|MessageID):[^\n]{0,200}`)
)

// findKeyBlocks finds private keys in PEM, OpenSSH and PGP armour, also those that lack
// their first or their last line.
func findKeyBlocks(t *folded) []span {
	if !strings.Contains(t.s, "PRIVATE KEY") {
		return nil
	}
	var found []span
	s, done := t.s, 0
	for i := 0; i < len(s); {
		j := strings.Index(s[i:], "---")
		if j < 0 {
			break
		}
		i += j
		window := s[i:min(len(s), i+80)]
		if m := keyBegin.FindStringIndex(window); m != nil {
			end := keyBlockEnd(s, i+m[1])
			found = append(found, span{i, end, KindPrivateKey})
			i, done = end, end
		} else if m := keyEnd.FindStringIndex(window); m != nil {
			end := i + m[1]
			found = append(found, span{keyBodyStart(s, done, i), end, KindPrivateKey})
			i, done = end, end
		} else {
			i = runEnd(s, i, func(b byte) bool { return b == '-' })
		}
	}
	return found
}

// keyBlockEnd is the end of the block whose begin line ends at from: behind its end line,
// or, where that is missing, behind the last piece that looks like a key's body.
func keyBlockEnd(s string, from int) int {
	window := s[from:min(len(s), from+maxKeyBlock)]
	for i := 0; ; {
		j := strings.Index(window[i:], "---")
		if j < 0 {
			break
		}
		i += j
		if keyBegin.MatchString(window[i:min(len(window), i+80)]) {
			break
		}
		if m := keyEnd.FindStringIndex(window[i:min(len(window), i+80)]); m != nil {
			return from + i + m[1]
		}
		i = runEnd(window, i, func(b byte) bool { return b == '-' })
	}
	return keyBodyEnd(s, from)
}

func keyBodyEnd(s string, from int) int {
	end := from
	for i := from; ; {
		i = runEnd(s, i, isBlank)
		if m := keyHeader.FindStringIndex(s[i:min(len(s), i+220)]); m != nil {
			i += m[1]
			end = i
			continue
		}
		next := runEnd(s, i, isKeyBody)
		if !likeKeyBody(s[i:next]) {
			return end
		}
		i, end = next, next
	}
}

// keyBodyStart is where the body that ends at end begins, not before from.
func keyBodyStart(s string, from, end int) int {
	start := end
	for i := end; ; {
		for i > from && isBlank(s[i-1]) {
			i--
		}
		prev := i
		for prev > from && isKeyBody(s[prev-1]) {
			prev--
		}
		if !likeKeyBody(s[prev:i]) {
			return start
		}
		i, start = prev, prev
	}
}

func isBlank(b byte) bool   { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }
func isKeyBody(b byte) bool { return isBase64(b) || b == '\\' }

// likeKeyBody tells a line of base64 from a word.
func likeKeyBody(s string) bool {
	return len(s) >= 20 || strings.HasSuffix(s, "=") || strings.Contains(s, `\n`) ||
		len(s) >= 4 && hasDigit(s) && hasLetter(s) && strings.ToLower(s) != s
}
