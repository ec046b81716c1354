package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

const (
	batchClients   = 8
	batchSize      = 100
	batchesEach    = 4
	singleClients  = 64
	singlesEach    = 16
	batchEvents    = batchClients * batchesEach * batchSize
	singleEvents   = singleClients * singlesEach
	pacedPerClient = 32
)

// sender makes events that were never sent before and sends them.
type sender struct {
	*stand
	js     jetstream.JetStream
	client *http.Client
	next   int
}

// events makes n events as they are stored, each a turn of a thread.
func (s *sender) events(b *testing.B, n int) [][]byte {
	b.Helper()
	out := make([][]byte, n)
	for i := range out {
		s.next++
		turn := dialogue[s.next%len(dialogue)]
		e := event.Event{
			SpecVersion: "1.0", ID: fmt.Sprintf("event-%d", s.next), Source: "/bench", Type: event.TypeTurn, Time: day,
			Tenant: memory.DefaultTenant, User: memory.User(fmt.Sprintf("user-%d", s.next%50)), Thread: memory.Thread(fmt.Sprintf("thread-%d", s.next%200)),
		}
		err := e.SetTurn(event.Turn{Messages: []event.Message{
			{Role: memory.RoleUser, Content: turn[0]}, {Role: memory.RoleAssistant, Content: turn[1]},
		}})
		if err == nil {
			out[i], err = e.Encode()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return out
}

// post sends a body to the HTTP edge; nil means that it was accepted.
func (s *sender) post(media string, body []byte) error {
	resp, err := s.client.Post(s.url+"/v1/events", media, bytes.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusAccepted {
		return fmt.Errorf("%s: %s", resp.Status, answer)
	}
	return nil
}

// batch stores events as one atomic batch, without mnemond.
func (s *sender) batch(ctx context.Context, events [][]byte) error {
	msgs := make([]*nats.Msg, len(events))
	for i, data := range events {
		var e event.Event
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		msgs[i] = nats.NewMsg(stream.EventSubject(e.Ref()))
		msgs[i].Data = data
		msgs[i].Header.Set(jetstream.MsgIDHeader, "direct-"+e.ID)
		msgs[i].Header.Set(stream.HeaderReceivedAt, day.Format(time.RFC3339Nano))
	}
	_, err := jetstreamext.PublishMsgBatch(ctx, s.js, msgs, jetstreamext.BatchFlowControl{AckFirst: true, AckTimeout: 10 * time.Second})
	return err
}

// atOnce runs f(0) … f(n-1) at once and returns how long that took.
func atOnce(b *testing.B, n int, f func(i int) error) time.Duration {
	b.Helper()
	start := time.Now()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := f(i); err != nil {
				b.Error(err)
			}
		})
	}
	wg.Wait()
	return time.Since(start)
}

// BenchmarkAccept accepts events over HTTP, every one synced to disk before its 202, and
// stores as many of the same as atomic batches of 100 on the same JetStream without HTTP.
// Targets: batch-ratio at least 0.8, single-ratio (64 clients, an event a request) at least
// 0.4, and single-p99-ms, at half of the single load, below 10. The clients' own work is in
// the same process.
func BenchmarkAccept(b *testing.B) {
	backend := openBackend(b, b.TempDir())
	s := &sender{stand: startStand(b, backend, app.Options{}), client: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: singleClients},
	}}
	b.Cleanup(s.client.CloseIdleConnections)
	var err error
	if s.js, err = jetstream.New(backend.NATS); err != nil {
		b.Fatal(err)
	}
	var direct, batched, single time.Duration
	rounds := 0
	for b.Loop() {
		b.StopTimer()
		rounds++
		direct += s.direct(b)
		b.StartTimer()
		batched += s.batched(b)
		single += s.single(b)
	}
	perSecond := func(events int, d time.Duration) float64 { return float64(rounds*events) / d.Seconds() }
	base := perSecond(batchEvents, direct)
	b.ReportMetric(base, "direct-events/s")
	b.ReportMetric(perSecond(batchEvents, batched), "batch-events/s")
	b.ReportMetric(perSecond(batchEvents, batched)/base, "batch-ratio")
	b.ReportMetric(perSecond(singleEvents, single), "single-events/s")
	b.ReportMetric(perSecond(singleEvents, single)/base, "single-ratio")
	latencies := s.paced(b, perSecond(singleEvents, single)/2)
	b.ReportMetric(quantile(latencies, 0.5), "single-p50-ms")
	b.ReportMetric(quantile(latencies, 0.99), "single-p99-ms")
}

func (s *sender) direct(b *testing.B) time.Duration {
	events := s.events(b, batchEvents)
	return atOnce(b, batchClients, func(i int) error {
		for n := range batchesEach {
			from := (i*batchesEach + n) * batchSize
			if err := s.batch(b.Context(), events[from:from+batchSize]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *sender) batched(b *testing.B) time.Duration {
	events := s.events(b, batchEvents)
	var bodies [][]byte
	for from := 0; from < len(events); from += batchSize {
		bodies = append(bodies, bytes.Join(events[from:from+batchSize], []byte("\n")))
	}
	return atOnce(b, batchClients, func(i int) error {
		for _, body := range bodies[i*batchesEach : (i+1)*batchesEach] {
			if err := s.post("application/x-ndjson", body); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *sender) single(b *testing.B) time.Duration {
	events := s.events(b, singleEvents)
	return atOnce(b, singleClients, func(i int) error {
		for _, e := range events[i*singlesEach : (i+1)*singlesEach] {
			if err := s.post("application/json", e); err != nil {
				return err
			}
		}
		return nil
	})
}

// paced sends single events at a rate and returns how long after its time each was
// accepted, so that what waits behind a slow one is counted.
func (s *sender) paced(b *testing.B, perSecond float64) []time.Duration {
	events := s.events(b, singleClients*pacedPerClient)
	latencies := make([]time.Duration, len(events))
	gap := time.Duration(float64(time.Second) / perSecond)
	start := time.Now().Add(10 * time.Millisecond)
	atOnce(b, singleClients, func(i int) error {
		timer := time.NewTimer(0)
		defer timer.Stop()
		for n := range pacedPerClient {
			at := n*singleClients + i
			due := start.Add(time.Duration(at) * gap)
			timer.Reset(time.Until(due))
			<-timer.C
			if err := s.post("application/json", events[at]); err != nil {
				return err
			}
			latencies[at] = time.Since(due)
		}
		return nil
	})
	return latencies
}
