// Package wording puts what is asked of a user into a sentence, in English or Chinese: the
// question about two values that cannot both be true, what is asked after "both are true",
// and the text of a memory that such an answer qualifies. Values stay in the user's own
// words, but on one line and within any block that the sentence is put into. It is pure,
// and decides nothing: what is asked, and when, is pkg/reconcile's.
package wording
