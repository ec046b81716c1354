// Package reap does what time alone makes due: it moves what has expired or gone unused to
// the archive, records uses, takes deleted text out of the ledger, drops old tombstones and
// closes questions that nobody answers. It owns how everything that is due is found and
// dealt with, owner by owner, and what a crash between any two steps means; what is due is
// pkg/retention's to say. It never writes a memory except through the ledger.
package reap

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
)

// Memories is the collections, read by what is due.
type Memories interface {
	// Sweep calls fn with pages of at most limit memories of any owner that are due, until
	// all that were due when it began have come or fn fails. What fn has changed, and is
	// not due any more, does not come.
	Sweep(ctx context.Context, q index.Due, limit int, fn func([]index.Ref) error) error
	// DueOf returns up to limit memories of one owner that are due and have an id after the
	// given one, ordered by id, each with its last use.
	DueOf(ctx context.Context, s memory.Scope, q index.Due, after memory.ID, limit int) ([]memory.Memory, error)
	// Needed returns the memories that a decision needs.
	Needed(ctx context.Context, s memory.Scope, n reconcile.Needs) ([]memory.Memory, error)
}

// Ledger is the log of decisions, from which a purge takes text.
type Ledger interface {
	// Read calls fn for the owner's change sets in (after, upTo], in order.
	Read(ctx context.Context, s memory.Scope, after, upTo uint64, fn func(seq uint64, at time.Time, data []byte) error) error
	// Delete deletes one of the owner's change sets and overwrites its bytes. One that is
	// gone already is no error.
	Delete(ctx context.Context, s memory.Scope, seq uint64) error
}

// The points between two steps that are the reaper's own, beside those of every decision.
const (
	// StepSwept is reached when a page of what is due has been found.
	StepSwept decide.Step = "swept"
	// StepReplaced is reached when a change set stands in the ledger without its purged
	// text, and the original still beside it.
	StepReplaced decide.Step = "replaced"
	// StepDeleted is reached when the original is gone.
	StepDeleted decide.Step = "deleted"
)

// Defaults of a Config.
const (
	DefaultPageSize    = 200
	DefaultConcurrency = 4
)

// Config is what a Service is made of. All but PageSize, Concurrency and Reached is required.
type Config struct {
	Memories  Memories
	Documents Documents
	Uses      Uses
	Ledger    Ledger
	Traces    Traces
	Decider   *decide.Decider
	Policies  retention.Policies
	Registry  *profile.Registry
	// Secret keys the hashes of tombstones.
	Secret []byte
	// Rewrite takes the text of deleted memories, given their tombstones, out of an owner's
	// change sets. It returns those that it has changed, with their Seq and InPlaceOf as
	// they were; of what it returns it would change nothing.
	Rewrite func(records []ledger.Record, tombstones []memory.Memory) []ledger.Record
	Logger  *slog.Logger
	// PageSize is how many memories are looked at together, up to 999, or documents, up to 200,
	// and decided at most by one change set; of uses, one records more. Default DefaultPageSize.
	PageSize int
	// Concurrency is how many owners are dealt with at once. Default DefaultConcurrency.
	Concurrency int
	// Reached is called at each of StepSwept, StepReplaced and StepDeleted, by several
	// goroutines. Default: nothing.
	Reached func(decide.Step)
}

// Service does the reaper's jobs.
type Service struct{ Config }

// New returns a service; it starts nothing.
func New(c Config) *Service {
	if c.PageSize <= 0 {
		c.PageSize = DefaultPageSize
	}
	if c.Concurrency <= 0 {
		c.Concurrency = DefaultConcurrency
	}
	if c.Reached == nil {
		c.Reached = func(decide.Step) {}
	}
	return &Service{c}
}

// Job is one of the reaper's jobs.
type Job string

// The jobs.
const (
	// JobExpire moves to the archive what has expired, and removes documents that have.
	JobExpire Job = "expire"
	// JobTier records uses that the ledger does not know of, brings back what was used in
	// the archive, and moves there what has not been used for long.
	JobTier Job = "tier"
	// JobPurge deletes what has been in the archive for long, takes deleted text out of the
	// ledger, that of removed and replaced documents included, and drops old tombstones.
	JobPurge Job = "purge"
	// JobQuestions closes questions whose time is up.
	JobQuestions Job = "questions"
)

// Jobs are all of them.
var Jobs = []Job{JobExpire, JobTier, JobPurge, JobQuestions}

// ErrUnknownJob means that there is no job of that name.
var ErrUnknownJob = errors.New("unknown job")

// task is one search of a job, and what is done for each owner that it finds.
type task struct {
	due index.DueJob
	// action is what has to be due; empty when what is found has no date.
	action retention.Action
	deal   func(*run, context.Context, owner) error
}

// tasks are what the jobs do, in order.
var tasks = map[Job][]task{
	JobExpire: {
		{index.DueExpired, retention.Expire, (*run).change},
		{index.DueExpiredDocuments, retention.Expire, (*run).documents},
	},
	JobTier: {
		{index.DueAccessed, "", (*run).access},
		{index.DueUnused, retention.Archive, (*run).change},
	},
	JobPurge: {
		{index.DueArchived, retention.Delete, (*run).change},
		{index.DueDeleted, retention.Purge, (*run).purge},
		{index.DueTombstones, retention.Drop, (*run).change},
		{index.DueStaleDocuments, retention.Purge, (*run).purgeDocuments},
		{index.DueRemovedDocuments, retention.Drop, (*run).documents},
	},
	JobQuestions: {{index.DueQuestions, retention.TimeOut, (*run).timeOut}},
}

// RunOnce does a job for all that is due at now, and reports what it did. Broken off at any
// point, by ctx, an outage or the end of the process, it is finished by the next run, and
// nothing is done twice. An owner that fails does not stop the others: it is logged and
// counted, and its error is in the one that is returned. With dry, nothing is changed: dry
// is called with each change that would be made. An unknown job is ErrUnknownJob.
func (s *Service) RunOnce(ctx context.Context, job Job, now time.Time, dry DryRun) (Report, error) {
	r := &run{Service: s, now: now.UTC(), dry: dry, again: map[memory.Scope]bool{}}
	r.report = Report{Job: job, At: r.now, DryRun: dry != nil, ByOp: map[string]int{}}
	list, ok := tasks[job]
	if !ok {
		return r.report, fmt.Errorf("%w %q", ErrUnknownJob, job)
	}
	began := time.Now()
	var err error
	for _, t := range list {
		if err = r.do(ctx, t); err != nil {
			break
		}
	}
	r.report.TookMS = time.Since(began).Milliseconds()
	return r.report, r.failed(err)
}
