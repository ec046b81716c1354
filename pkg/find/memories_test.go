package find_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

func TestOrderOfMemories(t *testing.T) {
	evening := time.Date(2026, 3, 5, 23, 30, 0, 0, time.FixedZone("", 8*3600))
	said := func(at time.Time) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Evidence[0].At = at }
	}
	from := func(at time.Time) func(*memory.Memory) {
		return func(m *memory.Memory) { m.ValidFrom = at }
	}
	for _, c := range []struct {
		name, query string
		memories    []memory.Memory
		want        []string
	}{
		{"the cat first", "What should I buy for my pet?", []memory.Memory{
			recalled(1, "user.likes", "I like spicy food"), recalled(90, "user.pets", "I have a cat called Miso"), recalled(2, "", "Pet shops bore me"),
		}, []string{"I have a cat called Miso", "Pet shops bore me"}},
		{"猫在前", "给我的宠物买点什么？", []memory.Memory{
			recalled(1, "user.likes", "我喜欢吃辣"), recalled(90, "user.pets", "我养了一只猫"), recalled(2, "", "我不逛宠物店"),
		}, []string{"我养了一只猫", "我不逛宠物店"}},
		{"as near: the newer", "tea", []memory.Memory{
			recalled(200, "", "Tea with Ann"), recalled(1, "", "Tea with Bob"),
		}, []string{"Tea with Bob", "Tea with Ann"}},
		{"far nearer: the older", "Where is the green tea from Hangzhou?", []memory.Memory{
			recalled(1, "", "Tea with Bob on the terrace of the museum"), recalled(200, "", "The green tea from Hangzhou is in the cupboard"),
		}, []string{"The green tea from Hangzhou is in the cupboard", "Tea with Bob on the terrace of the museum"}},
		{"what changed", "When is the deadline of the draft?", []memory.Memory{
			recalled(9, "", "The deadline of the draft is 20 April"), recalled(2, "", "The deadline has moved to 25 April"),
		}, []string{"The deadline has moved to 25 April", "The deadline of the draft is 20 April"}},
		{"the same does not fill the list", "Which tea?", []memory.Memory{
			recalled(1, "", "Green tea, please"), recalled(90, "", "Green tea"), recalled(300, "", "Tea with milk for the guests from Leeds"),
		}, []string{"Green tea, please", "Tea with milk for the guests from Leeds", "Green tea"}},
		{"no echo", "What happens in Lyon?", []memory.Memory{
			recalled(1, "", "The book fair is in Lyon"), recalled(2, "", "The book fair opens in June"),
		}, []string{"The book fair is in Lyon"}},
		{"said on a day", "What did I say on March 5?", []memory.Memory{
			recalled(1, "", "I bought a van", said(evening)), recalled(2, "", "I sold a boat"),
		}, []string{"I bought a van"}},
		{"3月5号说的", "3月5号我说了什么？", []memory.Memory{
			recalled(1, "", "我买了房车", said(evening)), recalled(2, "", "我卖了船"),
		}, []string{"我买了房车"}},
		{"said in a month", "What did we talk about in March?", []memory.Memory{
			recalled(1, "", "I bought a van", said(evening)), recalled(2, "", "I sold a boat"),
		}, []string{"I bought a van"}},
		{"said yesterday", "昨天我说了什么？", []memory.Memory{recalled(1, "", "我买了房车"), recalled(2, "", "我卖了船")}, []string{"我买了房车"}},
		{"about a day", "Can we meet on 8 May 2026?", []memory.Memory{
			recalled(1, "", "I fly to Shenzhen", from(time.Date(2026, 5, 8, 9, 0, 0, 0, time.UTC))), recalled(2, "", "I sold a boat", said(evening)),
		}, []string{"I fly to Shenzhen"}},
		{"the name of a month says nothing", "How warm is Rome in March?", []memory.Memory{
			recalled(1, "", "I bought a van", said(evening), from(evening)),
		}, []string{}},
		{"the user's own words", "Do I have a sweetheart?", []memory.Memory{
			recalled(1, "", "The user is in a relationship", func(m *memory.Memory) { m.Evidence[0].Quote = "me and my sweetheart are fine" }),
		}, []string{"The user is in a relationship"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := foundIn(t, c.query, c.memories...); !slices.Equal(got, c.want) {
				t.Errorf("%q: got %q, want %q", c.query, got, c.want)
			}
		})
	}
}

func TestNarrowing(t *testing.T) {
	with := func(f func(*memory.Memory)) func(*memory.Memory) { return f }
	agents := recalled(6, "", "tea of the agent", func(m *memory.Memory) { m.Scope = agent })
	s := shelfOf(t,
		recalled(1, "user.likes", "tea liked"), recalled(2, "", "tea drunk", with(func(m *memory.Memory) { m.Kind = memory.KindEpisodic })),
		recalled(3, "", "tea cold", with(func(m *memory.Memory) { m.ArchivedAt = now })), recalled(4, "", "tea over", with(func(m *memory.Memory) { m.ExpiresAt = now })),
		recalled(5, "", "tea suppressed", with(func(m *memory.Memory) { m.SuppressedBy = id(9) })), agents,
	)
	for _, c := range []struct {
		name string
		r    find.Request
		want []string
	}{
		{"all", find.Request{}, []string{"tea liked", "tea drunk"}},
		{"kinds", find.Request{Kinds: []memory.Kind{memory.KindEpisodic}}, []string{"tea drunk"}},
		{"keys", find.Request{Keys: []memory.Key{"user.likes"}}, []string{"tea liked"}},
		{"the archive", find.Request{Archive: true}, []string{"tea liked", "tea drunk", "tea cold"}},
		{"another owner", find.Request{Scopes: []memory.Scope{agent}}, []string{"tea of the agent"}},
		{"two owners", find.Request{Scopes: []memory.Scope{alice, agent}}, []string{"tea liked", "tea drunk", "tea of the agent"}},
		{"two, one named twice", find.Request{Scopes: []memory.Scope{agent, agent}}, []string{"tea of the agent"}},
		{"what is not kept", find.Request{Keep: func(h *index.Hit) bool { return h.Memory.Key == "" }}, []string{"tea drunk"}},
		{"the best", find.Request{Limit: 1}, []string{"tea liked"}},
		{"less than none", find.Request{Limit: -1}, []string{}},
		{"by terms alone", find.Request{Pipeline: find.BM25}, []string{"tea liked", "tea drunk"}},
		{"documents", find.Request{Sort: index.SortDocument}, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.r.Query = "tea"
			got := textsOf(foundBy(t, config(t, s), c.r))
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Each part is reported, and Below is told what stays away.
func TestPartsAreReported(t *testing.T) {
	s := shelfOf(t, recalled(0, "user.likes", "green tea"), recalled(30, "", "tea with milk and sugar"), recalled(1, "", "I enjoy jazz"))
	var below []string
	got := foundBy(t, config(t, s), find.Request{
		Query: "Would you enjoy a tea?", Tier: func(m *memory.Memory) memory.Tier { return memory.TierWarm },
		Below: func(f *find.Found) { below = append(below, f.Hit.Memory.Text) },
	})
	if len(got) != 2 || !slices.Equal(below, []string{"I enjoy jazz"}) {
		t.Fatalf("got %+v, below %q", got, below)
	}
	a, b := got[0], got[1]
	if a.Match.Words <= b.Match.Words || a.Tier != memory.TierWarm || a.Score.Tier != 0.5 || !a.Match.Own ||
		a.Score.Recency != 1 || math.Abs(b.Score.Recency-0.5) > 1e-9 || a.Score.Importance != 0.5 || b.Score.Importance != 0.3 ||
		a.Score.Similarity != a.Match.Similarity || a.Score.Total <= b.Score.Total || a.Hit.Cosine <= 0 {
		t.Errorf("got %+v and %+v", a, b)
	}
}

type brokenStore struct{ find.Store }

var errBroken = errors.New("no store")

func (brokenStore) Search(context.Context, memory.Scope, index.Query) ([]index.Hit, error) {
	return nil, errBroken
}

type brokenEmbedder struct{}

func (brokenEmbedder) EmbedFor(context.Context, memory.Scope, []string) ([][]float32, error) {
	return nil, errBroken
}

func TestErrors(t *testing.T) {
	good := config(t, shelfOf(t))
	store, embedder := good, good
	store.Store, embedder.Embed = brokenStore{good.Store}, brokenEmbedder{}
	request := find.Request{Scopes: []memory.Scope{alice}, Query: "tea", Limit: 1}
	change := func(f func(*find.Request)) find.Request {
		r := request
		f(&r)
		return r
	}
	for _, c := range []struct {
		name string
		c    find.Config
		r    find.Request
		is   error
	}{
		{"nobody", good, change(func(r *find.Request) { r.Scopes = nil }), nil},
		{"nothing asked", good, change(func(r *find.Request) { r.Query = "" }), nil},
		{"no such pipeline", good, change(func(r *find.Request) { r.Pipeline = "magic" }), nil},
		{"a zero scope", good, change(func(r *find.Request) { r.Scopes = []memory.Scope{{}} }), memory.ErrScope},
		{"no embedder", embedder, request, errBroken},
		{"no store", store, request, errBroken},
		{"no store for documents", store, change(func(r *find.Request) { r.Sort = index.SortDocument }), errBroken},
		{"no store for a list", store, change(func(r *find.Request) { r.Pipeline = find.Hybrid }), errBroken},
	} {
		if got, err := find.New(c.c).Find(t.Context(), c.r); err == nil || c.is != nil && !errors.Is(err, c.is) || got != nil {
			t.Errorf("%s: got %v, %v", c.name, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := good.Store.Search(ctx, alice, index.Query{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Whatever there is, nothing comes back twice or without a reason, and the order in which a
// store gives its hits does not matter.
func TestFindProperties(t *testing.T) {
	words := rapid.SampledFrom([]string{"tea", "like", "flat", "Lyon", "book", "喜欢", "猫", "咖啡", "I", "?"})
	text := rapid.Custom(func(t *rapid.T) string {
		out := "x"
		for _, w := range rapid.SliceOfN(words, 1, 5).Draw(t, "words") {
			out += " " + w
		}
		return out
	})
	rapid.Check(t, func(rt *rapid.T) {
		var all []memory.Memory
		for n := range rapid.IntRange(0, 8).Draw(rt, "memories") {
			all = append(all, recalled(n+1, "", text.Draw(rt, "text")))
		}
		c := config(t, shelfOf(t, all...))
		query := text.Draw(rt, "query")
		got := textsOf(foundBy(t, c, find.Request{Query: query, Limit: 5}))
		if len(got) > 5 {
			rt.Fatalf("%d found", len(got))
		}
		c.Store = shuffled{c.Store}
		if again := textsOf(foundBy(t, c, find.Request{Query: query, Limit: 5})); !slices.Equal(again, got) {
			rt.Fatalf("got %q, and %q when the store gives its hits in another order", got, again)
		}
	})
}

type shuffled struct{ find.Store }

func (s shuffled) Search(ctx context.Context, scope memory.Scope, q index.Query) ([]index.Hit, error) {
	hits, err := s.Store.Search(ctx, scope, q)
	slices.Reverse(hits)
	return hits, err
}

// Without Related, a cosine that is high by chance would let a memory in.
func TestRelatedGuards(t *testing.T) {
	s := shelfOf(t, recalled(1, "", "我叫小林"))
	c := config(t, s)
	r := find.Request{Query: "怎么学德语"}
	if got := textsOf(foundBy(t, c, r)); len(got) != 0 {
		t.Errorf("got %q", got)
	}
	c.Related = nil
	if got := textsOf(foundBy(t, c, r)); len(got) != 1 {
		t.Errorf("without it: got %q; the test needs another example", got)
	}
}
