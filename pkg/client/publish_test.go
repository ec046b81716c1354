package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/client"
	"github.com/mnemond/mnemond/pkg/event"
)

// server takes events as the HTTP API does, or answers as the test says.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	events []event.Event
	tries  [][]string
	answer func(try int, events []event.Event) (status int, body string)
}

func startServer(t testing.TB) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var events []event.Event
	if err := json.NewDecoder(r.Body).Decode(&events); err != nil || r.URL.Path != "/v1/events" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var ids []string
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	s.tries = append(s.tries, ids)
	if s.answer != nil {
		if status, body := s.answer(len(s.tries), events); status != 0 {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
			return
		}
	}
	s.events = append(s.events, events...)
	w.WriteHeader(http.StatusAccepted)
}

func (s *server) said() (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		turn, _ := e.Turn()
		for _, m := range turn.Messages {
			out = append(out, m.Content)
		}
	}
	return out
}

func start(t testing.TB, o client.Options) *client.Client {
	t.Helper()
	o.BackoffMin, o.BackoffMax = time.Millisecond, 2*time.Millisecond
	c, err := client.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func publish(c *client.Client, n int) {
	for i := range n {
		c.Thread("u1", "t1").Publish(client.User(fmt.Sprint("line ", i)))
	}
}

func closed(t testing.TB, c *client.Client) {
	t.Helper()
	if err := c.Close(testContext(t)); err != nil {
		t.Error(err)
	}
}

func want(t *testing.T, got []string, from, to int) {
	t.Helper()
	if len(got) != to-from {
		t.Fatalf("%d lines arrived, want %d: %.200q", len(got), to-from, got)
	}
	for i, line := range got {
		if line != fmt.Sprint("line ", from+i) {
			t.Fatalf("line %d is %q", from+i, line)
		}
	}
}

func TestPublishInOrderAndWithoutSecrets(t *testing.T) {
	s := startServer(t)
	c := start(t, client.Options{URL: s.URL})
	publish(c, 250)
	c.Thread("u1", "t1").Publish(client.User("我的密码是 Xk9#mQ2vL"))
	if err := c.Flush(testContext(t)); err != nil {
		t.Fatal(err)
	}
	got := s.said()
	want(t, got[:250], 0, 250)
	if strings.Contains(got[250], "Xk9#mQ2vL") || !strings.Contains(got[250], "密码") {
		t.Errorf("a secret left as %q", got[250])
	}
	if st := c.Stats(); st.Queued != 251 || st.Sent != 251 || st.Pending != 0 || len(st.Dropped) != 0 {
		t.Errorf("counted %+v", st)
	}
	closed(t, c)
}

func TestRetriesHaveTheSameIDs(t *testing.T) {
	s := startServer(t)
	s.answer = func(try int, _ []event.Event) (int, string) {
		return []int{0, 503, 429, 500, 0}[min(try, 4)], ""
	}
	c := start(t, client.Options{URL: s.URL})
	id := c.Thread("u1", "t1").Publish(client.User("I live in Oslo."))
	closed(t, c)
	for _, ids := range s.tries {
		if len(ids) != 1 || ids[0] != id {
			t.Errorf("tried with %q, want %q", ids, id)
		}
	}
	if st := c.Stats(); len(s.tries) != 4 || st.Sent != 1 || st.Retried != 3 {
		t.Errorf("%d tries, counted %+v", len(s.tries), st)
	}
}

func TestOneBadEventDoesNotTakeOthersAlong(t *testing.T) {
	s := startServer(t)
	var bad string
	s.answer = func(_ int, events []event.Event) (int, string) {
		for i, e := range events {
			if e.ID == bad {
				return 403, fmt.Sprintf(`{"status":403,"title":"forbidden","field":"user","index":%d}`, i)
			}
		}
		return 0, ""
	}
	var dropped []client.Dropped
	c := start(t, client.Options{URL: s.URL, Interval: time.Hour, OnDrop: func(d client.Dropped) { dropped = append(dropped, d) }})
	c.Thread("u1", "t1").Publish(client.User("line 0"))
	s.mu.Lock()
	bad = c.Thread("u2", "t1").Publish(client.User("refused"))
	s.mu.Unlock()
	c.Publish(event.Event{ID: "unfit", Type: "mnemond.turn.v1", User: "u1", Thread: "t1", Data: []byte(`{"messages":5}`)})
	c.Thread("u1", "t1").Publish(client.User("line 1"))
	closed(t, c)
	want(t, s.said(), 0, 2)
	var refused *client.Error
	var unfit *event.Error
	if len(dropped) != 2 || dropped[0].ID != "unfit" || !errors.As(dropped[0].Err, &unfit) ||
		dropped[1].ID != bad || !errors.As(dropped[1].Err, &refused) || refused.Field != "user" {
		t.Errorf("dropped %+v", dropped)
	}
}

func TestWhatGivesWayWhenItIsFull(t *testing.T) {
	for policy, first := range map[client.Policy]int{client.DropOldest: 6, client.DropNewest: 0} {
		s := startServer(t)
		c := start(t, client.Options{URL: s.URL, Full: policy, MaxEvents: 4, Interval: time.Hour})
		publish(c, 10)
		closed(t, c)
		want(t, s.said(), first, first+4)
		if st := c.Stats(); st.Dropped[client.DroppedFull] != 6 {
			t.Errorf("%s: counted %+v", policy, st)
		}
	}
}

func TestSpillOutlivesAnOutageAndARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spill")
	s := startServer(t)
	down := true
	s.answer = func(int, []event.Event) (int, string) {
		if down {
			return 503, ""
		}
		return 0, ""
	}
	o := client.Options{URL: s.URL, Full: client.Spill, SpillFile: file, MaxEvents: 400, Batch: 7}
	c := start(t, o)
	publish(c, 300)
	if _, err := client.New(o); !errors.Is(err, client.ErrInUse) {
		t.Errorf("a second client opens the file: %v", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Close(over); err != nil {
		t.Fatal(err)
	}
	if st := c.Stats(); st.Spilled != 300 || len(st.Dropped) != 0 {
		t.Errorf("counted %+v", st)
	}
	s.mu.Lock()
	down = false
	s.mu.Unlock()
	c = start(t, o)
	closed(t, c)
	want(t, s.said(), 0, 300)
}

func TestCloseWithoutAServer(t *testing.T) {
	c := start(t, client.Options{URL: "http://127.0.0.1:1"})
	publish(c, 3)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Close(over); err == nil || !strings.Contains(err.Error(), "3 events") {
		t.Errorf("close: %v", err)
	}
	publish(c, 1)
	if st := c.Stats(); st.Dropped[client.DroppedClosed] != 4 {
		t.Errorf("counted %+v", st)
	}
}

func BenchmarkPublish(b *testing.B) {
	for name, url := range map[string]string{"reachable": startServer(b).URL, "away": "http://127.0.0.1:1"} {
		b.Run(name, func(b *testing.B) {
			c := start(b, client.Options{URL: url})
			thread := c.Thread("u1", "t1")
			b.ReportAllocs()
			for b.Loop() {
				thread.Publish(client.User("I live in Oslo and take the tram."))
			}
			b.StopTimer()
			over, cancel := context.WithCancel(context.Background())
			cancel()
			_ = c.Close(over)
		})
	}
}
