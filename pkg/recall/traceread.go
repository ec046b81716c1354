package recall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// ErrNoTrace means that there is no such recall of the owner, or none any more.
var ErrNoTrace = errors.New("no trace of the recall")

// TraceLog is the traces that are kept.
type TraceLog interface {
	// Find returns the owner's trace with that id, or ErrNoTrace.
	Find(ctx context.Context, s memory.Scope, id string) (Kept, error)
	// Latest returns up to limit traces of the owner, the newest first; with a thread, of that
	// one alone.
	Latest(ctx context.Context, s memory.Scope, t memory.Thread, limit int) ([]Kept, error)
}

// Holder reads memories by id.
type Holder interface {
	// Get returns those of the owner's memories that there are, at hand or in the archive,
	// past values and tombstones included.
	Get(ctx context.Context, s memory.Scope, ids []memory.ID) ([]memory.Memory, error)
}

// Teller tells what recalls have done, as far as it may still be told: what the memories are
// now decides. It changes nothing.
type Teller struct {
	log      TraceLog
	memories Holder
	now      func() time.Time
}

// NewTeller returns a teller; it starts nothing.
func NewTeller(log TraceLog, memories Holder, now func() time.Time) *Teller {
	return &Teller{log: log, memories: memories, now: now}
}

// Account is what a recall did: why it said that.
type Account struct {
	RecallID string        `json:"recall_id"`
	At       time.Time     `json:"at"`
	Thread   memory.Thread `json:"thread,omitempty"`
	// Query has reconcile.Redacted for words of a memory that may not be told any more.
	Query    string      `json:"query"`
	Asked    Asked       `json:"asked"`
	Memories []Accounted `json:"memories"`
	// Candidates are those that were not handed out, as the trace lists them.
	Candidates []Candidate  `json:"candidates"`
	Left       int          `json:"left,omitempty"`
	Counts     *Explanation `json:"counts,omitempty"`
	// Prompt is the block that was injected, with a note in the lines of what may not be told
	// any more, or is worded otherwise now.
	Prompt     string `json:"prompt"`
	PromptLeft bool   `json:"prompt_left,omitempty"`
	// Answer is what the model said; nil when nobody has told.
	Answer   *Answer    `json:"answer,omitempty"`
	Feedback []Feedback `json:"feedback,omitempty"`
}

// Accounted is a memory that was handed out. Without Citation, nothing is told of it.
type Accounted struct {
	ID    memory.ID    `json:"id"`
	Owner memory.Owner `json:"owner"`
	State State        `json:"state"`
	Tier  memory.Tier  `json:"tier"`
	Why
	Citation string            `json:"citation,omitempty"`
	Kind     memory.Kind       `json:"kind,omitempty"`
	Key      memory.Key        `json:"key,omitempty"`
	Value    string            `json:"value,omitempty"`
	Text     string            `json:"text,omitempty"`
	Evidence []memory.Evidence `json:"evidence,omitempty"`
}

// Answer is what the model said after a recall.
type Answer struct {
	At      time.Time `json:"at"`
	Content string    `json:"content"`
	Cut     bool      `json:"cut,omitempty"`
	// Withheld says that the content is not told, since a memory may not be that it was given
	// with.
	Withheld bool `json:"withheld,omitempty"`
}

// Feedback is what the user thought of a recall, or of one memory of it.
type Feedback struct {
	At     time.Time    `json:"at"`
	Rating event.Rating `json:"rating"`
	Memory memory.ID    `json:"memory_id,omitempty"`
}

// Summary is a recall in a list.
type Summary struct {
	RecallID string        `json:"recall_id"`
	At       time.Time     `json:"at"`
	Thread   memory.Thread `json:"thread,omitempty"`
	Query    string        `json:"query"`
	Memories int           `json:"memories"`
	Answered bool          `json:"answered"`
	Rated    bool          `json:"rated,omitempty"`
}

// Trace tells of one recall of a user. It is ErrNoTrace when the user has none with that id.
func (t *Teller) Trace(ctx context.Context, s memory.Scope, id string) (Account, error) {
	if err := s.Validate(); err != nil {
		return Account{}, err
	}
	k, err := t.log.Find(ctx, s, id)
	if err != nil {
		return Account{}, fmt.Errorf("find trace: %w", err)
	}
	held, err := t.held(ctx, []Kept{k})
	if err != nil {
		return Account{}, err
	}
	return newTelling(t.now(), &k, held).account(), nil
}

// The bounds of a list of recalls.
const (
	DefaultTraces = 20
	MaxTraces     = 100
)

// Latest tells of the last recalls of a user, the newest first; with a thread, of those for
// it. The limit is 1 to MaxTraces; 0 means DefaultTraces.
func (t *Teller) Latest(ctx context.Context, s memory.Scope, thread memory.Thread, limit int) ([]Summary, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if limit < 0 || limit > MaxTraces {
		return nil, fault.BadField("limit", fmt.Sprintf("must be between 1 and %d", MaxTraces))
	}
	if limit == 0 {
		limit = DefaultTraces
	}
	kept, err := t.log.Latest(ctx, s, thread, limit)
	if err != nil {
		return nil, fmt.Errorf("find traces: %w", err)
	}
	held, err := t.held(ctx, kept)
	if err != nil {
		return nil, err
	}
	out := make([]Summary, len(kept))
	for i := range kept {
		k := &kept[i]
		a := newTelling(t.now(), k, held).account()
		out[i] = Summary{
			RecallID: k.ID, At: k.At, Thread: k.Thread, Query: a.Query, Memories: len(k.Hits), Answered: a.Answer != nil, Rated: len(a.Feedback) > 0,
		}
	}
	return out, nil
}

// holding is what there is now of the memories that traces name.
type holding map[place]*memory.Memory

// place is that of a memory.
type place struct {
	scope memory.Scope
	id    memory.ID
}

// held reads the memories of traces, and the past values that they may have become.
func (t *Teller) held(ctx context.Context, kept []Kept) (holding, error) {
	ids := map[memory.Scope][]memory.ID{}
	for i := range kept {
		for _, h := range kept[i].Hits {
			s := kept[i].owner(&h)
			ids[s] = append(ids[s], h.ID)
			if h.Past != "" {
				ids[s] = append(ids[s], h.Past)
			}
		}
	}
	out := holding{}
	for s, list := range ids {
		found, err := t.memories.Get(ctx, s, list)
		if err != nil {
			return nil, fmt.Errorf("look up what was handed out: %w", err)
		}
		for i := range found {
			out[place{s, found[i].ID}] = &found[i]
		}
	}
	return out, nil
}

// owner is the scope of a memory that was handed out.
func (t *Trace) owner(h *TraceHit) memory.Scope {
	if h.Owner == (memory.Owner{}) {
		return t.Scope
	}
	return memory.Scope{Tenant: t.Scope.Tenant, Owner: h.Owner}
}
