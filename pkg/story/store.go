package story

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Stored are the steps of an application's own documents, each with the fields of its
// request, and what is expected of their answers.
type Stored struct {
	StorePut        json.RawMessage `json:"store_put"`
	StoreGet        json.RawMessage `json:"store_get"`
	StoreDelete     json.RawMessage `json:"store_delete"`
	StoreSearch     json.RawMessage `json:"store_search"`
	StoreNamespaces json.RawMessage `json:"store_namespaces"`
}

func (s *Stored) any() bool {
	return s.StorePut != nil || s.StoreGet != nil || s.StoreDelete != nil || s.StoreSearch != nil || s.StoreNamespaces != nil
}

// Shelved is what must be true of the answer to a step of Stored.
type Shelved struct {
	// Found is whether a document was there, to get or to delete.
	Found *bool `json:"found"`
	// Value is what was got.
	Value json.RawMessage `json:"value"`
	// Keys are those of what a search found, in order.
	Keys *[]string `json:"keys"`
	// Namespaces are what was listed, in order.
	Namespaces *[][]string `json:"namespaces"`
}

func (s *Shelved) named() string {
	for name, set := range map[string]bool{
		"found": s.Found != nil, "value": s.Value != nil, "keys": s.Keys != nil, "namespaces": s.Namespaces != nil,
	} {
		if set {
			return name
		}
	}
	return ""
}

// store takes a step of documents.
func (r *run) store(ctx context.Context, s *Step) (faults, error) {
	r.sim.Clock.Advance(s.At)
	raw, err := r.stored(ctx, &s.Stored)
	missing := err != nil && strings.Contains(err.Error(), http.StatusText(http.StatusNotFound))
	if s.Expect == nil || err != nil && !(missing && s.Expect.Found != nil) {
		return nil, err
	}
	return s.Expect.shelved(raw, missing), nil
}

func (r *run) stored(ctx context.Context, s *Stored) ([]byte, error) {
	switch {
	case s.StorePut != nil:
		if err := r.put(s.StorePut); err != nil {
			return nil, err
		}
		return r.sim.Call(ctx, http.MethodPut, "/v1/store/items", s.StorePut)
	case s.StoreGet != nil:
		var body map[string]any
		if err := json.Unmarshal(s.StoreGet, &body); err != nil {
			return nil, fmt.Errorf("store_get: %w", err)
		}
		q := url.Values{}
		for name, value := range body {
			if labels, ok := value.([]any); ok {
				for _, l := range labels {
					q.Add(name, fmt.Sprint(l))
				}
				continue
			}
			q.Add(name, fmt.Sprint(value))
		}
		return r.sim.Call(ctx, http.MethodGet, "/v1/store/items?"+q.Encode(), nil)
	case s.StoreDelete != nil:
		return r.sim.Call(ctx, http.MethodDelete, "/v1/store/items", s.StoreDelete)
	case s.StoreSearch != nil:
		return r.sim.Post(ctx, "/v1/store/items/search", s.StoreSearch)
	default:
		return r.sim.Post(ctx, "/v1/store/namespaces", s.StoreNamespaces)
	}
}

// put remembers which documents a step puts, for who looks for their text afterwards.
func (r *run) put(raw json.RawMessage) error {
	type item struct {
		Namespace []string
		Key       string
	}
	var body struct {
		Owner
		Agent memory.Agent
		item
		Items []item
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		return fmt.Errorf("store_put: %w", err)
	}
	scope := body.scope()
	switch {
	case body.Agent != "":
		scope.Owner = memory.Owner{Kind: memory.OwnerAgent, ID: string(body.Agent)}
	case body.User == "":
		scope.Owner = memory.Owner{Kind: memory.OwnerTenant}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, i := range append(body.Items, body.item) {
		r.shelved[scope] = append(r.shelved[scope], document.Identity(scope, i.Namespace, i.Key))
	}
	return nil
}

// documents is what the collections hold of every document that a step has put.
func (r *run) documents(ctx context.Context) ([]byte, error) {
	var all []document.Document
	for scope, ids := range r.shelved {
		found, err := r.sim.Stack.Store.Documents(ctx, scope, ids)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return json.Marshal(all)
}

// shelved checks the answer to a step of documents.
func (s *Shelved) shelved(raw []byte, missing bool) faults {
	var f faults
	got := struct {
		Value      json.RawMessage
		Deleted    *bool
		Items      []struct{ Key string }
		Namespaces [][]string
	}{}
	if err := json.Unmarshal(raw, &got); err != nil && !missing {
		f.addf("answer: %v", err)
		return f
	}
	if got.Deleted != nil {
		missing = !*got.Deleted
	}
	if s.Found != nil && *s.Found == missing {
		f.addf("found: %v, want %v", !missing, *s.Found)
	}
	if s.Value != nil && !sameJSON(s.Value, got.Value) {
		f.addf("value: %s, want %s", got.Value, s.Value)
	}
	keys := []string{}
	for _, i := range got.Items {
		keys = append(keys, i.Key)
	}
	if s.Keys != nil && !slices.Equal(keys, *s.Keys) {
		f.addf("keys: %q, want %q", keys, *s.Keys)
	}
	if s.Namespaces != nil && !slices.EqualFunc(got.Namespaces, *s.Namespaces, slices.Equal) {
		f.addf("namespaces: %q, want %q", got.Namespaces, *s.Namespaces)
	}
	return f
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
