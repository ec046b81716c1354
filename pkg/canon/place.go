package canon

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Place is the canonical form of a place. Cities and regions that the table knows fold to
// their Chinese name, whatever their name in English: Shanghai is 上海, Peking 北京, "NYC"
// 纽约. Accents, 市, "City" and the country ("Paris, France", 中国上海) are dropped, as is
// the province of a Chinese city; a state or district stays, as it tells places of one
// name apart ("Denver, Colorado", 杭州西湖区), and the parts are joined by "/", the larger
// first. Of places that are spelt alike in English the better known is meant (Suzhou is
// 苏州), unless the province says otherwise ("Suzhou, Anhui" is 宿州). It is idempotent.
func Place(s string) string {
	parts := placeParts(s)
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.name
	}
	return strings.Join(names, placeJoint)
}

const placeJoint = "/"

// part is one component of a place: a known one, or a name that no table holds.
type part struct {
	name  string
	known *place
}

func (p part) level() level {
	if p.known != nil {
		return p.known.level
	}
	return levelUnknown
}

// placeBase is what every look-up starts from.
func placeBase(s string) string {
	return unaccent(dropLead(trim(normal(s))))
}

// placeParts resolves s into its components, the larger first. It is never empty.
func placeParts(s string) []part {
	base := placeBase(s)
	g := places()
	if p := g.whole(base); p != nil {
		return []part{{p.name, p}}
	}
	var pieces []string
	for _, piece := range strings.FieldsFunc(base, isPlaceSeparator) {
		pieces = g.split(pieces, piece)
	}
	if len(pieces) == 0 {
		return []part{{name: base}}
	}
	return g.resolve(pieces, !strings.Contains(base, placeJoint))
}

func isPlaceSeparator(r rune) bool {
	return strings.ContainsRune(",、;()"+placeJoint, r)
}

// whole returns the place that s names with or without its country, or nil.
func (g *gazetteer) whole(s string) *place {
	if p := g.find(s); p != nil {
		return p
	}
	if i := strings.LastIndexByte(s, ','); i > 0 {
		country, p := g.find(s[i+1:]), g.find(s[:i])
		if country != nil && country.level == levelCountry && p != nil && p.within(country) {
			return p
		}
	}
	return nil
}

// resolve finds out what the pieces mean together, drops what adds nothing, and puts the
// larger first. Abbreviations of regions count only if abbreviated is set.
func (g *gazetteer) resolve(pieces []string, abbreviated bool) []part {
	parts := make([]part, 0, len(pieces))
	for i, piece := range pieces {
		p := g.find(piece)
		if short := g.after[placeKey(piece)]; short != nil && abbreviated && i > 0 {
			p = short
		}
		parts = append(parts, newPart(piece, p))
	}
	for i := range parts {
		g.disambiguate(parts, i, pieces[i])
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return implied(p, parts) })
	slices.SortStableFunc(parts, func(a, b part) int { return int(a.level() - b.level()) })
	return slices.CompactFunc(parts, func(a, b part) bool { return a.name == b.name })
}

// disambiguate settles what parts[i] is, given the larger places beside it: the place of
// that name inside them, or, where the known place of that name lies elsewhere, none.
func (g *gazetteer) disambiguate(parts []part, i int, piece string) {
	if l := parts[i].level(); l == levelCountry || l == levelRegion {
		return
	}
	for _, larger := range parts {
		if larger.level() > levelRegion {
			continue
		}
		if p := g.findIn(piece, larger.known); p != nil {
			parts[i] = newPart(piece, p)
			return
		}
		if parts[i].known != nil && parts[i].known.parent != nil {
			parts[i] = newPart(piece, nil)
		}
	}
}

func newPart(piece string, p *place) part {
	if p != nil {
		return part{p.name, p}
	}
	city := strings.TrimRight(piece, "市")
	if allHan(city) && utf8.RuneCountInString(city) > 1 && places().find(city) == nil {
		piece = city
	}
	return part{name: piece}
}

// implied reports whether a country, or the province of a Chinese city, is said by the
// other parts, or tells nothing apart.
func implied(p part, parts []part) bool {
	if p.level() > levelRegion || len(parts) == 1 {
		return false
	}
	for _, o := range parts {
		if o.known == nil || o.level() <= p.level() {
			continue
		}
		if p.level() == levelCountry && o.known.parent == nil {
			return true
		}
		if o.known.within(p.known) && (p.level() == levelCountry || p.known.parent == china()) {
			return true
		}
	}
	return false
}

func china() *place { return places().plain["中国"] }
