package stream_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// listen is a process of a backend, which knows NATS and nothing of mnemond: it takes the
// next n questions of the tenant acme, and ends. A durable consumer keeps its place.
func listen(ctx context.Context, url string, n int) error {
	nc, err := nats.Connect(url)
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	questions, err := js.CreateOrUpdateConsumer(ctx, "KV_mem_questions", jetstream.ConsumerConfig{
		Durable: "support-desk", FilterSubject: "$KV.mem_questions.acme.>", AckPolicy: jetstream.AckExplicitPolicy,
	})
	if err != nil {
		return err
	}
	for range n {
		msg, err := questions.Next(jetstream.FetchMaxWait(10 * time.Second))
		if err != nil {
			return err
		}
		var q struct{ Status, Text string }
		if err := json.Unmarshal(msg.Data(), &q); err != nil {
			return err
		}
		fmt.Printf("%s: %s\n", q.Status, q.Text)
		// What a process does not acknowledge comes again, to it or to the next one.
		if err := msg.DoubleAck(ctx); err != nil {
			return err
		}
	}
	return nil
}

// A backend consumes the questions to its users. It is stopped and started again, and hears
// of what was asked and settled meanwhile.
func ExampleQuestions() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	url, questions, stop, err := open(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stop()

	city := memory.Question{
		ID: "0b7c", Scope: memory.UserScope("acme", "robin"), Status: memory.QuestionOpen, Text: "Do you live in Oslo, or in Bergen?",
	}
	diet := memory.Question{
		ID: "5e1d", Scope: memory.UserScope("acme", "林"), Status: memory.QuestionOpen, Text: "你吃素，还是吃肉？",
	}
	put := func(q memory.Question, ledgerSeq uint64) {
		if err := questions.Put(ctx, q, ledgerSeq); err != nil {
			fmt.Println(err)
			return
		}
	}
	put(city, 1)
	if err := listen(ctx, url, 1); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("- the backend is down -")
	city.Status, city.Decision = memory.QuestionClosed, memory.DecisionReplace
	put(city, 2)
	put(diet, 3)
	if err := listen(ctx, url, 2); err != nil {
		fmt.Println(err)
		return
	}
	// Output:
	// open: Do you live in Oslo, or in Bergen?
	// - the backend is down -
	// closed: Do you live in Oslo, or in Bergen?
	// open: 你吃素，还是吃肉？
}

// open is mnemond's side: an embedded server with its topology.
func open(ctx context.Context) (url string, questions *stream.Questions, stop func(), err error) {
	server, err := stream.StartEmbedded(ctx, stream.EmbeddedOptions{Listen: "127.0.0.1:0"})
	if err != nil {
		return "", nil, nil, err
	}
	nc, err := server.Connect()
	if err != nil {
		return "", nil, nil, errors.Join(err, server.Close())
	}
	stop = func() {
		nc.Close()
		if err := server.Close(); err != nil {
			log.Print(err)
		}
	}
	js, err := jetstream.New(nc)
	if err == nil {
		_, err = stream.NewTopology(stream.Options{}).Ensure(ctx, js)
	}
	if err != nil {
		stop()
	}
	return server.ClientURL(), stream.NewQuestions(js), stop, err
}
