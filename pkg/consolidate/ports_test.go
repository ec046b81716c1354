package consolidate_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/rules"
	"github.com/mnemond/mnemond/schemas"
)

// failures are what ports fail with, by the name of the port, until they are cleared.
type failures map[string]error

// eventLog is MEM_EVENTS.
type eventLog struct {
	failures
	all []event.Stored
}

func (l *eventLog) ReadThread(_ context.Context, r memory.ThreadRef, after uint64, limit int) ([]event.Stored, bool, error) {
	var out []event.Stored
	for _, e := range l.all {
		if e.Ref != r || e.Seq <= after {
			continue
		}
		if len(out) == limit {
			return out, true, nil
		}
		out = append(out, e)
	}
	return out, false, l.failures["events"]
}

func (l *eventLog) Get(_ context.Context, r memory.ThreadRef, seq uint64) (event.Stored, error) {
	for _, e := range l.all {
		if e.Ref == r && e.Seq == seq {
			return e, nil
		}
	}
	return event.Stored{}, event.ErrGone
}

// decisions is MEM_LEDGER: one sequence for all owners, compare-and-set for each.
type decisions struct {
	failures
	seq  uint64
	sets map[memory.Scope][]decided
}

type decided struct {
	seq  uint64
	data []byte
}

func (l *decisions) Head(_ context.Context, s memory.Scope) (uint64, error) {
	if own := l.sets[s]; len(own) > 0 {
		return own[len(own)-1].seq, nil
	}
	return 0, nil
}

func (l *decisions) Append(ctx context.Context, s memory.Scope, expect uint64, data []byte) (uint64, error) {
	if err := l.failures["append"]; err != nil {
		return 0, err
	}
	if head, _ := l.Head(ctx, s); head != expect {
		return 0, ledger.ErrConflict
	}
	l.seq += 10 // other owners' change sets lie between
	l.sets[s] = append(l.sets[s], decided{l.seq, data})
	return l.seq, nil
}

func (l *decisions) Read(_ context.Context, s memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	for _, d := range l.sets[s] {
		if d.seq > after && d.seq <= upTo {
			if err := fn(d.seq, time.Time{}, d.data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *decisions) Holds(_ context.Context, s memory.Scope, seq uint64) (bool, error) {
	return slices.ContainsFunc(l.sets[s], func(d decided) bool { return d.seq == seq }), nil
}

// threadCache is the bucket of thread states.
type threadCache struct {
	failures
	states map[memory.ThreadRef][]byte
}

func (c *threadCache) Load(_ context.Context, r memory.ThreadRef) ([]byte, bool, error) {
	data, ok := c.states[r]
	return data, ok, nil
}

func (c *threadCache) Store(_ context.Context, r memory.ThreadRef, data []byte) error {
	if err := c.failures["cache"]; err != nil {
		return err
	}
	c.states[r] = data
	return nil
}

// collection is the projection.
type collection struct {
	failures
	points      map[memory.ID]index.Entry
	checkpoints map[uint64]index.Checkpoint
	cursors     map[memory.Scope]uint64
}

func (c *collection) Cursor(_ context.Context, s memory.Scope) (uint64, error) {
	return c.cursors[s], c.failures["cursor"]
}

func (c *collection) Write(_ context.Context, b index.Batch) error {
	if err := c.failures["write"]; err != nil {
		return err
	}
	for _, e := range b.Entries {
		if have, ok := c.points[e.Memory.ID]; !ok || have.LedgerSeq < e.LedgerSeq {
			c.points[e.Memory.ID] = e
		}
	}
	for _, cp := range b.Checkpoints {
		c.checkpoints[cp.LedgerSeq] = cp
	}
	for s, step := range b.Cursors {
		if c.cursors[s] >= step.From {
			c.cursors[s] = max(c.cursors[s], step.To)
		}
	}
	return nil
}

func (c *collection) Erase(_ context.Context, s memory.Scope, below uint64) (int, error) {
	n := len(c.points)
	maps.DeleteFunc(c.points, func(_ memory.ID, e index.Entry) bool { return e.Memory.Scope == s && e.LedgerSeq < below })
	maps.DeleteFunc(c.checkpoints, func(_ uint64, cp index.Checkpoint) bool { return cp.Scope == s && cp.LedgerSeq < below })
	if c.cursors[s] < below {
		delete(c.cursors, s)
	}
	return n - len(c.points), nil
}

// questions is the bucket of questions.
type questions map[memory.ID]memory.Question

func (q questions) Put(_ context.Context, doc memory.Question, _ uint64) error {
	q[doc.ID] = doc
	return nil
}

func (q questions) EraseOwner(_ context.Context, s memory.Scope, _ uint64) (int, error) {
	n := len(q)
	maps.DeleteFunc(q, func(_ memory.ID, doc memory.Question) bool { return doc.Scope == s })
	return n - len(q), nil
}

// erasures are the fences: the events up to them, and the change sets below them, are gone.
type erasures struct {
	w      *world
	events map[memory.Scope]uint64
	ledger map[memory.Scope]uint64
}

func (e erasures) Erased(_ context.Context, s memory.Scope) (uint64, error) { return e.ledger[s], nil }
func (e erasures) Fence(_ context.Context, s memory.Scope) (uint64, error)  { return e.events[s], nil }

func (e erasures) TakeBack(ctx context.Context, s memory.Scope, seq uint64) error {
	e.w.ledger.sets[s] = slices.DeleteFunc(e.w.ledger.sets[s], func(d decided) bool { return d.seq == seq })
	_, err := e.w.store.Erase(ctx, s, seq+1)
	return err
}

// recalls are what was handed out, by recall, and what was told about it.
type recalls struct {
	handedOut map[string][]memory.ID
	told      []consolidate.Told
	err       error
}

func (r *recalls) HandedOut(_ context.Context, _ memory.Scope, id string) ([]memory.ID, error) {
	return r.handedOut[id], nil
}

func (r *recalls) Attach(_ context.Context, _ memory.Scope, t consolidate.Told) error {
	if r.err == nil {
		r.told = append(r.told, t)
	}
	return r.err
}

// Needed returns everything that the owner has: what a decision needs and more. It refuses
// what is no id, as a store does.
func (c *collection) Needed(_ context.Context, s memory.Scope, n reconcile.Needs) ([]memory.Memory, error) {
	if err := c.failures["memories"]; err != nil {
		return nil, err
	}
	if slices.ContainsFunc(n.IDs, func(id memory.ID) bool { return !id.Valid() }) {
		return nil, fault.Permanent(errors.New("unable to parse UUID"))
	}
	return c.list(s), nil
}

// Checkpoints returns the thread's, in order.
func (c *collection) Checkpoints(_ context.Context, s memory.Scope, t memory.Thread, after uint64) ([]index.Checkpoint, error) {
	var out []index.Checkpoint
	for _, cp := range c.checkpoints {
		if cp.Scope == s && cp.Checkpoint.Thread == t && cp.LedgerSeq > after {
			out = append(out, cp)
		}
	}
	slices.SortFunc(out, func(a, b index.Checkpoint) int { return cmp.Compare(a.LedgerSeq, b.LedgerSeq) })
	return out, c.failures["checkpoints"]
}

func (c *collection) list(s memory.Scope) []memory.Memory {
	var out []memory.Memory
	for _, e := range c.points {
		if e.Memory.Scope == s && e.Memory.Origin == "" { // past values lie in the archive
			out = append(out, e.Memory)
		}
	}
	slices.SortFunc(out, func(a, b memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// letters is MEM_DEAD: the same events from the same stage are one letter.
type letters struct {
	failures
	all []event.DeadLetter
}

func (l *letters) Put(_ context.Context, d event.DeadLetter) error {
	if err := l.failures["dead"]; err != nil {
		return err
	}
	id := func(d event.DeadLetter) string {
		out := d.Stage + d.Reason
		for _, e := range d.Events {
			out += fmt.Sprintf(" %v/%d", e.Ref, e.Seq)
		}
		return out
	}
	for _, have := range l.all {
		if id(have) == id(d) {
			return nil
		}
	}
	l.all = append(l.all, d)
	return nil
}

// listener extracts by find, by the rules when that is nil, and keeps what it was shown.
type listener struct {
	failures
	shown [][]memory.Message
	find  func([]memory.Message) ([]memory.Candidate, []memory.Directive)
}

func (l *listener) Extract(ctx context.Context, in memory.Extraction) ([]memory.Candidate, []memory.Directive, error) {
	l.shown = append(l.shown, in.Messages)
	if err := l.failures["extract"]; err != nil {
		return nil, nil, err
	}
	if l.find != nil {
		c, d := l.find(in.Messages)
		return c, d, nil
	}
	return rules.Extractor{}.Extract(ctx, in)
}

type noVectors struct{}

func (noVectors) EmbedFor(_ context.Context, _ memory.Scope, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}

// world is a service on ports in memory.
type world struct {
	*consolidate.Service
	failures failures
	events   *eventLog
	ledger   *decisions
	threads  *threadCache
	store    *collection
	dead     *letters
	listener *listener
	asked    questions
	recalls  *recalls
	erasures erasures
	now      time.Time
	// at is called at each step of consolidation.
	at map[decide.Step]func()
}

var monday = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

var alice = memory.ThreadRef{Tenant: "acme", User: "alice", Thread: "t1"}

// in is another thread of the same user.
func in(r memory.ThreadRef, thread memory.Thread) memory.ThreadRef {
	r.Thread = thread
	return r
}

var registry = sync.OnceValues(func() (*profile.Registry, error) { return profile.Parse(schemas.Profile) })

type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func newWorld(t failer) *world {
	t.Helper()
	f := failures{}
	w := &world{
		failures: f, events: &eventLog{failures: f}, ledger: &decisions{failures: f, sets: map[memory.Scope][]decided{}},
		threads: &threadCache{f, map[memory.ThreadRef][]byte{}}, dead: &letters{failures: f}, listener: &listener{failures: f},
		store: &collection{f, map[memory.ID]index.Entry{}, map[uint64]index.Checkpoint{}, map[memory.Scope]uint64{}},
		asked: questions{}, recalls: &recalls{handedOut: map[string][]memory.ID{}},
		now: monday, at: map[decide.Step]func(){},
	}
	w.erasures = erasures{w, map[memory.Scope]uint64{}, map[memory.Scope]uint64{}}
	w.Service = w.service(t)
	return w
}

// service is one more worker on the same ports.
func (w *world) service(t failer) *consolidate.Service {
	t.Helper()
	registry, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	s, err := consolidate.New(consolidate.Config{
		Events: w.events, Ledger: w.ledger, Threads: w.threads, Memories: w.store,
		Projector: project.New(project.Config{Log: w.ledger, Store: w.store, Embed: noVectors{}, Questions: w.asked, Erasures: w.erasures}),
		Recalls:   w.recalls, Erasures: w.erasures, Dead: w.dead, Extractor: w.listener, Registry: registry, Secret: []byte("secret"),
		Now: func() time.Time { return w.now }, Logger: slog.New(slog.DiscardHandler),
		Reached: func(s decide.Step) {
			if f := w.at[s]; f != nil {
				f()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// once has f done at the step, the first time that it is reached.
func (w *world) once(s decide.Step, f func()) {
	w.at[s] = func() {
		w.at[s] = nil
		f()
	}
}

// put stores raw bytes on a thread's subject and returns the sequence.
func (w *world) put(r memory.ThreadRef, data []byte) uint64 {
	seq := uint64(len(w.events.all) + 1)
	w.events.all = append(w.events.all, event.Stored{Ref: r, Seq: seq, ReceivedAt: w.now, Data: data})
	return seq
}

// turn is an event in which messages alternate between the user and the assistant.
func turn(r memory.ThreadRef, id string, at time.Time, contents ...string) event.Event {
	e := event.Event{
		SpecVersion: "1.0", ID: id, Source: "/test", Type: event.TypeTurn, Time: at,
		Tenant: r.Tenant, User: r.User, Thread: r.Thread,
	}
	var t event.Turn
	for i, c := range contents {
		role := memory.RoleUser
		if i%2 == 1 {
			role = memory.RoleAssistant
		}
		t.Messages = append(t.Messages, event.Message{Role: role, Content: c})
	}
	if err := e.SetTurn(t); err != nil {
		panic(err)
	}
	return e
}

func encode(e event.Event) []byte {
	data, err := e.Encode()
	if err != nil {
		panic(err)
	}
	return data
}

// say stores a turn of the user under a new id.
func (w *world) say(r memory.ThreadRef, contents ...string) uint64 {
	return w.put(r, encode(turn(r, fmt.Sprintf("e%d", len(w.events.all)+1), w.now, contents...)))
}

func (w *world) consolidate(t *testing.T, r memory.ThreadRef) {
	t.Helper()
	if err := w.Thread(t.Context(), r); err != nil {
		t.Fatalf("consolidate %s: %v", r.Thread, err)
	}
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

func total(records []ledger.Record) ledger.Counts {
	var n ledger.Counts
	for _, r := range records {
		if r.Checkpoint != nil {
			n = n.Add(r.Checkpoint.Counts)
		}
	}
	return n
}

// current are the values of a key that are current.
func (w *world) current(s memory.Scope, key memory.Key) []string {
	var out []string
	for _, m := range w.store.list(s) {
		if m.Key == key && m.Status == memory.StatusCurrent {
			out = append(out, m.Value)
		}
	}
	return out
}
