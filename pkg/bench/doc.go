// Package bench measures retrieval: how well the turns that hold an answer are found, and how
// fast memories are recalled from a large collection. For the first it reads conversation
// sets from a folder, computes the figures, and holds a reference BM25 of its own, against
// which a set and the harness itself are checked. A Lab ranks in memory by the product's own
// functions, for trying out weights; whatever else ranks turns, with whatever storage, is
// given as a Ranker. For the second it makes up a population and puts recalls under load;
// what stores and what recalls is given as well.
//
// The same input gives the same report, digit for digit, but for times and bytes. The package
// never ships, keeps or writes any of the data.
package bench
