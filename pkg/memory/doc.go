// Package memory holds the nouns of mnemond: whose memory it is (Scope, Owner), what was
// said (Message), what might be remembered (Candidate, Directive) and what is remembered
// (Memory, Evidence). It is pure: it takes times and never asks for one, does no I/O and
// imports nothing of mnemond.
package memory
