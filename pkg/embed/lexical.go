package embed

import (
	"context"
	"math"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/mnemond/mnemond/pkg/terms"
)

const (
	lexicalName = "lexical-256-v3"
	lexicalDim  = 256
)

// Lexical embeds text by its spelling: the terms of pkg/terms, the character 3- to 5-grams
// of words in alphabets, and the characters and character pairs of Chinese, each hashed to
// a place and a sign among 256 dimensions (feature hashing, Weinberger et al. 2009).
//
// It knows how words are written, not what they mean. "vegetarian" is near "vegetarianism"
// and 备考雅思 near 雅思备考; "car" and "automobile" are strangers, and so are 宠物 and 猫. Nor is
// a cosine of exactly 0 to be expected between texts that share nothing: features share
// dimensions, which makes it vary by some 0.1 around 0. It serves where no embedding model
// is configured; only with one does recall understand paraphrase.
//
// Vectors are the same on every machine: weights are added up as integers. The zero value is
// ready to use, and a Lexical may be used by any number of goroutines at once.
type Lexical struct{}

// NewLexical returns the lexical embedder.
func NewLexical() *Lexical { return &Lexical{} }

// Name identifies the embedder and the version of its features: "lexical-256-v3". Vectors
// of different names cannot be compared; a collection records the name, and is rebuilt
// when it changes. Any change to the vectors, pkg/terms included, needs a new name.
func (*Lexical) Name() string { return lexicalName }

// Dim is the length of every vector: 256.
func (*Lexical) Dim() int { return lexicalDim }

// Embed returns one vector for each text, in their order. Each has the Euclidean length 1,
// but for a text without any term (empty, or function words and punctuation only): that
// gives the zero vector, whose cosine with everything counts as 0. The only error is that
// of ctx, which is looked at before each text.
func (*Lexical) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vectors[i] = embedText(text)
	}
	return vectors, nil
}

// minRelated is the cosine of their features from which two texts are related.
const minRelated = 0.2

// Related reports whether two texts share features that matter in them: as their vectors'
// cosine does, but before features share dimensions, by which that of short texts can be well
// above 0 by chance.
func (*Lexical) Related(a, b string) bool {
	x, y := weights(a), weights(b)
	var shared, xx, yy float64
	for f, w := range x {
		shared += w * y[f]
		xx += w * w
	}
	for _, w := range y {
		yy += w * w
	}
	return shared > 0 && shared*shared >= minRelated*minRelated*xx*yy
}

func weights(text string) map[fnv]float64 {
	sum := map[fnv]float64{}
	features(text, func(h fnv, weight int64) { sum[h] += float64(weight) })
	return sum
}

// Weights of features, in thousandths. All n-grams of one word together weigh as much as
// gramsWeight alone would, however long the word is.
const (
	wordWeight    = 1000
	gramsWeight   = 1100
	hanPairWeight = 1000
	// hanWordWeight is for a character that is a term of its own, hanWeight for any.
	hanWordWeight = 700
	hanWeight     = 300
)

// The kinds of feature: the same letters as a word and as an n-gram are two features.
const (
	wordFeature = 'w'
	gramFeature = 'g'
	hanFeature  = 'h'
)

const (
	minGram = 3
	maxGram = 5
)

// sums is a vector in the making.
type sums [lexicalDim]int64

func embedText(text string) []float32 {
	var s sums
	features(text, s.add)
	return s.normalised()
}

// features calls add for each feature of a text with its weight: that of its kind times the
// sublinear term frequency, 1 + log2 of how often the term occurs, in whole steps.
func features(text string, add func(h fnv, weight int64)) {
	list := terms.Of(text)
	counts := make(map[string]uint, len(list))
	for _, term := range list {
		counts[term]++
	}
	for term, count := range counts {
		factor := int64(bits.Len(count))
		if r, _ := utf8.DecodeRuneInString(term); unicode.Is(unicode.Han, r) {
			addHan(term, factor, add)
			continue
		}
		add(begin(wordFeature).extend(term), wordWeight*factor)
		addGrams("^"+term+"$", factor, add)
	}
}

// addHan adds a Chinese term and its characters, which bring 养猫 near 小猫.
func addHan(term string, factor int64, add func(h fnv, weight int64)) {
	weight := int64(hanPairWeight)
	if utf8.RuneCountInString(term) == 1 {
		weight = hanWordWeight
	}
	add(begin(wordFeature).extend(term), weight*factor)
	for i, r := range term {
		add(begin(hanFeature).extend(term[i:i+utf8.RuneLen(r)]), hanWeight*factor)
	}
}

// addGrams adds the n-grams of a word that is fenced by ^ and $.
func addGrams(word string, factor int64, add func(h fnv, weight int64)) {
	letters := utf8.RuneCountInString(word)
	total := 0
	for n := minGram; n <= maxGram; n++ {
		total += max(0, letters-n+1)
	}
	weight := factor * int64(gramsWeight/math.Sqrt(float64(max(1, total))))
	for start := range word {
		h, n := begin(gramFeature), 0
		for i, r := range word[start:] {
			h = h.extend(word[start+i : start+i+utf8.RuneLen(r)])
			if n++; n >= minGram {
				add(h, weight)
			}
			if n == maxGram {
				break
			}
		}
	}
}

// add puts a feature in its place: the low bits of its hash choose the dimension, the
// highest bit the sign.
func (s *sums) add(h fnv, weight int64) {
	x := h.mixed()
	if x>>63 == 1 {
		weight = -weight
	}
	s[x%lexicalDim] += weight
}

// normalised is the vector scaled to length 1, or zero. Products are converted before they
// are added, which forbids the compiler to fuse the two and round differently by machine.
func (s *sums) normalised() []float32 {
	var square float64
	for _, x := range s {
		square += float64(float64(x) * float64(x))
	}
	vector := make([]float32, lexicalDim)
	if square == 0 {
		return vector
	}
	norm := math.Sqrt(square)
	for i, x := range s {
		vector[i] = float32(float64(x) / norm)
	}
	return vector
}

// fnv is the state of a 64-bit FNV-1a hash. It is written out because hash/fnv allocates,
// and because one state serves all n-grams that begin with the same letters.
type fnv uint64

const fnvPrime = 1099511628211

func begin(kind byte) fnv {
	const offset = 14695981039346656037
	return (fnv(offset) ^ fnv(kind)) * fnvPrime
}

func (h fnv) extend(letters string) fnv {
	for i := range len(letters) {
		h = (h ^ fnv(letters[i])) * fnvPrime
	}
	return h
}

// mixed spreads every bit of the hash over all others, which FNV alone does not.
func (h fnv) mixed() uint64 {
	x := uint64(h)
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}
