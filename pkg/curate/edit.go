package curate

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/verify"
	"github.com/mnemond/mnemond/pkg/wording"
)

// Change is what the owner changes of a memory by hand. What is nil stays as it is.
type Change struct {
	Text  *string `json:"text,omitempty" minLength:"1" maxLength:"1000" doc:"What it says, up to 1000 bytes."`
	Value *string `json:"value,omitempty" minLength:"1" maxLength:"500" doc:"The value of its key, up to 500 bytes. Without a text, it stands in the place of the old value in that."`
	// ExpiresAt is until when it holds; the zero time with NoExpiry false leaves it.
	ExpiresAt time.Time `json:"expires_at,omitzero" doc:"From when on it is not recalled."`
	// NoExpiry takes the end away.
	NoExpiry bool  `json:"no_expiry,omitempty" doc:"It holds without an end."`
	Pinned   *bool `json:"pinned,omitempty" doc:"Pinned memories never go cold."`
}

func (c *Change) validate(now time.Time) error {
	for _, f := range []struct {
		name string
		text *string
		most int
	}{{"text", c.Text, verify.MaxText}, {"value", c.Value, verify.MaxValue}} {
		if f.text == nil {
			continue
		}
		clean, secret := guard.Redact(strings.TrimSpace(*f.text))
		switch *f.text = clean; {
		case len(secret) > 0:
			return fault.BadField(f.name, "holds a secret, which is never stored")
		case clean == "":
			return fault.BadField(f.name, "must not be blank")
		case len(clean) > f.most:
			return fault.BadField(f.name, fmt.Sprintf("must be at most %d bytes", f.most))
		}
	}
	switch {
	case c.Text == nil && c.Value == nil && c.ExpiresAt.IsZero() && !c.NoExpiry && c.Pinned == nil:
		return fault.BadField("text", "say what to change: text, value, expires_at, no_expiry or pinned")
	case c.NoExpiry && !c.ExpiresAt.IsZero():
		return fault.BadField("no_expiry", "goes without expires_at")
	case !c.ExpiresAt.IsZero() && !c.ExpiresAt.After(now):
		return fault.BadField("expires_at", "must not be past: use forget")
	}
	return nil
}

// Edit changes one of the owner's current memories by hand, without a question: they have
// pointed at what is wrong. Request is the request's id, by which a repetition is known; empty
// means one of its own. ErrNotFound when there is no such memory, a *fault.FieldError when the
// change does not fit it, and a *ConflictError when it does not hold any more, or something was
// said of it since the request.
func (s *Service) Edit(ctx context.Context, scope memory.Scope, request string, id memory.ID, change Change) (Written, error) {
	if err := scope.Validate(); err != nil {
		return Written{}, err
	}
	if !id.Valid() {
		return Written{}, fmt.Errorf("edit memory %.40q: %w", id, ErrNotFound)
	}
	if err := change.validate(s.Now()); err != nil {
		return Written{}, err
	}
	said, err := s.place(ctx, scope, "")
	if err != nil {
		return Written{}, err
	}
	said.Event = cmp.Or(request, said.Event)
	var out Written
	err = s.write(ctx, scope, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		now, err := s.editable(ctx, scope, id, request)
		if err != nil || now == nil {
			out = written(reconcile.Decision{})
			return nil, err
		}
		e, err := s.edit(now, change, said)
		if err != nil {
			return nil, err
		}
		in := s.input(scope)
		in.Edits = []reconcile.Edit{e}
		if err := s.load(ctx, &in); err != nil {
			return nil, err
		}
		d := reconcile.Plan(in)
		if d.Edited[0] == reconcile.NoTarget {
			return nil, &ConflictError{How: "something was said about it since"}
		}
		out = written(d)
		return s.changeSet(scope, d), nil
	})
	return out, err
}

// editable is the memory as it is now, if it holds; nil when this very request has changed it.
func (s *Service) editable(ctx context.Context, scope memory.Scope, id memory.ID, request string) (*memory.Memory, error) {
	now, err := s.Memories.Get(ctx, scope, []memory.ID{id})
	switch {
	case err != nil:
		return nil, fmt.Errorf("read memory %s: %w", id, err)
	case len(now) == 0 || now[0].Status == memory.StatusDeleted:
		return nil, fmt.Errorf("memory %s: %w", id, ErrNotFound)
	case request != "" && rests(&now[0], request):
		return nil, nil
	case now[0].Status != memory.StatusCurrent:
		return nil, &ConflictError{How: fmt.Sprintf("it is %s, and only what is current can be edited", now[0].Status)}
	}
	return &now[0], nil
}

// rests reports whether a memory rests on that event, among others.
func rests(m *memory.Memory, event string) bool {
	for _, e := range m.Evidence {
		if e.Event == event {
			return true
		}
	}
	return false
}

// edit is m with the change, as the owner's statement.
func (s *Service) edit(m *memory.Memory, change Change, said memory.Evidence) (reconcile.Edit, error) {
	c := memory.Candidate{
		Kind: m.Kind, Key: m.Key, About: m.About, Value: m.Value, Text: m.Text, Stability: m.Stability, Plan: m.Plan,
		ValidFrom: m.ValidFrom, ExpiresAt: m.ExpiresAt, Confidence: 1, Relation: memory.RelationUpdates, Pinned: m.Pinned,
	}
	if err := s.reword(&c, change); err != nil {
		return reconcile.Edit{}, err
	}
	c.Language = string(sentence.LanguageOf(c.Text))
	if change.NoExpiry {
		c.ExpiresAt, c.Stability = time.Time{}, memory.Stable
	}
	if !change.ExpiresAt.IsZero() {
		c.ExpiresAt, c.Stability = change.ExpiresAt, memory.Dated
	}
	if change.Pinned != nil {
		c.Pinned = *change.Pinned
	}
	said.Quote = c.Text
	c.Source = memory.Source{Message: 1, Quote: c.Text}
	words := memory.Message{Number: 1, Role: memory.RoleUser, At: said.At, Content: c.Text}
	if change.Text != nil || change.Value != nil {
		checked := c // of what it says to other memories nothing is asked
		if why := verify.Candidate(&checked, map[int]memory.Message{1: words}, s.Registry); why != "" {
			field := "text"
			if change.Text == nil {
				field = "value"
			}
			return reconcile.Edit{}, fault.BadField(field, "is refused: "+string(why))
		}
	}
	return reconcile.Edit{Memory: m.ID, Statement: reconcile.Statement{Candidate: c, Evidence: said, Agent: m.Agent}}, nil
}

// reword puts the new text and value in the place of the old ones.
func (s *Service) reword(c *memory.Candidate, change Change) error {
	if change.Value != nil {
		if c.Key == "" {
			return fault.BadField("value", "is only that of a memory with a key: change its text")
		}
		if err := s.fits("value", c.Key, *change.Value); err != nil {
			return err
		}
		f, _ := s.Registry.Field(c.Key)
		if old := c.Value; strings.Count(c.Text, old) == 1 {
			c.Text = strings.Replace(c.Text, old, *change.Value, 1)
		} else {
			c.Text = wording.Stated(c.Key, f, *change.Value)
		}
		c.Value = *change.Value
	}
	if change.Text != nil {
		c.Text = *change.Text
		if c.Key != "" && !verify.Quoted(c.Text, c.Value) {
			return fault.BadField("value", "must stand in the text: give both")
		}
		if c.Key == "" {
			c.Value = ""
		}
	}
	return nil
}
