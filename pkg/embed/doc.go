// Package embed owns the built-in implementation of the embeddings port: text to vectors
// without any model, network or state. It never decides what a vector is used for.
package embed
