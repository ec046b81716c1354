package app_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	"github.com/mnemond/mnemond/pkg/event"
)

// post publishes an event; nil means that it was acknowledged.
func post(url string, e event.Event) error {
	raw, err := e.Encode()
	if err != nil {
		return err
	}
	resp, err := http.Post(url+"/v1/events", "application/json", bytes.NewReader(raw))
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusAccepted {
		body, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("%s: %s", resp.Status, body)
	}
	return nil
}
