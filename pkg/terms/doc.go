// Package terms turns text into index terms, for English and Chinese first, and makes the
// sparse vectors of BM25 from them. Documents and queries go through the same function, so
// that what is written one way in both is always found.
//
// It knows no meaning and no grammar: English words are stemmed, identifiers are kept whole
// beside their parts, and Chinese is cut at function words and then into overlapping pairs
// of characters, which needs no dictionary of words and finds terms that no dictionary has;
// measured on Chinese conversations it finds more than a dictionary segmenter, and more than
// pairs alone.
//
// The package is pure. It never weighs a term by how rare it is; the store, which knows all
// documents, does that. A change in what Of returns makes stored vectors stale: the
// collection then has to be rebuilt.
package terms
