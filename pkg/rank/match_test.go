package rank_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/rank"
	"github.com/mnemond/mnemond/pkg/terms"
)

// said are candidates that say these texts, one after the other in one thread but apart.
func said(texts ...string) []rank.Candidate {
	var cs []rank.Candidate
	for i, text := range texts {
		cs = append(cs, rank.Candidate{
			Text: text, Terms: terms.Document(text), Thread: "t", Place: int64(100 * i), Speaker: "user", Seq: uint64(i),
		})
	}
	return cs
}

// bare has the weight of words alone.
func bare() rank.Measure {
	return rank.Measure{Aside: 0.8, Keys: 1, Assistant: 0.4, MinCosine: 0.25, MinEcho: 0.1, EchoHits: 2, EchoTerms: 20}
}

func within(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestWords(t *testing.T) {
	// A term's weight in a text of n terms is 1.9/(1+0.9*(0.5+0.5*n/20)), what it is worth
	// ln(1+N/(df+0.5)).
	weight := func(n float64) float64 { return 1.9 / (1 + 0.9*(0.5+0.5*n/20)) }
	worth := func(n, df float64) float64 { return math.Log(1 + n/(df+0.5)) }
	for _, c := range []struct {
		name, query string
		texts       []string
		want        []float64
	}{
		{"one of two", "Which tea?", []string{"I drink tea", "I drive"}, []float64{1, 0}},
		{"the shorter", "tea", []string{"tea for breakfast today", "tea"}, []float64{weight(3) / weight(1), 1}},
		{
			"the rarer word", "Berlin flat", []string{"Berlin", "flat", "flat", "dog"},
			[]float64{1, worth(4, 2) / worth(4, 1), worth(4, 2) / worth(4, 1), 0},
		},
		{"a word that all hold still counts", "my flat", []string{"flat", "flat"}, []float64{1, 1}},
		{"nothing to ask with", "what is it?", []string{"tea"}, []float64{0}},
		{"two questions", "Which tea? Where is the flat in Berlin?", []string{"tea", "Berlin flat"}, []float64{1, 1}},
		{"what is told aside", "I was in Berlin. Which tea?", []string{"tea", "Berlin"}, []float64{1, 0.8}},
		{"nothing is asked", "I was in Berlin. Then there was tea.", []string{"tea", "Berlin"}, []float64{1, 1}},
		{"Chinese", "我去了杭州。我喝什么茶？", []string{"绿茶", "杭州"}, []float64{1, 0.8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, m := range bare().Matches(rank.NewQuery(c.query), said(c.texts...)) {
				if !within(m.Words, c.want[i]) || !within(m.Similarity, c.want[i]) || m.Own != (c.want[i] > 0) {
					t.Errorf("%q: %+v, want %v", c.texts[i], m, c.want[i])
				}
			}
		})
	}
}

// The keys that a query asks for are one more question.
func TestKeys(t *testing.T) {
	cs := said("Lyon", "shellfish", "tea")
	cs[0].Terms = terms.Document("Lyon", "asks:user.city")
	got := bare().Matches(rank.NewQuery("Where should I have tea?", "asks:user.city"), cs)
	for i, want := range []float64{1, 0, 1} {
		if !within(got[i].Words, want) {
			t.Errorf("%s: %+v, want %v", cs[i].Text, got[i], want)
		}
	}
}

// However long a message is, its last sentences are weighed one by one.
func TestLongMessages(t *testing.T) {
	text := ""
	for i := range 40 {
		text += fmt.Sprintf("I saw item%c%c. ", 'a'+i/26, 'a'+i%26)
	}
	got := bare().Matches(rank.NewQuery(text+"Which tea? And which cake?"), said("itemaa", "itembn", "tea", "cake"))
	for i, want := range []float64{0, 0.8, 1, 1} {
		if i > 0 && !within(got[i].Words, want) || i == 0 && (got[i].Words <= 0 || got[i].Words > 0.8) {
			t.Errorf("candidate %d: %+v, want %v", i, got[i], want)
		}
	}
}

func TestEcho(t *testing.T) {
	m := bare()
	m.Echo = 0.5
	cs := said("The book fair is in Lyon", "The book fair opens in June", "I drink coffee", "I ride a horse", "My flat is small")
	got := m.Matches(rank.NewQuery("What happens in Lyon?"), cs)
	if e := got[1].Echo; got[1].Words != 0 || e <= 0.2 || e > 0.5 || !got[1].Own {
		t.Errorf("about the same: %+v", got[1])
	}
	if got[0].Similarity != 1 || got[0].Echo <= got[1].Echo {
		t.Errorf("the hit: %+v", got[0])
	}
	for i := 2; i < len(cs); i++ {
		if got[i].Similarity != 0 || got[i].Own {
			t.Errorf("%s: %+v", cs[i].Text, got[i])
		}
	}
}

// What is in nearly all candidates lifts one as an echo, but does not make it matter.
func TestCommonEcho(t *testing.T) {
	m := bare()
	m.Echo = 0.5
	got := m.Matches(rank.NewQuery("Which tea?"), said("2026 tea", "2026 horse", "2026 flat"))
	if !got[0].Own || got[1].Own || got[2].Own || got[1].Echo <= 0 {
		t.Errorf("got %+v", got)
	}
}

// The answer to a question in two steps both echoes the hit and has the words that it lacks.
func TestHop(t *testing.T) {
	cs := said("The book fair is in Lyon", "The book fair opens in June", "The book fair sells coffee", "The market in town opens at six every Sunday")
	q := rank.NewQuery("When opens what is in Lyon?")
	without, with := bare(), bare()
	without.Echo, with.Echo, with.Hop = 0.5, 0.5, 0.5
	a, b := without.Matches(q, cs), with.Matches(q, cs)
	if b[1].Echo <= a[1].Echo+0.1 {
		t.Errorf("both: %v without and %v with it", a[1].Echo, b[1].Echo)
	}
	if b[2].Echo > a[2].Echo || b[3].Echo > a[3].Echo {
		t.Errorf("one of the two: %+v and %+v", b[2], b[3])
	}
}

func TestFurther(t *testing.T) {
	m := bare()
	q := rank.NewQuery("What happens in Lyon?")
	got := m.Further(q, said("The book fair is in Lyon", "I drink coffee"))
	want := terms.Query("book fair")
	if fmt.Sprint(got.Indices) != fmt.Sprint(want.Indices) || !within(float64(got.Values[0]), 1) || !within(float64(got.Values[1]), 1) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := m.Further(q, said("I drink coffee")); len(got.Indices) != 0 {
		t.Errorf("without a hit: %v", got)
	}
	if got := m.Further(q, nil); len(got.Indices) != 0 {
		t.Errorf("without candidates: %v", got)
	}
	m.EchoTerms = 1
	if got := m.Further(q, said("A fair, a fair in Lyon, with a book")); len(got.Indices) != 1 || got.Indices[0] != terms.Query("fair").Indices[0] {
		t.Errorf("the heaviest term alone: %v", got)
	}
}

func TestMeaning(t *testing.T) {
	m := bare()
	m.Meaning = 0.2
	cs := said("tea", "green leaves", "a horse", "a cow")
	cs[1].Cosine, cs[2].Cosine, cs[3].Cosine = 0.5, 0.1, -0.5
	got := m.Matches(rank.NewQuery("Which tea?"), cs)
	for i, want := range []rank.Match{
		{Similarity: 1, Words: 1, Own: true}, {Similarity: 0.1, Meaning: 0.1, Own: true}, {Similarity: 0.02, Meaning: 0.02}, {},
	} {
		if !within(got[i].Similarity, want.Similarity) || !within(got[i].Meaning, want.Meaning) || got[i].Own != want.Own {
			t.Errorf("%s: %+v, want %+v", cs[i].Text, got[i], want)
		}
	}
	// Without words, meaning alone orders.
	if got := m.Matches(rank.NewQuery("what?"), cs); got[1].Similarity != 1 || !within(got[2].Similarity, 0.2) {
		t.Errorf("without words: %+v", got)
	}
}

func TestAssistant(t *testing.T) {
	m := bare()
	m.Meaning = 0.2
	cs := said("tea", "tea")
	cs[1].Assistant, cs[1].Cosine, cs[0].Cosine = true, 1, 1
	got := m.Matches(rank.NewQuery("Which tea?"), cs)
	if !within(got[1].Words, 0.4) || !within(got[1].Meaning, 0.08) || got[0].Words != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestContext(t *testing.T) {
	m := bare()
	m.Beside, m.Same, m.Reach, m.Thread = 0.3, [2]float64{0.2, 0.1}, 4, 0.05
	turn := func(thread string, place int64, speaker, text string) rank.Candidate {
		return rank.Candidate{Text: text, Terms: terms.Document(text), Thread: thread, Place: place, Speaker: speaker}
	}
	for _, c := range []struct {
		name string
		cs   []rank.Candidate
		want []float64 // the context of each
	}{
		{"another speaker on either side", []rank.Candidate{
			turn("t", 2, "a", "tea"), turn("t", 1, "b", "x"), turn("t", 3, "b", "x"),
		}, []float64{0.05, 0.3 + 0.05, 0.3 + 0.05}},
		{"the nearest of another speaker only", []rank.Candidate{
			turn("t", 1, "a", "x"), turn("t", 2, "b", "x"), turn("t", 3, "b", "tea"),
		}, []float64{0.05, 0.2 + 0.05, 0.05}},
		{"the same speaker, once and twice removed", []rank.Candidate{
			turn("t", 1, "a", "tea"), turn("t", 2, "a", "x"), turn("t", 4, "a", "x"), turn("t", 5, "a", "x"),
		}, []float64{0.05, 0.25, 0.15, 0.05}},
		{"out of reach", []rank.Candidate{turn("t", 1, "a", "tea"), turn("t", 6, "a", "x")}, []float64{0.05, 0.05}},
		{"another thread", []rank.Candidate{turn("t", 1, "a", "tea"), turn("u", 2, "a", "x")}, []float64{0.05, 0}},
		{"no thread", []rank.Candidate{turn("", 1, "a", "tea"), turn("", 2, "a", "x")}, []float64{0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, got := range m.Matches(rank.NewQuery("Which tea?"), c.cs) {
				if !within(got.Context, c.want[i]) {
					t.Errorf("candidate %d: %+v, want the context %v", i, got, c.want[i])
				}
				if own := c.cs[i].Text == "tea"; got.Own != own {
					t.Errorf("candidate %d: Own is %v", i, got.Own)
				}
			}
		})
	}
}

// With Strict, what only echoes, or shares nothing but a faint word, does not matter, though it
// has its place in the order.
func TestStrict(t *testing.T) {
	m := rank.DefaultMeasure()
	m.Strict = true
	for _, c := range []struct {
		query string
		texts []string
		own   []bool
	}{
		{"What happens in Lyon?", []string{"The book fair is in Lyon", "The book fair opens in June"}, []bool{true, false}},
		{"What would you like to do?", []string{"I like tea", "I like jazz"}, []bool{false, false}},
		{"Do you like green tea?", []string{"I like tea", "I like jazz"}, []bool{true, false}},
		{"你喜欢吃什么？", []string{"我喜欢吃辣", "我喜欢爬山"}, []bool{false, false}},
		{"你喜欢爬山吗？", []string{"我喜欢吃辣", "我喜欢爬山"}, []bool{false, true}},
	} {
		for i, got := range m.Matches(rank.NewQuery(c.query), said(c.texts...)) {
			if got.Own != c.own[i] || got.Similarity <= 0 && c.query != "Do you like green tea?" {
				t.Errorf("%q, %q: %+v, want Own %v", c.query, c.texts[i], got, c.own[i])
			}
		}
	}
}

func TestFirm(t *testing.T) {
	for text, want := range map[string]string{
		"What would you like to do?": "What would you to do?", "I love Lyon": "I Lyon", "": "",
		"我喜歡吃辣": "我 吃辣", "我喜欢喝茶": "我 喝茶",
	} {
		if got := rank.Firm(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestShares(t *testing.T) {
	q := rank.NewQuery("I like tea. Where is Lyon?", "asks:user.city")
	for text, want := range map[string]bool{"tea": true, "Lyon": true, "I like jazz": false, "": false} {
		if got := q.Shares(terms.Document(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if !q.Shares(terms.Document("Bergen", "asks:user.city")) {
		t.Error("the key is not shared")
	}
}

func TestMatchesProperties(t *testing.T) {
	words := rapid.SliceOfN(rapid.SampledFrom([]string{"tea", "flat", "Lyon", "book", "2026", "猫", "咖啡", "?", "."}), 0, 6)
	candidate := rapid.Custom(func(t *rapid.T) rank.Candidate {
		text := fmt.Sprint(words.Draw(t, "text"))
		return rank.Candidate{
			Text: text, Terms: terms.Document(text), Cosine: rapid.Float64Range(-1, 1).Draw(t, "cosine"),
			Thread: rapid.SampledFrom([]string{"", "s", "t"}).Draw(t, "thread"), Place: rapid.Int64Range(0, 9).Draw(t, "place"),
			Speaker: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "speaker"), Assistant: rapid.Bool().Draw(t, "assistant"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		cs := rapid.SliceOfN(candidate, 0, 12).Draw(t, "candidates")
		q := rank.NewQuery(fmt.Sprint(words.Draw(t, "query")))
		got := rank.DefaultMeasure().Matches(q, cs)
		if len(got) != len(cs) {
			t.Fatalf("%d matches of %d candidates", len(got), len(cs))
		}
		most := 0.0
		for i, m := range got {
			for _, part := range []float64{m.Similarity, m.Words, m.Echo, m.Meaning, m.Context} {
				if math.IsNaN(part) || part < 0 {
					t.Fatalf("candidate %d: %+v", i, m)
				}
			}
			if m.Words > 0 && !m.Own {
				t.Fatalf("candidate %d shares a word and does not matter: %+v", i, m)
			}
			most = max(most, m.Similarity)
		}
		if most != 0 && !within(most, 1) {
			t.Fatalf("the best has %v", most)
		}
		again := rank.DefaultMeasure().Matches(q, cs)
		for i := range again {
			if again[i] != got[i] {
				t.Fatal("not deterministic")
			}
		}
	})
}

// BenchmarkMatches compares as many candidates as a recall has at most, of the usual length.
func BenchmarkMatches(b *testing.B) {
	var cs []rank.Candidate
	for i := range 200 {
		text := fmt.Sprintf("On day %d the person%d bought item%d and item%d in street%d near the market of town%d for %d euros.", i%28, i%9, i%40, i%17, i, i%12, i)
		cs = append(cs, rank.Candidate{Text: text, Terms: terms.Document(text), Thread: fmt.Sprint(i / 20), Place: int64(i % 20), Speaker: "user"})
	}
	q := rank.NewQuery("I talked about the market. What did person3 buy in town4, and for how much?")
	m := rank.DefaultMeasure()
	b.ReportAllocs()
	for b.Loop() {
		m.Matches(q, cs)
	}
}
