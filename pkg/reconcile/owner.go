package reconcile

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
)

// possessor says whose the word at words[i], or the part of it that begins at byte at, is.
type possessor int

const (
	nobody possessor = iota
	speaker
	other
)

var (
	speakersOwn = wordSet("my our")
	othersOwn   = wordSet("his her their your its whose")
	hanOwn      = regexp.MustCompile(`(?:我|咱|我们|咱们|我家|我们家)的?$`)
	hanOther    = regexp.MustCompile(`(?:他|她|它|你|您|人|友|邻居|同事|同学|室友|老板|客户|亲戚|隔壁|爸|妈|哥|弟|姐|妹|爷爷|奶奶|老师)们?(?:家里?)?的?$`)
)

// ownerOf looks back over at most two adjectives.
func ownerOf(words []word, i, at int) possessor {
	if w := words[i]; w.han {
		before := w.text[:at]
		switch {
		case hanOwn.MatchString(before):
			return speaker
		case hanOther.MatchString(before):
			return other
		}
		return nobody
	}
	for back := 1; back <= 3 && i-back >= 0; back++ {
		w := words[i-back]
		plain := strings.ToLower(w.text)
		switch {
		case speakersOwn[plain]:
			return speaker
		case othersOwn[plain], strings.HasSuffix(plain, "'s"), strings.HasSuffix(plain, "’s"):
			return other
		case w.han || len(w.pieces) == 0:
			return nobody
		}
	}
	return nobody
}

// owners are those of each place where piece stands in text.
func owners(text string, is func(piece string) bool) []possessor {
	words := split(text)
	var out []possessor
	for i, w := range words {
		if !w.han {
			if slices.ContainsFunc(w.pieces, is) {
				out = append(out, ownerOf(words, i, 0))
			}
			continue
		}
		run := []rune(w.text)
		for from := range run {
			for n := 1; n <= 2 && from+n <= len(run); n++ {
				if is(canon.Simplify(string(run[from : from+n]))) {
					out = append(out, ownerOf(words, i, len(string(run[:from]))))
				}
			}
		}
	}
	return out
}
