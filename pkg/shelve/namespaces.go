package shelve

import (
	"context"
	"fmt"
	"slices"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
)

// DefaultNamespaces is how many namespaces are listed when nothing is said of it.
const DefaultNamespaces = 100

// anyLabel stands for any one label in a prefix or a suffix.
const anyLabel = "*"

// Listing asks for namespaces that hold documents.
type Listing struct {
	// Prefix and Suffix are what they begin and end with; "*" is any one label.
	Prefix, Suffix []string
	// MaxDepth cuts them to so many labels, those that are the same then being one; 0 leaves
	// them whole.
	MaxDepth int
	// Limit is how many to list: 1 to MaxLimit, DefaultNamespaces if 0. Offset is how many of
	// the first ones to leave out.
	Limit, Offset int
}

func (l *Listing) validate() error {
	if err := document.ValidatePrefix("prefix", l.Prefix); err != nil {
		return err
	}
	if err := document.ValidatePrefix("suffix", l.Suffix); err != nil {
		return err
	}
	if l.MaxDepth < 0 || l.MaxDepth > document.MaxLabels {
		return fault.BadField("max_depth", fmt.Sprintf("must be between 1 and %d", document.MaxLabels))
	}
	return bounded(&l.Limit, l.Offset, DefaultNamespaces)
}

// Namespaces lists the owner's namespaces in the order of their labels.
func (s *Service) Namespaces(ctx context.Context, scope memory.Scope, l Listing) ([][]string, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	if err := l.validate(); err != nil {
		return nil, err
	}
	known := l.Prefix
	if i := slices.Index(known, anyLabel); i >= 0 {
		known = known[:i]
	}
	all, err := s.Documents.Namespaces(ctx, scope, index.Query{Now: s.now(), Sort: index.SortDocument, Namespace: known})
	if err != nil {
		return nil, fmt.Errorf("list namespaces: %w", err)
	}
	out := [][]string{}
	for _, n := range all {
		if len(n) < max(len(l.Prefix), len(l.Suffix)) || !matches(n[:len(l.Prefix)], l.Prefix) || !matches(n[len(n)-len(l.Suffix):], l.Suffix) {
			continue
		}
		if l.MaxDepth > 0 {
			n = n[:min(l.MaxDepth, len(n))]
		}
		if len(out) == 0 || !slices.Equal(out[len(out)-1], n) {
			out = append(out, n)
		}
	}
	return out[min(l.Offset, len(out)):min(l.Offset+l.Limit, len(out))], nil
}

func matches(labels, wanted []string) bool {
	return slices.EqualFunc(labels, wanted, func(label, want string) bool { return want == anyLabel || label == want })
}
