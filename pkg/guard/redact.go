package guard

import (
	"cmp"
	"slices"
	"strings"
)

// maxPasses bounds how often what is left between two cuts is looked at again. A text that
// still yields secrets after that was made for it, and what is left of it is cut whole.
const maxPasses = 4

// Redact cuts the secrets out of text and puts each one's Marker in its place. It returns
// the clean text and one Finding per kind, in a fixed order, nil when there was none. What
// is not cut stays byte for byte. Redacting a redacted text changes nothing, and valid
// UTF-8 stays valid.
//
// Passwords, codes and account numbers need a cue ("my password is", 验证码); keys, cards,
// IBANs and identity numbers are known by their form. In doubt about a value after a cue
// it is cut; the place of a secret (密码在团队密码本里) and prose about one ("my password
// has expired") stay.
func Redact(text string) (clean string, findings []Finding) {
	counts := tally{}
	return redact("", text, counts), counts.findings()
}

// redact cuts text, which stands behind lead: a cue that belongs to it but is no part of
// the result.
func redact(lead, text string, counts tally) string {
	var out *strings.Builder
	done := 0
	for done < len(text) || out == nil {
		start, end := nextMarker(text, done)
		if out == nil {
			if start == len(text) {
				return redactPiece(lead, text, counts, 0)
			}
			out = &strings.Builder{}
		}
		out.WriteString(redactPiece(lead, text[done:start], counts, 0))
		out.WriteString(text[start:end])
		lead, done = "", end
	}
	return out.String()
}

// redactPiece cuts a piece of text that holds no marker. Each piece between two cuts is
// looked at once more on its own, so that what is handed back is a fixed point: markers
// are barriers to detection.
func redactPiece(lead, piece string, counts tally, pass int) string {
	spans := detect(lead, piece)
	if len(spans) == 0 {
		return piece
	}
	if pass == maxPasses {
		counts[spans[0].kind]++
		return spans[0].kind.Marker()
	}
	var out strings.Builder
	done := 0
	for _, s := range spans {
		out.WriteString(redactPiece(lead, piece[done:s.start], counts, pass+1))
		out.WriteString(s.kind.Marker())
		counts[s.kind]++
		lead, done = "", s.end
	}
	out.WriteString(redactPiece(lead, piece[done:], counts, pass+1))
	return out.String()
}

// nextMarker finds the first marker of a known kind at or after from. Without one, both
// ends are len(text).
func nextMarker(text string, from int) (start, end int) {
	for {
		i := strings.Index(text[from:], markerOpen)
		if i < 0 {
			return len(text), len(text)
		}
		start, from = from+i, from+i+len(markerOpen)
		name := text[from:min(len(text), from+24)]
		if j := strings.Index(name, markerClose); j >= 0 && known(Kind(name[:j])) {
			return start, from + j + len(markerClose)
		}
	}
}

// span is a secret's place in a text, in bytes.
type span struct {
	start, end int
	kind       Kind
}

// detectors are asked in this order; where two find the same place, the first names it.
var detectors = []func(*folded) []span{
	findKeyBlocks, findTokens, findAddresses, findCommands, findNumbers, findIBANs,
	findCuedNumbers, findSeedPhrases, findCuedKeys, findPasswords,
}

// detect returns the secrets in piece, ordered and apart from each other.
func detect(lead, piece string) []span {
	if piece == "" {
		return nil
	}
	t := fold(lead + piece)
	var found []span
	for _, find := range detectors {
		found = append(found, find(t)...)
	}
	own := found[:0]
	for _, s := range found {
		s.start, s.end = t.original(s.start)-len(lead), t.original(s.end)-len(lead)
		s.start = max(s.start, 0)
		if s.start < s.end {
			own = append(own, s)
		}
	}
	return merge(own)
}

// merge orders spans by place and makes one of those that overlap; the one that begins
// first, or else is longer, gives the kind.
func merge(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	merged := spans[:0]
	for _, s := range spans {
		if n := len(merged); n > 0 && s.start < merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, s.end)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}
