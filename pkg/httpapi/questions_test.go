package httpapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/sim"
)

// desk is a whole installation behind its HTTP edge.
type desk struct {
	*sim.Sim
	events int
}

func startDesk(t *testing.T) *desk {
	t.Helper()
	s, err := sim.Start(t.Context(), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &desk{Sim: s}
}

// say has a user say each of the sentences on a day of its own.
func (d *desk) say(t *testing.T, user memory.User, sentences ...string) {
	t.Helper()
	for _, content := range sentences {
		d.events++
		d.Clock.Advance(d.Clock.Now().AddDate(0, 0, 1))
		e := event.Event{
			SpecVersion: "1.0", ID: fmt.Sprint("e", d.events), Source: "/test", Type: event.TypeTurn, Time: d.Clock.Now(),
			User: user, Thread: memory.Thread(fmt.Sprint("t", d.events)),
		}
		if err := e.SetTurn(event.Turn{Messages: []event.Message{{Role: memory.RoleUser, Content: content}}}); err != nil {
			t.Fatal(err)
		}
		seq, err := d.Publish(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Settle(t.Context(), e.Ref(), seq); err != nil {
			t.Fatal(err)
		}
	}
}

// call sends a request; into, unless nil, takes the answer.
func (d *desk) call(t *testing.T, method, path, body string, into any) (status int, answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, d.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	wantDescribed(t, method, path, resp.StatusCode, raw)
	if into != nil {
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatalf("%s %s answered %d with %q: %v", method, path, resp.StatusCode, raw, err)
		}
	}
	return resp.StatusCode, string(raw)
}

// pending are a user's open questions.
func (d *desk) pending(t *testing.T, user string) []memory.Question {
	t.Helper()
	var out struct{ Questions []memory.Question }
	if status, answer := d.call(t, "GET", "/v1/questions?user="+user, "", &out); status != 200 || out.Questions == nil {
		t.Fatalf("answered %d: %s", status, answer)
	}
	return out.Questions
}

func (d *desk) answers(t *testing.T, id memory.ID, body string, into any) (int, string) {
	t.Helper()
	return d.call(t, "POST", "/v1/questions/"+string(id)+"/answer", body, into)
}

func TestQuestions(t *testing.T) {
	d := startDesk(t)
	if open := d.pending(t, "u1"); len(open) != 0 {
		t.Fatalf("open before anything was said: %+v", open)
	}
	d.say(t, "u1", "My birthday is May 4.", "My birthday is May 14.", "我住在杭州。", "我住在上海。")
	open := d.pending(t, "u1")
	if len(open) != 2 {
		t.Fatalf("%d are open", len(open))
	}
	q := open[0]
	if q.Key != "user.birthday" || q.Status != memory.QuestionOpen || q.Language != "en" || q.Default != memory.DecisionKeep || len(q.Options) != 5 ||
		!q.TimeoutAt.Equal(q.OpenedAt.Add(14*24*time.Hour)) ||
		q.Text != "On 2 January you said your birthday is May 4; on 3 January, that it is May 14. Which is right?" {
		t.Errorf("the question is %+v", q)
	}
	for i, side := range append([]memory.Side{q.Current}, q.Rivals...) {
		want := []string{"May 4", "May 14"}[i]
		if e := side.Evidence; side.Value != want || e.Quote != "My birthday is "+want || e.Thread != memory.Thread(fmt.Sprint("t", i+1)) || e.At.IsZero() {
			t.Errorf("side %d is %+v", i, side)
		}
	}
	if zh := open[1]; zh.Language != "zh" || zh.Text != "1月4日你说住在杭州，1月5日又说住在上海。你现在住在哪里？" {
		t.Errorf("the question is %+v", zh)
	}
	if other := d.pending(t, "u2"); len(other) != 0 {
		t.Errorf("another user is asked %+v", other)
	}
	var closed memory.Question
	if status, answer := d.answers(t, q.ID, `{"user":"u1","decision":"both","value":" on my passport "}`, &closed); status != 200 {
		t.Fatalf("answered %d: %s", status, answer)
	}
	if closed.Status != memory.QuestionClosed || closed.Closing != memory.ClosedByAnswer || closed.Decision != memory.DecisionBoth ||
		closed.Value != "May 4" || closed.FollowUp != "" || closed.Answer == nil || closed.Answer.Quote != "on my passport" {
		t.Errorf("closed is %+v", closed)
	}
	if status, _ := d.answers(t, open[1].ID, `{"tenant":"default","user":"u1","decision":"both"}`, &closed); status != 200 || closed.FollowUp == "" {
		t.Errorf("answered %d: %+v", status, closed)
	}
	if left := d.pending(t, "u1"); len(left) != 0 {
		t.Errorf("open are %+v", left)
	}
}

func TestAnswersRefused(t *testing.T) {
	d := startDesk(t)
	d.say(t, "u1", "My birthday is May 4.", "My birthday is May 14.", "I love opera.", "I hate opera.")
	open := d.pending(t, "u1")
	if len(open) != 2 {
		t.Fatalf("%d are open", len(open))
	}
	birthday, opera := open[0].ID, open[1].ID
	for _, tt := range []struct {
		id            memory.ID
		body          string
		status        int
		field, detail string
	}{
		{birthday, `{"user":"u1","decision":"maybe"}`, 400, "decision", "keep replace both neither other"},
		{birthday, `{"user":"u1"}`, 400, "decision", "must be one of"},
		{birthday, `{"user":"u1","decision":"other"}`, 400, "value", "is required"},
		{birthday, `{"user":"u1","decision":"other","value":"  "}`, 400, "value", "is required"},
		{birthday, `{"user":"u1","decision":"replace","value":"June 1"}`, 400, "value", "fits no option"},
		{birthday, `{"user":"u1","decision":"other","value":"` + strings.Repeat("x", 501) + `"}`, 400, "value", "at most 500 characters"},
		{birthday, `{"user":"u1","decision":"keep","answer":"May 4"}`, 400, "answer", ""},
		{birthday, `{"decision":"keep"}`, 400, "user", "must not be empty"},
		{birthday, `{"user":5,"decision":"keep"}`, 400, "user", ""},
		{birthday, `{"user":"u1","decision":["keep"]}`, 400, "decision", "must be of type string"},
		{birthday, `{}`, 400, "user", "must not be empty"},
		{opera, `{"user":"u1","decision":"other","value":"ballet"}`, 400, "decision", "keep replace both neither"},
		{"no-such-question", `{"user":"u1","decision":"keep"}`, 404, "", ""},
		{birthday, `{"user":"u2","decision":"keep"}`, 404, "", ""},
		{birthday, `{"tenant":"acme","user":"u1","decision":"keep"}`, 404, "", ""},
	} {
		t.Run(tt.body[:min(len(tt.body), 60)], func(t *testing.T) {
			status, answer := d.answers(t, tt.id, tt.body, nil)
			var problem struct {
				Status               int
				Title, Detail, Field string
			}
			if err := json.Unmarshal([]byte(answer), &problem); err != nil {
				t.Fatalf("answered %d with %q: %v", status, answer, err)
			}
			if status != tt.status || problem.Status != tt.status || problem.Field != tt.field || !strings.Contains(problem.Detail, tt.detail) || problem.Title == "" {
				t.Errorf("answered %d: %s", status, answer)
			}
		})
	}
	if left := d.pending(t, "u1"); len(left) != 2 {
		t.Errorf("a refused answer closed a question: %d are open", len(left))
	}
	for query, field := range map[string]string{"": "user", "?user=u1&status=open": "status", "?user=u1&tenant=%ff": "tenant"} {
		var problem struct{ Field string }
		if status, answer := d.call(t, "GET", "/v1/questions"+query, "", &problem); status != 400 || problem.Field != field {
			t.Errorf("%s: answered %d: %s", query, status, answer)
		}
	}
}

// What closes a question first is what a late answer hears.
func TestLateAnswers(t *testing.T) {
	d := startDesk(t)
	answered := func(t *testing.T, user string) memory.ID {
		d.say(t, memory.User(user), "My birthday is May 4.", "My birthday is May 14.")
		open := d.pending(t, user)
		if len(open) != 1 {
			t.Fatalf("%d are open", len(open))
		}
		return open[0].ID
	}
	for user, tt := range map[string]struct {
		first  func(t *testing.T, user string, id memory.ID)
		status int
		detail string
	}{
		"answered": {func(t *testing.T, user string, id memory.ID) {
			if status, answer := d.answers(t, id, `{"user":"`+user+`","decision":"replace"}`, nil); status != 200 {
				t.Fatal(answer)
			}
		}, 409, "answered, replace"},
		"said": {func(t *testing.T, user string, _ memory.ID) { d.say(t, memory.User(user), "My birthday is May 4.") }, 409, "decided_by_later_statement, keep"},
		"forgotten": {func(t *testing.T, user string, _ memory.ID) {
			if status, answer := d.call(t, "POST", "/v1/forget", `{"user":"`+user+`","keys":["user.birthday"]}`, nil); status != 200 {
				t.Fatal(answer)
			}
		}, 409, "deleted"},
		"erased": {func(t *testing.T, user string, _ memory.ID) {
			if status, answer := d.call(t, "POST", "/v1/erase", `{"user":"`+user+`"}`, nil); status != 200 {
				t.Fatal(answer)
			}
		}, 404, ""},
	} {
		t.Run(user, func(t *testing.T) {
			id := answered(t, user)
			tt.first(t, user, id)
			var problem struct{ Detail string }
			status, answer := d.answers(t, id, `{"user":"`+user+`","decision":"keep"}`, &problem)
			if status != tt.status || !strings.Contains(problem.Detail, tt.detail) {
				t.Errorf("answered %d: %s", status, answer)
			}
		})
	}
}
