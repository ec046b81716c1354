package client_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/client"
	"github.com/mnemond/mnemond/pkg/memory"
)

// serve runs everything in this process, on a free port and over NATS.
func serve() (url string, nc *nats.Conn, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	log := slog.New(slog.DiscardHandler)
	b, err := app.OpenEmbedded(ctx, app.EmbeddedConfig{}, log)
	if err != nil {
		panic(err)
	}
	s, err := app.NewStack(ctx, b, app.DefaultConfig(), app.Options{Logger: log})
	if err != nil {
		panic(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.RunAll(ctx, l) }()
	return "http://" + l.Addr().String(), b.NATS, func() {
		cancel()
		if err := errors.Join(<-done, b.Close()); err != nil {
			panic(err)
		}
	}
}

// eventually asks until there is an answer: what is published is remembered in the background.
func eventually(ctx context.Context, so func() bool) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			panic(ctx.Err())
		}
	}
}

func Example() {
	url, _, stop := serve()
	defer stop()
	ctx, cancel := context.WithTimeout(context.Background(), testWait)
	defer cancel()
	c, err := client.New(client.Options{URL: url, Source: "/example"})
	if err != nil {
		panic(err)
	}
	ask := func(user memory.User, says ...string) {
		for i, text := range says {
			thread := c.Thread(user, memory.Thread(fmt.Sprint("t", i)))
			thread.Publish(client.User(text))
			thread.Close()
			eventually(ctx, func() bool { // in the order in which it was said
				all, err := c.Recall(ctx, client.RecallRequest{User: user})
				open, err2 := c.Questions(ctx, user)
				return errors.Join(err, err2) == nil && len(all.Memories) > 0 && len(open) == i
			})
		}
		open, err := c.Questions(ctx, user)
		if err != nil {
			panic(err)
		}
		fmt.Println(len(open), "question:", open[0].Current.Value, "or", open[0].Rivals[0].Value)
		answer := client.QuestionAnswer{User: user, ID: open[0].ID, Decision: memory.DecisionReplace}
		if _, err := c.AnswerQuestion(ctx, answer); err != nil {
			panic(err)
		}
		found, err := c.Recall(ctx, client.RecallRequest{User: user, Query: says[0]})
		if err != nil {
			panic(err)
		}
		fmt.Println(found.Memories[0].Key, found.Memories[0].Value)
	}
	ask("alice", "I live in Oslo.", "I live in Lima.")
	ask("小王", "我住在杭州。", "我住在上海。")
	var refused *client.Error
	_, err = c.AnswerQuestion(ctx, client.QuestionAnswer{User: "alice", ID: "none", Decision: memory.DecisionKeep})
	fmt.Println(errors.As(err, &refused), refused.Status)
	fmt.Println(c.Close(ctx))
	// Output:
	// 1 question: Oslo or Lima
	// user.city Lima
	// 1 question: 杭州 or 上海
	// user.city 上海
	// true 404
	// <nil>
}
