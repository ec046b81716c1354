// Package eval measures extraction: it has the product consolidate conversation sets from a
// folder and compares what is remembered with the memories that the set says a good extractor
// finds. There is no judge: everything is counted from words, numbers and the turns that
// memories rest on, and the same input and extractor give the same report, digit for digit.
//
// Turns go the product's own way, over the edge of an embedded installation into its log, and
// from there through consolidation into its ledger, which is what is measured. The package
// decides nothing about memories, and never ships, keeps or writes any of the data.
package eval
