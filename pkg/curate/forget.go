package curate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/purge"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// Selection says which of the owner's memories a request means. Every field that is set
// narrows it; at least one must be.
type Selection struct {
	// Topic is what they are about, as a user would say it ("where I work", 我的住址). It
	// goes with nothing else.
	Topic string `json:"topic,omitempty" maxLength:"1024" doc:"What they are about, as a user would say it (\"where I work\", 我的住址), up to 1024 bytes. It goes with nothing else."`
	// IDs, Keys and Kinds list them.
	IDs   []memory.ID   `json:"ids,omitempty" maxItems:"1000" doc:"Their ids, whole or as they are cited (the first 8 characters)."`
	Keys  []memory.Key  `json:"keys,omitempty" doc:"Their keys, such as \"user.city\"."`
	Kinds []memory.Kind `json:"kinds,omitempty" doc:"Their kinds."`
	// Contains is a part of their text or value; letter case makes no difference.
	Contains string `json:"contains,omitempty" doc:"A part of their text or value; letter case makes no difference."`
	// Thread and Event are where all that is known of them was learnt.
	Thread memory.Thread `json:"thread,omitempty" doc:"The thread where all that is known of them was learnt, up to 256 bytes."`
	Event  string        `json:"event,omitempty" doc:"The id of the event where all that is known of them was learnt, up to 256 bytes."`
	// All means every memory of the owner, and goes with nothing else.
	All bool `json:"all,omitempty" doc:"Every memory of the user. It goes with nothing else."`
}

// maxListed bounds each list of a Selection.
const maxListed = 1000

// filtered reports whether anything but a topic narrows the selection.
func (sel *Selection) filtered() bool {
	return len(sel.IDs) > 0 || len(sel.Keys) > 0 || len(sel.Kinds) > 0 || sel.Contains != "" || sel.Thread != "" || sel.Event != ""
}

func (sel *Selection) validate(s *Service) error {
	narrowed := sel.Topic != "" || sel.filtered()
	switch {
	case sel.All && narrowed:
		return fault.BadField("all", "goes with nothing else")
	case sel.Topic != "" && sel.filtered():
		return fault.BadField("topic", "goes with nothing else")
	case !sel.All && !narrowed:
		return fault.BadField("ids", "say which memories are meant: topic, ids, keys, kinds, contains, thread, event or all")
	case len(sel.IDs) > maxListed:
		return fault.BadField("ids", fmt.Sprintf("must be at most %d", maxListed))
	case sel.Topic != "" && isBlank(sel.Topic):
		return fault.BadField("topic", "must not be blank")
	case sel.Contains != "" && isBlank(sel.Contains):
		return fault.BadField("contains", "must not be blank")
	case len(sel.Topic) > memory.MaxIDBytes*4:
		return fault.BadField("topic", fmt.Sprintf("must be at most %d bytes", memory.MaxIDBytes*4))
	}
	for _, f := range []struct{ name, id string }{{"thread", string(sel.Thread)}, {"event", sel.Event}} {
		if f.id == "" {
			continue
		}
		if err := memory.ValidateID(f.id); err != nil {
			return fault.BadField(f.name, err.Error())
		}
	}
	for _, k := range sel.Keys {
		if _, ok := s.Registry.Field(k); !ok {
			return fault.BadField("keys", fmt.Sprintf("unknown key %q", k))
		}
	}
	for _, k := range sel.Kinds {
		if !k.Valid() {
			return fault.BadField("kinds", fmt.Sprintf("unknown kind %q", k))
		}
	}
	return nil
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// matches reports whether a memory is meant, as far as that needs no topic.
func (sel *Selection) matches(m *memory.Memory) bool {
	part := strings.ToLower(sel.Contains)
	switch {
	case len(sel.IDs) > 0 && !slices.Contains(sel.IDs, m.ID) && !slices.Contains(sel.IDs, memory.ID(m.ID.Short())),
		len(sel.Keys) > 0 && !slices.Contains(sel.Keys, m.Key) && !slices.Contains(sel.Keys, m.About),
		len(sel.Kinds) > 0 && !slices.Contains(sel.Kinds, m.Kind),
		part != "" && !strings.Contains(strings.ToLower(m.Text), part) && !strings.Contains(strings.ToLower(m.Value), part):
		return false
	}
	if sel.Thread == "" && sel.Event == "" {
		return true
	}
	elsewhere := func(e memory.Evidence) bool {
		return sel.Thread != "" && e.Thread != sel.Thread || sel.Event != "" && e.Event != sel.Event
	}
	return len(m.Evidence) > 0 && !slices.ContainsFunc(m.Evidence, elsewhere)
}

// Outcome is what a request has done.
type Outcome struct {
	// Memories are those that were changed. Never nil.
	Memories []memory.ID `json:"memories"`
	// Request is the standing request that a suppression left.
	Request memory.ID `json:"request,omitempty"`
}

// Forget deletes the memories that are meant. What was said of them before stays forgotten;
// said anew, it is learnt anew. Nothing to forget is no error. A bad request is a
// *fault.FieldError.
func (s *Service) Forget(ctx context.Context, scope memory.Scope, sel Selection) (Outcome, error) {
	return s.request(ctx, scope, memory.ActionForget, sel, ledger.OpDelete)
}

// Suppress keeps the memories that are meant from recall, and with a topic what is said of
// it later as well, until it is lifted.
func (s *Service) Suppress(ctx context.Context, scope memory.Scope, sel Selection) (Outcome, error) {
	return s.request(ctx, scope, memory.ActionSuppress, sel, ledger.OpSuppress)
}

// Unsuppress lifts the standing requests that keep the memories that are meant from recall;
// an id may also be that of such a request.
func (s *Service) Unsuppress(ctx context.Context, scope memory.Scope, sel Selection) (Outcome, error) {
	return s.request(ctx, scope, memory.ActionLift, sel, ledger.OpUnsuppress)
}

// request has reconcile carry out what is asked, and reports the memories that op was
// applied to.
func (s *Service) request(ctx context.Context, scope memory.Scope, action memory.Action, sel Selection, op ledger.Op) (Outcome, error) {
	out := Outcome{Memories: []memory.ID{}}
	if err := scope.Validate(); err != nil {
		return out, err
	}
	if err := sel.validate(s); err != nil {
		return out, err
	}
	place, err := s.place(ctx, scope, sel.Topic)
	if err != nil {
		return out, err
	}
	_, err = s.Decider.Do(ctx, scope, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		topic, err := s.meant(ctx, scope, action, &sel)
		if err != nil {
			return nil, err
		}
		in := s.input(scope)
		in.Requests = []reconcile.Request{{Action: action, Topic: topic, Evidence: place}}
		if err := s.load(ctx, &in); err != nil {
			return nil, err
		}
		d := reconcile.Plan(in)
		out = Outcome{Memories: []memory.ID{}}
		for _, c := range d.Changes {
			switch {
			case c.Op == ledger.OpRequest:
				out.Request = c.Memory.ID
			case c.Op == op && c.Reason != reconcile.ReasonRequested:
				out.Memories = append(out.Memories, c.Memory.ID)
			}
		}
		return s.changeSet(scope, d), nil
	})
	return out, err
}

// meant is the selection as a topic. Anything but a topic or whole keys is turned into ids,
// of what there is; only a request to forget means past values, since nothing else concerns
// them.
func (s *Service) meant(ctx context.Context, scope memory.Scope, action memory.Action, sel *Selection) (memory.Topic, error) {
	onlyKeys := len(sel.Keys) > 0 && len(sel.IDs) == 0 && len(sel.Kinds) == 0 && sel.Contains == "" && sel.Thread == "" && sel.Event == ""
	switch {
	case sel.Topic != "":
		return memory.Topic{Words: sel.Topic}, nil
	case onlyKeys:
		return memory.Topic{Keys: sel.Keys}, nil
	}
	all, err := s.Memories.Needed(ctx, scope, reconcile.Needs{All: true, Past: action == memory.ActionForget})
	if err != nil {
		return memory.Topic{}, fmt.Errorf("read memories: %w", err)
	}
	topic := memory.Topic{IDs: []memory.ID{}}
	for i := range all {
		if sel.All && all[i].Status != memory.StatusDeleted || !sel.All && sel.matches(&all[i]) {
			topic.IDs = append(topic.IDs, all[i].ID)
		}
	}
	return topic, sel.ambiguous(all)
}

// ambiguous reports an id as it is cited that several memories share.
func (sel *Selection) ambiguous(all []memory.Memory) error {
	count := map[memory.ID]int{}
	for i := range all {
		count[memory.ID(all[i].ID.Short())]++
	}
	for _, id := range sel.IDs {
		if count[id] > 1 {
			return fault.BadField("ids", fmt.Sprintf("%s is cited for %d memories: give the whole id", id, count[id]))
		}
	}
	return nil
}

// Restore undoes the deletion of a memory, until its text has been purged; ErrNotFound when
// there is no deletion to undo.
func (s *Service) Restore(ctx context.Context, scope memory.Scope, id memory.ID) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	if !id.Valid() {
		return fmt.Errorf("restore memory %.40q: %w", id, ErrNotFound)
	}
	seq, err := s.Decider.Do(ctx, scope, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		now, err := s.Memories.Get(ctx, scope, []memory.ID{id})
		if err != nil {
			return nil, fmt.Errorf("read memory %s: %w", id, err)
		}
		if len(now) == 0 || now[0].Status != memory.StatusDeleted {
			return nil, nil
		}
		records, err := decide.Records(ctx, s.Ledger, scope)
		if err != nil {
			return nil, err
		}
		m, ok := purge.Undo(records, id)
		if !ok {
			return nil, nil
		}
		in, needs := s.input(scope), reconcile.Needs{IDs: []memory.ID{id}, All: m.Status == memory.StatusStanding}
		if in.Existing, err = s.Memories.Needed(ctx, scope, needs); err != nil {
			return nil, fmt.Errorf("read memories: %w", err)
		}
		return s.changeSet(scope, reconcile.Restore(in, m)), nil
	})
	if err == nil && seq == 0 {
		return fmt.Errorf("restore memory %s: %w", id, ErrNotFound)
	}
	return err
}
