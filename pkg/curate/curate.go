// Package curate is the owner's own side: forgetting, suppressing, restoring, answering
// questions, erasing. Each is a decision like any other, made by compare-and-set on the
// owner's ledger; nothing is changed but through it. It never decides what a statement
// means: pkg/reconcile does.
package curate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
)

// Memories is the collections, read for one owner.
type Memories interface {
	// Needed returns the memories that a decision needs.
	Needed(ctx context.Context, s memory.Scope, n reconcile.Needs) ([]memory.Memory, error)
	// Get returns those of the memories with these ids that there are.
	Get(ctx context.Context, s memory.Scope, ids []memory.ID) ([]memory.Memory, error)
}

// Questions is where questions wait for their answers.
type Questions interface {
	// Get returns a question, open or closed of late; ok is false when there is none.
	Get(ctx context.Context, s memory.Scope, id memory.ID) (q memory.Question, ok bool, err error)
	// List returns the open questions, oldest first.
	List(ctx context.Context, s memory.Scope) ([]memory.Question, error)
}

// Events is the log of what was said.
type Events interface {
	// OwnerHead is the sequence of the owner's last event, 0 when there is none.
	OwnerHead(ctx context.Context, s memory.Scope) (uint64, error)
}

// Config is what a Service is made of. All of it is required.
type Config struct {
	Decider *decide.Decider
	// Batch appends what concerns two owners.
	Batch     decide.Batch
	Memories  Memories
	Documents Documents
	Words     Words
	Threads   Threads
	Ledger    decide.Reader
	Questions Questions
	Events    Events
	Owners    Owners
	Records   Records
	Fences    Fences
	Late      Late
	// Places are where an owner's data lies, the collections first and the ledger last.
	Places []Place
	// Alone keeps an erasure and a rebuild of the collections apart: it calls f while no
	// other process of the installation is in it.
	Alone    func(ctx context.Context, f func(context.Context) error) error
	Registry *profile.Registry
	Policies retention.Policies
	// Secret keys the hashes of tombstones.
	Secret []byte
	// Now is the clock of decisions.
	Now func() time.Time
}

// Service carries out what owners ask for.
type Service struct{ Config }

// New returns a service; it starts nothing.
func New(c Config) *Service { return &Service{c} }

// ErrNotFound means that the owner has no such memory or question.
var ErrNotFound = errors.New("not found")

// ConflictError means that something else has been decided meanwhile; How says what.
type ConflictError struct{ How string }

func (e *ConflictError) Error() string { return e.How }

// input is a decision's input without what it is about.
func (s *Service) input(scope memory.Scope) reconcile.Input {
	return reconcile.Input{
		Now: s.Now(), Scope: scope, Registry: s.Registry, Policy: s.Policies.For(scope.Tenant), Secret: s.Secret,
	}
}

// load completes an input with what its decision needs.
func (s *Service) load(ctx context.Context, in *reconcile.Input) error {
	var err error
	if in.Existing, err = s.Memories.Needed(ctx, in.Scope, reconcile.NeedsOf(*in)); err != nil {
		return fmt.Errorf("read memories: %w", err)
	}
	return nil
}

// changeSet is a decision as the owner's own; nil when it changes nothing.
func (s *Service) changeSet(scope memory.Scope, d reconcile.Decision) *ledger.ChangeSet {
	if len(d.Changes) == 0 && len(d.Opened) == 0 && len(d.Closed) == 0 {
		return nil
	}
	return &ledger.ChangeSet{
		V: ledger.Version, At: s.Now().UTC(), Author: ledger.AuthorUser, Scope: scope,
		Changes: d.Changes, QuestionOpened: d.Opened, QuestionClosed: d.Closed,
	}
}

// afterAll is the place within an event of what is said through the API behind it.
const afterAll = 1 << 20

// place is the evidence of a request through the API: its id, its time, behind every event
// that the user has sent so far, and its words.
func (s *Service) place(ctx context.Context, scope memory.Scope, words string) (memory.Evidence, error) {
	e := memory.Evidence{
		Event: "request:" + uuid.NewString(), Message: afterAll, Role: memory.RoleUser, At: s.Now().UTC(), Quote: words,
	}
	head, err := s.Events.OwnerHead(ctx, scope)
	if err != nil {
		return e, fmt.Errorf("read the owner's last event: %w", err)
	}
	e.Seq = head
	return e, nil
}
