package httpapi

import (
	"net"
	"net/http"
	"strings"

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
		detail := "there is no such path: /openapi.json lists those that there are"
		if allowed := w.Header().Get("Allow"); allowed != "" {
			detail = "this path takes " + allowed
		}
		writeProblem(w, door.Problem{Status: refusal.status, Title: strings.ToLower(http.StatusText(refusal.status)), Detail: detail})
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

// withRequestID gives every reply the id of its request.
func withRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(door.RequestIDHeader, door.NameRequest(r.Header.Get(door.RequestIDHeader)))
		next.ServeHTTP(w, r)
	})
}
