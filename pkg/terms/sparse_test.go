package terms_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/terms"
)

func TestDocumentWeights(t *testing.T) {
	// 1.9 tf / (tf + 0.9 (0.5 + 0.5 length/20))
	for _, tc := range []struct {
		text string
		want []float64
	}{
		{"oslo", []float64{1.9 / (1 + 0.9*0.525)}},
		{"oslo oslo", []float64{3.8 / (2 + 0.9*0.55)}},
		{"a b c d e f g h i j k l m n o p q r s t v oslo", nil}, // two of them stop words, so twenty terms
	} {
		got := terms.Document(tc.text)
		if tc.want == nil {
			if len(got.Indices) != 20 {
				t.Errorf("%q: %d indices", tc.text, len(got.Indices))
			}
			for _, w := range got.Values {
				if math.Abs(float64(w)-1) > 1e-6 {
					t.Errorf("%q: weight %v at average length, want 1", tc.text, w)
				}
			}
			continue
		}
		for i, w := range tc.want {
			if math.Abs(float64(got.Values[i])-w) > 1e-6 {
				t.Errorf("%q: %v, want %v", tc.text, got.Values, tc.want)
			}
		}
	}
}

func TestWeightsGrowWithRepeatsAndShrinkWithLength(t *testing.T) {
	once, twice := terms.Document("oslo paris rome"), terms.Document("oslo oslo rome")
	long := terms.Document("oslo paris rome berlin madrid vienna")
	index := terms.Query("oslo").Indices[0]
	if weight(once, index) >= weight(twice, index) || weight(long, index) >= weight(once, index) {
		t.Errorf("once %v, twice %v, in a longer text %v", weight(once, index), weight(twice, index), weight(long, index))
	}
}

func weight(v terms.SparseVector, index uint32) float32 {
	if i, ok := slices.BinarySearch(v.Indices, index); ok {
		return v.Values[i]
	}
	return 0
}

func TestExtraTerms(t *testing.T) {
	plain, with := terms.Document("I live in Oslo"), terms.Document("I live in Oslo", "key:user.city", "key:user.city")
	if len(with.Indices) != len(plain.Indices)+1 {
		t.Fatalf("%d indices, want one more than %d", len(with.Indices), len(plain.Indices))
	}
	query := terms.Query("", "key:user.city")
	if len(query.Indices) != 1 || query.Values[0] != 1 || weight(with, query.Indices[0]) != 1 {
		t.Errorf("extra term: query %v, document %v", query, with)
	}
	for i, index := range plain.Indices {
		if weight(with, index) != plain.Values[i] {
			t.Errorf("the extra term changed the weight of another")
		}
	}
	if forged := terms.Document("key:user.city"); weight(forged, query.Indices[0]) != 0 {
		t.Error("a text matches an extra term")
	}
}

func TestNothingMakesNoVector(t *testing.T) {
	for _, text := range []string{"", "what is it?", "我是谁？"} {
		if got := terms.Document(text); !reflect.DeepEqual(got, terms.SparseVector{}) {
			t.Errorf("Document(%q) = %v", text, got)
		}
		if got := terms.Query(text); !reflect.DeepEqual(got, terms.SparseVector{}) {
			t.Errorf("Query(%q) = %v", text, got)
		}
	}
}

// Stored vectors outlive the process: the indices are part of the format.
func TestIndicesAreStable(t *testing.T) {
	for _, tc := range []struct {
		vector terms.SparseVector
		want   []uint32
	}{
		{terms.Query("Oslo"), []uint32{472304476}},
		{terms.Query("猫"), []uint32{346255537}},
		{terms.Query("", "key:user.city"), []uint32{3040908652}},
	} {
		if !slices.Equal(tc.vector.Indices, tc.want) {
			t.Errorf("got %v, want %v", tc.vector.Indices, tc.want)
		}
	}
}

func TestVectorsAreWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		extra := rapid.SliceOf(rapid.String()).Draw(t, "extra")
		document, query := terms.Document(text, extra...), terms.Query(text, extra...)
		if !slices.Equal(document.Indices, query.Indices) {
			t.Fatalf("a text does not match itself: %v, %v", document.Indices, query.Indices)
		}
		if len(document.Values) != len(document.Indices) || len(query.Values) != len(query.Indices) {
			t.Fatal("lengths differ")
		}
		for i, index := range document.Indices {
			if i > 0 && document.Indices[i-1] >= index {
				t.Fatalf("not ascending: %v", document.Indices)
			}
			if w := document.Values[i]; w <= 0 || w > 1.9 || query.Values[i] != 1 {
				t.Fatalf("weights %v, %v", w, query.Values[i])
			}
		}
	})
}

func BenchmarkDocument(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		terms.Document("I moved to Oslo in March and I'm looking for a flat.", "key:user.city")
	}
}
