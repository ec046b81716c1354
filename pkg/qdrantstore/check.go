package qdrantstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/fault"
)

// Check is the check of the server and of both collections: see the function of that name.
func (s *Store) Check(ctx context.Context) error {
	for _, name := range s.both() {
		if err := Check(ctx, s.client, name, s.model); err != nil {
			return err
		}
	}
	return nil
}

// Check compares the server and the collection behind name with what this program needs:
// version, dimension, distance, vectors, layout, indexes, strict mode. Each difference is
// one line of one error.
func Check(ctx context.Context, c *qdrant.Client, name string, m Model) error {
	health, err := c.HealthCheck(ctx)
	if err != nil {
		return fmt.Errorf("check qdrant: %w", classify(err))
	}
	var wrong []string
	if !atLeast(health.GetVersion(), 1, 17) {
		wrong = append(wrong, fmt.Sprintf("server version %s, need 1.17 or later", health.GetVersion()))
	}
	info, err := c.GetCollectionInfo(ctx, name)
	if err != nil {
		return fmt.Errorf("check collection %s: %w", name, classify(err))
	}
	wrong = append(wrong, differences(info, m)...)
	if len(wrong) > 0 {
		return fault.Permanent(fmt.Errorf("collection %s does not fit: %s; run `mnemond rebuild` after mending the cause",
			name, strings.Join(wrong, "; ")))
	}
	return nil
}

func differences(info *qdrant.CollectionInfo, m Model) []string {
	var wrong []string
	params, metadata := info.GetConfig().GetParams(), info.GetConfig().GetMetadata()
	dense := params.GetVectorsConfig().GetParamsMap().GetMap()[vectorDense]
	switch {
	case dense == nil:
		wrong = append(wrong, "it has no vector named "+vectorDense)
	case dense.GetSize() != uint64(m.Dim):
		wrong = append(wrong, fmt.Sprintf("dimension %d, the embedding model %s makes %d", dense.GetSize(), m.Name, m.Dim))
	case dense.GetDistance() != qdrant.Distance_Cosine:
		wrong = append(wrong, fmt.Sprintf("distance %s, need Cosine", dense.GetDistance()))
	}
	if model := metadata["embedding_model"].GetStringValue(); model != m.Name {
		wrong = append(wrong, fmt.Sprintf("embedding model %q, configured is %q", model, m.Name))
	}
	if v := metadata["schema"].GetIntegerValue(); v != schemaVersion {
		wrong = append(wrong, fmt.Sprintf("points of layout %d, this program writes %d", v, schemaVersion))
	}
	if sparse := params.GetSparseVectorsConfig().GetMap()[vectorSparse]; sparse.GetModifier() != qdrant.Modifier_Idf {
		wrong = append(wrong, "sparse vector "+vectorSparse+" without the idf modifier")
	}
	for _, ix := range indexes() {
		if _, ok := info.GetPayloadSchema()[ix.field]; !ok {
			wrong = append(wrong, "no payload index on "+ix.field)
		}
	}
	if !info.GetConfig().GetStrictModeConfig().GetEnabled() {
		wrong = append(wrong, "strict mode is off")
	}
	return wrong
}

// atLeast compares "1.17.1" with a minimum.
func atLeast(version string, major, minor int) bool {
	var a, b int
	if _, err := fmt.Sscanf(version, "%d.%d", &a, &b); err != nil {
		return false
	}
	return a > major || a == major && b >= minor
}
