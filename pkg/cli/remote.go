package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// api is a running installation's HTTP API.
type api struct {
	URL string `help:"Base address of the HTTP API." default:"http://127.0.0.1:7460" env:"MNEMOND_URL"`
	// APIKey is in the environment rather than among the arguments, which every list of
	// processes shows.
	APIKey string `name:"api-key" help:"API key or token, where one is needed." env:"MNEMOND_API_KEY"`
}

// requestTimeout bounds one call of the API.
const requestTimeout = 30 * time.Second

// call sends a request and decodes its answer; a problem becomes an error with its detail.
func (a *api) call(e *env, method, path string, body, into any) error {
	var r io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("encode request: %w", err)
		}
		r = bytes.NewReader(raw)
	}
	if err := a.validate(); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(e.ctx, method, strings.TrimSuffix(a.URL, "/")+path, r)
	if err != nil {
		return fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if a.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+a.APIKey)
	}
	client := http.Client{Timeout: requestTimeout}
	resp, err := client.Do(req)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err // the address is told once
		}
		return fmt.Errorf("call %s: %w (is mnemond running there? --url or MNEMOND_URL says where)", a.URL, err)
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return refusal(resp.StatusCode, raw, method+" "+path)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	return nil
}

// validate reports why the address is none.
func (a *api) validate() error {
	u, err := url.Parse(a.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return usage("--url (or MNEMOND_URL) must be an address such as http://127.0.0.1:7460, is %.100q", a.URL)
	}
	return nil
}

// refusal is the error that a problem in reply to a request is.
func refusal(status int, body []byte, request string) error {
	var p struct{ Title, Detail string }
	var err error
	switch {
	case json.Unmarshal(body, &p) != nil || p.Title == "":
		err = fmt.Errorf("%s: %d %s", request, status, http.StatusText(status))
	case p.Detail == "":
		err = errors.New(p.Title)
	default:
		err = fmt.Errorf("%s: %s", p.Title, p.Detail)
	}
	if status == http.StatusBadRequest {
		return &UsageError{err}
	}
	return err
}

// owner says whose memory is meant.
type owner struct {
	Tenant string `help:"Tenant; by default the credential's, or else default."`
	User   string `help:"User." required:""`
}

func (o *owner) scope() (memory.Scope, error) {
	s := memory.UserScope(memory.Tenant(cmp.Or(o.Tenant, defaultTenant)), memory.User(o.User))
	return s, s.Validate()
}

// defaultTenant is the tenant of whoever names none.
const defaultTenant = "default"

func (o *owner) query() url.Values {
	q := url.Values{"user": {o.User}}
	if o.Tenant != "" {
		q.Set("tenant", o.Tenant)
	}
	return q
}

type memoriesCmd struct {
	api    `embed:""`
	owner  `embed:""`
	Status string `help:"Only these: current, suppressed, ended, disputed, settled, superseded, standing or lifted." default:"current"`
	// Archive asks for what is cold or past.
	Archive bool `help:"Those in the archive instead of those at hand."`
	JSON    bool `help:"Print the whole answer."`
}

// Run lists memories.
func (c *memoriesCmd) Run(e *env) error {
	q := c.query()
	q.Set("status", c.Status)
	if c.Archive {
		q.Set("archive", "true")
	}
	var resp struct {
		Memories []memory.Memory `json:"memories"`
	}
	if err := c.call(e, http.MethodGet, "/v1/memories?"+q.Encode(), nil, &resp); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, resp)
	}
	for i := range resp.Memories {
		m := &resp.Memories[i]
		if _, err := fmt.Fprintf(e.out, "%s  %s  %-16s %s\n", m.ID, m.SaidAt.Format(time.DateOnly), m.Key, m.Text); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

type historyCmd struct {
	api   `embed:""`
	owner `embed:""`
	Key   string `help:"Profile key, such as user.city; without it, every change."`
	JSON  bool   `help:"Print the whole answer."`
}

// Run shows a key's history.
func (c *historyCmd) Run(e *env) error {
	q := c.query()
	if c.Key != "" {
		q.Set("key", c.Key)
	}
	var resp struct {
		History []ledger.Entry `json:"history"`
	}
	if err := c.call(e, http.MethodGet, "/v1/history?"+q.Encode(), nil, &resp); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, resp)
	}
	for _, h := range resp.History {
		if err := printEntry(e.out, h); err != nil {
			return err
		}
	}
	return nil
}

type rejectedCmd struct {
	api   `embed:""`
	owner `embed:""`
	JSON  bool `help:"Print the whole answer."`
}

// Run shows what was not remembered, and why.
func (c *rejectedCmd) Run(e *env) error {
	var resp struct {
		Rejections []ledger.Refused `json:"rejections"`
	}
	if err := c.call(e, http.MethodGet, "/v1/rejections?"+c.query().Encode(), nil, &resp); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, resp)
	}
	for _, r := range resp.Rejections {
		_, err := fmt.Fprintf(e.out, "%s  %-24s %3d  thread %s, change set %d\n", r.DecidedAt.Format("2006-01-02 15:04"), r.Reason, r.Count, r.Thread, r.LedgerSeq)
		if err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

func printEntry(w io.Writer, h ledger.Entry) error {
	what := string(h.Key)
	if what == "" {
		what = "-"
	}
	at := h.SaidAt
	if at.IsZero() { // what was deleted tells nothing of what was said
		at = h.DecidedAt
	}
	_, err := fmt.Fprintf(w, "%s  %-9s %-16s %s  (%s)\n", at.Format("2006-01-02 15:04"), h.Op, what, h.Text, h.Reason)
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

type consolidateCmd struct {
	api    `embed:""`
	owner  `embed:""`
	Thread string `help:"Thread." required:""`
}

// Run triggers a consolidation; it does not wait for it.
func (c *consolidateCmd) Run(e *env) error {
	ref := memory.ThreadRef{Tenant: memory.Tenant(c.Tenant), User: memory.User(c.User), Thread: memory.Thread(c.Thread)}
	var resp map[string]string
	if err := c.call(e, http.MethodPost, "/v1/consolidate", ref, &resp); err != nil {
		return err
	}
	_, err := fmt.Fprintln(e.out, resp["status"])
	return err
}
