package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/mnemond/mnemond/pkg/curate"
)

type rememberCmd struct {
	api    `embed:""`
	owner  `embed:""`
	Text   string `arg:"" optional:"" help:"What to remember, as the user would say it."`
	Key    string `help:"Profile key, such as user.city, in place of a text."`
	Value  string `help:"The key's value."`
	Thread string `help:"Thread in which it was said."`
	JSON   bool   `help:"Print the whole answer."`
}

// Run remembers a text, or a value under a key.
func (c *rememberCmd) Run(e *env) error {
	body := map[string]any{"tenant": c.Tenant, "user": c.User}
	for name, value := range map[string]string{"text": c.Text, "key": c.Key, "value": c.Value, "thread": c.Thread} {
		if value != "" {
			body[name] = value
		}
	}
	return c.write(e, c.JSON, http.MethodPost, "/v1/memories", body)
}

type editCmd struct {
	api    `embed:""`
	owner  `embed:""`
	Memory string `arg:"" help:"Id of the memory."`
	Text   string `help:"What it says."`
	Value  string `help:"The value of its key."`
	Pin    bool   `help:"Never let it go cold."`
	Unpin  bool   `help:"Let it go cold."`
	JSON   bool   `help:"Print the whole answer."`
}

// Run changes a memory by hand.
func (c *editCmd) Run(e *env) error {
	body := map[string]any{"tenant": c.Tenant, "user": c.User}
	if c.Text != "" {
		body["text"] = c.Text
	}
	if c.Value != "" {
		body["value"] = c.Value
	}
	switch {
	case c.Pin && c.Unpin:
		return usage("--pin goes without --unpin")
	case c.Pin || c.Unpin:
		body["pinned"] = c.Pin
	}
	return c.write(e, c.JSON, http.MethodPatch, "/v1/memories/"+url.PathEscape(c.Memory), body)
}

// write sends a write and prints what became of it.
func (a *api) write(e *env, asJSON bool, method, path string, body any) error {
	var w curate.Written
	if err := a.call(e, method, path, body, &w); err != nil {
		return err
	}
	if asJSON {
		return printJSON(e.out, w)
	}
	return printWritten(e.out, &w)
}

func printWritten(out io.Writer, w *curate.Written) error {
	var b strings.Builder
	for _, c := range w.Changed {
		fmt.Fprintf(&b, "%-10s %s  %-16s %s\n", c.Result, c.Memory.Short(), c.Key, c.Text)
	}
	for _, r := range w.Refused {
		fmt.Fprintf(&b, "refused    %s\n", r.Reason)
	}
	if b.Len() == 0 {
		fmt.Fprintln(&b, w.Result)
	}
	if _, err := io.WriteString(out, b.String()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}
