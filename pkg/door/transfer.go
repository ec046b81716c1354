package door

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/shelve"
)

// Carrier takes everything of an owner out, and in.
type Carrier interface {
	Export(ctx context.Context, s memory.Scope, after string, bound int) ([]curate.Exported, error)
	Import(ctx context.Context, s memory.Scope, memories []memory.Memory) ([]curate.Imported, error)
	Merge(ctx context.Context, from, into memory.Scope, erase bool) (curate.Merged, error)
}

// Bounds of one page of an export, and of one import.
const (
	exportLimit   = 500
	exportBytes   = 4 << 20
	maxImportBody = 8 << 20
)

// ExportRequest asks for everything of the user.
type ExportRequest struct {
	User
	Page
}

// ExportReply is a page of an export.
type ExportReply struct {
	Format  string            `json:"format" doc:"Always \"mnemond.export\"."`
	Version int               `json:"version" doc:"The version of the form of the records: 1."`
	Records []curate.Exported `json:"records" nullable:"false"`
	Next
}

// formatExport names the form of exports.
const formatExport = "mnemond.export"

// ImportRequest brings records of an export to a user.
type ImportRequest struct {
	User
	Version int               `json:"version" minimum:"1" maximum:"1" doc:"The version of the form of the records, as the export has it."`
	Records []json.RawMessage `json:"records" minItems:"1" maxItems:"200" doc:"Records as the export has them. History and questions are skipped: they follow from the rest."`
}

// ImportReply says what became of each record, in their order.
type ImportReply struct {
	Results []curate.Imported `json:"results" nullable:"false"`
	// Counts are the results, counted.
	Counts map[curate.Result]int `json:"counts" doc:"The results, counted."`
}

// MergeRequest merges an anonymous user into another one of the tenant.
type MergeRequest struct {
	User
	From memory.User `json:"from" minLength:"1" maxLength:"256" doc:"The user whose memories are taken over."`
	Then string      `json:"then" enum:"keep,erase" doc:"What becomes of that user: keep, or erase, which has no undo."`
}

const tagTransfer = "transfer"

func (t *Table) transfer(c Carrier, k Keeper, now func() time.Time) {
	Add(t, Operation{
		ID: "export", Summary: "Export everything", Tag: tagTransfer, Method: http.MethodGet, Path: "/v1/export",
		Description: "Everything of the user: memories in every status with their evidence, history, questions, documents. It comes in pages of up to 500 records and about 4 MB.",
		Role:        access.RoleUser,
	}, func(ctx context.Context, _ access.Caller, r *ExportRequest) (*ExportReply, error) {
		page := r.Page
		if page.Limit == 0 || page.Limit > exportLimit {
			page.Limit = exportLimit
		}
		after, err := page.after()
		if err != nil {
			return nil, err
		}
		all, err := c.Export(ctx, r.Scope(), after, page.Limit)
		if err != nil {
			return nil, err
		}
		place := func(i int) string { return all[i].Place }
		part, next, err := cut(all, page, false, place)
		if err != nil {
			return nil, err
		}
		if n := within(part, exportBytes); n < len(part) {
			page.Limit = n
			part, next, err = cut(all, page, false, place)
		}
		return &ExportReply{formatExport, curate.ExportVersion, part, next}, err
	})
	Add(t, Operation{
		ID: "import", Summary: "Import an export", Tag: tagTransfer, Method: http.MethodPost, Path: "/v1/import",
		Description: "Brings up to 200 records of an export to the user: memories as what was said then, with their own evidence and dates, so that what " +
			"contradicts is asked about and what was forgotten stays forgotten; documents where there is none yet. It may be repeated.",
		Role: access.RoleUser, Writes: true, Idempotent: true, MaxBody: maxImportBody,
	}, func(ctx context.Context, _ access.Caller, r *ImportRequest) (*ImportReply, error) {
		return imported(ctx, c, k, now, r)
	})
	Add(t, Operation{
		ID: "merge", Summary: "Merge an anonymous user", Tag: tagTransfer, Method: http.MethodPost, Path: "/v1/merge",
		Description: "Takes the memories of one user into another one's of the tenant, as what they said then: what contradicts is asked about. " +
			"Documents go along, but where the other has one of the same namespace and key: that stays, and the reply says so. " +
			"What the user in from has said is consolidated first; where that fails nothing is merged (503: wait, and repeat it). " +
			"With then=erase that user is erased in the same decision. It may be repeated.",
		Role: access.RoleAgent, Writes: true, Idempotent: true, Slow: true,
	}, func(ctx context.Context, caller access.Caller, r *MergeRequest) (*curate.Merged, error) {
		from := User{Tenant: r.Tenant, User: r.From}
		if err := from.narrow(caller, true); err != nil {
			return nil, err
		}
		out, err := c.Merge(ctx, from.Scope(), r.Scope(), r.Then == "erase")
		return &out, pending(err)
	})
}

// pending tells a caller to wait until what a user has said is consolidated.
func pending(err error) error {
	if !errors.Is(err, curate.ErrPending) {
		return err
	}
	wait := &Problem{
		Status: http.StatusServiceUnavailable, Title: "try again later", Field: "from", Header: soon,
		Detail: "from: what that user has said is not consolidated yet, and could not be now; nothing was merged: wait until it is, and merge again",
	}
	return fmt.Errorf("%w: %w", wait, err)
}

// within is how many of the records fit into so many bytes: at least one.
func within(records []curate.Exported, most int) int {
	size := 0
	for i := range records {
		raw, err := json.Marshal(records[i])
		if err != nil {
			return max(1, i)
		}
		if size += len(raw); size > most {
			return max(1, i)
		}
	}
	return len(records)
}

// imported carries an import out: memories in one decision, then documents.
func imported(ctx context.Context, c Carrier, k Keeper, now func() time.Time, r *ImportRequest) (*ImportReply, error) {
	out := &ImportReply{Results: make([]curate.Imported, len(r.Records)), Counts: map[curate.Result]int{}}
	var memories []memory.Memory
	var at, documents []int
	parts := make([]curate.Exported, len(r.Records))
	for i, raw := range r.Records {
		if err := json.Unmarshal(raw, &parts[i]); err != nil {
			return nil, BadField(fmt.Sprintf("records.%d", i), "is no record of an export: %v", err)
		}
		switch p := &parts[i]; {
		case p.Memory != nil:
			memories, at = append(memories, *p.Memory), append(at, i)
		case p.Document != nil && k != nil:
			documents = append(documents, i)
		case p.Change != nil || p.Question != nil || p.Document != nil:
			out.Results[i] = curate.Imported{Result: curate.ResultSkipped, Reason: "follows_from_the_rest"}
		default:
			return nil, BadField(fmt.Sprintf("records.%d", i), "holds no memory, change, question or document")
		}
	}
	results, err := c.Import(ctx, r.Scope(), memories)
	if err != nil {
		return nil, err
	}
	for i, one := range results {
		out.Results[at[i]] = one
	}
	for _, i := range documents {
		if out.Results[i], err = putBack(ctx, k, r.Scope(), parts[i].Document, now()); err != nil {
			return nil, err
		}
	}
	for _, one := range out.Results {
		out.Counts[one.Result]++
	}
	return out, nil
}

// putBack puts a document where there is none.
func putBack(ctx context.Context, k Keeper, s memory.Scope, d *curate.ExportedDocument, now time.Time) (curate.Imported, error) {
	one := curate.Imported{Memory: d.ID}
	there, ok, err := k.Get(ctx, s, d.Namespace, d.Key)
	switch {
	case err != nil:
		return one, err
	case ok && string(document.Compact(there.Value)) == string(document.Compact(d.Value)):
		one.Result = curate.ResultUnchanged
		return one, nil
	case ok:
		one.Result, one.Reason = curate.ResultSkipped, curate.ReasonOccupied
		return one, nil
	}
	item := shelve.Item{Namespace: d.Namespace, Key: d.Key, Value: d.Value, Index: d.Index, Source: d.Source}
	if !d.ExpiresAt.IsZero() {
		if item.TTL = d.ExpiresAt.Sub(now); item.TTL <= 0 {
			one.Result, one.Reason = curate.ResultSkipped, "expired"
			return one, nil
		}
	}
	one.Result = curate.ResultAdded
	_, err = k.Put(ctx, s, []shelve.Item{item})
	return one, err
}
