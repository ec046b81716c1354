package llmtest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
)

func (s *Server) embed(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.embeddings++
	quirk := s.embeddingQuirk
	s.mu.Unlock()
	if !s.authorized(w, r) || s.interferes(w, r, quirk, nil) {
		return
	}
	var in struct {
		Input []string `json:"input"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || slices.Contains(in.Input, "") {
		fail(w, http.StatusBadRequest, problem{Message: "'input' is invalid", Type: "invalid_request_error"})
		return
	}
	if s.opts.MaxBatch > 0 && len(in.Input) > s.opts.MaxBatch {
		fail(w, http.StatusUnprocessableEntity, problem{Type: "Validation", Message: fmt.Sprintf(
			"batch size %d > maximum allowed batch size %d", len(in.Input), s.opts.MaxBatch)})
		return
	}
	if s.opts.MaxText > 0 && slices.ContainsFunc(in.Input, func(text string) bool { return len(text) > s.opts.MaxText }) {
		fail(w, http.StatusRequestEntityTooLarge, problem{Type: "Validation", Message: fmt.Sprintf("`inputs` must have less than %d tokens", s.opts.MaxText)})
		return
	}
	vectors, err := s.vectors(r, in.Input)
	if err != nil {
		fail(w, http.StatusInternalServerError, problem{Message: err.Error(), Type: "server_error"})
		return
	}
	type embedding struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	data := make([]embedding, len(vectors))
	for i, v := range vectors {
		if quirk == QuirkShortVectors {
			v = v[:len(v)/2]
		}
		data[i] = embedding{"embedding", i, v}
	}
	if quirk == QuirkShuffled {
		slices.Reverse(data)
	}
	write(w, http.StatusOK, map[string]any{
		"object": "list", "model": "scripted", "data": data, "usage": map[string]int{"prompt_tokens": len(in.Input), "total_tokens": len(in.Input)},
	})
}

// vectors are those of the option, or made up: the same text always has the same one.
func (s *Server) vectors(r *http.Request, texts []string) ([][]float32, error) {
	if s.opts.Embed != nil {
		return s.opts.Embed(r.Context(), texts)
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, s.opts.Dimensions)
		for k := range out[i] {
			h := fnv.New32a()
			_, _ = fmt.Fprintf(h, "%d %s", k, text)
			out[i][k] = float32(h.Sum32())/(1<<31) - 1
		}
	}
	return out, nil
}
