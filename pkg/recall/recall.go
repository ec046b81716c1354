// Package recall is the read side: the few memories that matter to a query, each with its
// source, ready to be injected; and what its owner may look at: the memories and their
// history. It changes nothing; that a memory was used is told to Traces. How memories are
// found and ordered is pkg/find's, whether one may be handed out pkg/retention's.
package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/retention"
)

// Lister reads whole owners from the collections.
type Lister interface {
	// List returns the owner's memories at hand in any status, ordered by id; tombstones are
	// none.
	List(ctx context.Context, s memory.Scope) ([]memory.Memory, error)
	// ListArchive returns what is in the archive, past values included, ordered by id.
	ListArchive(ctx context.Context, s memory.Scope) ([]memory.Memory, error)
}

// Questions is where questions wait for their answers.
type Questions interface {
	Get(ctx context.Context, s memory.Scope, id memory.ID) (q memory.Question, ok bool, err error)
}

// Traces keeps what was handed out.
type Traces interface {
	// Record takes a trace without waiting: under pressure it is lost, and counted.
	Record(t Trace)
}

// Embedder makes one dense vector a text of an owner's, in order.
type Embedder interface {
	EmbedFor(ctx context.Context, s memory.Scope, texts []string) ([][]float32, error)
}

// Config is what a Service is made of. All of it is required.
type Config struct {
	// Find ranks; its store is the collections, and its registry the one of the keys.
	Find   find.Config
	Lists  Lister
	Ledger decide.Reader
	// Passages embeds what was believed once, as the collections' memories are embedded.
	Passages  Embedder
	Questions Questions
	Traces    Traces
	Policies  retention.Policies
	// Now is the clock of decisions.
	Now func() time.Time
}

// Service answers recalls.
type Service struct{ Config }

// New returns a service; it starts nothing.
func New(c Config) *Service { return &Service{c} }

// Recall returns the memories that matter to the query, best first. A memory that shares
// neither words, nor asking-words, nor meaning with it is not returned, however few there
// are. Without a query it returns what to know about the user, the most important first. A
// bad request is a *fault.FieldError.
func (s *Service) Recall(ctx context.Context, r Request) (Response, error) {
	now := s.Now()
	if err := r.validate(s.Find.Registry, now); err != nil {
		return Response{}, err
	}
	l := &look{Service: s, r: &r, at: r.at(now), policy: s.Policies.For(r.Tenant)}
	all, err := l.matter(ctx)
	if err != nil {
		return Response{}, fmt.Errorf("recall: %w", err)
	}
	p := pick(&r, all)
	out := Response{
		RecallID: newID(), Memories: p.results, Prompt: Prompt(r.Query, p.results), Explain: l.explain(&p),
	}
	out.Tokens = event.Tokens(out.Prompt)
	if out.Questions, err = s.questions(ctx, &r, p.results); err != nil {
		return Response{}, err
	}
	s.Traces.Record(trace(now, &r, &out, fellAway(all, &p, r.Limit, l.below)...))
	if !r.Explain {
		out.Explain = nil
		for i := range out.Memories {
			out.Memories[i].Explain = nil
		}
	}
	return out, nil
}

// look is one recall while it looks for memories.
type look struct {
	*Service
	r      *Request
	at     time.Time
	policy retention.Policy
	// seen are the candidates that were looked at, hidden those of them that may not be
	// handed out.
	seen, hidden int
	// below are those that do not matter.
	below []Candidate
}

// keep reports whether a memory may be handed out.
func (l *look) keep(m *memory.Memory) bool {
	l.seen++
	ok := l.policy.Recallable(m, l.at) || l.r.IncludeArchive && l.policy.RecallableFromArchive(m, l.at)
	if ok = ok && m.For(l.r.Agent, l.r.Namespace); !ok {
		l.hidden++
	}
	return ok
}

func (l *look) tier(m *memory.Memory) memory.Tier { return l.policy.Tier(m, l.at) }

// matter are the memories that matter, best first.
func (l *look) matter(ctx context.Context) ([]Result, error) {
	if l.r.Query == "" {
		return l.start(ctx)
	}
	c := l.Find
	if !l.r.AsOf.IsZero() {
		shelf, err := l.shelf(ctx)
		if err != nil {
			return nil, err
		}
		c.Store = shelf
	}
	found, err := find.New(c).Find(ctx, find.Request{
		Scopes: l.r.scopes(), Query: l.r.Query, Now: l.at, Kinds: l.r.Kinds, Keys: l.r.Keys, Archive: l.r.IncludeArchive,
		Agent: l.r.Agent, Within: l.r.Namespace,
		Keep: func(h *index.Hit) bool { return l.keep(&h.Memory) }, Tier: l.tier, Limit: maxFound,
		Below: func(f *find.Found) { l.below = append(l.below, belowFloor(f)) },
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(l.below, func(a, b Candidate) int { return cmp.Compare(b.Score.Total, a.Score.Total) })
	out := make([]Result, len(found))
	for i := range found {
		f := &found[i]
		out[i] = result(&f.Hit.Memory, f.Tier, Why{Score: f.Score, Match: f.Match})
	}
	return out, nil
}

// maxFound is more than a search of three owners finds: what matters and finds no room is
// counted.
const maxFound = 1000

func (l *look) explain(p *picked) *Explanation {
	return &Explanation{
		Candidates: l.seen, Hidden: l.hidden, BelowFloor: len(l.below),
		OverLimit: p.overLimit, OverBudget: p.overBudget, Weights: weightsOf(&l.Find),
	}
}

// maxQuestions bounds the questions of a recall: nobody is asked more at a time.
const maxQuestions = 2

// questions are the open ones that the user's memories stand in. None is offered where
// nothing was asked, nor about what was believed once.
func (s *Service) questions(ctx context.Context, r *Request, results []Result) ([]memory.Question, error) {
	if r.Query == "" || !r.AsOf.IsZero() || r.IncludeQuestions != nil && !*r.IncludeQuestions {
		return nil, nil
	}
	var out []memory.Question
	looked := 0
	for i := range results {
		m := &results[i]
		if m.question == "" || m.Owner.Kind != memory.OwnerUser {
			continue
		}
		if looked++; looked > maxQuestions {
			break
		}
		q, ok, err := s.Questions.Get(ctx, memory.UserScope(r.Tenant, r.User), m.question)
		if err != nil {
			return nil, fmt.Errorf("read question %s: %w", m.question, err)
		}
		if ok && q.Status == memory.QuestionOpen {
			out = append(out, q)
		}
	}
	return out, nil
}
