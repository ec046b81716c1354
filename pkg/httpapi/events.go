package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
)

// The content types of events.
const (
	typeCloudEvent      = "application/cloudevents+json"
	typeCloudEventBatch = "application/cloudevents-batch+json"
	typeNDJSON          = "application/x-ndjson"
)

// events takes one event, a JSON array of them, or one a line, as they come: they are decoded
// once, behind the door.
func (c Config) events(op *door.Operation) handler {
	return func(_ http.Header, r *http.Request, caller access.Caller) (any, error) {
		if values := r.URL.Query(); len(values) > 0 {
			return nil, door.BadField(first(values), "is not a known parameter")
		}
		media, err := mediaType(r, door.TypeJSON, typeCloudEvent, typeCloudEventBatch, typeNDJSON)
		if err != nil {
			return nil, err
		}
		body, err := readBody(r, op.MaxBody)
		if err != nil {
			return nil, err
		}
		raw, err := split(media, body)
		if err != nil {
			return nil, err
		}
		return door.Publish(r.Context(), c.Ingest, caller, raw)
	}
}

// split returns the events of a body, as they came.
func split(media string, body []byte) ([][]byte, error) {
	body = bytes.TrimSpace(body)
	switch {
	case media == typeNDJSON:
		var out [][]byte
		for line := range bytes.Lines(body) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				out = append(out, line)
			}
		}
		return out, nil
	case media == typeCloudEventBatch || media == door.TypeJSON && bytes.HasPrefix(body, []byte("[")):
		var parts []json.RawMessage
		if err := json.Unmarshal(body, &parts); err != nil {
			return nil, door.BadField("", "not a JSON array of events: %v", err)
		}
		out := make([][]byte, len(parts))
		for i, p := range parts {
			out[i] = p
		}
		return out, nil
	case len(body) == 0:
		return nil, nil
	default:
		return [][]byte{body}, nil
	}
}
