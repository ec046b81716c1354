package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
)

// wire is a way to the server.
type wire interface {
	// publish sends events and returns when all of them are on disk there. Sending them again
	// stores them once. What the server refuses is an *Error.
	publish(ctx context.Context, batch []entry) error
	// call asks for an operation with a request, and reads its reply.
	call(ctx context.Context, op operation, in request, out any) error
	close()
}

// operation is one of the server's, as its OpenAPI document has it.
type operation struct {
	id, method, path string
}

// request is what is asked with. Over HTTP its path fields stand in the path, and of a GET the
// others in the query.
type request interface {
	// fields are those that are no body over HTTP, in the path and in the query.
	fields() (path map[string]string, query url.Values)
}

// maxReply bounds what is read of a reply.
const maxReply = 64 << 20

// overHTTP is the HTTP API.
type overHTTP struct {
	base, key string
	client    *http.Client
	own       *http.Transport
}

func newHTTP(o *Options) *overHTTP {
	h := &overHTTP{base: strings.TrimRight(o.URL, "/"), key: o.APIKey, client: o.HTTP}
	if h.client == nil {
		h.own = &http.Transport{
			Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 64,
			IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second,
		}
		h.client = &http.Client{Transport: h.own}
	}
	return h
}

func (h *overHTTP) close() {
	if h.own != nil {
		h.own.CloseIdleConnections()
	}
}

func (h *overHTTP) publish(ctx context.Context, batch []entry) error {
	size := 2
	for _, e := range batch {
		size += len(e.raw) + 1
	}
	body := make([]byte, 0, size)
	for i, e := range batch {
		body = append(append(body, "[,"[min(i, 1)]), e.raw...)
	}
	return h.do(ctx, http.MethodPost, "/v1/events", "application/cloudevents-batch+json", append(body, ']'), nil)
}

func (h *overHTTP) call(ctx context.Context, op operation, in request, out any) error {
	path, values := in.fields()
	where := op.path
	for name, value := range path {
		where = strings.ReplaceAll(where, "{"+name+"}", url.PathEscape(value))
	}
	if op.method == http.MethodGet {
		return h.do(ctx, op.method, where+"?"+values.Encode(), "", nil, out)
	}
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode request: %w", err)
	}
	return h.do(ctx, op.method, where, "application/json", body, out)
}

func (h *overHTTP) do(ctx context.Context, method, where, contentType string, body []byte, out any) error {
	r, err := http.NewRequestWithContext(ctx, method, h.base+where, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make request: %w", err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if h.key != "" {
		r.Header.Set("Authorization", "Bearer "+h.key)
	}
	otel.GetTextMapPropagator().Inject(ctx, propagation.HeaderCarrier(r.Header))
	resp, err := h.client.Do(r)
	if err != nil {
		return err // names the method and the URL
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	switch {
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return errorOf(resp.StatusCode, "", resp.Header.Get("Retry-After"), raw)
	case err != nil:
		return fmt.Errorf("read reply of %s: %w", where, err)
	}
	return decode(raw, out)
}

// decode reads a reply. What this client does not know of it is left out: the server may be
// newer.
func decode(raw []byte, out any) error {
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("decode reply: %w", err)
	}
	return nil
}
