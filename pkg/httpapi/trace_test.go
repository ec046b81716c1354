package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/httpapi"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/recall"
)

// teller has one recall and the profile of one user.
type teller struct{}

func (teller) Trace(_ context.Context, s memory.Scope, id string) (recall.Account, error) {
	if s != owner || id != "r 1/2" {
		return recall.Account{}, fmt.Errorf("find: %w", recall.ErrNoTrace)
	}
	return recall.Account{RecallID: id, Query: "where do I live?", Memories: []recall.Accounted{}, Candidates: []recall.Candidate{}}, nil
}

func (teller) Latest(_ context.Context, s memory.Scope, t memory.Thread, limit int) ([]recall.Summary, error) {
	return []recall.Summary{{RecallID: fmt.Sprint(s.Tenant, s.Owner.ID, t, limit)}}, nil
}

func (teller) Profile(_ context.Context, s memory.Scope) (recall.Profile, error) {
	p := recall.Profile{Profile: map[string]any{}, Sources: map[string]recall.Source{}, Unfit: []profile.Unfit{}}
	if s == owner {
		p.Profile["user"] = map[string]any{"city": "杭州"}
		p.Sources["/user/city"] = recall.Source{Memory: "m1", Disputed: true}
	}
	return p, nil
}

func TestTracesAndProfiles(t *testing.T) {
	h := httpapi.New(httpapi.Config{Table: door.New(door.Services{Tell: teller{}, Profile: teller{}})})
	for _, c := range []struct {
		path   string
		status int
		want   string
	}{
		{"/v1/recalls/r%201%2F2?user=u1", http.StatusOK, `"query":"where do I live?"`},
		{"/v1/recalls/r%201%2F2?user=u1&tenant=default", http.StatusOK, `"recall_id":"r 1/2"`},
		{"/v1/recalls/r%201%2F2?user=u2", http.StatusNotFound, "no such recall"},
		{"/v1/recalls/r%201%2F2?user=u1&tenant=other", http.StatusNotFound, "no such recall"},
		{"/v1/recalls/r2?user=u1", http.StatusNotFound, "no such recall"},
		{"/v1/recalls/r2", http.StatusBadRequest, `"field":"user"`},
		{"/v1/recalls/r2?user=u1&all=true", http.StatusBadRequest, `"field":"all"`},
		{"/v1/recalls?user=u1", http.StatusOK, `"recall_id":"defaultu10"`},
		{"/v1/recalls?user=u1&tenant=acme&thread=%E4%B8%80&limit=7", http.StatusOK, `"recall_id":"acmeu1一7"`},
		{"/v1/recalls?user=u1&limit=101", http.StatusBadRequest, `"field":"limit"`},
		{"/v1/recalls?user=u1&limit=x", http.StatusBadRequest, `"field":"limit"`},
		{"/v1/recalls?user=u1&thread=" + strings.Repeat("t", 257), http.StatusBadRequest, `"field":"thread"`},
		{"/v1/recalls", http.StatusBadRequest, `"field":"user"`},
		{"/v1/profile?user=u1", http.StatusOK, `{"profile":{"user":{"city":"杭州"}},"sources":{"/user/city":{"memory_id":"m1",`},
		{"/v1/profile?user=u2", http.StatusOK, `{"profile":{},"sources":{},"unfit":[]}`},
		{"/v1/profile?user=", http.StatusBadRequest, `"field":"user"`},
		{"/v1/profile?user=u1&key=x", http.StatusBadRequest, `"field":"key"`},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, c.path, nil))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("GET %s = %d %s, want %d with %s", c.path, w.Code, w.Body, c.status, c.want)
		}
	}
}
