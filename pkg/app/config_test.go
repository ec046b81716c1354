package app_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"

	"github.com/mnemond/mnemond/pkg/app"
)

// documented reads the table of variables in docs/operations.md: each with its default.
func documented(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([^`]*)`")
	words := func(cell string) []string {
		var out []string
		for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
			out = append(out, m[1])
		}
		return out
	}
	out := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.Contains(cells[1], "`MNEMOND_") && !strings.Contains(cells[1], "`OPENAI_") {
			continue
		}
		defaults := words(cells[2])
		for i, name := range words(cells[1]) {
			if _, ok := out[name]; ok {
				t.Errorf("%s is documented twice", name)
			}
			out[name] = ""
			if i < len(defaults) {
				out[name] = defaults[i]
			}
		}
	}
	return out
}

func variables(t *testing.T) map[string]string {
	t.Helper()
	params, err := env.GetFieldParams(&app.Config{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range params {
		if p.OwnKey != "" {
			out[p.Key] = p.DefaultValue
		}
	}
	return out
}

// TestTheDocumentedConfigurationIsTheRealOne: every variable with its default, and no other.
func TestTheDocumentedConfigurationIsTheRealOne(t *testing.T) {
	docs, code := documented(t), variables(t)
	if len(code) < 15 {
		t.Fatalf("only %d variables were found: the test would show little", len(code))
	}
	for name, def := range code {
		got, ok := docs[name]
		switch {
		case !ok:
			t.Errorf("%s is not in docs/operations.md", name)
		case got != def && (got != "false" || def != ""):
			t.Errorf("%s is documented with the default %q, and it is %q", name, got, def)
		}
	}
	for name := range docs {
		if _, ok := code[name]; !ok {
			t.Errorf("%s is in docs/operations.md, and nothing reads it", name)
		}
	}
	raw, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`MNEMOND_[A-Z_]+`).FindAllString(string(raw), -1) {
		if _, ok := code[name]; !ok {
			t.Errorf("docs/operations.md speaks of %s, which nothing reads", name)
		}
	}
}

// clearEnv takes every variable of mnemond's out of the environment for the test.
func clearEnv(t *testing.T) {
	t.Helper()
	for name := range variables(t) {
		t.Setenv(name, "") // so that it comes back after the test
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWithoutAnEnvironmentThereAreDefaults(t *testing.T) {
	clearEnv(t)
	got, err := app.LoadConfig()
	if err != nil || !reflect.DeepEqual(got, app.DefaultConfig()) {
		t.Errorf("LoadConfig = %+v, %v, want %+v", got, err, app.DefaultConfig())
	}
}

func TestTheEnvironmentIsRead(t *testing.T) {
	clearEnv(t)
	for name, value := range map[string]string{
		"MNEMOND_STREAM_URL": "nats://a:4222,nats://b:4222", "MNEMOND_STREAM_REPLICAS": "3", "MNEMOND_QDRANTSTORE_API_KEY": "k",
		"MNEMOND_TIMERS_QUIET": "90s", "MNEMOND_WORKER_BACKOFF_MAX": "2m", "MNEMOND_HTTPAPI_LISTEN": "[::1]:80",
		"MNEMOND_STREAM_ACCEPT_RESET_STREAMS": "true",
	} {
		t.Setenv(name, value)
	}
	got, err := app.LoadConfig()
	if err != nil {
		t.Fatal(err)
	}
	want := app.DefaultConfig()
	want.Stream.URL, want.Stream.Replicas, want.Stream.AcceptResetStreams = "nats://a:4222,nats://b:4222", 3, true
	want.QdrantStore.APIKey, want.HTTP.Listen = "k", "[::1]:80"
	want.Timers.Quiet, want.Worker.BackoffMax = 90*time.Second, 2*time.Minute
	if !reflect.DeepEqual(got, want) {
		t.Errorf("LoadConfig = %+v, want %+v", got, want)
	}
}

func TestAnUnusableValueNamesItsVariable(t *testing.T) {
	for _, c := range []struct{ name, value string }{
		{"MNEMOND_TIMERS_QUIET", "soon"}, {"MNEMOND_TIMERS_QUIET", "-1s"}, {"MNEMOND_TIMERS_MAX_WAIT", "5"}, {"MNEMOND_TIMERS_MAX_TURNS", "many"},
		{"MNEMOND_TIMERS_MAX_TOKENS", "0"}, {"MNEMOND_STREAM_REPLICAS", "2"}, {"MNEMOND_STREAM_REPLICAS", "three"}, {"MNEMOND_STREAM_EVENTS_MAX_AGE", "30d"},
		{"MNEMOND_STREAM_DUPLICATES", "0s"}, {"MNEMOND_STREAM_ACCEPT_RESET_STREAMS", "perhaps"}, {"MNEMOND_WORKER_CONCURRENCY", "-1"},
		{"MNEMOND_WORKER_MAX_ATTEMPTS", "0"}, {"MNEMOND_WORKER_MAX_CRASHES", "1.5"}, {"MNEMOND_WORKER_ACK_WAIT", "x"}, {"MNEMOND_WORKER_BACKOFF_MIN", "0"},
		{"MNEMOND_WORKER_BACKOFF_MAX", "1ms"}, {"MNEMOND_HTTPAPI_LISTEN", "7460"}, {"MNEMOND_HTTPAPI_LISTEN", "0.0.0.0:7460"},
		{"MNEMOND_HTTPAPI_ALLOW_UNAUTHENTICATED", "yes please"}, {"MNEMOND_AUTH_KEYS", "some"}, {"MNEMOND_AUTH_JWT_ISSUER", "https://id.example.com"},
		{"MNEMOND_AUTH_JWT_AUDIENCE", "mnemond"}, {"MNEMOND_AUTH_JWT_JWKS_URL", "https://id.example.com/keys"}, {"MNEMOND_RATE_PER_SECOND", "-1"},
		{"MNEMOND_RATE_PER_SECOND", "many"}, {"MNEMOND_RATE_BURST", "-1"}, {"MNEMOND_RATE_FAILURES_PER_MINUTE", "-0.1"},
		{"MNEMOND_TLS_CERT_FILE", "cert.pem"}, {"MNEMOND_TLS_KEY_FILE", "key.pem"},
		{"MNEMOND_RECALL_SIMILARITY", "much"}, {"MNEMOND_RECALL_SIMILARITY", "0"}, {"MNEMOND_RECALL_SIMILARITY", "NaN"}, {"MNEMOND_RECALL_RECENCY", "-0.1"},
		{"MNEMOND_RECALL_IMPORTANCE", "+Inf"}, {"MNEMOND_RECALL_TIER", "NaN"}, {"MNEMOND_RECALL_HALF_LIFE", "0s"}, {"MNEMOND_RECALL_HALF_LIFE", "30 days"},
		{"MNEMOND_RECALL_FLOOR", "1"}, {"MNEMOND_RECALL_FLOOR", "-0.2"}, {"MNEMOND_RECALL_FLOOR", "NaN"},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			clearEnv(t)
			t.Setenv(c.name, c.value)
			_, err := app.LoadConfig()
			if err == nil || !strings.Contains(err.Error(), c.name) {
				t.Errorf("LoadConfig = %v, want an error that names %s", err, c.name)
			}
		})
	}
	t.Run("several at once", func(t *testing.T) {
		clearEnv(t)
		t.Setenv("MNEMOND_TIMERS_QUIET", "soon")
		t.Setenv("MNEMOND_STREAM_REPLICAS", "three")
		t.Setenv("MNEMOND_QDRANTSTORE_API_KEY", "s3cret")
		_, err := app.LoadConfig()
		if err == nil || !strings.Contains(err.Error(), "MNEMOND_TIMERS_QUIET") || !strings.Contains(err.Error(), "MNEMOND_STREAM_REPLICAS") {
			t.Errorf("LoadConfig = %v, want an error that names both", err)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") {
			t.Errorf("LoadConfig = %v: it shows a key", err)
		}
	})
}

func TestAnAddressThatOthersReachIsRefused(t *testing.T) {
	for address, ok := range map[string]bool{
		"127.0.0.1:7460": true, "127.8.8.8:1": true, "localhost:0": true, "[::1]:7460": true,
		":7460": false, "0.0.0.0:7460": false, "[::]:7460": false, "192.168.1.2:80": false, "example.com:80": false, "[fe80::1]:80": false,
		"localhost.example.com:80": false, "127.0.0.1": false, "": false, "nonsense": false,
	} {
		c := app.Config{HTTP: app.HTTPConfig{Listen: address}}
		err := c.ValidateHTTP()
		if (err == nil) != ok {
			t.Errorf("ValidateHTTP(%q) = %v, want ok = %v", address, err, ok)
		}
		if err != nil && !strings.Contains(err.Error(), "MNEMOND_HTTPAPI_LISTEN") {
			t.Errorf("ValidateHTTP(%q) = %v, want the variable named", address, err)
		}
	}
	jwt := app.JWTConfig{Issuer: "https://id.example.com", Audience: "mnemond", JWKSURL: "https://id.example.com/keys"}
	for name, c := range map[string]app.Config{
		"on purpose": {HTTP: app.HTTPConfig{AllowUnauthenticated: true}}, "with keys": {Auth: app.AuthConfig{Keys: true}},
		"with tokens": {Auth: app.AuthConfig{JWT: jwt}},
	} {
		c.HTTP.Listen = "0.0.0.0:7460"
		if err := c.ValidateHTTP(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		c.HTTP.Listen = "0.0.0.0"
		if err := c.ValidateHTTP(); err == nil {
			t.Errorf("%s an address without a port is allowed", name)
		}
	}
	jwt.JWKSURL = "http://id.example.com/keys"
	c := app.Config{HTTP: app.HTTPConfig{Listen: "127.0.0.1:0"}, Auth: app.AuthConfig{JWT: jwt}}
	if err := c.ValidateHTTP(); err == nil || !strings.Contains(err.Error(), "MNEMOND_AUTH_JWT_JWKS_URL") {
		t.Errorf("keys of an issuer without TLS: %v, want the variable named", err)
	}
}
