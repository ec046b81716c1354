package httpapi_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/mnemond/mnemond/pkg/httpapi"
)

func TestLocalOnly(t *testing.T) {
	h := httpapi.New(httpapi.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), LocalOnly: true})
	for host, want := range map[string]int{
		"localhost": http.StatusOK, "localhost:7460": http.StatusOK, "127.0.0.1:7460": http.StatusOK, "127.8.8.8": http.StatusOK,
		"[::1]:7460": http.StatusOK, "[::1]": http.StatusOK,
		"rebound.example": http.StatusMisdirectedRequest, "rebound.example:7460": http.StatusMisdirectedRequest,
		"localhost.example": http.StatusMisdirectedRequest, "127.0.0.1.example": http.StatusMisdirectedRequest,
		"10.0.0.1:7460": http.StatusMisdirectedRequest, "": http.StatusMisdirectedRequest,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("Host %q: status %d, want %d", host, w.Code, want)
		}
	}
}
