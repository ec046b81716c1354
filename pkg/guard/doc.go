// Package guard cuts out of text what must never be stored, and out of messages what must
// never be learnt from. It owns two decisions: what is a secret (Redact, RedactJSON), and
// which part of a message is the user's own statement (Sanitise, QuotedSpans).
//
// It is pure and works in time linear in the length of the text. It never keeps, returns
// or reports a secret, never changes what it does not cut, and decides nothing about the
// meaning of what is left.
//
// Detection is written by hand because the known secret scanners are made for
// repositories: they know neither Chinese cues nor the prose around a secret in a chat.
package guard
