package door

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/shelve"
)

// maxStoreBody holds as many documents as may be put at once, each as large as may be.
const maxStoreBody = shelve.MaxItems*document.MaxValueBytes + 1<<20

// Keeper puts, hands out and removes documents.
type Keeper interface {
	Put(ctx context.Context, s memory.Scope, items []shelve.Item) ([]document.Document, error)
	Get(ctx context.Context, s memory.Scope, namespace []string, key string) (d document.Document, ok bool, err error)
	Delete(ctx context.Context, s memory.Scope, namespace []string, key string) (bool, error)
}

// Searcher finds documents and lists their namespaces.
type Searcher interface {
	Search(ctx context.Context, s memory.Scope, r shelve.Request) ([]shelve.Found, error)
	Namespaces(ctx context.Context, s memory.Scope, l shelve.Listing) ([][]string, error)
}

// Place is where a document stands.
type Place struct {
	Namespace []string `json:"namespace" doc:"1 to 16 labels, each up to 128 bytes without control characters. In a query, one parameter a label."`
	Key       string   `json:"key" doc:"Up to 512 bytes without control characters."`
}

// PutDocumentsRequest puts one document, or a list of them.
type PutDocumentsRequest struct {
	Owner
	PutDocument
	Items []PutDocument `json:"items,omitempty" nullable:"false" doc:"Up to 100 documents, in place of the fields of one."`
}

// DocumentRequest is about one document.
type DocumentRequest struct {
	Owner
	Place
}

// Deletion says whether there was something to delete.
type Deletion struct {
	Deleted bool `json:"deleted"`
}

// SearchDocumentsRequest asks for documents.
type SearchDocumentsRequest struct {
	Owner
	Prefix []string        `json:"namespace_prefix,omitempty" doc:"What their namespaces begin with; without it, all."`
	Filter json.RawMessage `json:"filter,omitempty" doc:"An object of conditions, all of which must hold: a field, with dots between its parts, and the value that it equals, or an object of $eq, $ne, $gt, $gte, $lt and $lte."`
	Query  string          `json:"query,omitempty" doc:"What they are to be about, up to 8192 bytes. Without it the last put come first."`
	Limit  int             `json:"limit,omitempty" minimum:"0" maximum:"1000" doc:"How many to return at most; 0 means 10."`
	Offset int             `json:"offset,omitempty" minimum:"0" maximum:"10000" doc:"How many of the first to leave out."`
}

// NamespacesRequest asks for namespaces that hold documents.
type NamespacesRequest struct {
	Owner
	Prefix   []string `json:"prefix,omitempty" doc:"What they begin with; * is any one label."`
	Suffix   []string `json:"suffix,omitempty" doc:"What they end with; * is any one label."`
	MaxDepth int      `json:"max_depth,omitempty" minimum:"0" maximum:"16" doc:"Cut them to so many labels; 0 leaves them whole."`
	Limit    int      `json:"limit,omitempty" minimum:"0" maximum:"1000" doc:"How many to list at most; 0 means 100."`
	Offset   int      `json:"offset,omitempty" minimum:"0" maximum:"10000" doc:"How many of the first to leave out."`
}

// NamespaceList is namespaces in the order of their labels.
type NamespaceList struct {
	Namespaces [][]string `json:"namespaces" nullable:"false"`
}

const tagDocuments = "documents"

func (t *Table) keep(k Keeper) {
	Add(t, Operation{
		ID: "put_documents", Summary: "Put documents", Tag: tagDocuments, Method: http.MethodPut, Path: "/v1/store/items",
		Description: "Stores an application's own JSON, each document in the place of the one under its namespace and key. " +
			"It can be read and searched for when the reply is there, which leaves out the values.",
		Role: access.RoleUser, Writes: true, Idempotent: true, MaxBody: maxStoreBody,
	}, func(ctx context.Context, _ access.Caller, r *PutDocumentsRequest) (*DocumentList, error) {
		items, err := r.items()
		if err != nil {
			return nil, err
		}
		put, err := k.Put(ctx, r.Scope(), items)
		if err != nil {
			return nil, r.ofOne(err)
		}
		out := DocumentList{Items: make([]Document, len(put))}
		for i := range put {
			out.Items[i] = documentOf(&put[i])
			out.Items[i].Value = nil
		}
		return &out, nil
	})
	Add(t, Operation{
		ID: "get_document", Summary: "Get a document", Tag: tagDocuments, Method: http.MethodGet, Path: "/v1/store/items",
		Role: access.RoleUser, Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, _ access.Caller, r *DocumentRequest) (*Document, error) {
		d, ok, err := k.Get(ctx, r.Scope(), r.Namespace, r.Key)
		if err == nil && !ok {
			err = curate.ErrNotFound
		}
		out := documentOf(&d)
		return &out, err
	})
	Add(t, Operation{
		ID: "delete_document", Summary: "Delete a document", Tag: tagDocuments, Method: http.MethodDelete, Path: "/v1/store/items",
		Role: access.RoleUser, Writes: true, Idempotent: true, BodyOnDelete: true,
	}, func(ctx context.Context, _ access.Caller, r *DocumentRequest) (*Deletion, error) {
		was, err := k.Delete(ctx, r.Scope(), r.Namespace, r.Key)
		return &Deletion{was}, err
	})
}

func (t *Table) search(s Searcher) {
	Add(t, Operation{
		ID: "search_documents", Summary: "Search documents", Tag: tagDocuments, Method: http.MethodPost, Path: "/v1/store/items/search",
		Description: "By the beginning of their namespaces, by their fields, and by what they are about. Nothing that the filter holds for is missed; " +
			"where that would take reading more than 10,000 documents, the filter is refused.",
		Role: access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, r *SearchDocumentsRequest) (*DocumentList, error) {
		found, err := s.Search(ctx, r.Scope(), shelve.Request{
			Prefix: r.Prefix, Filter: r.Filter, Query: r.Query, Limit: r.Limit, Offset: r.Offset,
		})
		out := DocumentList{Items: make([]Document, len(found))}
		for i := range found {
			out.Items[i] = documentOf(&found[i].Document)
			out.Items[i].Score = found[i].Score
		}
		return &out, err
	})
	Add(t, Operation{
		ID: "list_namespaces", Summary: "List namespaces", Tag: tagDocuments, Method: http.MethodPost, Path: "/v1/store/namespaces",
		Description: "Those that hold documents, in the order of their labels.",
		Role:        access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, r *NamespacesRequest) (*NamespaceList, error) {
		found, err := s.Namespaces(ctx, r.Scope(), shelve.Listing{
			Prefix: r.Prefix, Suffix: r.Suffix, MaxDepth: r.MaxDepth, Limit: r.Limit, Offset: r.Offset,
		})
		return &NamespaceList{found}, err
	})
}

// PutDocument is a document to put.
type PutDocument struct {
	Namespace []string        `json:"namespace,omitempty" doc:"1 to 16 labels, each up to 128 bytes without control characters. Required."`
	Key       string          `json:"key,omitempty" doc:"Up to 512 bytes without control characters. Required."`
	Value     json.RawMessage `json:"value,omitempty" doc:"An object of up to 64 KiB, in which no name stands twice. Required."`
	Index     json.RawMessage `json:"index,omitempty" doc:"The paths of the fields that it is found by, such as \"text\", \"meta.title\" or \"items[*].name\"; without it all of its text, and with false none."`
	TTL       *float64        `json:"ttl,omitempty" doc:"In how many minutes it expires; without it, never."`
	Thread    memory.Thread   `json:"thread,omitempty" doc:"Where it was said, if it is a turn of a conversation."`
	Position  int64           `json:"place,omitempty" minimum:"0" doc:"Where in the thread; the places of turns that follow one another differ by 1."`
	Speaker   string          `json:"speaker,omitempty" doc:"Who said it, up to 256 bytes."`
	At        time.Time       `json:"at,omitzero" doc:"When it was said."`
	Assistant bool            `json:"assistant,omitempty" doc:"The speaker is the assistant."`
}

func (p *PutDocument) item() (shelve.Item, error) {
	out := shelve.Item{
		Namespace: p.Namespace, Key: p.Key, Value: p.Value,
		Source: document.Source{Thread: p.Thread, Place: p.Position, Speaker: p.Speaker, At: p.At, Assistant: p.Assistant},
	}
	switch string(p.Index) {
	case "", "null":
	case "false":
		out.Index = []string{}
	default:
		if json.Unmarshal(p.Index, &out.Index) != nil {
			return out, BadField("index", "must be a list of paths, or false")
		}
	}
	if p.TTL != nil {
		ttl := *p.TTL * float64(time.Minute)
		if !(ttl >= 1 && ttl <= float64(shelve.MaxTTL)) {
			return out, BadField("ttl", "must be a number of minutes above 0, at most %.0f", shelve.MaxTTL.Minutes())
		}
		out.TTL = time.Duration(math.Round(ttl))
	}
	return out, nil
}

// Document is a document as it is told of.
type Document struct {
	Namespace []string        `json:"namespace" nullable:"false"`
	Key       string          `json:"key"`
	Value     json.RawMessage `json:"value,omitempty"`
	CreatedAt time.Time       `json:"created_at"`
	UpdatedAt time.Time       `json:"updated_at"`
	ExpiresAt time.Time       `json:"expires_at,omitzero"`
	Index     []string        `json:"index,omitzero" doc:"Absent where all of the text is indexed."`
	Thread    memory.Thread   `json:"thread,omitempty"`
	Position  int64           `json:"place,omitempty"`
	Speaker   string          `json:"speaker,omitempty"`
	At        time.Time       `json:"at,omitzero"`
	Assistant bool            `json:"assistant,omitempty"`
	Score     float64         `json:"score,omitempty" doc:"How near it is to the query; absent without one."`
}

// DocumentList is documents.
type DocumentList struct {
	Items []Document `json:"items" nullable:"false"`
}

func documentOf(d *document.Document) Document {
	return Document{
		Namespace: d.Namespace, Key: d.Key, Value: d.Value, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt, ExpiresAt: d.ExpiresAt,
		Index: d.Index, Thread: d.Source.Thread, Position: d.Source.Place, Speaker: d.Source.Speaker, At: d.Source.At, Assistant: d.Source.Assistant,
	}
}
