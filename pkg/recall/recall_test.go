package recall_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
	"github.com/mnemond/mnemond/pkg/rank"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/schemas"
)

// log is a ledger in memory; a change set's sequence is its place in it.
type log struct {
	sets []ledger.ChangeSet
	err  error
}

func (l *log) Head(_ context.Context, s memory.Scope) (uint64, error) {
	for i, c := range slices.Backward(l.sets) {
		if c.Scope == s {
			return uint64(i + 1), l.err
		}
	}
	return 0, l.err
}

func (l *log) Holds(_ context.Context, s memory.Scope, seq uint64) (bool, error) {
	return seq > 0 && seq <= uint64(len(l.sets)) && l.sets[seq-1].Scope == s, nil
}

func (l *log) Read(_ context.Context, s memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	for i, c := range l.sets {
		if seq := uint64(i + 1); c.Scope == s && seq > after && seq <= upTo {
			data, err := c.Encode()
			if err != nil {
				return err
			}
			if err := fn(seq, c.At, data); err != nil {
				return err
			}
		}
	}
	return nil
}

// world is a recall service on an engine of the test's own.
type world struct {
	*recall.Service
	t     *testing.T
	log   *log
	p     *project.Projector
	clock time.Time
	asked questions
	// traces are what was recorded.
	traces []recall.Trace
}

func (w *world) Record(t recall.Trace) { w.traces = append(w.traces, t) }

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

func (q questions) Get(_ context.Context, _ memory.Scope, id memory.ID) (memory.Question, bool, error) {
	doc, ok := q[id]
	return doc, ok, nil
}

// nobody was ever erased.
type nobody struct{}

func (nobody) Erased(context.Context, memory.Scope) (uint64, error) { return 0, nil }

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

var alice = memory.UserScope(memory.DefaultTenant, "alice")

func newWorld(t *testing.T) *world {
	t.Helper()
	engine, lexical := qdrantmem.New(), embed.NewLexical()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- engine.Run(ctx) }()
	c, err := qdrantstore.ConnectWith(engine.DialOptions()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := c.Close()
		stop()
		if err := errors.Join(err, <-done); err != nil {
			t.Error(err)
		}
	})
	target, err := qdrantstore.StartRebuild(t.Context(), c, qdrantstore.Model{Name: lexical.Name(), Dim: lexical.Dim()})
	if err != nil {
		t.Fatal(err)
	}
	if err := target.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	registry, err := profile.Parse(schemas.Profile)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, log: &log{}, clock: noon}
	w.asked = questions{}
	store := target.Published()
	w.p = project.New(project.Config{Log: w.log, Store: store, Embed: lexical, Questions: w.asked, Erasures: nobody{}})
	w.Service = recall.New(recall.Config{
		Find: find.Config{
			Store: store, Embed: lexical, Registry: registry, Weights: rank.DefaultWeights(), Measure: rank.DefaultMeasure(),
			MinDense: 0.35, Related: lexical.Related,
		},
		Lists: store, Ledger: w.log, Passages: lexical, Questions: w.asked, Traces: w, Now: func() time.Time { return w.clock },
	})
	return w
}

// remember appends one change set with the memories, all of one owner, and projects it.
func (w *world) remember(memories ...memory.Memory) {
	w.t.Helper()
	var changes []ledger.Change
	for _, m := range memories {
		changes = append(changes, ledger.Change{Op: ledger.OpAdd, Memory: m, Reason: "new"})
	}
	w.decide(memories[0].Scope, changes...)
}

// decide appends one change set at the time of the clock and projects it.
func (w *world) decide(scope memory.Scope, changes ...ledger.Change) {
	w.t.Helper()
	before, err := w.log.Head(w.t.Context(), scope)
	if err != nil {
		w.t.Fatal(err)
	}
	c := ledger.ChangeSet{V: ledger.Version, At: w.clock, Author: ledger.AuthorExtractor, Scope: scope, Changes: changes}
	w.log.sets = append(w.log.sets, c)
	if err := w.p.Apply(w.t.Context(), c.Scope, before, uint64(len(w.log.sets)), &c); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) recall(r recall.Request) recall.Response {
	w.t.Helper()
	if r.User == "" {
		r.User = "alice"
	}
	resp, err := w.Recall(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp
}

// fact is a current memory of alice; change alters it.
func fact(n int, text string, change ...func(*memory.Memory)) memory.Memory {
	m := memory.Memory{
		ID: memory.ID(fmt.Sprintf("%08d-0000-5000-8000-000000000000", n)), Scope: alice, Kind: memory.KindFact, Text: text,
		Stability: memory.Stable, Status: memory.StatusCurrent, SaidAt: noon, CreatedAt: noon, ConfirmedAt: noon, Confidence: 0.9,
		Evidence: []memory.Evidence{{Event: "e", Thread: "t", Role: memory.RoleUser, At: noon, Quote: text}},
	}
	for _, f := range change {
		f(&m)
	}
	return m
}

func texts(r recall.Response) []string {
	out := []string{}
	for _, m := range r.Memories {
		out = append(out, m.Text)
	}
	return out
}

func TestTheLimitBoundsWhatIsReturned(t *testing.T) {
	w := newWorld(t)
	var all []memory.Memory
	for i := range 20 {
		all = append(all, fact(i, fmt.Sprintf("I drink tea number %d", i)))
	}
	w.remember(all...)
	for limit, want := range map[int]int{0: recall.DefaultLimit, 1: 1, 3: 3, 8: 8, recall.MaxLimit: 20} {
		if got := len(w.recall(recall.Request{Query: "tea", Limit: limit}).Memories); got != want {
			t.Errorf("limit %d gives %d memories, want %d", limit, got, want)
		}
	}
}

func TestNothingSharedIsNothingReturned(t *testing.T) {
	w := newWorld(t)
	if got := w.recall(recall.Request{Query: "tea"}); got.Memories == nil || len(got.Memories) != 0 || got.Prompt != "" || got.RecallID == "" {
		t.Errorf("recall without memories = %+v, want an empty list, no block and an id", got)
	}
	w.remember(fact(1, "I drink tea"), fact(2, "我住在杭州"))
	for _, query := range []string{"quantum chromodynamics", "量子力学的历史", "!!!", "🙂"} {
		if got := w.recall(recall.Request{Query: query}); len(got.Memories) != 0 || got.Prompt != "" {
			t.Errorf("recall of %q = %q, want nothing", query, texts(got))
		}
	}
}

func TestAskingWordsFindTheirKeyInEitherLanguage(t *testing.T) {
	w := newWorld(t)
	w.remember(
		fact(1, "I live in Oslo", func(m *memory.Memory) { m.Kind, m.Key, m.Value = memory.KindProfile, "user.city", "Oslo" }),
		fact(2, "我养了一只猫，叫咪咪", func(m *memory.Memory) { m.Kind, m.Key, m.Value = memory.KindProfile, "user.pets", "猫，叫咪咪" }),
		fact(3, "I'm flying to Rome on Friday", func(m *memory.Memory) { m.Plan, m.ExpiresAt = true, noon.AddDate(0, 0, 4) }),
	)
	for query, want := range map[string]string{
		"where is my home?": "I live in Oslo", "我住在哪个城市？": "I live in Oslo",
		"what should I buy for my pet?": "我养了一只猫，叫咪咪", "给我的宠物买点什么？": "我养了一只猫，叫咪咪",
		"what trips are on my schedule?": "I'm flying to Rome on Friday", "我最近有什么安排？": "I'm flying to Rome on Friday",
	} {
		if got := texts(w.recall(recall.Request{Query: query})); len(got) == 0 || got[0] != want {
			t.Errorf("recall of %q = %q, want %q first", query, got, want)
		}
	}
}

func TestKindsNarrow(t *testing.T) {
	w := newWorld(t)
	w.remember(fact(1, "tea at noon"), fact(2, "tea without milk", func(m *memory.Memory) { m.Kind = memory.KindConstraint }))
	got := texts(w.recall(recall.Request{Query: "tea", Kinds: []memory.Kind{memory.KindConstraint}}))
	if !slices.Equal(got, []string{"tea without milk"}) {
		t.Errorf("recall = %q, want the constraint alone", got)
	}
}

func TestWhatExpiresIsGoneAtThatInstant(t *testing.T) {
	w := newWorld(t)
	end := noon.Add(90 * time.Minute)
	w.remember(fact(1, "train at half past one", func(m *memory.Memory) { m.Plan, m.ExpiresAt = true, end }))
	for at, want := range map[time.Time]int{end.Add(-time.Nanosecond): 1, end: 0, end.Add(time.Hour): 0} {
		w.clock = at
		if got := w.recall(recall.Request{Query: "train"}); len(got.Memories) != want {
			t.Errorf("at %s recall gives %q, want %d", at.Format(time.RFC3339Nano), texts(got), want)
		}
	}
}

// careless is a collection that hands out what it should not.
type careless struct{ memories []memory.Memory }

func (c careless) Search(context.Context, memory.Scope, index.Query) ([]index.Hit, error) {
	var out []index.Hit
	for _, m := range c.memories {
		out = append(out, index.Hit{Memory: m, Fused: 1, Terms: index.Sparse(&m)})
	}
	return out, nil
}

func (c careless) Beside(context.Context, memory.Scope, index.Query, []index.Spot, int64) ([]index.Hit, error) {
	return nil, nil
}

func (c careless) List(context.Context, memory.Scope) ([]memory.Memory, error) {
	return c.memories, nil
}

func (c careless) ListArchive(context.Context, memory.Scope) ([]memory.Memory, error) {
	return c.memories, nil
}

// TestRecallLooksOnceMore: whatever the collection finds, only what is live is handed out,
// and what is not takes nobody's place.
func TestRecallLooksOnceMore(t *testing.T) {
	w := newWorld(t)
	status := func(s memory.Status) func(*memory.Memory) { return func(m *memory.Memory) { m.Status = s } }
	all := careless{[]memory.Memory{
		fact(1, "tea, current"), fact(2, "tea, ended", status(memory.StatusEnded)), fact(3, "tea, disputed", status(memory.StatusDisputed)),
		fact(4, "tea, over", func(m *memory.Memory) { m.ExpiresAt, m.Pinned = noon, true }), fact(5, "tea, superseded", status(memory.StatusSuperseded)),
		fact(6, "tea, suppressed", func(m *memory.Memory) { m.SuppressedBy = "request" }),
		fact(7, "tea, cold", func(m *memory.Memory) { m.ArchivedAt = noon }), fact(8, "tea, deleted", status(memory.StatusDeleted)),
		fact(9, "tea, a request", status(memory.StatusStanding)),
	}}
	w.Find.Store, w.Lists = all, all
	for _, query := range []string{"tea", ""} {
		got := w.recall(recall.Request{Query: query, Limit: 1, Explain: true})
		if !slices.Equal(texts(got), []string{"tea, current"}) {
			t.Errorf("recall of %q = %q, want what is current", query, texts(got))
		}
		if x := got.Explain; x.Candidates != 9 || x.Hidden != 8 || x.OverLimit != 0 {
			t.Errorf("recall of %q explains %+v, want 8 of 9 hidden", query, *x)
		}
	}
}

func TestAResultSaysWhereItIsFrom(t *testing.T) {
	w := newWorld(t)
	w.remember(fact(7, "I drink tea", func(m *memory.Memory) { m.Key, m.Value, m.Kind = "user.likes", "tea", memory.KindPreference }))
	got := w.recall(recall.Request{Query: "tea"})
	if len(got.Memories) != 1 {
		t.Fatalf("%d memories, want 1", len(got.Memories))
	}
	m := got.Memories[0]
	if m.Citation != "[memory 00000007, 2026-03-02]" || m.Key != "user.likes" || m.Value != "tea" || len(m.Evidence) != 1 ||
		m.Evidence[0].Quote != "I drink tea" || m.Score <= 0 || m.Score > 1 || m.Owner != alice.Owner || m.Explain != nil {
		t.Errorf("result %+v", m)
	}
}

func TestFailuresAreNotEmptyAnswers(t *testing.T) {
	w := newWorld(t)
	w.log.err = errors.New("no ledger")
	if _, err := w.History(t.Context(), alice, ""); !errors.Is(err, w.log.err) {
		t.Errorf("History = %v, want the ledger's error", err)
	}
	if _, err := w.Records(t.Context(), alice); !errors.Is(err, w.log.err) {
		t.Errorf("Records = %v, want the ledger's error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Recall(ctx, recall.Request{User: "alice", Query: "tea"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Recall = %v, want that it was cancelled", err)
	}
	for _, s := range []memory.Scope{{}, {Tenant: "acme"}, memory.UserScope("", "alice")} {
		_, err1 := w.Memories(t.Context(), s)
		_, err2 := w.History(t.Context(), s, "user.city")
		_, err3 := w.Records(t.Context(), s)
		for _, err := range []error{err1, err2, err3} {
			if !errors.Is(err, memory.ErrScope) {
				t.Errorf("in the scope %+v: %v, want ErrScope", s, err)
			}
		}
	}
}

func TestHistoryAndRecordsAreTheOwnersLedger(t *testing.T) {
	w := newWorld(t)
	city := func(v string, at time.Time) func(*memory.Memory) {
		return func(m *memory.Memory) {
			m.Key, m.Value, m.SaidAt, m.ConfirmedAt, m.Evidence[0].At, m.Evidence[0].Event = "user.city", v, at, at, at, v
		}
	}
	w.remember(fact(1, "I live in Oslo", city("Oslo", noon)), fact(2, "I drink tea"))
	w.remember(fact(1, "I moved to Bergen", city("Bergen", noon.Add(time.Hour))))
	all, err := w.History(t.Context(), alice, "")
	if err != nil || len(all) != 3 {
		t.Errorf("History = %+v, %v, want three changes", all, err)
	}
	of, err := w.History(t.Context(), alice, "user.city")
	if err != nil || len(of) != 2 || of[0].Value != "Oslo" || of[1].Value != "Bergen" {
		t.Errorf("History of user.city = %+v, %v, want Oslo and Bergen", of, err)
	}
	records, err := w.Records(t.Context(), alice)
	if err != nil || len(records) != 2 || records[0].Seq != 1 || records[1].Seq != 2 {
		t.Errorf("Records = %+v, %v, want two in order", records, err)
	}
	other, err := w.Records(t.Context(), memory.UserScope(memory.DefaultTenant, "bob"))
	if err != nil || len(other) != 0 {
		t.Errorf("bob's records = %+v, %v, want none", other, err)
	}
}
