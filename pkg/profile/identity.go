package profile

import (
	"encoding/binary"

	"github.com/google/uuid"
	"github.com/mnemond/mnemond/pkg/canon"
	"github.com/mnemond/mnemond/pkg/memory"
)

// namespace is the UUID under which all identities are made. Changing it, or anything in
// this file, gives every memory another id.
var namespace = uuid.MustParse("6f1e2a0c-52b5-5c0e-9d0b-8a3b6c1f7d24")

// The sorts of identity. They are part of the ids.
const (
	sortSingle  = "single"
	sortMulti   = "multi"
	sortFree    = "free"
	sortDispute = "dispute"
)

// Identity is the id of the one memory that a scope can hold of something, so that what
// is the same cannot be stored twice:
//   - of a key with one value, the key;
//   - of a key with many, the key and the canonical form of value; a key and its opposite
//     count as one, so that a value stands under one of them;
//   - of a free memory (no key), the canonical form of value, or of text if value is empty.
//
// A key that the schema does not have, such as one of an earlier schema, is taken to hold
// many texts. The scope must be valid; Identity does not check it.
func (r *Registry) Identity(scope memory.Scope, key memory.Key, value, text string) memory.ID {
	if key == "" {
		return id(scope, sortFree, freeForm(value, text))
	}
	f, known := r.fields[key]
	if known && !f.Multi {
		return id(scope, sortSingle, string(key))
	}
	low, high := key, f.Opposite
	if high != "" && high < low {
		low, high = high, low
	}
	return id(scope, sortMulti, string(low), string(high), canon.Identity(value, f.Class))
}

// DisputeIdentity is the id of a disputed value of a key, beside the current one: a rival
// that is said again is the same rival.
func (r *Registry) DisputeIdentity(scope memory.Scope, key memory.Key, value string) memory.ID {
	return id(scope, sortDispute, string(key), canon.Identity(value, r.fields[key].Class))
}

// PastIdentity is the id under which the archive holds a value that a memory has had.
func PastIdentity(origin memory.ID, value string) memory.ID {
	return memory.ID(uuid.NewSHA1(namespace, append([]byte("past\x00"+origin+"\x00"), value...)).String())
}

func freeForm(value, text string) string {
	if value != "" {
		return canon.Value(canon.Statement(value))
	}
	return canon.Statement(text)
}

// id hashes the scope and the fields, each behind its length, so that no two lists of
// fields are the same bytes.
func id(scope memory.Scope, sort string, fields ...string) memory.ID {
	b := make([]byte, 0, 256)
	for _, f := range append([]string{string(scope.Tenant), string(scope.Owner.Kind), scope.Owner.ID, sort}, fields...) {
		b = binary.AppendUvarint(b, uint64(len(f)))
		b = append(b, f...)
	}
	return memory.ID(uuid.NewSHA1(namespace, b).String())
}
