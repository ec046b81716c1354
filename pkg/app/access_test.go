package app_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/app"
)

// get asks with a credential, and returns the status, the challenge and the answer.
func (in *installation) get(t *testing.T, path, token string) (status int, challenge, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, in.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "memory.example.com" // as a proxy in front passes on
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("WWW-Authenticate"), string(raw)
}

// TestWhoMayAsk drives an installation that lets API keys in.
func TestWhoMayAsk(t *testing.T) {
	natsAt, _ := startNATS(t)
	qdrantAt, _ := startQdrant(t, anywhere)
	c := crashConfig()
	c.Stream.URL, c.QdrantStore.Address = natsAt, qdrantAt
	c.Auth.Keys, c.Rate.FailuresPerMinute = true, 0
	var log written
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b, err := app.OpenExternal(c, "test", logger)
	if err != nil {
		t.Fatal(err)
	}
	in := run(t, b, c, logger)
	newKey := func(k access.Key) (access.Key, string) {
		made, token, err := access.NewKey(k, time.Now())
		if err == nil {
			err = in.Keys().Create(t.Context(), made)
		}
		if err != nil {
			t.Fatal(err)
		}
		return made, token
	}
	key, user := newKey(access.Key{Tenant: "acme", User: "张三", Role: access.RoleUser})
	_, agent := newKey(access.Key{Tenant: "acme", Role: access.RoleAgent})
	const list, mine, other = "/v1/memories", "/v1/memories?user=%E5%BC%A0%E4%B8%89", "/v1/memories?user=bob"
	until(t, "the keys are known", func() bool {
		for _, token := range []string{user, agent} {
			if status, _, _ := in.get(t, mine, token); status != http.StatusOK {
				return false
			}
		}
		return true
	})
	for _, c := range []struct {
		name, path, token string
		status            int
		says              string
	}{
		{"without a credential", mine, "", 401, ""},
		{"with a wrong one", mine, user[:len(user)-4] + "aaaa", 401, ""},
		{"the user's own", mine, user, 200, `"memories"`},
		{"the user's own, unsaid", list, user, 200, `"memories"`},
		{"another user's", other, user, 403, `"user"`},
		{"another tenant's", mine + "&tenant=globex", user, 403, `"tenant"`},
		{"any user's, by a backend", other, agent, 200, `"memories"`},
		{"of another tenant, by a backend", other + "&tenant=default", agent, 403, `"tenant"`},
		{"whether it lives", "/healthz", "", 200, "ok"},
	} {
		status, challenge, body := in.get(t, c.path, c.token)
		if status != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s: %d %s, want %d and %s", c.name, status, body, c.status, c.says)
		}
		if (challenge != "") != (c.status == 401) {
			t.Errorf("%s: the challenge is %q", c.name, challenge)
		}
	}
	if err := in.Keys().Revoke(t.Context(), "acme", key.ID, time.Now()); err != nil {
		t.Fatal(err)
	}
	until(t, "the key is revoked", func() bool {
		status, _, _ := in.get(t, mine, user)
		return status == http.StatusUnauthorized
	})
	if strings.Contains(log.String(), user) || strings.Contains(log.String(), agent) {
		t.Error("the log holds a key")
	}
}

// written is what was logged.
type written struct {
	mu sync.Mutex
	b  strings.Builder
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// until waits until what is so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for !so() {
		if ctx.Err() != nil {
			t.Fatalf("waited in vain until %s", what)
		}
	}
}
