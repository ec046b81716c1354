package httpapi

import (
	"net"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/mnemond/mnemond/pkg/door"
)

func localOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			writeProblem(w, door.Problem{
				Status: http.StatusMisdirectedRequest, Title: "misdirected request", Field: "Host",
				Detail: "only requests to localhost are answered here",
			})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// withProblems answers for what has no operation, or none for the method, in the form of every
// other problem.
func withProblems(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		refusal := refused{header: w.Header(), status: http.StatusNotFound}
		h.ServeHTTP(&refusal, r)
		writeProblem(w, door.Problem{Status: refusal.status, Title: strings.ToLower(http.StatusText(refusal.status))})
	})
}

// refused takes the status and the headers (Allow) of the mux's own refusal, not its text.
type refused struct {
	header http.Header
	status int
}

func (r *refused) Header() http.Header         { return r.header }
func (r *refused) WriteHeader(status int)      { r.status = status }
func (r *refused) Write(b []byte) (int, error) { return len(b), nil }

// headerRequestID names a request, in it and in its reply.
const headerRequestID = "X-Request-Id"

// maxRequestID bounds a request id that is taken from the request, in bytes.
const maxRequestID = 128

// withRequestID gives every reply the id of its request, and every request without a usable
// one a new id.
func withRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(headerRequestID)
		if !printable(id, maxRequestID) {
			id = uuid.Must(uuid.NewV7()).String()
		}
		w.Header().Set(headerRequestID, id)
		next.ServeHTTP(w, r)
	})
}

// printable reports whether s is 1 to most printable ASCII characters.
func printable(s string, most int) bool {
	return s != "" && len(s) <= most && !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' })
}
