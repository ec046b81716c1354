package curate_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/schemas"
)

// ports is an installation in memory: every port that a Service calls, and what fails of it.
type ports struct {
	*curate.Service
	now     time.Time
	log     ledgerPort
	hand    hand
	asked   map[memory.ID]memory.Question
	heads   map[memory.Scope]uint64
	records map[memory.Scope]record
	events  map[memory.Scope]int
	// fails is what a call of a port fails with, by its name, as long as it is set.
	fails map[string]error
	// at is called once between a decision and its change set.
	at func()
	// seq counts the events.
	seq uint64
	// said are the sequences of an owner's events.
	said map[memory.Scope][]uint64
	// unread is what was said and is not consolidated.
	unread map[memory.Scope][]func() error
	// broken is the port that fails after so many calls more.
	broken string
	after  int
}

// fault is what a call of a port fails with.
func (p *ports) fault(of string) error {
	if of == p.broken {
		if p.after--; p.after < 0 {
			return context.DeadlineExceeded
		}
	}
	return p.fails[of]
}

// failsAfter has a port fail after so many calls more, all of them from then on.
func (p *ports) failsAfter(of string, calls int) { p.broken, p.after = of, calls }

type record struct {
	bounds   curate.Bounds
	receipt  []byte
	revision uint64
}

var (
	monday = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	ann    = memory.UserScope("acme", "ann")
	anna   = memory.UserScope("acme", "anna")
	other  = memory.UserScope("other", "ann")
)

func newPorts(t *testing.T) *ports {
	t.Helper()
	registry, err := profile.Parse(schemas.Profile)
	if err != nil {
		t.Fatal(err)
	}
	p := &ports{
		now: monday, hand: hand{map[memory.ID]index.Entry{}, map[memory.Scope]uint64{}, map[memory.ID]index.DocumentEntry{}},
		unread: map[memory.Scope][]func() error{}, said: map[memory.Scope][]uint64{},
		asked: map[memory.ID]memory.Question{}, heads: map[memory.Scope]uint64{},
		records: map[memory.Scope]record{}, events: map[memory.Scope]int{}, fails: map[string]error{},
	}
	p.log = ledgerPort{ports: p, sets: map[memory.Scope][]stored{}}
	p.Service = curate.New(curate.Config{
		Decider: &decide.Decider{
			Ledger:    &p.log,
			Projector: project.New(project.Config{Log: &p.log, Store: p.hand, Embed: noVectors{}, Questions: p, Erasures: p}),
			Reached: func(s decide.Step) {
				if f := p.at; s == decide.StepDecided && f != nil {
					p.at = nil
					f()
				}
			},
		},
		Batch: &p.log, Late: p, Memories: p, Documents: p, Threads: p, Ledger: &p.log, Questions: questionsPort{p}, Events: p, Owners: &p.log, Records: p, Fences: &p.log,
		Places:   []curate.Place{collectionsPlace{p}, eventsPlace{p}, ledgerPlace{p}},
		Alone:    func(ctx context.Context, f func(context.Context) error) error { return f(ctx) },
		Registry: registry, Secret: []byte("secret"), Now: func() time.Time { return p.now },
	})
	return p
}

// say has an owner state something in a thread, a minute after whatever came before.
func (p *ports) say(t *testing.T, s memory.Scope, thread memory.Thread, key memory.Key, value, text string) memory.ID {
	t.Helper()
	p.utter(s, thread, key, value, text)
	if err := p.Settle(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return p.Registry.Identity(s, key, value, text)
}

// utter is say without consolidation.
func (p *ports) utter(s memory.Scope, thread memory.Thread, key memory.Key, value, text string) {
	p.now = p.now.Add(time.Minute)
	p.seq++
	p.heads[s] = p.seq
	p.events[s]++
	p.said[s] = append(p.said[s], p.seq)
	f, _ := p.Registry.Field(key)
	kind := cmp.Or(f.Kind, memory.KindFact)
	st := reconcile.Statement{
		Candidate: memory.Candidate{
			Kind: kind, Key: key, Value: value, Text: text, Language: "en", Stability: memory.Stable, Confidence: 0.9, Relation: memory.RelationUpdates,
		},
		Evidence: memory.Evidence{Event: fmt.Sprint("e", p.seq), Seq: p.seq, Thread: thread, Role: memory.RoleUser, At: p.now, Quote: text},
	}
	p.unread[s] = append(p.unread[s], func() error { return p.consolidate(s, st) })
}

// Settle consolidates what the owner has said, but for what an erasure has reached.
func (p *ports) Settle(_ context.Context, s memory.Scope) error {
	for ; len(p.unread[s]) > 0; p.unread[s] = p.unread[s][1:] {
		if err := p.fault("settle"); err != nil {
			return err
		}
		if err := p.unread[s][0](); err != nil {
			return err
		}
	}
	return nil
}

func (p *ports) consolidate(s memory.Scope, st reconcile.Statement) error {
	if st.Evidence.Seq <= p.records[s].bounds.EventHead {
		return nil
	}
	_, err := p.Decider.Do(context.Background(), s, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		in := reconcile.Input{Now: p.now, Scope: s, Registry: p.Registry, Policy: p.Policies.For(s.Tenant), Secret: p.Secret, Statements: []reconcile.Statement{st}}
		in.Existing, _ = p.Needed(ctx, s, reconcile.NeedsOf(in))
		d := reconcile.Plan(in)
		return &ledger.ChangeSet{
			V: ledger.Version, At: p.now, Author: ledger.AuthorExtractor, Scope: s,
			Changes: d.Changes, QuestionOpened: d.Opened, QuestionClosed: d.Closed,
		}, nil
	})
	return err
}

// put has an application put a document.
func (p *ports) put(t *testing.T, s memory.Scope, key, value string) {
	t.Helper()
	p.now = p.now.Add(time.Minute)
	d := document.Document{
		ID: document.Identity(s, []string{"notes"}, key), Scope: s, Namespace: []string{"notes"}, Key: key, Value: []byte(value), CreatedAt: p.now, UpdatedAt: p.now,
	}
	_, err := p.Decider.Do(t.Context(), s, func(context.Context, uint64) (*ledger.ChangeSet, error) {
		return &ledger.ChangeSet{
			V: ledger.Version, At: p.now, Author: ledger.AuthorApplication, Scope: s, Changes: []ledger.Change{{Op: ledger.OpPut, Document: &d, Reason: "put"}},
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// kept are an owner's documents, by key.
func (p *ports) kept(s memory.Scope) string {
	var out []string
	for _, e := range p.hand.documents {
		if e.Document.Scope == s && e.Document.Live(p.now) {
			out = append(out, e.Document.Key+"="+string(e.Document.Value))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func (p *ports) Documents(_ context.Context, s memory.Scope, ids []memory.ID) ([]document.Document, error) {
	var out []document.Document
	for _, id := range ids {
		if e, ok := p.hand.documents[id]; ok && e.Document.Scope == s {
			out = append(out, e.Document)
		}
	}
	return out, p.fault("documents")
}

func (p *ports) Newest(_ context.Context, s memory.Scope, q index.Query) iter.Seq2[document.Document, error] {
	return func(yield func(document.Document, error) bool) {
		for _, e := range p.hand.documents {
			if e.Document.Scope == s && e.Document.Live(q.Now) && !yield(e.Document, nil) {
				return
			}
		}
		if err := p.fault("newest"); err != nil {
			yield(document.Document{}, err)
		}
	}
}

// recalled are the texts that may be recalled of an owner.
func (p *ports) recalled(s memory.Scope) string {
	return p.texts(s, func(m *memory.Memory) bool { return p.Policies.For(s.Tenant).Recallable(m, p.now) })
}

// hidden are those that are kept from it, past values apart.
func (p *ports) hidden(s memory.Scope) string {
	return p.texts(s, func(m *memory.Memory) bool { return m.SuppressedBy != "" && m.Origin == "" })
}

func (p *ports) texts(s memory.Scope, which func(*memory.Memory) bool) string {
	var out []string
	for _, e := range p.hand.points {
		if m := e.Memory; m.Scope == s && which(&m) {
			out = append(out, m.Text)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// head is the owner's last change set.
func (p *ports) head(s memory.Scope) uint64 {
	head, _ := p.log.Head(context.Background(), s)
	return head
}

// hand is both collections.
type hand struct {
	points    map[memory.ID]index.Entry
	cursors   map[memory.Scope]uint64
	documents map[memory.ID]index.DocumentEntry
}

func (h hand) Cursor(_ context.Context, s memory.Scope) (uint64, error) { return h.cursors[s], nil }

func (h hand) Write(_ context.Context, b index.Batch) error {
	for s, below := range b.Erased {
		h.erase(s, below)
	}
	for _, e := range b.Entries {
		if have, ok := h.points[e.Memory.ID]; !ok || have.LedgerSeq < e.LedgerSeq {
			h.points[e.Memory.ID] = e
		}
	}
	for _, e := range b.Documents {
		if have, ok := h.documents[e.Document.ID]; !ok || have.LedgerSeq < e.LedgerSeq {
			h.documents[e.Document.ID] = e
		}
	}
	for s, step := range b.Cursors {
		if h.cursors[s] >= step.From {
			h.cursors[s] = max(h.cursors[s], step.To)
		}
	}
	return nil
}

func (h hand) erase(s memory.Scope, below uint64) int {
	n := len(h.points) + len(h.cursors) + len(h.documents)
	maps.DeleteFunc(h.documents, func(_ memory.ID, e index.DocumentEntry) bool { return e.Document.Scope == s && e.LedgerSeq < below })
	maps.DeleteFunc(h.points, func(_ memory.ID, e index.Entry) bool { return e.Memory.Scope == s && e.LedgerSeq < below })
	if h.cursors[s] < below {
		delete(h.cursors, s)
	}
	return n - len(h.points) - len(h.cursors) - len(h.documents)
}

func (h hand) Erase(_ context.Context, s memory.Scope, below uint64) (int, error) {
	return h.erase(s, below), nil
}

func (p *ports) Needed(_ context.Context, s memory.Scope, n reconcile.Needs) ([]memory.Memory, error) {
	return p.list(func(m *memory.Memory) bool { return m.Scope == s && (n.Past || m.Origin == "") }), p.fault("memories")
}

// Get refuses what is no id, as a store does.
func (p *ports) Get(_ context.Context, s memory.Scope, ids []memory.ID) ([]memory.Memory, error) {
	if slices.ContainsFunc(ids, func(id memory.ID) bool { return !id.Valid() }) {
		return nil, fault.Permanent(errors.New("unable to parse UUID"))
	}
	return p.list(func(m *memory.Memory) bool { return m.Scope == s && slices.Contains(ids, m.ID) }), p.fault("memories")
}

func (p *ports) list(which func(*memory.Memory) bool) []memory.Memory {
	var out []memory.Memory
	for _, e := range p.hand.points {
		if which(&e.Memory) {
			out = append(out, e.Memory)
		}
	}
	slices.SortFunc(out, func(a, b memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

func (p *ports) Put(_ context.Context, q memory.Question, _ uint64) error {
	p.asked[q.ID] = q
	return nil
}

func (p *ports) EraseOwner(_ context.Context, s memory.Scope, _ uint64) (int, error) {
	n := len(p.asked)
	maps.DeleteFunc(p.asked, func(_ memory.ID, q memory.Question) bool { return q.Scope == s })
	return n - len(p.asked), nil
}

// questionsPort serves curate.Questions, whose Get is another one than that of memories.
type questionsPort struct{ *ports }

func (q questionsPort) Get(_ context.Context, _ memory.Scope, id memory.ID) (memory.Question, bool, error) {
	doc, ok := q.asked[id]
	return doc, ok, nil
}

func (q questionsPort) List(_ context.Context, s memory.Scope) ([]memory.Question, error) {
	var out []memory.Question
	for _, doc := range q.asked {
		if doc.Scope == s && doc.Status == memory.QuestionOpen {
			out = append(out, doc)
		}
	}
	return out, nil
}

func (p *ports) TakeBack(_ context.Context, s memory.Scope, seq uint64) error {
	p.log.delete(s, seq, seq)
	p.hand.erase(s, seq+1)
	return nil
}

func (p *ports) OwnerHead(_ context.Context, s memory.Scope) (uint64, error) {
	return p.heads[s], p.fault("event head")
}

func (p *ports) Erased(_ context.Context, s memory.Scope) (uint64, error) {
	return p.records[s].bounds.LedgerSeq, nil
}

func (p *ports) Load(_ context.Context, s memory.Scope) (curate.Bounds, []byte, uint64, error) {
	r := p.records[s]
	return r.bounds, r.receipt, r.revision, p.fault("load record")
}

var errRevision = errors.New("wrong last revision")

func (p *ports) Store(_ context.Context, s memory.Scope, b curate.Bounds, receipt []byte, revision uint64) (uint64, error) {
	if err := p.fault("store record"); err != nil {
		return 0, err
	}
	if p.records[s].revision != revision {
		return 0, errRevision
	}
	p.records[s] = record{b, receipt, revision + 1}
	return revision + 1, nil
}

// ledgerPort is MEM_LEDGER: one sequence for all owners, compare-and-set for each.
type ledgerPort struct {
	ports *ports
	seq   uint64
	sets  map[memory.Scope][]stored
}

type stored struct {
	seq  uint64
	data []byte
}

func (l *ledgerPort) Head(_ context.Context, s memory.Scope) (uint64, error) {
	if own := l.sets[s]; len(own) > 0 {
		return own[len(own)-1].seq, nil
	}
	return 0, nil
}

func (l *ledgerPort) Append(ctx context.Context, s memory.Scope, expect uint64, data []byte) (uint64, error) {
	if err := l.ports.fault("append"); err != nil {
		return 0, err
	}
	if head, _ := l.Head(ctx, s); head != expect {
		return 0, ledger.ErrConflict
	}
	return l.put(s, data), nil
}

func (l *ledgerPort) put(s memory.Scope, data []byte) uint64 {
	l.seq += 10 // other owners' change sets lie between
	l.sets[s] = append(l.sets[s], stored{l.seq, data})
	return l.seq
}

func (l *ledgerPort) AppendAll(ctx context.Context, entries []decide.Entry) ([]uint64, error) {
	for _, e := range entries {
		if head, _ := l.Head(ctx, e.Scope); head != e.Expect {
			return nil, ledger.ErrConflict
		}
	}
	if err := l.ports.fault("append"); err != nil {
		return nil, err
	}
	var seqs []uint64
	for _, e := range entries {
		seqs = append(seqs, l.put(e.Scope, e.Data))
	}
	return seqs, nil
}

func (l *ledgerPort) Read(_ context.Context, s memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	for _, d := range l.sets[s] {
		if d.seq > after && d.seq <= upTo {
			if err := fn(d.seq, time.Time{}, d.data); err != nil {
				return err
			}
		}
	}
	return l.ports.fault("read ledger")
}

func (l *ledgerPort) Holds(_ context.Context, s memory.Scope, seq uint64) (bool, error) {
	return slices.ContainsFunc(l.sets[s], func(d stored) bool { return d.seq == seq }), nil
}

func (l *ledgerPort) Delete(_ context.Context, s memory.Scope, seq uint64) error {
	if err := l.ports.fault("delete fence"); err != nil {
		return err
	}
	l.delete(s, seq, seq)
	return nil
}

func (l *ledgerPort) delete(s memory.Scope, from, to uint64) int {
	n := len(l.sets[s])
	l.sets[s] = slices.DeleteFunc(l.sets[s], func(d stored) bool { return from <= d.seq && d.seq <= to })
	n -= len(l.sets[s])
	if len(l.sets[s]) == 0 {
		delete(l.sets, s)
	}
	return n
}

func (l *ledgerPort) Next(_ context.Context, t memory.Tenant, after uint64) (memory.Scope, uint64, bool, error) {
	var next memory.Scope
	first := uint64(0)
	for s, sets := range l.sets {
		for _, d := range sets {
			if s.Tenant == t && d.seq > after && (first == 0 || d.seq < first) {
				next, first = s, d.seq
			}
		}
	}
	return next, first, first != 0, l.ports.fault("next owner")
}

type noVectors struct{}

func (noVectors) EmbedFor(_ context.Context, _ memory.Scope, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}

// collectionsPlace, eventsPlace and ledgerPlace are where an owner's data lies.
type collectionsPlace struct{ *ports }

func (collectionsPlace) Name() string { return "collections" }

func (c collectionsPlace) Erase(_ context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	return c.hand.erase(s, b.LedgerSeq+1), c.fault("collections")
}

func (c collectionsPlace) Count(_ context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	n := len(c.list(func(m *memory.Memory) bool { return m.Scope == s }))
	if _, ok := c.hand.cursors[s]; ok {
		n++
	}
	return n, c.fault("count")
}

type eventsPlace struct{ *ports }

func (eventsPlace) Name() string { return "events" }

func (e eventsPlace) Erase(ctx context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	if err := e.fault("events"); err != nil {
		return 0, err
	}
	n, _ := e.Count(ctx, s, b)
	e.said[s] = slices.DeleteFunc(e.said[s], func(seq uint64) bool { return seq <= b.EventHead })
	if e.events[s] -= n; e.events[s] == 0 {
		delete(e.events, s)
	}
	return n, nil
}

func (e eventsPlace) Count(_ context.Context, s memory.Scope, b curate.Bounds) (n int, err error) {
	for _, seq := range e.said[s] {
		if seq <= b.EventHead {
			n++
		}
	}
	return n, nil
}

type ledgerPlace struct{ *ports }

func (ledgerPlace) Name() string { return "change_sets" }

func (l ledgerPlace) Erase(_ context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	if err := l.fault("change sets"); err != nil {
		return 0, err
	}
	return l.log.delete(s, 0, b.LedgerSeq-1), nil
}

func (l ledgerPlace) Count(_ context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	n := 0
	for _, d := range l.log.sets[s] {
		if d.seq <= b.LedgerSeq {
			n++
		}
	}
	return n, nil
}
