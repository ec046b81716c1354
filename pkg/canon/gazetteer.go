package canon

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// placesData lists places and their names; its header explains the form.
//
//go:embed data/places.txt
var placesData string

// level orders places from large to small. What no table knows is the smallest.
type level int

const (
	levelCountry level = iota
	levelRegion
	levelCity
	levelUnknown
)

// place is one entry of the gazetteer.
type place struct {
	// name is canonical and unique in the gazetteer.
	name   string
	level  level
	parent *place
}

// within reports whether p lies in o.
func (p *place) within(o *place) bool {
	for q := p.parent; q != nil; q = q.parent {
		if q == o {
			return true
		}
	}
	return false
}

// gazetteer finds places by name, in the form of placeKey.
type gazetteer struct {
	// plain names mean one place wherever they stand.
	plain map[string]*place
	// lesser names also belong to a better known place: they count beside their region.
	lesser map[string][]*place
	// after holds abbreviations that count only after a comma.
	after map[string]*place
	// longest is the length of the longest Chinese name, in bytes.
	longest int
}

var places = sync.OnceValue(func() *gazetteer {
	g, err := parsePlaces(placesData)
	if err != nil {
		panic(err) // the table is part of the program
	}
	return g
})

// placeKey is the form in which names are looked up: "Xi'an", "Xi An" and "Xian" are one.
func placeKey(s string) string { return joints.Replace(unaccent(s)) }

var joints = strings.NewReplacer(" ", "", "'", "", "-", "", ".", "")

func parsePlaces(data string) (*gazetteer, error) {
	g := &gazetteer{plain: map[string]*place{}, lesser: map[string][]*place{}, after: map[string]*place{}}
	var country, region *place
	for line := range dataLines(data) {
		if line == "@-" {
			country, region = nil, nil
			continue
		}
		p := &place{level: levelCity, parent: region}
		if region == nil {
			p.parent = country
		}
		switch line[0] {
		case '@':
			p.level, p.parent = levelCountry, nil
			country, region = p, nil
		case '%':
			p.level, p.parent = levelRegion, country
			region = p
		}
		if err := g.add(p, strings.Split(strings.TrimLeft(line, "@%"), "=")); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *gazetteer) add(p *place, names []string) error {
	p.name = placeBase(names[0])
	for _, n := range names {
		if rest, ok := strings.CutPrefix(n, "~"); ok {
			key := placeKey(placeBase(rest))
			g.lesser[key] = append(g.lesser[key], p)
			continue
		}
		table := g.plain
		if strings.HasPrefix(n, ",") {
			table = g.after
		}
		key := placeKey(placeBase(n))
		if other, ok := table[key]; ok && other != p {
			return fmt.Errorf("%q names both %s and %s", n, other.name, p.name)
		}
		table[key] = p
		if utf8.RuneLen([]rune(key)[0]) == 3 {
			g.longest = max(g.longest, len(key))
		}
	}
	return nil
}

// find returns the place that s means by itself, or nil. A city may be followed by 市 or
// "City".
func (g *gazetteer) find(s string) *place {
	key := placeKey(s)
	if p := g.plain[key]; p != nil {
		return p
	}
	for _, suffix := range []string{"市", "city"} {
		if rest, ok := strings.CutSuffix(key, suffix); ok {
			if p := g.plain[rest]; p != nil && p.level == levelCity {
				return p
			}
		}
	}
	return nil
}

// findIn returns the place inside of region that s means there, or nil.
func (g *gazetteer) findIn(s string, region *place) *place {
	if p := g.find(s); p != nil && p.within(region) {
		return p
	}
	for _, p := range g.lesser[strings.TrimSuffix(placeKey(s), "市")] {
		if p.within(region) {
			return p
		}
	}
	return nil
}
