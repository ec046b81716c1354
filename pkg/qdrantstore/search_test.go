package qdrantstore

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/terms"
)

func query(text string) index.Query {
	return index.Query{Now: noon, Dense: []float32{0, 0, 1}, MinDense: 0.35, Sparse: terms.Query(text), Limit: 10, Near: 10}
}

func search(t *testing.T, s *Store, scope memory.Scope, q index.Query) []string {
	t.Helper()
	hits, err := s.Search(t.Context(), scope, q)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, h := range hits {
		if h.Fused <= 0 {
			t.Errorf("%q has the score %v", h.Memory.Text, h.Fused)
		}
		out = append(out, h.Memory.Text)
	}
	slices.Sort(out)
	return out
}

func TestSearchSeesWhatIsCurrentAtTheInstant(t *testing.T) {
	s := newStore(t)
	with := func(status memory.Status, expires time.Time) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Status, m.ExpiresAt = status, expires }
	}
	write(t, s,
		entry(alice, 1, 1, "train always", with(memory.StatusCurrent, time.Time{})),
		entry(alice, 2, 1, "train over now", with(memory.StatusCurrent, noon)),
		entry(alice, 3, 1, "train over soon", with(memory.StatusCurrent, noon.Add(time.Microsecond))),
		entry(alice, 4, 1, "train over long ago", with(memory.StatusCurrent, noon.AddDate(-1, 0, 0))),
		entry(alice, 5, 1, "train ended", with(memory.StatusEnded, time.Time{})),
		entry(alice, 6, 1, "train superseded", with(memory.StatusSuperseded, time.Time{})),
		entry(alice, 7, 1, "train disputed", with(memory.StatusDisputed, time.Time{})),
		entry(alice, 8, 1, "train settled", with(memory.StatusSettled, time.Time{})),
		entry(bob, 9, 1, "train of bob", with(memory.StatusCurrent, time.Time{})),
	)
	if got, want := search(t, s, alice, query("train")), []string{"train always", "train over soon"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q", got, want)
	}
}

func TestSearchHasAFloor(t *testing.T) {
	s := newStore(t)
	near := entry(alice, 1, 1, "hiking")
	far := entry(alice, 2, 1, "soup")
	near.Dense, far.Dense = []float32{0, 0.6, 0.8}, []float32{0, 0.98, 0.2}
	none := entry(alice, 3, 1, "吃饭")
	none.Sparse = terms.SparseVector{}
	write(t, s, near, far, none)
	q := query("trousers")
	if got, want := search(t, s, alice, q), []string{"hiking"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q: the others are neither near nor share a word", got, want)
	}
	if got, want := search(t, s, alice, query("soup")), []string{"hiking", "soup"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q: one is near, one shares a word", got, want)
	}
	q.Sparse = terms.SparseVector{}
	if got, want := search(t, s, alice, q), []string{"hiking"}; !slices.Equal(got, want) {
		t.Errorf("Search without words = %q, want %q", got, want)
	}
	q.MinDense = 0.99
	if got := search(t, s, alice, q); len(got) != 0 {
		t.Errorf("Search above everything = %q, want nothing", got)
	}
}

func TestSearchByKindAndLimit(t *testing.T) {
	s := newStore(t)
	kind := func(k memory.Kind) func(*memory.Memory) { return func(m *memory.Memory) { m.Kind = k } }
	write(t, s,
		entry(alice, 1, 1, "tea fact"), entry(alice, 2, 1, "tea preference", kind(memory.KindPreference)),
		entry(alice, 3, 1, "tea constraint", kind(memory.KindConstraint)),
	)
	q := query("tea")
	q.Kinds = []memory.Kind{memory.KindPreference, memory.KindConstraint}
	if got, want := search(t, s, alice, q), []string{"tea constraint", "tea preference"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q", got, want)
	}
	q.Kinds, q.Keys = nil, []memory.Key{"user.likes"}
	write(t, s, entry(alice, 4, 1, "tea", keyed("user.likes", memory.StatusCurrent)), entry(alice, 5, 1, "tea", keyed("user.diet", memory.StatusCurrent)))
	if got, want := search(t, s, alice, q), []string{"tea"}; !slices.Equal(got, want) {
		t.Errorf("Search of a key = %q, want %q", got, want)
	}
	q.Keys, q.Limit = nil, 2
	if got := search(t, s, alice, q); len(got) != 2 {
		t.Errorf("Search = %q, want two", got)
	}
	q.Limit = 0
	if got := search(t, s, alice, q); len(got) != 0 {
		t.Errorf("Search by meaning alone = %q, want nothing", got)
	}
}

// What is for another agent, or of another namespace, takes no place among the hits.
func TestSearchByAgentAndNamespace(t *testing.T) {
	s := newStore(t)
	of := func(a memory.Agent, namespace string) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Agent, m.Namespace = a, namespace }
	}
	entries := []index.Entry{
		entry(alice, 1, 1, "tea of the cook", of("cook", "")), entry(alice, 2, 1, "tea for all", of("", "")),
		entry(alice, 3, 1, "tea at work", of("", "work")), entry(alice, 4, 1, "tea of the coach at work", of("coach", "work")),
	}
	for n := range 50 {
		entries = append(entries, entry(alice, 100+n, 1, "tea tea", of("barista", "home")))
	}
	write(t, s, entries...)
	for _, c := range []struct {
		agent  memory.Agent
		within string
		want   []string
	}{
		{"cook", "work", []string{"tea at work", "tea for all", "tea of the cook"}},
		{"coach", "work", []string{"tea at work", "tea for all", "tea of the coach at work"}},
		{"nobody", "nowhere", []string{"tea for all"}},
	} {
		q := query("tea")
		q.Agent, q.Within, q.Limit, q.Near = c.agent, c.within, 3, 0
		if got := search(t, s, alice, q); !slices.Equal(got, c.want) {
			t.Errorf("%s in %s: %q, want %q", c.agent, c.within, got, c.want)
		}
	}
}

func suppressed(m *memory.Memory) { m.SuppressedBy = "the request" }

// TestSearchNeverFindsWhatIsKeptFromRecall: in neither collection.
func TestSearchNeverFindsWhatIsKeptFromRecall(t *testing.T) {
	s := newStore(t)
	over := func(m *memory.Memory) { m.ExpiresAt = noon }
	write(t, s,
		entry(alice, 1, 1, "tea at hand"), entry(alice, 2, 1, "tea suppressed", suppressed),
		entry(alice, 3, 1, "tea not to mention", inStatusOf(memory.StatusStanding)),
		moved(entry(alice, 4, 1, "tea cold", cold)), moved(entry(alice, 5, 1, "tea cold and suppressed", cold, suppressed)),
		moved(entry(alice, 6, 1, "tea cold and over", cold, over)), moved(entry(alice, 7, 1, "tea cold and ended", cold, inStatusOf(memory.StatusEnded))),
		entry(alice, 8, 1, "tea of the past", past(1)),
		entry(alice, 9, 1, "tea of the past, believed then", past(1), inStatusOf(memory.StatusCurrent)),
		entry(bob, 10, 1, "tea of bob"), moved(entry(bob, 11, 1, "tea of bob, cold", cold)),
	)
	q := query("tea")
	if got, want := search(t, s, alice, q), []string{"tea at hand"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q", got, want)
	}
	q.Archive = true
	if got, want := search(t, s, alice, q), []string{"tea at hand", "tea cold"}; !slices.Equal(got, want) {
		t.Errorf("Search with the archive = %q, want %q", got, want)
	}
	write(t, s, entry(alice, 2, 2, "tea suppressed"), entry(alice, 1, 2, "tea at hand", suppressed))
	if got, want := search(t, s, alice, q), []string{"tea cold", "tea suppressed"}; !slices.Equal(got, want) {
		t.Errorf("Search after the request was lifted = %q, want %q", got, want)
	}
}

// TestHitsOfTheArchiveTakeTheirPlaces: by score.
func TestHitsOfTheArchiveTakeTheirPlaces(t *testing.T) {
	s := newStore(t)
	near := func(e index.Entry) index.Entry {
		e.Dense = []float32{0, 0, 1}
		return e
	}
	write(t, s,
		near(entry(alice, 1, 1, "green tea")), entry(alice, 2, 1, "tea with milk and more milk"), entry(alice, 3, 1, "coffee"),
		moved(near(entry(alice, 4, 1, "green tea, cold", cold))), moved(entry(alice, 5, 1, "tea, cold, with milk and milk", cold)),
	)
	q := query("green tea")
	q.Archive = true
	hits, err := s.Search(t.Context(), alice, q)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for i, h := range hits {
		got = append(got, h.Memory.Text)
		if i > 0 && h.Fused > hits[i-1].Fused {
			t.Errorf("hit %d has the score %v after %v", i, h.Fused, hits[i-1].Fused)
		}
	}
	if want := []string{"green tea", "green tea, cold", "tea with milk and more milk", "tea, cold, with milk and milk"}; !slices.Equal(got, want) {
		t.Errorf("Search = %q, want %q", got, want)
	}
}

// TestHitsHaveTheirTermsAndCosines: also those that were found by the other list alone.
func TestHitsHaveTheirTermsAndCosines(t *testing.T) {
	s := newStore(t)
	near, far, bare := entry(alice, 1, 1, "hiking"), entry(alice, 2, 1, "soup"), entry(alice, 3, 1, "soup and hiking")
	near.Dense, far.Dense, bare.Dense = []float32{0, 0.6, 0.8}, []float32{0, 0.98, 0.2}, []float32{0, 0, 0}
	write(t, s, near, far, bare)
	hits, err := s.Search(t.Context(), alice, query("soup"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[memory.ID]struct {
		cosine float64
		entry  index.Entry
	}{id(1): {0.8, near}, id(2): {0.2, far}, id(3): {0, bare}}
	for _, h := range hits {
		w := want[h.Memory.ID]
		if math.Abs(h.Cosine-w.cosine) > 1e-3 || !slices.Equal(h.Terms.Indices, w.entry.Sparse.Indices) || !slices.Equal(h.Terms.Values, w.entry.Sparse.Values) {
			t.Errorf("%q: cosine %v and terms %v, want %v and %v", h.Memory.Text, h.Cosine, h.Terms, w.cosine, w.entry.Sparse)
		}
	}
	if len(hits) != 3 {
		t.Errorf("%d hits", len(hits))
	}
}

// TestASearchIsOneRequest: a collection, and no dense vector comes back.
func TestASearchIsOneRequest(t *testing.T) {
	c, calls := newRecordedClient(t)
	s := storeOn(t, c)
	write(t, s, entry(alice, 1, 1, "tea"), moved(entry(alice, 2, 1, "tea, cold", cold)))
	calls.answerWith(func(_ string, req, _ any) (bool, error) {
		if batch, ok := req.(*qdrant.QueryBatchPoints); ok {
			for _, q := range batch.GetQueryPoints() {
				if q.GetWithVectors().GetEnable() || slices.Contains(q.GetWithVectors().GetInclude().GetNames(), vectorDense) {
					t.Error("dense vectors are asked for")
				}
			}
		}
		return false, nil
	})
	q := query("tea")
	for archive, want := range map[bool]int{false: 1, true: 2} {
		calls.reset()
		q.Archive = archive
		if got := search(t, s, alice, q); len(got) != want {
			t.Errorf("found %q", got)
		}
		if n := calls.count(""); n != want {
			t.Errorf("%d requests, want %d", n, want)
		}
	}
	calls.reset()
	q.Near, q.Sparse = 0, terms.SparseVector{}
	if got := search(t, s, alice, q); len(got) != 0 || calls.count("") != 0 {
		t.Errorf("nothing to search for: %q in %d requests", got, calls.count(""))
	}
}
