package app_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mnemond/mnemond/pkg/app"
)

// crowded is a whole installation on loopback, and clients of it.
type crowded struct {
	*app.Stack
	url    string
	client *http.Client
	close  func()
}

// startCrowded starts it. Close ends it, and every connection of its clients.
func startCrowded(t *testing.T, clients int) *crowded {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	b, err := app.OpenEmbedded(t.Context(), app.EmbeddedConfig{Dir: t.TempDir()}, log)
	must(t, err)
	s, err := app.NewStack(t.Context(), b, app.DefaultConfig(), app.Options{Logger: log})
	must(t, err)
	l, err := net.Listen("tcp", anywhere)
	must(t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- s.RunAll(ctx, l) }()
	transport := &http.Transport{MaxIdleConns: clients, MaxIdleConnsPerHost: clients}
	var once sync.Once
	c := &crowded{Stack: s, url: "http://" + l.Addr().String(), client: &http.Client{Transport: transport}}
	c.close = func() {
		once.Do(func() {
			transport.CloseIdleConnections()
			stop()
			if err := errors.Join(<-done, b.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(c.close)
	return c
}

// post sends a request and wants a status of 2xx.
func (c *crowded) post(ctx context.Context, method, path, body string) error {
	r, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := c.client.Do(r)
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	if resp.StatusCode > 299 {
		return fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, raw)
	}
	return nil
}

// step is the i-th request of a client: it says something, recalls, puts a document or looks
// for one.
func (c *crowded) step(ctx context.Context, client, i int) (what string, err error) {
	user := fmt.Sprintf("crowd-%d", client)
	switch i % 10 {
	case 0, 2, 4, 6:
		event := fmt.Sprintf(`{"specversion":"1.0","id":"%s-%d","source":"/load","type":"mnemond.turn.v1","user":%q,"thread":"t%d",`+
			`"data":{"messages":[{"role":"user","content":"I like tea number %d. 我喜欢第%d种茶。"}]}}`, user, i, user, i/40, i%50, i%50)
		return "ingest", c.post(ctx, http.MethodPost, "/v1/events", event)
	case 8:
		body := fmt.Sprintf(`{"user":%q,"namespace":["notes"],"key":"k%d","value":{"text":"note %d about tea 茶"}}`, user, i%20, i)
		return "put", c.post(ctx, http.MethodPut, "/v1/store/items", body)
	case 9:
		return "search", c.post(ctx, http.MethodPost, "/v1/store/items/search", fmt.Sprintf(`{"user":%q,"query":"tea 茶"}`, user))
	default:
		return "recall", c.post(ctx, http.MethodPost, "/v1/recall", fmt.Sprintf(`{"user":%q,"query":"which tea do I like? 我喜欢什么茶？"}`, user))
	}
}

// load has so many clients make their requests, each up to so many, until ctx ends, and
// returns how long each took, by what it was.
func (c *crowded) load(ctx context.Context, t *testing.T, clients, each int) map[string][]time.Duration {
	t.Helper()
	var mu sync.Mutex
	took := map[string][]time.Duration{}
	var wg sync.WaitGroup
	var failed atomic.Int64
	for client := range clients {
		wg.Go(func() {
			for i := 0; i < each && ctx.Err() == nil; i++ {
				start := time.Now()
				what, err := c.step(t.Context(), client, i) // what has begun is finished
				if err != nil {
					if failed.Add(1) <= 5 {
						t.Errorf("client %d, request %d, %s: %v", client, i, what, err)
					}
					return
				}
				mu.Lock()
				took[what] = append(took[what], time.Since(start))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return took
}

// heap is what is held after a collection, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what has a finalizer goes with the second
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Bounds of the memory that a load leaves behind: the embedded engine and the embedded server
// hold what they were given, so much a request, besides what they had.
const (
	heapFactor     = 2
	heapPerRequest = 6 << 10
)

// TestLoad has many clients publish, recall, put and search at once, beside slow ones that hold
// on to their connections. There is no error, no goroutine is left, and memory is bounded by
// what was stored. MNEMOND_TEST_LOAD=1m is the long run: 200 clients for that time.
func TestLoad(t *testing.T) {
	clients, each, length := 20, 50, time.Minute
	long := os.Getenv("MNEMOND_TEST_LOAD")
	if long != "" {
		var err error
		length, err = time.ParseDuration(long)
		must(t, err)
		clients, each = 200, 100_000
	}
	left := goleak.IgnoreCurrent()
	c := startCrowded(t, clients)
	c.load(t.Context(), t, clients, 10) // everything that is made once is there
	before := heap()
	slow := c.slow(t, clients/4)
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	start := time.Now()
	took := c.load(ctx, t, clients, each)
	lasted := time.Since(start)
	requests := 0
	for _, what := range []string{"ingest", "recall", "put", "search"} {
		d := took[what]
		if len(d) == 0 {
			t.Fatalf("no %s", what)
		}
		slices.Sort(d)
		requests += len(d)
		t.Logf("%-6s %7d requests, %6.0f a second, p50 %.1f ms, p99 %.1f ms", what, len(d), float64(len(d))/lasted.Seconds(),
			milliseconds(d[len(d)/2]), milliseconds(d[len(d)*99/100]))
	}
	slow.end(t, long != "")
	after := heap()
	t.Logf("%d clients, %.1f s, %.0f requests a second, heap %.1f MB before and %.1f MB after", clients, lasted.Seconds(),
		float64(requests)/lasted.Seconds(), float64(before)/(1<<20), float64(after)/(1<<20))
	if most := heapFactor*before + uint64(requests)*heapPerRequest; after > most {
		t.Errorf("the heap has %d bytes after %d requests, want at most %d (it had %d)", after, requests, most, before)
	}
	c.close()
	goleak.VerifyNone(t, left)
}

// sluggish are clients that hold on to their connections.
type sluggish struct {
	stop chan struct{}
	wg   sync.WaitGroup
	// drips count the bytes that were sent one by one, cut the connections that the server has
	// ended.
	drips, cut atomic.Int64
	n          int64
}

// slow starts n clients of each kind: one sends its header, another its body byte by byte, and a
// third asks again and again for what is long, and never reads.
func (c *crowded) slow(t *testing.T, n int) *sluggish {
	t.Helper()
	s := &sluggish{stop: make(chan struct{}), n: int64(n)}
	header := "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Slow: " + strings.Repeat("x", 60_000)
	whole := "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
	get := "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for range n {
		s.connect(t, c.url, "", func(w net.Conn) error { return s.drip(w, header) })
		s.connect(t, c.url, whole, func(w net.Conn) error { return s.drip(w, strings.Repeat(" ", 59_999)) })
		s.connect(t, c.url, "", func(w net.Conn) error {
			for range 200 {
				if _, err := io.WriteString(w, get); err != nil {
					return err
				}
			}
			<-s.stop
			return nil
		})
	}
	return s
}

// connect opens a connection, sends what comes at once, and has the rest sent slowly.
func (s *sluggish) connect(t *testing.T, url, first string, rest func(net.Conn) error) {
	t.Helper()
	w, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	must(t, err)
	_, err = io.WriteString(w, first)
	must(t, err)
	s.wg.Go(func() {
		if rest(w) != nil {
			s.cut.Add(1)
		}
	})
	s.wg.Go(func() {
		<-s.stop
		_ = w.Close() // the server may have done so
	})
}

// drip sends text byte by byte until it is told to stop; an error when the server has had enough.
func (s *sluggish) drip(w net.Conn, text string) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for i := range len(text) {
		select {
		case <-s.stop:
			return nil
		case <-tick.C:
		}
		if _, err := w.Write([]byte{text[i]}); err != nil {
			return err
		}
		s.drips.Add(1)
	}
	return nil
}

// end closes the connections. After a long run, the server has ended those that sent too slowly.
func (s *sluggish) end(t *testing.T, long bool) {
	t.Helper()
	if got := s.cut.Load(); long && got < s.n {
		t.Errorf("of %d slow clients of each kind the server has cut %d off", s.n, got)
	}
	if s.drips.Load() == 0 {
		t.Error("nothing was sent slowly: the test would show nothing")
	}
	t.Logf("%d slow clients sent %d bytes, and %d were cut off", 3*s.n, s.drips.Load(), s.cut.Load())
	close(s.stop)
	s.wg.Wait()
}

// TestASlowClientHoldsNothingUp: with clients that send byte by byte and ones that never read,
// others are answered, and the slow ones still wait for theirs.
func TestASlowClientHoldsNothingUp(t *testing.T) {
	c := startCrowded(t, 10)
	slow := c.slow(t, 40)
	w, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(c.url, "http://"))
	must(t, err)
	defer func() { _ = w.Close() }()
	body := `{"user":"slow","query":"tea"}`
	var request bytes.Buffer
	fmt.Fprintf(&request, "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	for _, b := range request.Bytes() { // between two bytes, somebody else is answered
		_, err := w.Write([]byte{b})
		must(t, err, c.post(t.Context(), http.MethodPost, "/v1/recall", `{"user":"quick","query":"tea"}`))
	}
	resp, err := http.ReadResponse(bufio.NewReader(w), nil)
	must(t, err)
	must(t, resp.Body.Close())
	if resp.StatusCode != http.StatusOK {
		t.Errorf("who was slow is answered with %s", resp.Status)
	}
	slow.end(t, false)
}
