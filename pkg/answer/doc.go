// Package answer recognises what a user says as the answer to an open question, in English
// and in Chinese, whichever extractor reads the rest.
//
// It reads a sentence as a row of words of a small lexicon (english.go, chinese.go) and of
// the question's own words: its values, and what they stand beside. A word of neither makes
// the sentence no answer, so that values in passing, other people's facts, guesses and small
// talk are none: a missed answer leaves a question open, a wrong one changes what is
// believed. What is said without doubt still has to be about the question: the backend
// named it, the assistant has just put it, or the words name its subject and correct.
//
// The package is pure. It decides nothing: pkg/reconcile carries an answer out.
package answer
