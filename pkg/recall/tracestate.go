package recall

import (
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/wording"
)

// State is what has become of a memory since it was handed out.
type State string

// The states. Of what is suppressed, forgotten or gone, nothing is told.
const (
	// StateSame is worded as it was.
	StateSame State = "same"
	// StateChanged has another value or another wording now, which is what is told.
	StateChanged State = "changed"
	// StateSuperseded is a past value.
	StateSuperseded State = "superseded"
	// StateOver has ended or expired.
	StateOver       State = "over"
	StateSuppressed State = "suppressed"
	StateForgotten  State = "forgotten"
	// StateGone is not known any more: it was erased, or forgotten long ago.
	StateGone State = "gone"
)

// told reports whether the memory's text may be told.
func (s State) told() bool { return s != StateSuppressed && s != StateForgotten && s != StateGone }

// telling is one trace on its way to be told.
type telling struct {
	now  time.Time
	k    *Kept
	held holding
	// hidden are the texts that may not be told; all says that one of them is not known.
	hidden []string
	secret bool
	prompt string
}

func newTelling(now time.Time, k *Kept, held holding) *telling {
	return &telling{now: now, k: k, held: held, prompt: k.Prompt}
}

func (t *telling) account() Account {
	a := Account{
		RecallID: t.k.ID, At: t.k.At, Thread: t.k.Thread, Asked: t.k.Asked, Memories: make([]Accounted, len(t.k.Hits)),
		Candidates: append([]Candidate{}, t.k.Candidates...), Left: t.k.Left, Counts: t.k.Counts, PromptLeft: t.k.PromptLeft,
	}
	for i := range t.k.Hits {
		a.Memories[i] = t.memory(&t.k.Hits[i])
	}
	a.Prompt, a.Query = t.prompt, t.query()
	if said := t.k.answer(); said != nil {
		a.Answer = &Answer{At: said.At, Content: said.Answer, Cut: said.Cut}
		if t.secret {
			a.Answer.Content, a.Answer.Withheld = "", true
		}
	}
	for _, told := range t.k.Told {
		if told.Rating != "" {
			a.Feedback = append(a.Feedback, Feedback{At: told.At, Rating: told.Rating, Memory: told.Memory})
		}
	}
	return a
}

// memory tells of one that was handed out, and sees to its line of the block.
func (t *telling) memory(h *TraceHit) Accounted {
	scope := t.k.owner(h)
	m, state := t.state(scope, h)
	out := Accounted{ID: h.ID, Owner: scope.Owner, Tier: h.Tier, Why: h.Why}
	then, known := "", false
	t.prompt = eachLine(t.prompt, h.ID, func(citation, text string) string {
		then, known = text, text != ""
		switch {
		case !state.told():
			return citation + " " + t.note(state)
		case text == "" && scope != t.k.Scope:
			return citation + " " + wording.Line(m.Text)
		case text == wording.Line(m.Text):
			return citation + " " + text
		}
		if state == StateSame {
			state = StateChanged
		}
		return citation + " " + t.note(StateChanged)
	})
	out.State = state
	redacted := m != nil && known && then != wording.Line(m.Text) && strings.Contains(m.Text, reconcile.Redacted)
	if !state.told() || redacted {
		t.hide(scope, then, known)
	}
	if state.told() {
		out.Citation, out.Kind, out.Key, out.Value, out.Text, out.Evidence = Citation(m), m.Kind, m.Key, m.Value, m.Text, m.Evidence
	}
	return out
}

// hide keeps the words of a line from being told.
func (t *telling) hide(scope memory.Scope, text string, known bool) {
	t.secret = true
	if known {
		t.hidden = append(t.hidden, text)
	} else if scope == t.k.Scope {
		t.hidden = append(t.hidden, t.k.Query)
	}
}

// query is what was asked, without the words of what may not be told.
func (t *telling) query() string {
	q := t.k.Query
	for _, text := range t.hidden {
		q = reconcile.Without(q, text)
	}
	return q
}

// state is what has become of a memory, and what there is now of the value that it had.
func (t *telling) state(scope memory.Scope, h *TraceHit) (*memory.Memory, State) {
	m, past := t.held[place{scope, h.ID}], t.held[place{scope, h.Past}]
	if m != nil && m.SuppressedBy != "" || past != nil && past.SuppressedBy != "" {
		return nil, StateSuppressed
	}
	alive := func(m *memory.Memory) bool { return m != nil && m.Status != memory.StatusDeleted }
	switch same := alive(m) && (h.Past == "" || profile.PastIdentity(m.ID, m.Value) == h.Past); {
	case same && m.Status == memory.StatusSuperseded:
		return m, StateSuperseded
	case same && !m.Live(t.now):
		return m, StateOver
	case same:
		return m, StateSame
	case alive(past):
		return past, StateSuperseded
	case past != nil || m != nil && m.Status == memory.StatusDeleted:
		return nil, StateForgotten
	case m != nil:
		return m, StateChanged
	default:
		return nil, StateGone
	}
}

// notes stand in the lines of the block for what is not told, in English and Chinese.
var notes = map[State][2]string{
	StateChanged:    {"(worded otherwise since)", "（此后说法已变）"},
	StateSuppressed: {"(suppressed since)", "（此后不再提起）"},
	StateForgotten:  {"(forgotten since)", "（此后已被忘记）"},
	StateGone:       {"(gone since)", "（此后已不存在）"},
}

func (t *telling) note(s State) string {
	if sentence.LanguageOf(t.k.Query) == sentence.Chinese {
		return notes[s][1]
	}
	return notes[s][0]
}
