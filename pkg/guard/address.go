package guard

import (
	"regexp"
	"strings"
)

// findAddresses finds the passwords of scheme://user:password@host. A password may hold
// "@" and "/": host and port cannot.
func findAddresses(t *folded) []span {
	var found []span
	s := t.s
	for i := 0; ; {
		j := strings.Index(s[i:], "://")
		if j < 0 {
			return found
		}
		i += j + len("://")
		rest := s[i:min(len(s), i+1024)]
		if k := strings.IndexAny(rest, " \t\r\n\"'`<>"); k >= 0 {
			rest = rest[:k]
		}
		start, end, ok := userinfoPassword(rest)
		if ok {
			found = append(found, span{i + start, i + end, KindPassword})
			i += end
		}
	}
}

func userinfoPassword(rest string) (start, end int, ok bool) {
	colon := strings.IndexByte(rest, ':')
	if colon < 0 || strings.ContainsAny(rest[:colon], "/?#@") {
		return 0, 0, false
	}
	authority := len(rest)
	if k := strings.IndexAny(rest[colon:], "/?#"); k >= 0 && runEnd(rest, colon+1, isDigit) == colon+k {
		authority = colon + k // host:port/path
	} else if k >= 0 && strings.Contains(rest[:colon+k], "@") {
		authority = colon + k
	}
	at := strings.LastIndexByte(rest[:authority], '@')
	return colon + 1, at, at > colon+1
}

// commands are the programs that take a password as an argument, by a word of them; the
// first group is the password.
var commands = []struct {
	word string
	args *regexp.Regexp
}{
	{"mysql", regexp.MustCompile(`^[a-z]*(?: [^\s|;&]+){0,6}? -p([^\s'"]+)`)},
	{"sshpass", regexp.MustCompile(`^ -p ?['"]?([^\s'"]+)`)},
	{"curl", regexp.MustCompile(`^(?: [^\s|;&]+){0,8}? (?:-u|--user)[ =]['"]?[^\s:'"]+:([^\s'"]+)`)},
}

func findCommands(t *folded) []span {
	var found []span
	for _, c := range commands {
		for i := 0; ; {
			j := strings.Index(t.low[i:], c.word)
			if j < 0 {
				break
			}
			i += j + len(c.word)
			m := c.args.FindStringSubmatchIndex(t.s[i:min(len(t.s), i+240)])
			if m != nil {
				end := i + m[2] + runLength(t.s[i+m[2]:])
				found = append(found, span{i + m[2], end, KindPassword})
				i = end
			}
		}
	}
	return found
}

// runLength is the number of bytes up to the first blank or quotation mark.
func runLength(s string) int {
	if i := strings.IndexAny(s, " \t\r\n'\"`"); i >= 0 {
		return i
	}
	return len(s)
}
