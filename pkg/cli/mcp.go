package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/mcpapi"
	"github.com/mnemond/mnemond/pkg/memory"
)

type mcpCmd struct {
	api    `embed:""`
	Tenant string `help:"Tenant; by default the credential's."`
	User   string `help:"Whose memory it is; by default the user of the credential. A model cannot choose another."`
}

// Run serves a model's host on standard input and output, with the memory of a running
// installation, until the host closes them. The tools are there even while the installation is
// not; they say so when they are called.
func (c *mcpCmd) Run(e *env) error {
	o := mcpapi.Owner{Tenant: memory.Tenant(c.Tenant), User: memory.User(c.User)}
	s := mcpapi.NewTools(app.Operations(), app.Version()).Server(o, c.operate)
	err := s.Run(e.ctx, &mcp.StdioTransport{})
	if e.ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// maxReply bounds what is read of a reply, in bytes.
const maxReply = 16 << 20

// operate asks the running installation for an operation. A problem is a *door.Problem.
func (c *mcpCmd) operate(ctx context.Context, op *door.Operation, raw []byte) (any, error) {
	req, err := c.request(ctx, op, raw)
	if err != nil {
		return nil, err
	}
	client := http.Client{Timeout: requestTimeout}
	resp, err := client.Do(req)
	if err != nil {
		return nil, &door.Problem{
			Status: http.StatusServiceUnavailable, Title: "memory is not available", Detail: fmt.Sprintf("nothing answers at %s: is mnemond running there?", c.URL),
		}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return nil, fmt.Errorf("read reply: %w", err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		var p door.Problem
		if json.Unmarshal(body, &p) != nil || p.Title == "" {
			p = door.Problem{Status: resp.StatusCode, Title: "memory is not available", Detail: fmt.Sprintf("%s answers %s", c.URL, resp.Status)}
		}
		return nil, &p
	}
	return json.RawMessage(body), nil
}

// request is the operation's over HTTP: fields of the path stand there, the others in the
// query or the body.
func (c *mcpCmd) request(ctx context.Context, op *door.Operation, raw []byte) (*http.Request, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	path := op.Path
	for _, f := range op.Fields() {
		if !f.Path {
			continue
		}
		var id string
		if json.Unmarshal(fields[f.Name], &id) != nil || id == "" {
			return nil, door.BadField(f.Name, "is required and must be a string")
		}
		path = strings.ReplaceAll(path, "{"+f.Name+"}", url.PathEscape(id))
		delete(fields, f.Name)
	}
	var body io.Reader
	if op.Method == http.MethodGet {
		q := url.Values{}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			q.Set(name, text(fields[name]))
		}
		path += "?" + q.Encode()
	} else {
		rest, err := json.Marshal(fields)
		if err != nil {
			return nil, fmt.Errorf("encode request: %w", err)
		}
		body = bytes.NewReader(rest)
	}
	req, err := http.NewRequestWithContext(ctx, op.Method, strings.TrimSuffix(c.URL, "/")+path, body)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if c.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+c.APIKey)
	}
	return req, nil
}

// text is a JSON value as it stands in a query: a string without its quotes.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
