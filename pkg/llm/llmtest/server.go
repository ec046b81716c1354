// Package llmtest is a server that speaks the part of the OpenAI API that mnemond uses: it
// answers as a good model would, as a script says, or misbehaves on demand. It knows only what
// stands in the requests that it gets, so that whoever talks to it goes the whole way.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/mnemond/mnemond/pkg/memory"
)

// Extractor finds what the server answers where nothing is scripted.
type Extractor interface {
	Extract(ctx context.Context, in memory.Extraction) ([]memory.Candidate, []memory.Directive, error)
}

// Script is the content of the model's reply to a prompt; ok is false where it says nothing
// about that prompt.
type Script func(Prompt) (content string, ok bool)

// Options are what a Server is made of. The zero value finds nothing in any conversation.
type Options struct {
	// Fallback answers what is not scripted; nil finds nothing.
	Fallback Extractor
	// APIKey is demanded of every request, unless it is empty.
	APIKey string
	// ContextTokens is how many tokens of prompt and reply fit; 0 is no bound.
	ContextTokens int
	// Dimensions is the length of embeddings; default 8.
	Dimensions int
	// MaxBatch is how many texts one embeddings request may hold; 0 is no bound.
	MaxBatch int
	// MaxText is how many bytes a text to embed may have; 0 is no bound.
	MaxText int
	// Embed makes the embeddings, of Dimensions each; nil makes some up from the letters.
	Embed func(ctx context.Context, texts []string) ([][]float32, error)
}

// Server is such a server, on a port of its own on loopback. Its methods may be called at any
// time from any goroutine.
type Server struct {
	opts   Options
	url    string
	http   *http.Server
	served chan error
	closed chan struct{}

	mu             sync.Mutex
	script         Script
	quirk          func(Prompt) Quirk
	embeddingQuirk Quirk
	calls          int
	embeddings     int
	outages        int
}

// Start starts a server. Close it.
func Start(o Options) (*Server, error) {
	if o.Dimensions == 0 {
		o.Dimensions = 8
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	s := &Server{
		opts: o, url: "http://" + l.Addr().String() + "/v1",
		served: make(chan error, 1), closed: make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("POST /v1/embeddings", s.embed)
	s.http = &http.Server{Handler: mux}
	go func() { s.served <- s.http.Serve(l) }()
	return s, nil
}

// URL is the base URL for a client, with /v1.
func (s *Server) URL() string { return s.url }

// Close stops the server; requests that are being answered are cut off.
func (s *Server) Close() error {
	close(s.closed)
	err := s.http.Close()
	if served := <-s.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

// SetScript scripts the replies from now on; nil ends it.
func (s *Server) SetScript(script Script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

// SetQuirk makes the model misbehave from now on; QuirkNone ends it.
func (s *Server) SetQuirk(q Quirk) {
	s.SetQuirkFor(func(Prompt) Quirk { return q })
}

// SetQuirkFor makes the model misbehave for some prompts.
func (s *Server) SetQuirkFor(of func(Prompt) Quirk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quirk = of
}

// SetEmbeddingQuirk makes embeddings misbehave from now on.
func (s *Server) SetEmbeddingQuirk(q Quirk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.embeddingQuirk = q
}

// Calls is how many chat completions have been asked for, refused ones included.
func (s *Server) Calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// EmbeddingCalls is how many requests for embeddings there were.
func (s *Server) EmbeddingCalls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.embeddings
}

func (s *Server) authorized(w http.ResponseWriter, r *http.Request) bool {
	if s.opts.APIKey == "" || r.Header.Get("Authorization") == "Bearer "+s.opts.APIKey {
		return true
	}
	fail(w, http.StatusUnauthorized, problem{Message: "Incorrect API key provided", Type: "invalid_request_error", Code: "invalid_api_key"})
	return false
}

// problem is the API's form of an error.
type problem struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Code    string `json:"code,omitempty"`
}

func fail(w http.ResponseWriter, status int, p problem) {
	write(w, status, map[string]problem{"error": p})
}

// write sends JSON. A client that has gone away is no fault of the server's.
func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
