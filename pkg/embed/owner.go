package embed

import (
	"context"

	"github.com/mnemond/mnemond/pkg/memory"
)

// EmbedFor is Embed: nothing is kept or counted by owner.
func (l *Lexical) EmbedFor(ctx context.Context, _ memory.Scope, texts []string) ([][]float32, error) {
	return l.Embed(ctx, texts)
}
