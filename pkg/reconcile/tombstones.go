package reconcile

import (
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
)

// tombstones are those that could concern what is decided, found by what they know.
type tombstones struct {
	seal
	registry *profile.Registry
	byEntry  map[string][]*tombstone
	byKey    map[memory.Key][]*tombstone
	topics   []*tombstone
}

// tombstone is one of them, read.
type tombstone struct {
	*memory.Tombstone
	topic *Matcher
	// cut are the words that are taken out of what else was said in the same messages, by
	// the number of the memory whose words they were.
	cut map[string][]string
	// of is that number by the hash of the memory's id.
	of map[string]string
}

// add reads the tombstone of a memory or of a request; of is empty where it is of none.
func (ts *tombstones) add(of memory.ID, t *memory.Tombstone) {
	g := &tombstone{Tombstone: t, topic: ts.matcher(ts.registry, t.Hashes), cut: map[string][]string{}, of: map[string]string{}}
	if of != "" {
		g.of[ts.id(of)] = "0"
	}
	for _, k := range t.Keys {
		ts.byKey[k] = append(ts.byKey[k], g)
	}
	for _, h := range t.Hashes {
		if rest, ok := strings.CutPrefix(h, tagCut); ok {
			n, piece, _ := strings.Cut(rest, ":")
			g.cut[n] = append(g.cut[n], piece)
		} else if rest, ok := strings.CutPrefix(h, tagOf); ok {
			n, id, _ := strings.Cut(rest, ":")
			g.of[id] = n
		} else if !strings.HasPrefix(h, tagTopic) {
			ts.byEntry[h] = append(ts.byEntry[h], g)
		}
	}
	if g.topic != nil {
		ts.topics = append(ts.topics, g)
	}
}

// cuts are the words of all that was deleted but for one memory.
func (g *tombstone) cuts(but string) map[string]bool {
	out := map[string]bool{}
	for n, pieces := range g.cut {
		if n != but {
			for _, p := range pieces {
				out[p] = true
			}
		}
	}
	return out
}

// none reports whether there is nothing to be reminded of.
func (ts *tombstones) none() bool { return len(ts.byEntry)+len(ts.byKey)+len(ts.topics) == 0 }

// heard is a statement as tombstones look at it.
type heard struct {
	memory.Memory
	said    memory.Evidence
	anew    bool
	content *content
	// entries are what is the same statement again.
	entries []string
}

func (ts *tombstones) heard(s Statement) *heard {
	s = aimed(s)
	h := &heard{said: s.Evidence, anew: s.Anew, Memory: memory.Memory{
		Scope: ts.scope, Key: s.Key, About: s.About, Value: s.Value, Text: s.Text, Plan: s.Plan, Status: memory.StatusCurrent,
	}}
	if s.Target != nil && s.Relation == memory.RelationEnds {
		h.About = s.Target.Key
	}
	h.content = &content{m: &h.Memory}
	h.entries = ts.entries(s)
	return h
}

// entries are those of tombstones that concern the statement whatever else they know.
func (ts *tombstones) entries(s Statement) []string {
	out := []string{tagID + ts.id(identity(ts.registry, ts.scope, s)), ts.text(tagText, s.Text), ts.text(tagText, s.Evidence.Quote)}
	if s.Key == "" {
		return append(out, ts.text(tagClause, s.Text), ts.text(tagClause, s.Evidence.Quote))
	}
	return append(out, tagID+ts.id(ts.registry.DisputeIdentity(ts.scope, s.Key, s.Value)), ts.value(ts.registry, s.Key, s.Value))
}

// over is the tombstone that keeps a statement from being learnt, or nil.
func (ts *tombstones) over(h *heard) *tombstone {
	var near []*tombstone
	for _, e := range h.entries {
		near = append(near, ts.byEntry[e]...)
	}
	for _, k := range []memory.Key{h.Key, h.About} {
		if k != "" {
			near = append(near, ts.byKey[k]...)
		}
	}
	for _, g := range near {
		if covers(g.Tombstone, h.said, h.anew) {
			return g
		}
	}
	for _, g := range ts.topics {
		if covers(g.Tombstone, h.said, h.anew) && g.topic.match(&h.Memory, h.content) {
			return g
		}
	}
	for _, g := range ts.byEntry[ts.place(h.said)] {
		if covers(g.Tombstone, h.said, h.anew) && ts.rewords(g, h) {
			return g
		}
	}
	return nil
}

// rewords reports whether a statement from a message in which something was deleted states
// that again in other words: its value says all that was deleted, or half of what it says,
// as a free memory, is just that.
func (ts *tombstones) rewords(g *tombstone, h *heard) bool {
	if h.Key == "" {
		all, cuts := distinct(slices.Clone(h.content.text())), g.cuts("")
		kept := slices.DeleteFunc(slices.Clone(all), func(p string) bool { return cuts[ts.piece(p)] })
		return len(kept) < len(all) && 2*len(kept) <= len(all)
	}
	value := map[string]bool{}
	for p := range h.content.inValue() {
		value[ts.piece(p)] = true
	}
	for _, pieces := range g.cut {
		if !slices.ContainsFunc(pieces, func(p string) bool { return !value[p] }) {
			return true
		}
	}
	return false
}

// cutter says which pieces of text are to be taken out of what was said at e, but for those
// of self, which may have been deleted and restored; nil means none.
func (ts *tombstones) cutter(self memory.ID, e memory.Evidence, text string) func(piece string) bool {
	own := ts.id(self)
	var from []map[string]bool
	for _, g := range ts.byEntry[ts.place(e)] {
		if g.Covers(e) {
			from = append(from, g.cuts(g.of[own]))
		}
	}
	for _, g := range ts.topics {
		if g.Covers(e) && g.of[own] == "" && g.topic.passes(text) {
			from = append(from, setOf(g.topic.words))
		}
	}
	if len(from) == 0 {
		return nil
	}
	return func(piece string) bool {
		h := ts.piece(piece)
		return slices.ContainsFunc(from, func(set map[string]bool) bool { return set[h] })
	}
}

// everything reports whether all that was said at e is forgotten.
func (ts *tombstones) everything(e memory.Evidence) bool {
	return slices.ContainsFunc(ts.topics, func(g *tombstone) bool { return g.topic.all && g.Covers(e) })
}

// passes reports whether a text that is about something else speaks of the topic in passing.
func (x *Matcher) passes(text string) bool {
	if x.own && !x.definite || x.former || len(x.words) == 0 || x.definite && x.others(&content{m: &memory.Memory{Text: text}}) {
		return false
	}
	set := holds(text)
	return x.finds(x.words, set) && (len(x.narrow) == 0 && !x.plans || x.finds(x.name, set))
}

func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return set
}

// sameValue reports whether a tombstone of a key of one value is of the value that s states.
func (ts *tombstones) sameValue(t *memory.Tombstone, s Statement) bool {
	f, _ := ts.registry.Field(s.Key)
	return f.Multi || s.Key == "" || slices.Contains(t.Keys, s.Key) ||
		slices.Contains(t.Hashes, tagValue+ts.hash("value", string(s.Key), canon.Identity(s.Value, f.Class)))
}
