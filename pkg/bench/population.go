package bench

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// Population is owners with memories that nobody has said, in English and Chinese: the same
// for the same numbers. Each memory is made by itself, so that none has to be kept.
type Population struct {
	Seed     uint64
	Owners   int
	Memories int

	registry *profile.Registry
	now      time.Time
	sizes    []int
}

// The shares of the memories, in per cent, that are expired, suppressed or in the archive;
// the rest can be recalled.
const (
	expiredShare    = 4
	suppressedShare = 2
	archivedShare   = 6
)

// NewPopulation distributes the memories over the owners: most owners have few, some have
// several times the mean (an exponential distribution), none has none. It is an error if
// there are fewer memories than owners, or no owners. now is the time at which recalls will
// be made.
func NewPopulation(seed uint64, owners, memories int, r *profile.Registry, now time.Time) (*Population, error) {
	if owners < 1 || memories < owners {
		return nil, errors.New("a population needs at least one owner, and one memory for each")
	}
	p := &Population{Seed: seed, Owners: owners, Memories: memories, registry: r, now: now, sizes: make([]int, owners)}
	parts, sum := make([]float64, owners), 0.0
	for i := range parts {
		parts[i] = newSpeaker(seed, uint64(i)).ExpFloat64()
		sum += parts[i]
	}
	left := memories - owners
	for i := range parts {
		p.sizes[i] = 1 + int(math.Floor(parts[i]/sum*float64(memories-owners)))
		left -= p.sizes[i] - 1
	}
	for i := range left { // what was rounded off is less than one each
		p.sizes[i%owners]++
	}
	return p, nil
}

// Scope is that of an owner, counted from 0.
func (p *Population) Scope(owner int) memory.Scope {
	return memory.UserScope(memory.DefaultTenant, memory.User(fmt.Sprintf("owner-%d", owner)))
}

// Size is how many memories an owner has.
func (p *Population) Size(owner int) int { return p.sizes[owner] }

// Of are an owner's memories: as many as Size, no two with one id.
func (p *Population) Of(owner int) []memory.Memory {
	out := make([]memory.Memory, 0, p.sizes[owner])
	seen := make(map[memory.ID]bool, p.sizes[owner])
	for i := 0; len(out) < p.sizes[owner]; i++ {
		if m := p.memory(owner, i); !seen[m.ID] {
			seen[m.ID] = true
			out = append(out, m)
		}
	}
	return out
}

// memory is an owner's i-th. Some say what another one says, and have its id and state.
func (p *Population) memory(owner, i int) memory.Memory {
	s := p.statement(owner, i)
	scope := p.Scope(owner)
	m := memory.Memory{
		ID: p.registry.Identity(scope, s.key, s.value, s.text), Scope: scope, Kind: s.kind, Key: s.key, Value: s.value,
		Text: s.text, Language: s.language(), Stability: memory.Stable, Status: memory.StatusCurrent, Confidence: 0.9,
	}
	h := fnv.New64a()
	h.Write([]byte(m.ID))
	p.live(&m, newSpeaker(p.Seed, h.Sum64()))
	m.Evidence = []memory.Evidence{{
		Event: fmt.Sprintf("event-%d-%d", owner, i), Seq: uint64(i + 1), Thread: memory.Thread(fmt.Sprintf("thread-%d", i/8)),
		Role: memory.RoleUser, At: m.ConfirmedAt, Quote: s.text,
	}}
	return m
}

// live gives a memory its dates: half of them are hot, the rest warm.
func (p *Population) live(m *memory.Memory, r *speaker) {
	const day = 24 * time.Hour
	m.SaidAt = p.now.Add(-time.Duration(1+r.IntN(80*24*60)) * time.Minute)
	m.CreatedAt, m.ConfirmedAt = m.SaidAt, m.SaidAt
	switch share := r.IntN(100); {
	case share < expiredShare:
		m.ExpiresAt = p.now.Add(-time.Duration(1+r.IntN(1000)) * time.Minute)
	case share < expiredShare+suppressedShare:
		m.SuppressedBy = memory.ID("00000000-0000-5000-8000-000000000000")
	case share < expiredShare+suppressedShare+archivedShare:
		m.SaidAt = p.now.Add(-time.Duration(100+r.IntN(300)) * day)
		m.CreatedAt, m.ConfirmedAt, m.ArchivedAt = m.SaidAt, m.SaidAt, p.now.Add(-day)
	case share < 50 && m.SaidAt.Before(p.now.Add(-30*day)):
		m.AccessedAt = p.now.Add(-time.Duration(r.IntN(25)) * day)
	}
	m.Pinned = r.IntN(50) == 0
}

// recallable reports whether a recall can find m without the archive.
func (p *Population) recallable(m *memory.Memory) bool {
	return m.Live(p.now) && m.SuppressedBy == "" && m.ArchivedAt.IsZero()
}

// Question is a query of an owner of the population.
type Question struct {
	Scope memory.Scope
	Query string
	// Gold is the memory that answers it; empty if the owner has none that has to do with it.
	Gold memory.ID
}

// Question is the n-th query, of an owner. An unrelated one is made of words that none of the
// owner's memories holds.
func (p *Population) Question(owner, n int, unrelated bool) Question {
	r := newSpeaker(p.Seed, uint64(owner), uint64(n), 7)
	q := Question{Scope: p.Scope(owner)}
	if !unrelated {
		first := r.IntN(p.sizes[owner])
		for i := range p.sizes[owner] {
			at := (first + i) % p.sizes[owner]
			if m := p.memory(owner, at); p.recallable(&m) {
				q.Query, q.Gold = p.statement(owner, at).question, m.ID
				return q
			}
		}
	}
	chinese := speaksChinese(owner)
	q.Query = strings.NewReplacer("{a}", p.strange(owner, chinese, r), "{b}", p.strange(owner, chinese, r)).Replace(strangeQuestion(chinese, r))
	return q
}

// strange is a word that an owner's memories do not hold, nor two characters of a Chinese one.
func (p *Population) strange(owner int, chinese bool, r *speaker) string {
	for {
		w := word(chinese, r.IntN(vocabularySize))
		parts := []string{w}
		if chars := []rune(w); chinese {
			parts = parts[:0]
			for i := range len(chars) - 1 {
				parts = append(parts, string(chars[i:i+2]))
			}
		}
		held := false
		for i := 0; i < p.sizes[owner] && !held; i++ {
			text := p.statement(owner, i).text
			held = slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
		}
		if !held {
			return w
		}
	}
}
