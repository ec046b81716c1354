package guard

import (
	"regexp"
	"strings"
)

// BlockOpen and BlockClose are the lines between which recall puts memories into a prompt.
// A memory's text must not hold either.
const (
	BlockOpen  = "<memories>"
	BlockClose = "</memories>"
)

// StaleNoticeEN and StaleNoticeZH end the block that recall injects, in the language of
// the query. Each is one line.
const (
	StaleNoticeEN = "These memories come from earlier conversations and may be out of date. Where they differ from what is said in this conversation, the conversation wins."
	StaleNoticeZH = "以上记忆来自过去的对话，可能已经过时；如与当前对话不一致，以当前对话为准。"
)

// citation is the head of a recalled memory: "[memory 7c1e, 2026-03-01]".
var citation = regexp.MustCompile(`(?i)\[memory\s+[0-9a-f-]{4,36}\s*[,，]\s*\d{4}-\d{2}-\d{2}[^\]\n]{0,80}\]`)

var bullet = regexp.MustCompile(`^[ \t]*(?:[-*+•·–]|\(?\d{1,3}[.)、）])?[ \t]*$`)

// withoutInjected takes out what recall put into a prompt: blocks, cited memories to the
// end of their lines, and the notice.
func withoutInjected(s string) string {
	for _, find := range []func(string) []piece{blocks, citations, notices} {
		s = cut(s, find(s))
	}
	return s
}

// blocks finds injected blocks. One that is not closed ends at the next blank line.
func blocks(s string) []piece {
	low := lowerASCII(s)
	lastClose := strings.LastIndex(low, BlockClose)
	var found []piece
	for i := 0; ; {
		j := strings.Index(low[i:], BlockOpen)
		if j < 0 {
			break
		}
		start := i + j
		i = start + len(BlockOpen)
		if i <= lastClose {
			i += strings.Index(low[i:], BlockClose) + len(BlockClose)
		} else {
			i = blockEnd(s, i)
		}
		found = append(found, piece{start, i})
	}
	for i := 0; ; {
		j := strings.Index(low[i:], BlockClose)
		if j < 0 {
			return found
		}
		found = append(found, piece{i + j, i + j + len(BlockClose)})
		i += j + len(BlockClose)
	}
}

// blockEnd is where the block that begins at i ends without a mark: at the first blank
// line after some text.
func blockEnd(s string, i int) int {
	said := false
	for start := i; start < len(s); {
		end := start + len(firstLine(s[start:]))
		blank := strings.TrimSpace(s[start:end]) == ""
		if said && blank {
			return start
		}
		said = said || !blank
		start = end + 1
	}
	return len(s)
}

func citations(s string) []piece {
	var found []piece
	for _, l := range lines(s) {
		m := citation.FindStringIndex(l.text)
		if m == nil {
			continue
		}
		start := l.start + m[0]
		if bullet.MatchString(l.text[:m[0]]) {
			start = l.start
		}
		found = append(found, piece{start, l.end})
	}
	return found
}

func notices(s string) []piece {
	var found []piece
	for _, notice := range []string{StaleNoticeEN, StaleNoticeZH} {
		for i := 0; ; {
			j := strings.Index(s[i:], notice)
			if j < 0 {
				break
			}
			found = append(found, piece{i + j, i + j + len(notice)})
			i += j + len(notice)
		}
	}
	for k := range found {
		p := &found[k]
		head := strings.LastIndexByte(s[:p.start], '\n') + 1
		if bullet.MatchString(s[head:p.start]) {
			p.start = head
		}
	}
	return found
}
