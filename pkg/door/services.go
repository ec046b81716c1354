package door

import (
	"context"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ingest"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// Ingester accepts raw events, all of them or none. Narrow, unless nil, may refuse or complete
// each once it is decoded.
type Ingester interface {
	Accept(ctx context.Context, raw [][]byte, narrow func(index int, e *event.Event) error) ([]ingest.Accepted, error)
}

// Trigger asks for a thread to be consolidated now.
type Trigger interface {
	Now(ctx context.Context, r memory.ThreadRef) error
}

// Reader is the read side.
type Reader interface {
	Recall(ctx context.Context, r recall.Request) (recall.Response, error)
	Memories(ctx context.Context, s memory.Scope) ([]memory.Memory, error)
	History(ctx context.Context, s memory.Scope, key memory.Key) ([]ledger.Entry, error)
}

// Archive is what is not at hand: no more, or never was.
type Archive interface {
	Archive(ctx context.Context, s memory.Scope) ([]memory.Memory, error)
	Refusals(ctx context.Context, s memory.Scope) ([]ledger.Refused, error)
}

// Forgetter deletes memories, and undoes that.
type Forgetter interface {
	Forget(ctx context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error)
	Restore(ctx context.Context, s memory.Scope, id memory.ID) error
}

// Suppressor keeps memories from recall, and gives them back.
type Suppressor interface {
	Suppress(ctx context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error)
	Unsuppress(ctx context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error)
}

// Asker lists open questions and takes their answers.
type Asker interface {
	Pending(ctx context.Context, s memory.Scope) ([]memory.Question, error)
	Answer(ctx context.Context, s memory.Scope, id memory.ID, d memory.Decision, value string) (memory.Question, error)
}

// Eraser erases owners.
type Eraser interface {
	// Erase erases a user or an agent, EraseTenant a tenant with everybody in it.
	Erase(ctx context.Context, s memory.Scope) (curate.Receipt, error)
	EraseTenant(ctx context.Context, t memory.Tenant) (curate.Receipt, error)
	// Verify counts what is left of any of them.
	Verify(ctx context.Context, s memory.Scope) (curate.Receipt, error)
}

// Services is what the operations call. Of a service that is nil there are none.
type Services struct {
	Ingest   Ingester
	Trigger  Trigger
	Read     Reader
	Archive  Archive
	Tell     Teller
	Profile  Profiler
	Write    Writer
	Account  Accountant
	Carry    Carrier
	Forget   Forgetter
	Suppress Suppressor
	Ask      Asker
	Erase    Eraser
	Keep     Keeper
	Search   Searcher
	// Now is the clock by which imported documents expire; by default the system's.
	Now func() time.Time
}

// New returns the table of the services' operations.
func New(s Services) *Table {
	if s.Now == nil {
		s.Now = time.Now
	}
	t := NewTable()
	if s.Ingest != nil {
		t.publish(s.Ingest)
	}
	if s.Trigger != nil {
		t.consolidate(s.Trigger)
	}
	if s.Read != nil {
		t.recall(s.Read)
		t.read(s.Read, s.Archive)
	}
	if s.Archive != nil {
		t.rejections(s.Archive)
	}
	if s.Tell != nil {
		t.tell(s.Tell)
	}
	if s.Profile != nil {
		t.profile(s.Profile)
	}
	if s.Account != nil {
		t.account(s.Account)
	}
	if s.Write != nil {
		t.write(s.Write)
		t.patch(s.Write)
	}
	if s.Forget != nil {
		t.forget(s.Forget)
	}
	if s.Suppress != nil {
		t.suppress(s.Suppress)
	}
	if s.Ask != nil {
		t.questions(s.Ask)
	}
	if s.Erase != nil {
		t.erase(s.Erase)
	}
	if s.Carry != nil {
		t.transfer(s.Carry, s.Keep, s.Now)
	}
	if s.Keep != nil {
		t.keep(s.Keep)
	}
	if s.Search != nil {
		t.search(s.Search)
	}
	return t
}
