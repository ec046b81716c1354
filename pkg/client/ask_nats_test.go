package client_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/mnemond/mnemond/pkg/client"
	"github.com/mnemond/mnemond/pkg/memory"
)

// TestAskOverNATS: a backend that has nothing but NATS publishes, is asked, answers and recalls,
// and is refused as over HTTP.
func TestAskOverNATS(t *testing.T) {
	_, nc, stop := serve()
	defer stop()
	ctx := testContext(t)
	c := start(t, client.Options{NATS: nc})
	for i, says := range []string{"我住在杭州。", "我住在上海。"} {
		thread := c.Thread("小林", memory.Thread("t"+says))
		thread.Publish(client.User(says))
		thread.Close()
		eventually(ctx, func() bool {
			all, err := c.Recall(ctx, client.RecallRequest{User: "小林"})
			open, err2 := c.Questions(ctx, "小林")
			return errors.Join(err, err2) == nil && len(all.Memories) == 1 && len(open) == i
		})
	}
	found, err := c.Recall(ctx, client.RecallRequest{User: "小林", Query: "我住在哪个城市？"})
	if err != nil || len(found.Questions) != 1 || found.Memories[0].Value != "杭州" {
		t.Fatalf("before the answer: %+v (%v)", found, err)
	}
	answer := client.QuestionAnswer{User: "小林", ID: found.Questions[0].ID, Decision: memory.DecisionReplace}
	if _, err := c.AnswerQuestion(ctx, answer); err != nil {
		t.Fatal(err)
	}
	found, err = c.Recall(ctx, client.RecallRequest{User: "小林", Query: "我住在哪个城市？"})
	if err != nil || len(found.Questions) != 0 || found.Memories[0].Value != "上海" {
		t.Errorf("after the answer: %+v (%v)", found, err)
	}
	var refused *client.Error
	if _, err := c.Recall(ctx, client.RecallRequest{User: "小林", Query: "x", Limit: -1}); !errors.As(err, &refused) ||
		refused.Status != http.StatusBadRequest || refused.Field != "limit" {
		t.Errorf("a bad limit gives %v", err)
	}
	answer.ID = "none"
	if _, err := c.AnswerQuestion(ctx, answer); !errors.As(err, &refused) || refused.Status != http.StatusNotFound {
		t.Errorf("no question gives %v", err)
	}
	closed(t, c)
}
