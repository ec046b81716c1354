package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/ledger"
)

// Share is how many of a number are something.
type Share struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

func (s *Share) add(is bool) {
	s.Of++
	if is {
		s.Count++
	}
}

// String is such as "3 of 40 (7.5 %)".
func (s Share) String() string {
	if s.Of == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", s.Count, s.Of, 100*float64(s.Count)/float64(s.Of))
}

// Coverage is how many gold memories of a group are found: at least half of what their words
// tell stands in one memory.
type Coverage struct {
	Group string `json:"group"`
	Found Share  `json:"found"`
	// AtSource counts those that a memory from a turn which states them finds: other memories
	// can have the same words by chance, or the same fact from another turn.
	AtSource Share `json:"at_source"`
	// InSource counts those that their own turn would find if it were a memory as it stands:
	// the rest is told by the set in words that nobody said there.
	InSource Share `json:"in_source"`
}

func (c *Coverage) add(found, atSource, inSource bool) {
	c.Found.add(found)
	c.AtSource.add(atSource)
	c.InSource.add(inSource)
}

// Memories counts what was remembered: each memory once for each value that it has had.
type Memories struct {
	All int `json:"all"`
	// Current are those that are believed in the end.
	Current int `json:"current"`
	// FromGold rest on a gold turn.
	FromGold int `json:"from_gold"`
	// False rest on none. It is an upper bound, since a set does not name everything that is
	// worth remembering, and is not counted where a set has no gold memories at all.
	False int `json:"false"`
	// FromNoise are those of False from sessions in which there is nothing gold at all.
	FromNoise int `json:"from_noise"`
}

// Updates counts values that have changed by what is believed of them in the end.
type Updates struct {
	All int `json:"all"`
	// Correct is the new value alone.
	Correct int `json:"correct"`
	// BothActive is the new value beside the old one.
	BothActive int `json:"both_active"`
	// Asked is the old value, with an open question about the new one.
	Asked int `json:"asked"`
	// Omitted is not the new value; Stale are those of them with the old one.
	Omitted int `json:"omitted"`
	Stale   int `json:"stale"`
}

// Usage is what an extractor has cost.
type Usage struct {
	// Calls to a model, and the tokens of their prompts and replies.
	Calls  int `json:"calls"`
	Tokens int `json:"tokens"`
}

// Report is what was measured, as counts. It holds nothing that was said.
type Report struct {
	Set       string `json:"set"`
	Extractor string `json:"extractor"`
	// The SHA-256 of the set's files, in hex; that of the gold memories is empty in a set that
	// has none, where gold turns are those that hold the answers to its questions.
	CorpusSHA256   string `json:"corpus_sha256"`
	QueriesSHA256  string `json:"queries_sha256"`
	MemoriesSHA256 string `json:"memories_sha256,omitempty"`
	// Users are those whose memories were made: in a conversation of two named speakers, both.
	Users int `json:"users"`
	// Coverage is of all gold memories, then by who says them, then by the set's own kinds.
	Coverage []Coverage `json:"coverage,omitempty"`
	// Numbers are the found gold memories with a number, and of them those that a memory by
	// which they are found has all numbers of; Names likewise.
	Numbers Share `json:"numbers_exact"`
	Names   Share `json:"names_exact"`
	// GoldTurns are those that a memory rests on.
	GoldTurns Share    `json:"gold_turns"`
	Memories  Memories `json:"memories"`
	Updates   Updates  `json:"updates"`
	// Messages accounts for the turns, each as often as it was consolidated.
	Messages ledger.Counts `json:"messages"`
	// Refused are turns that the edge did not take for what is said in them: as a rule they
	// are longer than a message may be.
	Refused int `json:"refused"`
	// Rejections are the candidates that were refused, by reason.
	Rejections []ledger.Rejection `json:"rejections,omitempty"`
	Usage      Usage              `json:"usage"`
}

// coverage is a group's, which it adds where there is none yet.
func (r *Report) coverage(group string) *Coverage {
	at, ok := slices.BinarySearchFunc(r.Coverage, group, func(c Coverage, group string) int {
		return cmp.Or(cmp.Compare(rank(c.Group), rank(group)), strings.Compare(c.Group, group))
	})
	if !ok {
		r.Coverage = slices.Insert(r.Coverage, at, Coverage{Group: group})
	}
	return &r.Coverage[at]
}

// rank orders groups: by who says them, and then those of the set's own kinds.
func rank(group string) int {
	own := []string{groupAll, groupUser, groupAssistant, groupNowhere}
	if at := slices.Index(own, group); at >= 0 {
		return at
	}
	return len(own)
}

// count adds what the ledger says of messages and candidates.
func (r *Report) count(records []ledger.Record) {
	for i := range records {
		if cp := records[i].Checkpoint; cp != nil {
			r.Messages = r.Messages.Add(cp.Counts)
		}
		for _, refused := range records[i].Rejections {
			at, ok := slices.BinarySearchFunc(r.Rejections, refused.Reason, func(x ledger.Rejection, reason string) int {
				return strings.Compare(x.Reason, reason)
			})
			if !ok {
				r.Rejections = slices.Insert(r.Rejections, at, ledger.Rejection{Reason: refused.Reason})
			}
			r.Rejections[at].Count += refused.Count
		}
	}
}
