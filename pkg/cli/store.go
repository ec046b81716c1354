package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
)

type storeCmd struct {
	Put    storePutCmd    `cmd:"" help:"Put a document under a namespace and a key."`
	Get    storeGetCmd    `cmd:"" help:"Show a document."`
	Delete storeDeleteCmd `cmd:"" help:"Remove a document."`
	List   storeListCmd   `cmd:"" help:"List the namespaces that hold documents."`
	Search storeSearchCmd `cmd:"" help:"Search documents by prefix, fields and meaning; without a query, the latest first."`
}

// shelf says whose documents are meant: a user's, an agent's, or else the tenant's own.
type shelf struct {
	Tenant string `help:"Tenant; by default the credential's, or else default."`
	User   string `help:"User; without a user or an agent, the tenant's own documents." xor:"owner"`
	Agent  string `help:"Agent." xor:"owner"`
}

func (s *shelf) body() map[string]any {
	body := map[string]any{"tenant": s.Tenant}
	if s.User != "" {
		body["user"] = s.User
	}
	if s.Agent != "" {
		body["agent"] = s.Agent
	}
	return body
}

// labels are those of a namespace as it is written on the command line.
func labels(path string) []string {
	if path = strings.Trim(path, "/"); path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// place is where a document stands.
type place struct {
	Namespace string `arg:"" help:"Labels of the namespace, with a slash between."`
	Key       string `arg:"" help:"Key."`
}

type storePutCmd struct {
	api     `embed:""`
	shelf   `embed:""`
	place   `embed:""`
	Value   string        `arg:"" help:"A JSON object."`
	Index   []string      `help:"Paths of the fields that it is found by, such as text or items[*].name; without it, all of its text."`
	NoIndex bool          `help:"It is not found by meaning."`
	TTL     time.Duration `name:"ttl" help:"How long until it expires; without it, never."`
}

// Run puts a document.
func (c *storePutCmd) Run(e *env) error {
	if !json.Valid([]byte(c.Value)) {
		return usage("value: not valid JSON: %.40s", c.Value)
	}
	body := c.body()
	body["namespace"], body["key"], body["value"] = labels(c.Namespace), c.Key, json.RawMessage(c.Value)
	switch {
	case c.NoIndex:
		body["index"] = false
	case len(c.Index) > 0:
		body["index"] = c.Index
	}
	if c.TTL != 0 {
		body["ttl"] = c.TTL.Minutes()
	}
	var out struct{ Items []shownItem }
	if err := c.call(e, http.MethodPut, "/v1/store/items", body, &out); err != nil {
		return err
	}
	return printItems(e.out, out.Items)
}

type storeGetCmd struct {
	api   `embed:""`
	shelf `embed:""`
	place `embed:""`
}

// Run shows a document.
func (c *storeGetCmd) Run(e *env) error {
	q := url.Values{"tenant": {c.Tenant}, "namespace": labels(c.Namespace), "key": {c.Key}}
	if c.User != "" {
		q.Set("user", c.User)
	}
	if c.Agent != "" {
		q.Set("agent", c.Agent)
	}
	var out map[string]any
	if err := c.call(e, http.MethodGet, "/v1/store/items?"+q.Encode(), nil, &out); err != nil {
		return err
	}
	return printJSON(e.out, out)
}

type storeDeleteCmd struct {
	api   `embed:""`
	shelf `embed:""`
	place `embed:""`
}

// Run removes a document.
func (c *storeDeleteCmd) Run(e *env) error {
	body := c.body()
	body["namespace"], body["key"] = labels(c.Namespace), c.Key
	var out struct{ Deleted bool }
	if err := c.call(e, http.MethodDelete, "/v1/store/items", body, &out); err != nil {
		return err
	}
	text := "deleted"
	if !out.Deleted {
		text = "there was none"
	}
	_, err := fmt.Fprintln(e.out, text)
	return err
}

type storeListCmd struct {
	api    `embed:""`
	shelf  `embed:""`
	Prefix string `help:"Only namespaces that begin with these labels; * is any one."`
	Suffix string `help:"Only namespaces that end with these labels; * is any one."`
	Depth  int    `help:"Cut them to so many labels."`
	Limit  int    `help:"How many at most." default:"100"`
	Offset int    `help:"How many of the first to leave out."`
}

// Run lists namespaces.
func (c *storeListCmd) Run(e *env) error {
	body := c.body()
	body["prefix"], body["suffix"], body["max_depth"] = labels(c.Prefix), labels(c.Suffix), c.Depth
	body["limit"], body["offset"] = c.Limit, c.Offset
	var out struct{ Namespaces [][]string }
	if err := c.call(e, http.MethodPost, "/v1/store/namespaces", body, &out); err != nil {
		return err
	}
	for _, n := range out.Namespaces {
		if _, err := fmt.Fprintln(e.out, strings.Join(n, "/")); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

type storeSearchCmd struct {
	api    `embed:""`
	shelf  `embed:""`
	Query  string `arg:"" optional:"" help:"What they are to be about."`
	Prefix string `help:"Only in namespaces that begin with these labels."`
	Filter string `help:"Conditions on their fields as JSON, such as {\"kind\": \"note\", \"stars\": {\"$gte\": 3}}."`
	Limit  int    `help:"How many at most." default:"10"`
	Offset int    `help:"How many of the first to leave out."`
	JSON   bool   `help:"Print the whole answer."`
}

// Run searches documents.
func (c *storeSearchCmd) Run(e *env) error {
	body := c.body()
	body["namespace_prefix"], body["query"], body["limit"], body["offset"] = labels(c.Prefix), c.Query, c.Limit, c.Offset
	if c.Filter != "" {
		if !json.Valid([]byte(c.Filter)) {
			return usage("--filter: not valid JSON: %.40s", c.Filter)
		}
		body["filter"] = json.RawMessage(c.Filter)
	}
	if c.JSON {
		var out map[string]any
		if err := c.call(e, http.MethodPost, "/v1/store/items/search", body, &out); err != nil {
			return err
		}
		return printJSON(e.out, out)
	}
	var out struct{ Items []shownItem }
	if err := c.call(e, http.MethodPost, "/v1/store/items/search", body, &out); err != nil {
		return err
	}
	return printItems(e.out, out.Items)
}

// shownItem is a document as a line shows it.
type shownItem struct {
	Namespace []string        `json:"namespace"`
	Key       string          `json:"key"`
	Value     json.RawMessage `json:"value"`
	UpdatedAt time.Time       `json:"updated_at"`
	ExpiresAt time.Time       `json:"expires_at"`
	Score     float64         `json:"score"`
}

func printItems(w io.Writer, items []shownItem) error {
	for _, i := range items {
		line := fmt.Sprintf("%s  %s/%s", i.UpdatedAt.Format("2006-01-02 15:04"), strings.Join(i.Namespace, "/"), i.Key)
		if i.Score > 0 {
			line += fmt.Sprintf("  %.2f", i.Score)
		}
		if !i.ExpiresAt.IsZero() {
			line += "  until " + i.ExpiresAt.Format("2006-01-02 15:04")
		}
		if len(i.Value) > 0 {
			line += "  " + string(i.Value)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

// printDocumentChanges prints what a change set does to documents, without their values.
func printDocumentChanges(w io.Writer, r ledger.Record) error {
	for i := range r.Changes {
		c := &r.Changes[i]
		if c.Document == nil {
			continue
		}
		name := c.Document.ID.Short() // all that is left of a removed one
		if c.Document.Key != "" {
			name += "  " + strings.Join(append(c.Document.Namespace, c.Document.Key), "/")
		}
		if _, err := fmt.Fprintf(w, "%s  %-9s %-16s %s  (%s)\n", r.At.Format("2006-01-02 15:04"), c.Op, "document", name, c.Reason); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}
