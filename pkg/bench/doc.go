// Package bench measures retrieval: how well the turns that hold an answer are found. It
// reads conversation sets from a folder, computes the figures, and holds a reference BM25
// of its own, against which a set and the harness itself are checked. A Lab ranks in memory
// by the product's own functions, for trying out weights; whatever else ranks turns, with
// whatever storage, is given as a Ranker.
//
// The same input gives the same report, digit for digit. The package never ships, keeps or
// writes any of the data.
package bench
