package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/mnemond/mnemond/pkg/memory"
)

// The operations that are asked for.
var (
	opRecall         = operation{"recall", http.MethodPost, "/v1/recall"}
	opQuestions      = operation{"questions", http.MethodGet, "/v1/questions"}
	opAnswerQuestion = operation{"answer_question", http.MethodPost, "/v1/questions/{id}/answer"}
)

// Recall returns the few memories that matter to what the user says, best first, and the block
// to put before the model. Without a query it is what to know about the user at the start of a
// thread. None is better than noise: there may be none. What the server refuses is an *Error.
func (c *Client) Recall(ctx context.Context, r RecallRequest) (RecallResponse, error) {
	var out RecallResponse
	if r.Tenant == "" {
		r.Tenant = c.opts.Tenant
	}
	err := c.call(ctx, opRecall, r, &out)
	return out, err
}

// Questions are the user's open questions, the oldest first: what they said that cannot both be
// true. Put one to the user when it fits the conversation.
func (c *Client) Questions(ctx context.Context, u memory.User) ([]memory.Question, error) {
	var out []memory.Question
	r := questionsRequest{Tenant: c.opts.Tenant, User: u}
	for {
		var page questionsReply
		if err := c.call(ctx, opQuestions, r, &page); err != nil {
			return nil, err
		}
		out = append(out, page.Questions...)
		if r.Cursor = page.NextCursor; r.Cursor == "" {
			return out, nil
		}
	}
}

// AnswerQuestion answers an open question for its user and returns it, closed. It is an *Error
// of status 404 when there is none with that id, and of 409 when it was decided meanwhile.
func (c *Client) AnswerQuestion(ctx context.Context, a QuestionAnswer) (memory.Question, error) {
	var out memory.Question
	if a.Tenant == "" {
		a.Tenant = c.opts.Tenant
	}
	err := c.call(ctx, opAnswerQuestion, a, &out)
	return out, err
}

func (c *Client) call(ctx context.Context, op operation, in request, out any) error {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	if err := c.wire.call(ctx, op, in, out); err != nil {
		return fmt.Errorf("%s: %w", op.id, err)
	}
	return nil
}

// QuestionAnswer answers a question.
type QuestionAnswer struct {
	Tenant memory.Tenant `json:"tenant,omitempty"`
	User   memory.User   `json:"user,omitempty"`
	// ID is the question's.
	ID memory.ID `json:"-"`
	// Decision is one of the question's options.
	Decision memory.Decision `json:"decision"`
	// Value is which of several rivals replaces the current value, what tells the two apart
	// where both are true, or the other value; up to 500 bytes.
	Value string `json:"value,omitempty"`
}

func (a QuestionAnswer) fields() (path map[string]string, query url.Values) {
	return map[string]string{"id": string(a.ID)}, nil
}

type questionsRequest struct {
	Tenant memory.Tenant `json:"tenant,omitempty"`
	User   memory.User   `json:"user,omitempty"`
	Cursor string        `json:"cursor,omitempty"`
}

func (r questionsRequest) fields() (path map[string]string, query url.Values) {
	query = url.Values{}
	for name, value := range map[string]string{"tenant": string(r.Tenant), "user": string(r.User), "cursor": r.Cursor} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return nil, query
}

type questionsReply struct {
	Questions  []memory.Question `json:"questions"`
	NextCursor string            `json:"next_cursor,omitempty"`
}
