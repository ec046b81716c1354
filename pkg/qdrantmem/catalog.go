package qdrantmem

import (
	"slices"
	"strings"
	"sync"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// catalog is the collections and their aliases.
type catalog struct {
	mu          sync.RWMutex
	collections map[string]*collection
	aliases     map[string]string // alias to collection
}

func newCatalog() *catalog {
	return &catalog{collections: make(map[string]*collection), aliases: make(map[string]string)}
}

// find resolves a collection's name or alias.
func (k *catalog) find(name string) (*collection, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	own := name
	if target, ok := k.aliases[name]; ok {
		own = target
	}
	if c := k.collections[own]; c != nil {
		return c, nil
	}
	return nil, noCollection(name)
}

func alreadyExists(name string) error {
	return status.Errorf(codes.AlreadyExists, "Wrong input: Collection `%s` already exists!", name)
}

func (k *catalog) create(name string, c *collection) error {
	if err := checkName(name); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.collections[name] != nil {
		return alreadyExists(name)
	}
	if _, ok := k.aliases[name]; ok {
		return wrongInput("Can't create collection with name %s. Alias with the same name already exists", name)
	}
	k.collections[name] = c
	return nil
}

func checkName(name string) error {
	if n := len([]rune(name)); n == 0 || n > 255 {
		return invalidField("collection_name", "length must be from 1 to 255 characters")
	}
	if i := strings.IndexAny(name, "<>:\"/\\|?*\x00\x1f"); i >= 0 {
		return invalidField("collection_name", "collection name cannot contain \""+name[i:i+1]+"\" char")
	}
	return nil
}

// drop removes a collection, which needs its own name, and its aliases; false if there is none.
func (k *catalog) drop(name string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.collections[name] == nil {
		return false
	}
	delete(k.collections, name)
	for alias, target := range k.aliases {
		if target == name {
			delete(k.aliases, alias)
		}
	}
	return true
}

func (k *catalog) names() []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	names := make([]string, 0, len(k.collections))
	for name := range k.collections {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// changeAliases applies actions under one lock, so that no reader sees half of them. Those
// before one that fails stay applied.
func (k *catalog) changeAliases(actions []*qdrant.AliasOperations) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, action := range actions {
		if err := k.changeAlias(action); err != nil {
			return err
		}
	}
	return nil
}

func (k *catalog) changeAlias(action *qdrant.AliasOperations) error {
	switch kind := action.GetAction().(type) {
	case *qdrant.AliasOperations_CreateAlias:
		return k.setAlias(kind.CreateAlias.GetAliasName(), kind.CreateAlias.GetCollectionName())
	case *qdrant.AliasOperations_RenameAlias:
		from, to := kind.RenameAlias.GetOldAliasName(), kind.RenameAlias.GetNewAliasName()
		target, ok := k.aliases[from]
		if !ok {
			return notFound("Alias %s does not exists!", from)
		}
		if err := k.setAlias(to, target); err != nil {
			return err
		}
		if from != to {
			delete(k.aliases, from)
		}
		return nil
	case *qdrant.AliasOperations_DeleteAlias:
		delete(k.aliases, kind.DeleteAlias.GetAliasName())
		return nil
	default:
		return malformed("Malformed alias operation")
	}
}

// setAlias points alias to a collection, also if it pointed elsewhere before.
func (k *catalog) setAlias(alias, target string) error {
	if err := checkName(alias); err != nil {
		return err
	}
	if k.collections[target] == nil {
		return noCollection(target)
	}
	if k.collections[alias] != nil {
		return alreadyExists(alias)
	}
	k.aliases[alias] = target
	return nil
}

// listAliases are the aliases of the given collection, or of all for "", by name.
func (k *catalog) listAliases(name string) []*qdrant.AliasDescription {
	k.mu.RLock()
	defer k.mu.RUnlock()
	var out []*qdrant.AliasDescription
	for alias, target := range k.aliases {
		if name == "" || target == name {
			out = append(out, &qdrant.AliasDescription{AliasName: alias, CollectionName: target})
		}
	}
	slices.SortFunc(out, func(a, b *qdrant.AliasDescription) int { return strings.Compare(a.AliasName, b.AliasName) })
	return out
}
