package app_test

import (
	"flag"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/app"
)

// TestMisspeltVariablesAreFound: and neither those that exist nor what Kubernetes injects.
func TestMisspeltVariablesAreFound(t *testing.T) {
	got, err := app.Unknown([]string{
		"MNEMOND_TIMERS_QIET=5s", "MNEMOND_TIMERS_QUIET=5s", "MNEMOND_URL=http://x", "MNEMOND_API_KEY=k", "HOME=/", "MNEMOND_TEST_QDRANT=x",
		"MNEMOND_RECALL_SERVICE_HOST=10.0.0.1", "MNEMOND_RECALL_SERVICE_PORT_HTTP=80", "MNEMOND_RECALL_PORT=tcp://10.0.0.1:80",
		"MNEMOND_RECALL_PORT_80_TCP_ADDR=10.0.0.1", "MNEMOND_RECALL_FLOOR=0.1", "MNEMOND_HTTP_LISTEN=:80", "OPENAI_ORG=x", "MNEMOND_AUTH_JWT_ISSUER=",
	})
	if want := []string{"MNEMOND_HTTP_LISTEN", "MNEMOND_TIMERS_QIET"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Unknown = %v, %v, want %v", got, err, want)
	}
}

func TestAModelThatIsNamedNeedsAServer(t *testing.T) {
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{map[string]string{"MNEMOND_LLM_MODEL": "qwen3"}, "MNEMOND_LLM_MODEL"},
		{map[string]string{"MNEMOND_EMBED_MODEL": "bge-m3"}, "MNEMOND_EMBED_MODEL"},
		{map[string]string{"MNEMOND_LLM_MODEL": "qwen3", "MNEMOND_EMBED_BASE_URL": "http://127.0.0.1:1/v1"}, "OPENAI_BASE_URL"},
		{map[string]string{"MNEMOND_EMBED_DIMENSIONS": "-1"}, "MNEMOND_EMBED_DIMENSIONS"},
		{map[string]string{"MNEMOND_LLM_MODEL": "qwen3", "MNEMOND_EMBED_MODEL": "bge-m3", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, ""},
		{map[string]string{"MNEMOND_LLM_MODEL": "gpt-4.1", "OPENAI_API_KEY": "k"}, ""},
		{map[string]string{"MNEMOND_EMBED_MODEL": "bge-m3", "MNEMOND_EMBED_BASE_URL": "http://127.0.0.1:1/v1"}, ""},
	} {
		t.Run("", func(t *testing.T) {
			clearEnv(t)
			for name, value := range c.set {
				t.Setenv(name, value)
			}
			_, err := app.LoadConfig()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("LoadConfig with %v = %v, want an error with %q", c.set, err, c.want)
			}
		})
	}
}

// TestAnUnusableValueSaysWhatOneLooksLike: the parsers' own words are those of Go.
func TestAnUnusableValueSaysWhatOneLooksLike(t *testing.T) {
	for name, c := range map[string]struct{ value, want string }{
		"MNEMOND_AUTH_KEYS": {"maybe", "true or false"}, "MNEMOND_TIMERS_QUIET": {"30d", `"30s"`}, "MNEMOND_TIMERS_MAX_TURNS": {"many", "whole number"},
		"MNEMOND_RATE_PER_SECOND": {"many", "a number"},
	} {
		clearEnv(t)
		t.Setenv(name, c.value)
		if _, err := app.LoadConfig(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: %v, want %q in it", name, c.value, err, c.want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		ok   bool
		want string
	}{
		{"", 0, true, ""}, {"-once purge", 0, true, ""}, {"--help", 0, false, "docs/operations.md"}, {"-loud", 2, false, "-loud"}, {"now", 2, false, "unexpected argument now"},
	} {
		var out strings.Builder
		flags := flag.NewFlagSet("reaper", flag.ContinueOnError)
		flags.String("once", "", "do this `job`")
		code, ok := app.Arguments(flags, "does things", strings.Fields(c.args), io.Writer(&out))
		if code != c.code || ok != c.ok || !strings.Contains(out.String(), c.want) {
			t.Errorf("%q: %d, %t, %q, want %d, %t, %q", c.args, code, ok, out.String(), c.code, c.ok, c.want)
		}
	}
}
