// Package profile is the registry of memory keys: it reads the profile schema and says for
// each key whether it holds one value or many, what sort of value, what opposes it, how it
// ages, and with which words people ask for it. It also owns the identities of memories,
// since they follow from all that. It is pure: it is given the schema, never finds one,
// and keeps no memories.
package profile
