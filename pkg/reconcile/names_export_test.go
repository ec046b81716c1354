package reconcile

import "github.com/mnemond/mnemond/pkg/memory"

// NamedKeys are the keys for which there are names, sorted.
func NamedKeys() []memory.Key { return keyNames().Keys() }
