package curate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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

// Words reads what a user writes straight to the memory as it reads what is said in a thread.
type Words interface {
	// Hear finds what there is in said.Quote, with said as its place. Decide loads what the
	// decision needs, and decides on what found then holds; it may be repeated.
	Hear(ctx context.Context, s memory.Scope, said memory.Evidence) (
		found *reconcile.Heard, decide func(context.Context) (reconcile.Input, reconcile.Decision, error), err error)
}

// Note is what a user asks to remember: a text, or a value under a key, or both.
type Note struct {
	Text  string     `json:"text,omitempty" maxLength:"1000" doc:"What to remember, as the user would say it, up to 1000 bytes. It is read like a turn; what is not understood in it is remembered in these words."`
	Key   memory.Key `json:"key,omitempty" maxLength:"256" doc:"A key of the profile schema, such as \"user.city\"; with a value."`
	Value string     `json:"value,omitempty" maxLength:"500" doc:"The value of the key, up to 500 bytes."`
	// Kind is that of a free memory.
	Kind memory.Kind `json:"kind,omitempty" enum:"profile,preference,constraint,relation,fact,episodic,procedural" doc:"The kind of what has no key; by default fact."`
	// ExpiresAt hides it from recall from then on; zero leaves it to the words and the schema.
	ExpiresAt time.Time `json:"expires_at,omitzero" doc:"From when on it is not recalled; by default what the words say, or the schema."`
	// Pinned memories never go cold. Nil is true: it was asked for by name.
	Pinned *bool         `json:"pinned,omitempty" doc:"Never goes cold. By default true, since it was asked for by name."`
	Thread memory.Thread `json:"thread,omitempty" doc:"The thread in which it was said, up to 256 bytes."`
}

// Result is what became of what somebody wrote.
type Result string

// The results, those that count for more first.
const (
	ResultAsked      Result = "asked"
	ResultSuperseded Result = "superseded"
	ResultAdded      Result = "added"
	ResultRefined    Result = "refined"
	ResultRefreshed  Result = "refreshed"
	ResultEnded      Result = "ended"
	ResultHistory    Result = "history"
	ResultForgotten  Result = "forgotten"
	ResultSuppressed Result = "suppressed"
	ResultUnchanged  Result = "unchanged"
	ResultRefused    Result = "refused"
)

// Changed is what was done to one memory.
type Changed struct {
	Memory memory.ID  `json:"memory_id" doc:"The memory."`
	Result Result     `json:"result" doc:"What was done to it."`
	Key    memory.Key `json:"key,omitempty"`
	Value  string     `json:"value,omitempty"`
	Text   string     `json:"text,omitempty"`
	// Question is the question that was opened about it.
	Question memory.ID `json:"question_id,omitempty" doc:"The question that was put to the user about it: until it is answered, the old value is served."`
}

// Written is what became of a request to remember or to change something.
type Written struct {
	// Result is what counts most of all that was done.
	Result  Result    `json:"result" doc:"What became of it: asked (it contradicts a memory, see question_id), superseded, added, refined, refreshed, ended, history (something later is known), forgotten, suppressed, unchanged, or refused (see refused)."`
	Changed []Changed `json:"changed" nullable:"false" doc:"The memories that it changed."`
	// Refused says why something in it is not remembered.
	Refused []ledger.Rejection `json:"refused" nullable:"false" doc:"Why something in it is not remembered, in one word each."`
}

// Remember takes what a user writes straight to the memory: it is read, verified and decided
// like what they say in a thread, and its evidence is the request. Request is its id, by which a
// repetition is known; empty means one of its own. A bad request is a *fault.FieldError; what is
// well formed and not remembered is in the result.
func (s *Service) Remember(ctx context.Context, scope memory.Scope, request string, n Note) (Written, error) {
	if err := scope.Validate(); err != nil {
		return Written{}, err
	}
	if err := n.validate(s); err != nil {
		return Written{}, err
	}
	if n.Text == "" {
		f, _ := s.Registry.Field(n.Key)
		n.Text = wording.Stated(n.Key, f, n.Value)
	}
	if _, secret := guard.Redact(n.Text); len(secret) > 0 {
		return s.refuse(ctx, scope, verify.ReasonSecret)
	}
	said, err := s.place(ctx, scope, n.Text)
	if err != nil {
		return Written{}, err
	}
	said.Event, said.Thread = cmp.Or(request, said.Event), n.Thread
	found, decide, err := s.Words.Hear(ctx, scope, said)
	if err != nil {
		return Written{}, fmt.Errorf("read what is to be remembered: %w", err)
	}
	n.apply(s, found, said)
	return s.note(ctx, scope, found, decide)
}

func (n *Note) validate(s *Service) error {
	n.Text, n.Value = strings.TrimSpace(n.Text), strings.TrimSpace(n.Value)
	f, known := s.Registry.Field(n.Key)
	switch {
	case n.Text == "" && n.Key == "":
		return fault.BadField("text", "give a text, or a key and a value")
	case n.Key != "" && !known:
		return fault.BadField("key", fmt.Sprintf("unknown key %q", n.Key))
	case (n.Key == "") != (n.Value == ""):
		return fault.BadField("value", "goes with a key, and a key with it")
	case len(n.Text) > verify.MaxText:
		return fault.BadField("text", fmt.Sprintf("must be at most %d bytes", verify.MaxText))
	case len(n.Value) > verify.MaxValue:
		return fault.BadField("value", fmt.Sprintf("must be at most %d bytes", verify.MaxValue))
	case n.Kind != "" && !n.Kind.Valid():
		return fault.BadField("kind", fmt.Sprintf("unknown kind %q", n.Kind))
	case n.Kind != "" && known && n.Kind != f.Kind:
		return fault.BadField("kind", fmt.Sprintf("the key's is %s", f.Kind))
	case !n.ExpiresAt.IsZero() && !n.ExpiresAt.After(s.Now()):
		return fault.BadField("expires_at", "must not be past")
	}
	if n.Thread != "" {
		if err := memory.ValidateID(string(n.Thread)); err != nil {
			return fault.BadField("thread", err.Error())
		}
	}
	return s.fits("value", n.Key, n.Value)
}

// fits reports that the schema refuses a value of a key.
func (s *Service) fits(field string, k memory.Key, value string) error {
	if k == "" {
		return nil
	}
	doc := s.Registry.Document([]memory.Memory{{Key: k, Value: value}})
	if len(doc.Unfit) > 0 {
		return fault.BadField(field, fmt.Sprintf("%s: %s", k, doc.Unfit[0].Reason))
	}
	return nil
}

// apply has what was found be what the note says: a value under a key is that and nothing
// else, words in which nothing was found are remembered as they are, and what is left over of
// others as one memory more.
func (n *Note) apply(s *Service, found *reconcile.Heard, said memory.Evidence) {
	switch {
	case n.Key != "":
		found.Statements, found.Requests, found.Refused = nil, nil, nil
		n.take(s, found, said, n.Text)
	case len(found.Read) == 0:
		n.take(s, found, said, n.Text)
	default:
		text, quote := rest(found.Message.Content, found.Read)
		if said.Quote = quote; text != "" {
			n.take(s, found, said, text)
		}
	}
	pinned := n.Pinned == nil || *n.Pinned
	for i := range found.Statements {
		st := &found.Statements[i]
		st.Pinned = pinned
		if n.Kind != "" && st.Key == "" {
			st.Kind = n.Kind
		}
		if !n.ExpiresAt.IsZero() {
			st.ExpiresAt, st.Stability = n.ExpiresAt, memory.Dated
		}
	}
}

// take makes a statement of the note itself, or of what is left of it, if that stands up to
// verification.
func (n *Note) take(s *Service, found *reconcile.Heard, said memory.Evidence, text string) {
	c := memory.Candidate{
		Kind: cmp.Or(n.Kind, memory.KindFact), Key: n.Key, Value: n.Value, Text: text, Language: string(sentence.LanguageOf(text)),
		Stability: memory.Stable, Confidence: 1, Relation: memory.RelationNew, Source: memory.Source{Message: 1, Quote: said.Quote},
	}
	if f, ok := s.Registry.Field(n.Key); ok {
		c.Kind = f.Kind
		if !f.DefaultExpiry.IsZero() {
			c.ExpiresAt = f.DefaultExpiry.After(said.At)
		}
	}
	if why := verify.Candidate(&c, map[int]memory.Message{1: found.Message}, s.Registry); why != "" {
		found.Refused = append(found.Refused, ledger.Rejection{Reason: string(why), Count: 1})
		return
	}
	found.Statements = append(found.Statements, reconcile.Statement{Candidate: c, Evidence: said, Anew: behind(found, said.Quote)})
}

// behind reports whether there are requests to forget in what was heard, and the words stand
// behind all of them.
func behind(found *reconcile.Heard, words string) bool {
	at, after := strings.Index(found.Message.Content, words), false
	for i := range found.Requests {
		if found.Requests[i].Action != memory.ActionForget {
			continue
		}
		asked := strings.Index(found.Message.Content, found.Requests[i].Evidence.Quote)
		if after = 0 <= asked && asked < at; !after {
			return false
		}
	}
	return after
}

// note decides on what was found until no other decision comes between, and says what became
// of it.
func (s *Service) note(ctx context.Context, scope memory.Scope, found *reconcile.Heard, decide func(context.Context) (reconcile.Input, reconcile.Decision, error)) (Written, error) {
	var out Written
	err := s.write(ctx, scope, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		_, d, err := decide(ctx)
		if err != nil {
			return nil, err
		}
		out = written(d)
		out.refused(d, found.Refused)
		cs := s.changeSet(scope, d)
		if cs == nil && len(found.Refused) > 0 {
			cs = &ledger.ChangeSet{V: ledger.Version, At: s.Now().UTC(), Author: ledger.AuthorUser, Scope: scope}
		}
		if cs != nil {
			cs.Rejections = found.Refused
		}
		return cs, nil
	})
	return out, err
}

// refuse counts that something was not remembered, and says so.
func (s *Service) refuse(ctx context.Context, scope memory.Scope, why verify.Reason) (Written, error) {
	found := &reconcile.Heard{Refused: []ledger.Rejection{{Reason: string(why), Count: 1}}}
	return s.note(ctx, scope, found, func(context.Context) (reconcile.Input, reconcile.Decision, error) {
		return reconcile.Input{}, reconcile.Decision{}, nil
	})
}

// results are what changes are called.
var results = map[ledger.Op]Result{
	ledger.OpDispute: ResultAsked, ledger.OpSupersede: ResultSuperseded, ledger.OpAdd: ResultAdded, ledger.OpRefine: ResultRefined,
	ledger.OpRefresh: ResultRefreshed, ledger.OpEnd: ResultEnded, ledger.OpHistory: ResultHistory, ledger.OpDelete: ResultForgotten,
	ledger.OpSuppress: ResultSuppressed, ledger.OpRequest: ResultSuppressed,
}

// order is that of the results, as they count.
var order = []Result{
	ResultAsked, ResultSuperseded, ResultAdded, ResultRefined, ResultRefreshed, ResultEnded, ResultHistory, ResultForgotten,
	ResultSuppressed, ResultUnchanged, ResultRefused,
}

// written says what a decision did to the memories.
func written(d reconcile.Decision) Written {
	out := Written{Result: ResultUnchanged, Changed: []Changed{}, Refused: []ledger.Rejection{}}
	for i := range d.Changes {
		c := &d.Changes[i]
		r, ok := results[c.Op]
		if !ok || c.Reason == reconcile.ReasonRequested {
			continue
		}
		m := &c.Memory
		one := Changed{Memory: m.ID, Result: r, Key: m.Key, Value: m.Value, Text: m.Text}
		if m.Dispute != nil {
			one.Question = m.Dispute.Question
		}
		out.Changed = append(out.Changed, one)
		out.Result = more(out.Result, r)
	}
	return out
}

// more is the one of two results that counts for more.
func more(a, b Result) Result {
	if slices.Index(order, b) < slices.Index(order, a) {
		return b
	}
	return a
}

// refused adds why what was found is not remembered.
func (w *Written) refused(d reconcile.Decision, refused []ledger.Rejection) {
	w.Refused = append(w.Refused, refused...)
	for _, o := range slices.Concat(d.Outcomes, d.Requested) {
		switch o {
		case reconcile.Forgotten, reconcile.NoTarget:
			w.Refused = append(w.Refused, ledger.Rejection{Reason: string(o), Count: 1})
		}
	}
	if len(w.Changed) == 0 && len(w.Refused) > 0 {
		w.Result = ResultRefused
	}
}
