package door

import (
	"context"
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/memory"
)

// QuestionsRequest asks for a user's open questions.
type QuestionsRequest struct {
	User
	Page
}

// QuestionsReply is open questions, the oldest first.
type QuestionsReply struct {
	Questions []memory.Question `json:"questions" nullable:"false"`
	Next
}

// AnswerRequest answers a question.
type AnswerRequest struct {
	User
	ID       memory.ID       `json:"id" path:"id" maxLength:"256" doc:"The question."`
	Decision memory.Decision `json:"decision" enum:"keep,replace,both,neither,other" doc:"One of the question's options: keep the current value, replace it by the other one, both are true, neither is, or another value."`
	Value    string          `json:"value,omitempty" maxLength:"500" doc:"Which of several rivals replaces the current value; what tells the two apart where both are true; or the other value. Up to 500 bytes."`
}

func (t *Table) questions(a Asker) {
	Add(t, Operation{
		ID: "questions", Summary: "List open questions", Tag: "questions", Method: http.MethodGet, Path: "/v1/questions",
		Description: "What the user said that cannot both be true. Ask when it fits the conversation; until there is an answer the current value is served.",
		Role:        access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, r *QuestionsRequest) (*QuestionsReply, error) {
		open, err := a.Pending(ctx, r.Scope())
		if err != nil {
			return nil, err
		}
		keys := places(open, false, func(q *memory.Question) string { return q.OpenedAt.UTC().Format(fixed) })
		part, next, err := cut(open, r.Page, false, func(i int) string { return keys[i] })
		return &QuestionsReply{part, next}, err
	})
	Add(t, Operation{
		ID: "answer_question", Summary: "Answer a question", Tag: "questions", Method: http.MethodPost, Path: "/v1/questions/{id}/answer",
		Role: access.RoleUser, Writes: true, Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, _ access.Caller, r *AnswerRequest) (*memory.Question, error) {
		q, err := a.Answer(ctx, r.Scope(), r.ID, r.Decision, r.Value)
		return &q, err
	})
}
