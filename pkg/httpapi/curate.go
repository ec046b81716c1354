package httpapi

import (
	"context"
	"net/http"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Forgetter deletes memories, and undoes that.
type Forgetter interface {
	Forget(ctx context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error)
	Restore(ctx context.Context, s memory.Scope, id memory.ID) error
}

// Suppressor keeps memories from recall, and gives them back.
type Suppressor interface {
	Suppress(ctx context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error)
	Unsuppress(ctx context.Context, s memory.Scope, sel curate.Selection) (curate.Outcome, error)
}

// Asker lists open questions and takes their answers.
type Asker interface {
	Pending(ctx context.Context, s memory.Scope) ([]memory.Question, error)
	Answer(ctx context.Context, s memory.Scope, id memory.ID, d memory.Decision, value string) (memory.Question, error)
}

// Eraser erases owners.
type Eraser interface {
	Erase(ctx context.Context, s memory.Scope) (curate.Receipt, error)
	Verify(ctx context.Context, s memory.Scope) (curate.Receipt, error)
}

// Curator is the owner's own side.
type Curator struct {
	Forgetter
	Suppressor
	Asker
	Eraser
}

func (c Config) curated(mux *http.ServeMux) {
	mux.HandleFunc("POST /v1/forget", c.answer(c.selected(c.Curate.Forget)))
	mux.HandleFunc("POST /v1/suppress", c.answer(c.selected(c.Curate.Suppress)))
	mux.HandleFunc("POST /v1/unsuppress", c.answer(c.selected(c.Curate.Unsuppress)))
	mux.HandleFunc("DELETE /v1/memories/{id}", c.answer(c.deleteOne))
	mux.HandleFunc("POST /v1/memories/{id}/restore", c.answer(c.restore))
	mux.HandleFunc("GET /v1/questions", c.answer(c.questions))
	mux.HandleFunc("POST /v1/questions/{id}/answer", c.answer(c.answerQuestion))
	mux.HandleFunc("POST /v1/erase", c.answer(c.owned(c.Curate.Erase)))
	mux.HandleFunc("POST /v1/erase/verify", c.answer(c.owned(c.Curate.Verify)))
}

// ownerBody is whose memory a request is about.
type ownerBody struct {
	Tenant memory.Tenant `json:"tenant,omitempty"`
	User   memory.User   `json:"user"`
}

func (b ownerBody) scope() (memory.Scope, error) {
	return scopeOf(map[string]string{"tenant": string(b.Tenant), "user": string(b.User)})
}

// selected answers a request about a selection of the owner's memories.
func (c Config) selected(do func(context.Context, memory.Scope, curate.Selection) (curate.Outcome, error)) func(*http.Request) (answered, error) {
	return func(r *http.Request) (answered, error) {
		var body struct {
			ownerBody
			curate.Selection
		}
		if err := decode(r, &body); err != nil {
			return answered{}, err
		}
		scope, err := body.scope()
		if err != nil {
			return answered{}, err
		}
		out, err := do(r.Context(), scope, body.Selection)
		return answered{http.StatusOK, out}, err
	}
}

// owned answers a request about the owner as a whole.
func (c Config) owned(do func(context.Context, memory.Scope) (curate.Receipt, error)) func(*http.Request) (answered, error) {
	return func(r *http.Request) (answered, error) {
		var body ownerBody
		if err := decode(r, &body); err != nil {
			return answered{}, err
		}
		scope, err := body.scope()
		if err != nil {
			return answered{}, err
		}
		out, err := do(r.Context(), scope)
		return answered{http.StatusOK, out}, err
	}
}

func (c Config) deleteOne(r *http.Request) (answered, error) {
	scope, err := owner(r)
	if err != nil {
		return answered{}, err
	}
	out, err := c.Curate.Forget(r.Context(), scope, curate.Selection{IDs: []memory.ID{memory.ID(r.PathValue("id"))}})
	if err == nil && len(out.Memories) == 0 {
		err = curate.ErrNotFound
	}
	return answered{http.StatusOK, out}, err
}

func (c Config) restore(r *http.Request) (answered, error) {
	var body ownerBody
	if err := decode(r, &body); err != nil {
		return answered{}, err
	}
	scope, err := body.scope()
	if err != nil {
		return answered{}, err
	}
	id := memory.ID(r.PathValue("id"))
	return answered{http.StatusOK, curate.Outcome{Memories: []memory.ID{id}}}, c.Curate.Restore(r.Context(), scope, id)
}

func (c Config) questions(r *http.Request) (answered, error) {
	scope, err := owner(r)
	if err != nil {
		return answered{}, err
	}
	open, err := c.Curate.Pending(r.Context(), scope)
	if open == nil {
		open = []memory.Question{}
	}
	return answered{http.StatusOK, map[string]any{"questions": open}}, err
}

func (c Config) answerQuestion(r *http.Request) (answered, error) {
	var body struct {
		ownerBody
		Decision memory.Decision `json:"decision"`
		Value    string          `json:"value,omitempty"`
	}
	if err := decode(r, &body); err != nil {
		return answered{}, err
	}
	scope, err := body.scope()
	if err != nil {
		return answered{}, err
	}
	q, err := c.Curate.Answer(r.Context(), scope, memory.ID(r.PathValue("id")), body.Decision, body.Value)
	return answered{http.StatusOK, q}, err
}

// owner is whose memory the parameters name, which are all there may be.
func owner(r *http.Request) (memory.Scope, error) {
	q, err := query(r, "tenant", "user")
	if err != nil {
		return memory.Scope{}, err
	}
	return scopeOf(q)
}
