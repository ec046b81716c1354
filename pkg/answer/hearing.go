package answer

import (
	"regexp"
	"slices"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/sign"
)

// hearing is the reading of one sentence.
type hearing struct {
	*matter
	reading
	content string
	f       folded
	// offers are the sides in the order in which they were offered.
	offers []int
	// refused is set when a sentence before has said that no side is right.
	refused bool
}

// sentence reads one sentence; said is what the message has said before it.
func (m *matter) sentence(content string, s *sentence.Sentence, offers []int, said *reading) (reading, verdict) {
	h := hearing{matter: m, content: content, f: fold(content, s.From, s.To), offers: offers, refused: said.none}
	over := sign.Of(h.f.text).Has(sign.Ending)
	tokens := scanner{lexicon, m, said.both || said.all || over, !said.says() && !over}.scan(h.f.text)
	for i := range tokens {
		if t := &tokens[i]; s.InQuotes(h.place(t.from)-s.From, h.place(t.to)-s.From) {
			t.kind = unknown
		}
	}
	h.settled = slices.ContainsFunc(tokens, token.settles)
	h.agrees = slices.ContainsFunc(tokens, func(t token) bool { return t.kind == filler && agreement.MatchString(t.text) })
	if h.doubts(tokens) {
		return h.reading, doubtful
	}
	if !h.clauses(tokens) {
		h.explains(tokens)
		return h.reading, foreign
	}
	speaks := h.says() || h.qualified
	if speaks || h.agrees {
		h.quote = span{s.From, s.To}
	}
	if !speaks {
		return h.reading, idle
	}
	return h.reading, speaking
}

// clauses reads one clause after another, and reports whether all can stand in an answer.
func (h *hearing) clauses(tokens []token) bool {
	mending := false // what follows puts right what came before
	for from := 0; from < len(tokens); {
		to := from
		for to < len(tokens) && tokens[to].kind != mark {
			to++
		}
		before := len(h.chosen)
		if to > from && !h.clause(tokens[from:to]) {
			return false
		}
		mending = mending || slices.ContainsFunc(tokens[from:to], func(t token) bool { return t.kind == corrects })
		if mending && before > 0 && len(h.chosen) > before && !h.qualified {
			h.chosen = h.chosen[before:] // "May 14 - sorry, May 4"
		}
		from = to + 1
	}
	return true
}

// settles reports whether a token is a sign that the matter is settled.
func (t token) settles() bool {
	return t.kind == corrects || t.kind == wrong || t.kind == insists || t.kind == upholds
}

// agreement is what accepts an offer to do something, and is nothing but polite elsewhere.
var agreement = regexp.MustCompile(`^(?:ok|okay|alright|all right|好|好的|好吧|没问题)$`)

// place is where in the content the folded offset lies.
func (h *hearing) place(at int) int { return h.f.at[at] }

// doubts reports whether the sentence is a guess or a supposition.
func (h *hearing) doubts(tokens []token) bool {
	picked, denied, resolved := false, false, false
	for _, t := range tokens {
		switch t.kind {
		case mark:
			picked, denied, resolved = false, false, false
		case filler:
			resolved = resolved || resolves.MatchString(t.text)
		case insists:
			resolved = true
		case value, elsewhere:
			picked = true
		case not:
			denied = true
		case hedge:
			return true
		case ought:
			if !h.settled && !h.refused && !slices.ContainsFunc(tokens, func(t token) bool { return t.kind == none }) {
				return true
			}
		case soft:
			if picked && !resolved {
				return true
			}
		case either:
			if !denied {
				return true
			}
		}
	}
	return false
}

// resolves makes a wish of what would be a guess: 改成5月14日吧.
var resolves = regexp.MustCompile(`^(?:那就|就|用|按|选|改成|改为|换成|记成|保留)$`)

// clause reads one clause, and reports whether it can stand in an answer.
func (h *hearing) clause(tokens []token) bool {
	if stray := slices.IndexFunc(tokens, func(t token) bool { return t.kind == unknown }); stray >= 0 {
		return h.strange(tokens, stray)
	}
	chosen, deny, qualified := slices.Clone(h.chosen), false, false
	for i, t := range tokens {
		switch t.kind {
		case not:
			deny = true
			if !slices.ContainsFunc(tokens[i:], token.picks) {
				h.no = true
			}
		case no:
			if i+1 < len(tokens) && tokens[i+1].picks() {
				return false // "no boyfriend"
			}
			h.no = true
		case wrong:
			h.wrong = h.wrong || len(h.chosen) == len(chosen)
			h.takeBack(chosen)
		default:
			qualified, h.about = qualified || t.kind == qualifies, h.about || t.owned
			if h.pick(t, deny) {
				deny = false
			} else {
				h.note(t.kind)
			}
		}
	}
	if qualified || len(h.chosen) > len(chosen) {
		h.what = h.what.join(h.places(tokens))
	}
	return true
}

// picks reports whether t names a side or an offer.
func (t token) picks() bool {
	return t.kind >= older && t.kind <= last || t.kind >= liking && t.kind <= disliking || t.kind >= value
}

// pick takes a token that names a side.
func (h *hearing) pick(t token, deny bool) bool {
	if !t.picks() {
		return false
	}
	where := h.places([]token{t})
	h.picks = h.picks.join(where)
	if t.kind == elsewhere {
		if !deny {
			h.other, h.others = h.core(where), h.others+1
		}
		return true
	}
	side := h.side(t)
	switch {
	case side < 0:
		h.others = 2 // an offer that nobody made
	case deny:
		h.denied, h.refutes = union(h.denied, []int{side}), h.refutes || t.kind == value
	default:
		h.chosen = union(h.chosen, []int{side})
		if t.kind < subject && t.kind != liking && t.kind != disliking {
			h.offered = union(h.offered, []int{side})
		}
	}
	return true
}

// core is a date without what people say around it: "I was born on June 2" is June 2.
func (h *hearing) core(where span) span {
	form := canon.Identity(h.content[where.from:where.to], h.class)
	for _, w := range wordsIn(h.content, where) {
		if canon.Identity(h.content[w.from:where.to], h.class) == form {
			where.from = w.from
		}
	}
	where.to -= len(born.FindString(h.content[where.from:where.to]))
	return where
}

// born follows a date of birth.
var born = regexp.MustCompile(`(?:出生的?|生的?|生日)$`)

// side is the side that a token names, or -1.
func (h *hearing) side(t token) int {
	offer := func(n int) int {
		if n < len(h.offers) {
			return h.offers[n]
		}
		return -1
	}
	switch t.kind {
	case value:
		return t.side
	case older:
		return 0
	case newer:
		return len(h.sides) - 1
	case last:
		return offer(len(h.offers) - 1)
	case liking:
		return h.likes
	case disliking:
		return h.hates
	}
	return offer(int(t.kind - first))
}

// note takes a token that names no side.
func (h *hearing) note(k kind) {
	switch k {
	case both, likesBoth:
		h.both = true
	case all:
		h.all = true
	case none:
		h.none = true
	case yes, upholds:
		h.yes = true
	case or:
		h.or = true
	case and:
		h.and = true
	case qualifies:
		h.qualified = true
	}
}

// takeBack denies what the clause has chosen.
func (h *hearing) takeBack(before []int) {
	for _, side := range h.chosen {
		if !slices.Contains(before, side) {
			h.denied = union(h.denied, []int{side})
			h.refutes = h.refutes || !slices.Contains(h.offered, side)
		}
	}
	h.chosen = slices.Clone(before)
}
