package reap_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/purge"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/schemas"
)

// decisions is MEM_LEDGER: one sequence for all owners, compare-and-set for each.
type decisions struct {
	mu   sync.Mutex
	seq  uint64
	sets map[memory.Scope][]decided
}

type decided struct {
	seq  uint64
	data []byte
}

func (l *decisions) head(s memory.Scope) uint64 {
	if own := l.sets[s]; len(own) > 0 {
		return own[len(own)-1].seq
	}
	return 0
}

func (l *decisions) Head(ctx context.Context, s memory.Scope) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head(s), ctx.Err()
}

func (l *decisions) Append(ctx context.Context, s memory.Scope, expect uint64, data []byte) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if l.head(s) != expect {
		return 0, ledger.ErrConflict
	}
	l.seq++
	l.sets[s] = append(l.sets[s], decided{l.seq, data})
	return l.seq, nil
}

func (l *decisions) Read(ctx context.Context, s memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	l.mu.Lock()
	own := slices.Clone(l.sets[s])
	l.mu.Unlock()
	for _, d := range own {
		if d.seq > after && d.seq <= upTo {
			if err := fn(d.seq, time.Time{}, d.data); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

func (l *decisions) Holds(ctx context.Context, s memory.Scope, seq uint64) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.sets[s], func(d decided) bool { return d.seq == seq }), ctx.Err()
}

func (l *decisions) Delete(ctx context.Context, s memory.Scope, seq uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	l.sets[s] = slices.DeleteFunc(l.sets[s], func(d decided) bool { return d.seq == seq })
	return nil
}

// point is a memory in one of the collections.
type point struct {
	index.Entry
	// used is the last use, accessed is set when the ledger does not know of it.
	used     time.Time
	accessed bool
}

// memory is the point's memory with its last use.
func (p point) memory() memory.Memory {
	m := p.Memory
	if p.used.After(m.UsedAt()) {
		m.AccessedAt = p.used
	}
	return m
}

var errErased = errors.New("nothing is erased here")

// collections are the memories at hand and the archive. They answer by what pkg/index says
// of each question, and know nothing of retention.
type collections struct {
	mu      sync.Mutex
	points  map[memory.ID]point
	cursors map[memory.Scope]uint64
	// failing are owners whose memories cannot be read.
	failing map[memory.Scope]error
	// between is called after the entries of a batch have been written, and before the rest.
	between func()
	// sweeps counts the sweeps, pages are the sizes of the pages that they have handed out.
	sweeps map[index.DueJob]int
	pages  []int
}

func (c *collections) Cursor(ctx context.Context, s memory.Scope) (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cursors[s], ctx.Err()
}

func (c *collections) Erase(context.Context, memory.Scope, uint64) (int, error) {
	return 0, errErased
}

func (c *collections) Write(ctx context.Context, b index.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.entries(b)
	c.between()
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for s, step := range b.Cursors {
		if c.cursors[s] >= step.From {
			c.cursors[s] = max(c.cursors[s], step.To)
		}
	}
	return nil
}

func (c *collections) entries(b index.Batch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range b.Entries {
		if have, ok := c.points[e.Memory.ID]; !ok || have.LedgerSeq < e.LedgerSeq {
			c.points[e.Memory.ID] = point{Entry: e, used: e.Memory.UsedAt()}
		}
	}
	for _, d := range b.Dropped {
		if have, ok := c.points[d.ID]; ok && have.LedgerSeq < d.LedgerSeq {
			delete(c.points, d.ID)
		}
	}
	for _, a := range b.Accessed {
		p, ok := c.points[a.ID]
		if ok && p.Memory.Scope == a.Scope && (p.used.Before(a.At) || a.Recorded && p.used.Equal(a.At)) {
			p.used, p.accessed = a.At, !a.Recorded
			c.points[a.ID] = p
		}
	}
}

// due reports whether a question of the reaper finds the point.
func (p point) due(q index.Due) bool {
	m, t := p.memory(), p.Memory.Tombstone
	archived := t == nil && (!m.ArchivedAt.IsZero() || m.Origin != "")
	by := func(date time.Time) bool { return !date.IsZero() && !date.After(q.Before) }
	if q.Tenant != "" && m.Scope.Tenant != q.Tenant || slices.Contains(q.Except, m.Scope.Tenant) {
		return false
	}
	current := m.Status == memory.StatusCurrent
	switch q.Job {
	case index.DueExpired:
		return current && !archived && by(m.ExpiresAt)
	case index.DueUnused:
		return current && !archived && !m.Lasting && !m.Pinned && by(m.UsedAt())
	case index.DueAccessed:
		return p.accessed
	case index.DueDeleted:
		return t != nil && t.PurgedAt.IsZero() && by(t.At)
	case index.DueTombstones:
		return t != nil && !t.PurgedAt.IsZero() && by(t.At)
	case index.DueArchived:
		return archived && by(m.ArchivedAt)
	case index.DueQuestions:
		d := m.Dispute
		return m.Status == memory.StatusDisputed && d != nil && d.Question != "" && d.ClosedAt.IsZero() && by(d.TimeoutAt)
	case index.DueExpiredDocuments, index.DueStaleDocuments, index.DueRemovedDocuments:
		return false // there are none here
	}
	panic("no such question: " + q.Job)
}

// found are up to limit points that are due after an id, by id.
func (c *collections) found(q index.Due, of *memory.Scope, after memory.ID, limit int) []memory.Memory {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []memory.Memory
	for _, id := range slices.Sorted(maps.Keys(c.points)) {
		p := c.points[id]
		if id > after && (of == nil || p.Memory.Scope == *of) && p.due(q) {
			if out = append(out, p.memory()); len(out) == limit {
				break
			}
		}
	}
	return out
}

func (c *collections) Sweep(ctx context.Context, q index.Due, limit int, fn func([]index.Ref) error) error {
	c.sweeps[q.Job]++
	for after := memory.ID(""); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		page := c.found(q, nil, after, limit)
		if len(page) == 0 {
			return nil
		}
		c.pages = append(c.pages, len(page))
		var refs []index.Ref
		for _, m := range page {
			refs = append(refs, index.Ref{Scope: m.Scope, ID: m.ID})
		}
		if err := fn(refs); err != nil {
			return err
		}
		after = page[len(page)-1].ID
	}
}

func (c *collections) DueOf(ctx context.Context, s memory.Scope, q index.Due, after memory.ID, limit int) ([]memory.Memory, error) {
	if err := c.failing[s]; err != nil {
		return nil, err
	}
	return c.found(q, &s, after, limit), ctx.Err()
}

// Needed returns everything that the owner has: what a decision needs and more.
func (c *collections) Needed(ctx context.Context, s memory.Scope, _ reconcile.Needs) ([]memory.Memory, error) {
	if err := c.failing[s]; err != nil {
		return nil, err
	}
	return c.of(s), ctx.Err()
}

// Get returns those of the owner's memories that are there.
func (c *collections) Get(ctx context.Context, s memory.Scope, ids []memory.ID) ([]memory.Memory, error) {
	if err := c.failing[s]; err != nil {
		return nil, err
	}
	return slices.DeleteFunc(c.of(s), func(m memory.Memory) bool { return !slices.Contains(ids, m.ID) }), ctx.Err()
}

// of is everything that the owner has, by id.
func (c *collections) of(s memory.Scope) []memory.Memory {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []memory.Memory
	for _, p := range c.points {
		if p.Memory.Scope == s {
			out = append(out, p.memory())
		}
	}
	slices.SortFunc(out, func(a, b memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

type noVectors struct{}

func (noVectors) EmbedFor(ctx context.Context, _ memory.Scope, texts []string) ([][]float32, error) {
	return slices.Repeat([][]float32{{1, 0}}, len(texts)), ctx.Err()
}

// questions is the bucket of questions.
type questions struct {
	mu  sync.Mutex
	all map[memory.ID]memory.Question
}

func (q *questions) Put(ctx context.Context, doc memory.Question, _ uint64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all[doc.ID] = doc
	return ctx.Err()
}

func (q *questions) EraseOwner(context.Context, memory.Scope, uint64) (int, error) {
	return 0, errErased
}

type noErasures struct{}

func (noErasures) Erased(context.Context, memory.Scope) (uint64, error) { return 0, nil }

const day = 24 * time.Hour

var (
	now   = time.Date(2026, 6, 1, 3, 0, 0, 0, time.UTC)
	alice = memory.UserScope("acme", "alice")
	bob   = memory.UserScope("acme", "bob")
	carol = memory.UserScope("globex", "carol")
)

func ago(d time.Duration) time.Time { return now.Add(-d) }

var registry = sync.OnceValues(func() (*profile.Registry, error) { return profile.Parse(schemas.Profile) })

// world is a reaper on ports in memory.
type world struct {
	ledger    *decisions
	store     *collections
	questions *questions
	decider   *decide.Decider
	registry  *profile.Registry
	policies  retention.Policies
	pageSize  int
	recalls   recalls
	// reached is called at each step, by one goroutine at a time.
	reached func(decide.Step)
	mu      sync.Mutex
}

type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func newWorld(t failer) *world {
	t.Helper()
	r, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		ledger: &decisions{sets: map[memory.Scope][]decided{}}, registry: r,
		questions: &questions{all: map[memory.ID]memory.Question{}},
		store: &collections{
			points: map[memory.ID]point{}, cursors: map[memory.Scope]uint64{}, failing: map[memory.Scope]error{},
			sweeps: map[index.DueJob]int{},
		},
		reached: func(decide.Step) {},
	}
	w.store.between = func() { w.step(stepWritten) }
	w.decider = &decide.Decider{Ledger: w.ledger, Reached: w.step, Projector: w.projector(w.store)}
	return w
}

func (w *world) projector(s project.Store) *project.Projector {
	return project.New(project.Config{Log: w.ledger, Store: s, Embed: noVectors{}, Questions: w.questions, Erasures: noErasures{}})
}

// stepWritten lies between the memories of a batch and its cursors.
const stepWritten decide.Step = "written"

func (w *world) step(s decide.Step) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reached(s)
}

func (w *world) service() *reap.Service {
	return reap.New(reap.Config{
		Memories: w.store, Uses: w.store, Traces: &w.recalls, Secret: secret, Ledger: w.ledger, Decider: w.decider, Policies: w.policies, Registry: w.registry,
		Rewrite: purge.Purger{Registry: w.registry, Secret: secret}.Rewrite, Logger: slog.New(slog.DiscardHandler), PageSize: w.pageSize, Reached: w.step,
	})
}

var secret = []byte("a secret of 32 bytes for the tests")

// run does a job to its end.
func (w *world) run(t failer, job reap.Job) reap.Report {
	t.Helper()
	r, err := w.service().RunOnce(context.Background(), job, now, nil)
	if err != nil {
		t.Fatalf("%s: %v", job, err)
	}
	return r
}

// decides appends a change set that somebody else has decided.
func (w *world) decides(t failer, s memory.Scope, changes ...ledger.Change) {
	t.Helper()
	_, err := w.decider.Do(context.Background(), s, func(context.Context, uint64) (*ledger.ChangeSet, error) {
		return &ledger.ChangeSet{V: ledger.Version, At: ago(500 * day), Author: ledger.AuthorExtractor, Scope: s, Changes: changes}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// known has the extractor remember m, a free memory of s that was said that long ago, and
// returns it.
func (w *world) known(t failer, s memory.Scope, text string, said time.Duration, f func(*memory.Memory)) memory.Memory {
	t.Helper()
	m := memory.Memory{
		ID: idOf(s, text), Scope: s, Kind: memory.KindFact, Text: text, Stability: memory.Stable, Status: memory.StatusCurrent,
		SaidAt: ago(said), CreatedAt: ago(said), ConfirmedAt: ago(said), Confidence: 0.9,
		Evidence: []memory.Evidence{{Event: "e-" + text, Seq: 7, Thread: "t1", Role: memory.RoleUser, At: ago(said), Quote: text}},
	}
	if f != nil {
		f(&m)
	}
	w.decides(t, s, ledger.Change{Op: ledger.OpAdd, Memory: m, Reason: "new"})
	return m
}

func idOf(s memory.Scope, text string) memory.ID {
	return memory.ID(uuid.NewSHA1(uuid.NameSpaceURL, fmt.Append(nil, s, text)).String())
}

// use has recall hand out m that long ago.
func (w *world) use(t failer, m memory.Memory, at time.Duration) {
	t.Helper()
	err := w.store.Write(context.Background(), index.Batch{Accessed: []index.Access{{Scope: m.Scope, ID: m.ID, At: ago(at)}}})
	if err != nil {
		t.Fatal(err)
	}
}

// get is a memory as it is now; its status is empty when there is none.
func (w *world) get(id memory.ID) memory.Memory {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	p := w.store.points[id]
	return p.memory()
}

// sets decodes the owner's change sets.
func (w *world) sets(t failer, s memory.Scope) []ledger.Record {
	t.Helper()
	var out []ledger.Record
	for _, d := range w.ledger.sets[s] {
		c, err := ledger.Decode(d.data, s)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, ledger.Record{Seq: d.seq, ChangeSet: c})
	}
	return out
}

// reaped are the reaper's own change sets of an owner.
func (w *world) reaped(t failer, s memory.Scope) []ledger.Record {
	t.Helper()
	return slices.DeleteFunc(w.sets(t, s), func(r ledger.Record) bool { return r.Author != ledger.AuthorReaper })
}

// owners are all that the ledger knows.
func (w *world) owners() []memory.Scope {
	return slices.SortedFunc(maps.Keys(w.ledger.sets), func(a, b memory.Scope) int {
		return cmp.Or(cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.Owner.ID, b.Owner.ID))
	})
}

// state is everything that there is of an owner, by what it says: the change sets in order,
// the memories and what the ledger does not know of their use.
func (w *world) state(t failer, s memory.Scope) string {
	t.Helper()
	var sets []ledger.ChangeSet
	for _, r := range w.sets(t, s) {
		sets = append(sets, r.ChangeSet)
	}
	var accessed []memory.ID
	memories := w.store.of(s)
	for _, m := range memories {
		if w.store.points[m.ID].accessed {
			accessed = append(accessed, m.ID)
		}
	}
	out, err := json.MarshalIndent(struct {
		Sets     []ledger.ChangeSet
		Memories []memory.Memory
		Accessed []memory.ID
	}{sets, memories, accessed}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
