// Package chinese finds what users plainly state about themselves in Chinese sentences,
// simplified or traditional, without a model. It owns the Chinese tables: how a sentence
// falls into clauses, who a clause is about, and one table of rules for each topic. It
// never reads sentences of another language, never guesses at what is only implied, and
// never decides what becomes of a candidate. It is pure: no clock, no I/O, no state
// between calls.
package chinese
