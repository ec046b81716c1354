package qdrantstore

import (
	"errors"
	"testing"
)

// A measurement gets collections of its own on a server that is in no other use, and leaves
// nothing there.
func TestAPairApart(t *testing.T) {
	c := newClient(t)
	r, err := StartApart(t.Context(), c, small)
	if err != nil {
		t.Fatal(err)
	}
	if names, err := ours(t.Context(), c); err != nil || len(names) != 2 {
		t.Errorf("collections %v (%v), want two", names, err)
	}
	if _, err := StartApart(t.Context(), c, small); !errors.Is(err, ErrInUse) {
		t.Errorf("a second pair: %v, want ErrInUse", err)
	}
	if err := r.Drop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if names, err := ours(t.Context(), c); err != nil || len(names) != 0 {
		t.Errorf("collections %v (%v) are left", names, err)
	}
	if _, err := StartApart(t.Context(), c, small); err != nil {
		t.Errorf("once it is dropped: %v", err)
	}
}
