// Package qdrantmem is mnemond's embedded engine: an in-memory server of the part of the
// Qdrant gRPC API that mnemond uses, for the official Go client. It answers with the real
// server's semantics, status codes and messages, searches exactly and is deterministic:
// results are ordered by score descending, ties by point id descending.
//
// It owns collections, aliases, points, payload indexes and the statistics that scoring
// needs. It is an embedded default for one machine and a test double at the wire, not a
// database product: it persists nothing, shards nothing, limits no rate and offers no more
// of the API than mnemond calls. Whatever else is asked for, a whole method or one field
// that would change an answer, is answered with Unimplemented; hints that only cost or save
// time (quantization, HNSW parameters, on_disk, consistency, ordering) are accepted and kept.
//
// Where it is stricter than a real server: an upsert is applied as a whole or not at all.
// A write with wait=false is applied at once and answered with Acknowledged, and the errors
// that a real server would find only while applying it are then not reported.
package qdrantmem
