// Package client is for the backends of agents: it tells mnemond what was said and asks what
// matters, over HTTP or NATS.
//
//	c, err := client.New(client.Options{URL: "http://127.0.0.1:7460", APIKey: key, Source: "/my-agent"})
//	defer c.Close(ctx)
//	thread := c.Thread("alice", "chat-17")
//	found, err := c.Recall(ctx, client.RecallRequest{User: "alice", Query: question})
//	// found.Prompt goes before the model
//	thread.Publish(client.User(question), client.Assistant(reply))
//
// What is published is fire and forget: it waits in a bounded buffer and is sent in the
// background, in order, again and again through an outage, under one id. It never blocks the
// caller and never fails it; what is lost is counted, with the reason. Secrets are cut out
// before anything leaves the process or is written to a file. Requests (Recall, Questions,
// AnswerQuestion) are made once and fail with an *Error.
//
// The package owns the buffer, the file that it overflows to, and the two ways to the server.
// It decides nothing about memory, and brings no service into a backend's build.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Client publishes and asks. It may be used by many goroutines. Close ends it.
type Client struct {
	opts   Options
	wire   wire
	queue  *queue
	counts *counts
	// flushing counts those who wait in Flush: batches do not wait for more then.
	flushing atomic.Int64

	stop context.CancelFunc
	done sync.WaitGroup
	end  sync.Once
	left error
}

// New returns a client and starts to send what an earlier one has left in the spill file. It
// does not wait for the server. An option that cannot be used is an error.
func New(o Options) (*Client, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	counts, err := newCounts(o.Meter)
	if err != nil {
		return nil, err
	}
	var file *spill
	if o.Full == Spill {
		if file, err = openSpill(o.SpillFile, o.SpillBytes); err != nil {
			return nil, err
		}
	}
	w, err := o.connect()
	if err != nil {
		if file != nil {
			_ = file.close() // nothing was written
		}
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	c := &Client{opts: o, wire: w, counts: counts, stop: stop, queue: newQueue(&o, file)}
	c.done.Go(func() { c.send(ctx) })
	if file != nil {
		c.done.Go(func() { c.overflow(ctx) })
	}
	return c, nil
}

// Publish sends an event, some time later, and returns its id. What it leaves out is filled
// in: the version, an id (a UUID of version 7), the source, the tenant of the options, and the
// time, which is now. The event is copied. Publish does not wait and does not fail: an event
// that is not valid, or has no room, is counted and told to OnDrop.
func (c *Client) Publish(e event.Event) (id string) {
	if e.SpecVersion == "" {
		e.SpecVersion = "1.0"
	}
	if e.ID == "" {
		e.ID = newID()
	}
	if e.Source == "" {
		e.Source = c.opts.Source
	}
	if e.Tenant == "" {
		e.Tenant = c.opts.Tenant
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	one := entry{id: e.ID, ref: e.Ref()}
	var err error
	if one.raw, err = e.Encode(); err == nil && len(one.raw) > event.MaxBytes {
		err = &event.Error{Reason: fmt.Sprintf("event is larger than %d bytes", event.MaxBytes)}
	}
	if err != nil {
		c.drop(DroppedInvalid, err, one)
		return e.ID
	}
	lost, reason := c.queue.put(one)
	if reason == "" || reason == DroppedFull && lost.id != one.id {
		c.counts.queue()
	}
	if reason != "" {
		c.drop(reason, nil, lost)
	}
	return e.ID
}

// newID is unique, also where the source of random numbers fails, which it does not.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

// Flush waits until what was published before is sent, or was given up. It returns ctx's
// error when that comes first.
func (c *Client) Flush(ctx context.Context) error {
	c.flushing.Add(1)
	defer c.flushing.Add(-1)
	for upTo := c.queue.last(); ; {
		settled, done := c.queue.settledUpTo(upTo)
		if done {
			return nil
		}
		c.queue.wakeSender()
		select {
		case <-settled:
		case <-ctx.Done():
			return fmt.Errorf("flush: %w", ctx.Err())
		}
	}
}

// Close takes no more events, flushes until ctx ends, and stops. What is left then is written
// to the spill file, where there is one, and sent by the next client that opens it; else it is
// dropped, and Close returns an error that says how much. A second call returns what the first
// did.
func (c *Client) Close(ctx context.Context) error {
	c.end.Do(func() {
		c.queue.close()
		_ = c.Flush(ctx) // what is left is told below
		c.stop()
		c.done.Wait()
		c.left = c.keepRest()
		c.wire.close()
	})
	return c.left
}

// keepRest is what Close does with what was not sent.
func (c *Client) keepRest() error {
	rest := c.queue.drain()
	file := c.queue.file
	if file == nil {
		left := live(slices.Concat(rest.first, rest.last))
		if len(left) == 0 {
			return nil
		}
		c.drop(DroppedClosed, nil, left...)
		return fmt.Errorf("%d events were not sent", len(left))
	}
	c.clean(rest.first)
	c.clean(rest.last)
	first, last := live(rest.first), live(rest.last)
	kept, err := file.rewrite(first, last)
	if all := slices.Concat(first, last); kept < len(all) {
		c.drop(DroppedClosed, err, all[kept:]...)
		err = errors.Join(err, fmt.Errorf("%d events were not sent, and are not in the spill file", len(all)-kept))
	}
	c.counts.spill(kept)
	return errors.Join(err, file.close())
}

// Stats are the counts so far.
func (c *Client) Stats() Stats {
	s := c.counts.stats()
	s.Pending = c.queue.pending()
	return s
}

// Thread is a thread of a user's, to publish to.
type Thread struct {
	User memory.User
	ID   memory.Thread
	// Tenant is by default that of the options.
	Tenant memory.Tenant
	// Agent is the one that the user talks to; may be empty.
	Agent memory.Agent
	// TimeZone is the user's, such as "Asia/Shanghai": "next Friday" is resolved in it. May be
	// empty.
	TimeZone string

	client *Client
}

// Thread names a thread. Its other fields may be set before it is used.
func (c *Client) Thread(u memory.User, id memory.Thread) *Thread {
	return &Thread{User: u, ID: id, client: c}
}

// User is a message of the user's.
func User(text string) event.Message { return event.Message{Role: memory.RoleUser, Content: text} }

// Assistant is a message of the agent's.
func Assistant(text string) event.Message {
	return event.Message{Role: memory.RoleAssistant, Content: text}
}

// Publish sends a turn: what was said since the last one. Like Client.Publish it does not wait
// and does not fail, and returns the event's id.
func (t *Thread) Publish(messages ...event.Message) (id string) {
	return t.PublishTurn(event.Turn{Messages: messages})
}

// PublishTurn is Publish for a turn that answers an open question, by its QuestionID.
func (t *Thread) PublishTurn(turn event.Turn) (id string) { return t.publish(event.TypeTurn, turn) }

// Answer tells what the model said with what a recall had handed out, for its trace.
func (t *Thread) Answer(recallID, content string) (id string) {
	return t.publish(event.TypeAnswer, event.Answer{RecallID: recallID, Content: content})
}

// Feedback tells what the user thought of a memory, or of an answer. A thumbs-down keeps what
// it is about from recall.
func (t *Thread) Feedback(f event.Feedback) (id string) { return t.publish(event.TypeFeedback, f) }

// Close tells that the conversation is over: it is consolidated at once, and not when it has
// been quiet for a while.
func (t *Thread) Close() (id string) { return t.publish(event.TypeThreadClosed, nil) }

func (t *Thread) publish(kind event.Type, data any) string {
	e := event.Event{Type: kind, Tenant: t.Tenant, User: t.User, Thread: t.ID, Agent: t.Agent, TimeZone: t.TimeZone}
	if data != nil {
		raw, err := json.Marshal(data)
		if err != nil {
			e.ID = newID()
			t.client.drop(DroppedInvalid, err, entry{id: e.ID, ref: e.Ref()})
			return e.ID
		}
		e.Data = raw
	}
	return t.client.Publish(e)
}
