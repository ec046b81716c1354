// Package rules is the built-in extractor: tables of English and Chinese patterns for what
// people plainly say about themselves. It needs no model, and prefers nothing to something
// wrong. The tables are in its subpackages, one a language.
package rules

import (
	"context"
	"slices"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rules/chinese"
	"github.com/mnemond/mnemond/pkg/rules/english"
)

// Extractor extracts by rules. The zero value is ready to use.
type Extractor struct{}

// Extract returns what both languages' rules find, in the order of the messages. It never
// fails.
func (Extractor) Extract(_ context.Context, in memory.Extraction) ([]memory.Candidate, []memory.Directive, error) {
	candidates, directives := english.Extract(in.Messages)
	c, d := chinese.Extract(in.Messages)
	candidates, directives = append(candidates, c...), append(directives, d...)
	slices.SortStableFunc(candidates, func(a, b memory.Candidate) int { return a.Source.Message - b.Source.Message })
	return candidates, directives, nil
}
