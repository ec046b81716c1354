// Package find searches and ranks what is kept, memories and documents, by one path: it
// searches by terms and by meaning, for documents once more for what the best hits say and
// for what was said around them, compares all of that with the query, keeps what matters by
// itself, and orders it. A Shelf is the same search in memory.
//
// It reads through a Store and an Embedder, writes nothing, and decides nothing about what
// may be handed out beyond what it is told to keep.
package find
