package canon

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// noDistrict matches what follows the name of a place in words that mean no part of it:
// 南京东路 is a road in Shanghai, and 上海大学 a university.
var noDistrict = regexp.MustCompile(`^.?(?:路|街|道|大道|站|大学|学院|人|菜|话|岛)$|^[东西南北中]路`)

// Last words of English names for a part of the city that is named before.
var districtWords = words("district county borough area village town suburb neighbourhood neighborhood")

// First words that make another place of the name after them.
var directions = words(`
	north south east west northern southern eastern western central new old little greater
	upper lower near outside`)

// split takes a piece without commas apart where it holds more than one place, and
// appends what it finds to pieces, each in base form.
func (g *gazetteer) split(pieces []string, piece string) []string {
	piece = placeBase(piece)
	switch {
	case strings.Trim(piece, outer+".") == "":
		return pieces
	case g.find(piece) != nil:
		return append(pieces, piece)
	}
	if first, _ := utf8.DecodeRuneInString(piece); isHan(first) {
		return g.splitHan(pieces, piece)
	}
	return g.splitWords(pieces, piece)
}

// splitHan takes known places off the start, the longest first and each smaller than the
// one before it: 浙江省杭州市西湖区.
func (g *gazetteer) splitHan(pieces []string, piece string) []string {
	above := level(-1)
	for _, p := range pieces {
		if known := g.find(p); known != nil {
			above = max(above, known.level)
		}
	}
	for {
		n, l := g.prefix(piece, above)
		if n == 0 || !g.inner(piece[n:]) {
			return append(pieces, piece)
		}
		pieces = append(pieces, piece[:n])
		piece, above = placeBase(piece[n:]), l
		if first, _ := utf8.DecodeRuneInString(piece); !isHan(first) {
			return g.split(pieces, piece)
		}
	}
}

// prefix is the length of the longest known name at the start of piece that is of a level
// below above, 市 included, and its level.
func (g *gazetteer) prefix(piece string, above level) (int, level) {
	for n := min(len(piece), g.longest); n > 0; n-- {
		if n < len(piece) && !utf8.RuneStart(piece[n]) {
			continue
		}
		if p := g.plain[piece[:n]]; p != nil && p.level > above && allHan(piece[:n]) {
			if strings.HasPrefix(piece[n:], "市") {
				n += len("市")
			}
			return n, p.level
		}
	}
	return 0, above
}

// inner reports whether rest, after the name of a place, can be a part of that place.
func (g *gazetteer) inner(rest string) bool {
	if g.find(rest) != nil {
		return true
	}
	return utf8.RuneCountInString(rest) > 1 && !noDistrict.MatchString(rest)
}

// splitWords takes a country or region off the end ("shanghai china") and a city off the
// start of the name of a part of it ("hangzhou xihu district").
func (g *gazetteer) splitWords(pieces []string, piece string) []string {
	w := strings.Fields(piece)
	for i := max(1, len(w)-maxPlaceWords); i < len(w); i++ {
		tail := strings.Join(w[i:], " ")
		if p := g.find(tail); p != nil && p.level < levelCity && !directions[w[i-1]] {
			return append(g.split(pieces, strings.Join(w[:i], " ")), tail)
		}
	}
	if len(w) < 3 || !districtWords[w[len(w)-1]] {
		return append(pieces, piece)
	}
	for i := min(len(w)-2, maxPlaceWords); i > 0; i-- {
		head := strings.Join(w[:i], " ")
		if p := g.find(head); p != nil && p.level == levelCity {
			return append(pieces, head, placeBase(strings.Join(w[i:], " ")))
		}
	}
	return append(pieces, piece)
}

// maxPlaceWords is how many words the name of a known place can have.
const maxPlaceWords = 5
