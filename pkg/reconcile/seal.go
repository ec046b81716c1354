package reconcile

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// The entries of Tombstone.Hashes, by their beginnings. What follows is a keyed hash, but for
// tagKey and tagSort, since a key and a sort of plan are no content.
const (
	// tagID is an identity that is forgotten, and tagValue a value of a key, where other
	// values of it are not.
	tagID    = "id:"
	tagValue = "value:"
	// tagText is a clause that is forgotten whatever it is made into, tagClause one that
	// is as a free memory only: other facts may stand in it.
	tagText   = "text:"
	tagClause = "clause:"
	// tagPlace is a message in which the words stand that tagCut names, for each memory
	// that was deleted under a number; tagOf says which one that is.
	tagPlace = "place:"
	tagCut   = "cut:"
	tagOf    = "of:"
	// tagAbout is a key that is forgotten whole, and with it what is about it.
	tagAbout = "about:"
	// tagTopic stands in the tombstone of a request whose words can be found in anything
	// that was said before it, so that a decision about any statement loads it. The rest
	// is its Matcher: flags, keys and words.
	tagTopic    = "topic"
	tagAll      = "topic all"
	tagPlans    = "topic plans"
	tagOwn      = "topic own"
	tagDefinite = "topic definite"
	tagFormer   = "topic former"
	tagSort     = "topic sort:"
	tagKey      = "topic key:"
	tagWord     = "topic word:"
	tagName     = "topic name:"
	tagSaid     = "topic said:"
)

// seal makes the keyed hashes of one owner.
type seal struct {
	secret []byte
	scope  memory.Scope
}

// hash is 16 bytes of HMAC-SHA256 over the owner and the fields, each behind its length.
func (s seal) hash(fields ...string) string {
	h := hmac.New(sha256.New, s.secret)
	for _, f := range append([]string{string(s.scope.Tenant), string(s.scope.Owner.Kind), s.scope.Owner.ID}, fields...) {
		var n [binary.MaxVarintLen64]byte
		h.Write(n[:binary.PutUvarint(n[:], uint64(len(f)))])
		h.Write([]byte(f))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func (s seal) id(id memory.ID) string       { return s.hash("id", string(id)) }
func (s seal) text(tag, text string) string { return tag + s.hash("text", canon.Statement(text)) }
func (s seal) piece(p string) string        { return s.hash("piece", p) }

func (s seal) place(e memory.Evidence) string {
	return tagPlace + s.hash("place", e.Event, strconv.Itoa(e.Message))
}

func (s seal) value(r *profile.Registry, k memory.Key, value string) string {
	f, _ := r.Field(k)
	return tagValue + s.hash("value", string(k), canon.Identity(value, f.Class))
}

// cut is the entry of a piece of the n-th memory that was deleted.
func (s seal) cut(n int, piece string) string { return tagCut + strconv.Itoa(n) + ":" + s.piece(piece) }

// requestSpace is the UUID under which the ids of requests are made.
var requestSpace = uuid.MustParse("5b2c6a9e-3f1d-5d3a-8c52-0e6f6b1f7a90")

// requestID is the id of what a request leaves, by what makes it the same one again.
func requestID(scope memory.Scope, fields ...string) memory.ID {
	var b []byte
	for _, f := range append([]string{string(scope.Tenant), string(scope.Owner.Kind), scope.Owner.ID}, fields...) {
		b = binary.AppendUvarint(b, uint64(len(f)))
		b = append(b, f...)
	}
	return memory.ID(uuid.NewSHA1(requestSpace, b).String())
}

// Tombstone is m as it is kept when it is deleted: its identity, and what the same statement
// is known by again when it was said before place, or there. Whole are the keys that are
// forgotten whatever their value was.
func Tombstone(r *profile.Registry, secret []byte, m *memory.Memory, place memory.Evidence, whole []memory.Key) memory.Memory {
	s := seal{secret, m.Scope}
	t := memory.Tombstone{At: place.At.UTC(), Seq: place.Seq, Message: place.Message, Hashes: s.known(r, m)}
	if m.Key != "" && slices.Contains(whole, m.Key) {
		t.Keys = []memory.Key{m.Key}
	}
	return memory.Memory{ID: m.ID, Scope: m.Scope, Kind: m.Kind, Key: m.Key, Status: memory.StatusDeleted, Tombstone: &t}
}

// known are the entries by which a memory's statement is known again.
func (s seal) known(r *profile.Registry, m *memory.Memory) []string {
	words, tag := m.Text, tagText
	var out []string
	if m.Key != "" {
		words, tag = m.Value, tagClause
		out = append(out, s.value(r, m.Key, m.Value))
	}
	if m.Text != "" {
		out = append(out, s.text(tag, m.Text))
	}
	for _, e := range m.Evidence {
		out = append(out, s.place(e), s.text(tag, e.Quote))
	}
	for _, p := range distinct(pieces(words)) {
		out = append(out, s.cut(0, p))
	}
	compact(&out)
	return out
}

// maxCut bounds the pieces by which the words of one memory are known.
const maxCut = 32

// distinct are the pieces that stand in no longer one.
func distinct(all []string) []string {
	compact(&all)
	all = all[:min(len(all), maxCut)]
	return slices.DeleteFunc(slices.Clone(all), func(p string) bool {
		return slices.ContainsFunc(all, func(o string) bool {
			return len(o) > len(p) && strings.ContainsFunc(p, isHan) && strings.Contains(o, p)
		})
	})
}

// topic is a Matcher without its words, as a tombstone keeps it; nil when there are none to
// be found again.
func (s seal) topic(x *Matcher) []string {
	if !x.all && !x.plans && len(x.words) == 0 && !(x.own && len(x.name) > 0) {
		return nil
	}
	out := []string{tagTopic}
	for _, flag := range []struct {
		set bool
		tag string
	}{{x.all, tagAll}, {x.plans, tagPlans}, {x.own, tagOwn}, {x.definite, tagDefinite}, {x.former, tagFormer}} {
		if flag.set {
			out = append(out, flag.tag)
		}
	}
	if x.sort != "" {
		out = append(out, tagSort+x.sort)
	}
	for _, k := range x.narrow {
		out = append(out, tagKey+string(k))
	}
	for _, list := range []struct {
		tag    string
		pieces []string
	}{{tagWord, x.words}, {tagName, x.name}, {tagSaid, slices.Sorted(maps.Keys(x.said))}} {
		for _, p := range list.pieces {
			out = append(out, list.tag+s.piece(p))
		}
	}
	compact(&out)
	return out
}

// matcher is the Matcher that a tombstone keeps, or nil.
func (s seal) matcher(r *profile.Registry, hashes []string) *Matcher {
	if !slices.Contains(hashes, tagTopic) {
		return nil
	}
	x := &Matcher{registry: r, said: map[string]bool{}, code: s.piece}
	for _, h := range hashes {
		switch h {
		case tagAll:
			x.all = true
		case tagPlans:
			x.plans = true
		case tagOwn:
			x.own = true
		case tagDefinite:
			x.definite = true
		case tagFormer:
			x.former = true
		}
		if name, ok := strings.CutPrefix(h, tagSort); ok {
			x.sort = name
		}
		if k, ok := strings.CutPrefix(h, tagKey); ok {
			x.narrow = append(x.narrow, memory.Key(k))
		}
		if p, ok := strings.CutPrefix(h, tagWord); ok {
			x.words = append(x.words, p)
		}
		if p, ok := strings.CutPrefix(h, tagName); ok {
			x.name = append(x.name, p)
		}
		if p, ok := strings.CutPrefix(h, tagSaid); ok {
			x.said[p] = true
		}
	}
	return x
}
