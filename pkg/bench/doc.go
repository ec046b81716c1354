// Package bench measures retrieval: how well the turns that hold an answer are found. It
// reads conversation sets from a folder, computes the figures, and holds a reference BM25
// of its own, against which a set and the harness itself are checked.
//
// The same input gives the same report, digit for digit. The package never ships, keeps or
// writes any of the data, and knows no storage: a Ranker is given to it.
package bench
