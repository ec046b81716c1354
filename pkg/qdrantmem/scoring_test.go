package qdrantmem

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestBestKeepsTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(rapid.IntRange(-20, 20)).Draw(t, "all")
		k := rapid.IntRange(0, 12).Draw(t, "k")
		b := best[int]{k: k, compare: cmp.Compare[int]}
		for _, x := range all {
			b.add(x)
		}
		want := slices.Sorted(slices.Values(all))
		want = want[:min(k, len(want))]
		if got := b.ordered(); !slices.Equal(got, want) {
			t.Fatalf("best %d of %v = %v", k, all, got)
		}
	})
}

func TestDotIsTheSumOfProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		numbers := rapid.SliceOfN(rapid.Float32Range(-10, 10), n, n)
		a, b := numbers.Draw(t, "a"), numbers.Draw(t, "b")
		var want float64
		for i := range a {
			want += float64(a[i]) * float64(b[i])
		}
		if got := float64(dot(a, b)); math.Abs(got-want) > 1e-2 {
			t.Fatalf("dot(%v, %v) = %v, want %v", a, b, got, want)
		}
	})
}

func TestSparseDotIsTheSumOverSharedIndices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := rapid.MapOf(rapid.Uint32Range(0, 300), rapid.Float32Range(-4, 4))
		a, b := terms.Draw(t, "a"), terms.Draw(t, "b")
		var want float64
		shared := false
		for index, value := range a {
			if other, ok := b[index]; ok {
				want += float64(value) * float64(other)
				shared = true
			}
		}
		got, ok := newSparseQuery(sparseOf(t, a)).dot(sparseOf(t, b))
		if ok != shared || math.Abs(float64(got)-want) > 1e-3 {
			t.Fatalf("%v · %v = %v, %v; want %v, %v", a, b, got, ok, want, shared)
		}
	})
}

func sparseOf(t *rapid.T, terms map[uint32]float32) sparseVector {
	var indices []uint32
	var values []float32
	for index, value := range terms {
		indices, values = append(indices, index), append(values, value)
	}
	parsed, err := parseSparse(indices, values)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.sparse
}

func TestNormalized(t *testing.T) {
	for _, c := range []struct{ in, want []float32 }{
		{[]float32{3, 4}, []float32{0.6, 0.8}},
		{[]float32{0, 0}, []float32{0, 0}},
		{[]float32{1, 0}, []float32{1, 0}},
		{[]float32{1e-5, 0}, []float32{1e-5, 0}},
	} {
		if got := normalized(c.in); !slices.Equal(got, c.want) {
			t.Errorf("normalized(%v) = %v, want %v", c.in, got, c.want)
		}
	}
}

func TestTiesGoToTheHigherID(t *testing.T) {
	num := func(n uint64) *point { return &point{id: pointID{lo: n}} }
	uuid := &point{id: pointID{hi: 1, uuid: true}}
	found := best[hit]{k: 3, compare: byScore}
	for _, p := range []*point{num(1), uuid, num(3), num(2)} {
		found.add(hit{point: p, score: 0.5})
	}
	got := found.ordered()
	if got[0].point != uuid || got[1].point.id.lo != 3 || got[2].point.id.lo != 2 {
		t.Errorf("order of ties = %v %v %v", got[0].point.id, got[1].point.id, got[2].point.id)
	}
}

func TestFusionOfDegenerateLists(t *testing.T) {
	one, two := &point{id: pointID{lo: 1}}, &point{id: pointID{lo: 2}}
	for _, c := range []struct {
		name  string
		f     fuser
		lists [][]hit
		want  float32
	}{
		{"dbsf of one point", dbsf{}, [][]hit{{{point: one, score: 9}}}, 0.5},
		{"dbsf without spread", dbsf{}, [][]hit{{{point: one, score: 9}, {point: two, score: 9}}}, 0.5},
		{"dbsf adds up", dbsf{}, [][]hit{{{point: one, score: 9}}, {{point: one, score: 1}}}, 1},
		{"rrf of weight zero", rrf{k: 2, weights: []float32{0}}, [][]hit{{{point: one, score: 9}}}, 0},
	} {
		got := fuse(c.f, c.lists, nil, 10)
		if i := slices.IndexFunc(got, func(h hit) bool { return h.point == one }); got[i].score != c.want {
			t.Errorf("%s: score %v, want %v", c.name, got[i].score, c.want)
		}
	}
	if got := fuse(rrf{k: 2}, [][]hit{{}, nil}, nil, 10); len(got) != 0 {
		t.Errorf("fusion of nothing = %v", got)
	}
}

func TestParseDatetime(t *testing.T) {
	noon := time.Date(2023, 2, 8, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		stored any
		want   time.Time // zero for what is not a datetime
	}{
		{"2023-02-08T12:00:00Z", noon},
		{"2023-02-08T12:00:00.5Z", noon.Add(500 * time.Millisecond)},
		{"2023-02-08T20:00:00+08:00", noon},
		{"2023-02-08T20:00:00+0800", noon},
		{"2023-02-08 20:00:00+08", noon},
		{"2023-02-08 12:00:00.25", noon.Add(250 * time.Millisecond)},
		{"2023-02-08T12:00:00", noon},
		{"2023-02-08 12:00", noon},
		{"2023-02-08T12:00", noon},
		{"2023-02-08", noon.Add(-12 * time.Hour)},
		{"12:00", time.Time{}},
		{"2023-13-08", time.Time{}},
		{"明天", time.Time{}},
		{int64(1675857600), time.Time{}},
		{nil, time.Time{}},
	} {
		got, ok := parseDatetime(c.stored)
		if ok == c.want.IsZero() || !got.Equal(c.want) {
			t.Errorf("parseDatetime(%v) = %v, %v", c.stored, got, ok)
		}
	}
}
