package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// BenchmarkExport takes everything out of an owner with 5,000 memories, page by page, as a
// client does. Each change set has two memories.
func BenchmarkExport(b *testing.B) {
	const memories = 5000
	x := startStill(b, stillOptions{})
	s := memory.UserScope(memory.DefaultTenant, "collector")
	at := x.clock.Now()
	head := uint64(0)
	for i := 0; i < memories; i += 2 {
		c := ledger.ChangeSet{V: ledger.Version, At: at, Author: ledger.AuthorExtractor, Scope: s}
		for n := range 2 {
			text := fmt.Sprintf("the note of this day says that drawer %d holds the %d spare parts", i+n, i*7+n)
			c.Changes = append(c.Changes, ledger.Change{Op: ledger.OpAdd, Reason: "bench", Memory: memory.Memory{
				ID: x.Registry.Identity(s, "", "", text), Scope: s, Kind: memory.KindFact, Text: text, Language: "en",
				Stability: memory.Stable, Status: memory.StatusCurrent, SaidAt: at, CreatedAt: at, ConfirmedAt: at, Confidence: 1,
				Evidence: []memory.Evidence{{Event: fmt.Sprint("e", i), Thread: "t", Role: memory.RoleUser, At: at, Quote: text}},
			}})
		}
		data, err := c.Encode()
		must(b, err)
		head, err = x.Log.Append(b.Context(), s, head, data)
		must(b, err)
	}
	_, err := x.Projector.CatchUp(b.Context(), s)
	must(b, err)
	op, ok := door.New(door.Services{Carry: x.Curate}).Operation("export")
	if !ok {
		b.Fatal("there is no such operation")
	}
	worst := time.Duration(0)
	pages, records := 0, 0
	var read countingReader
	read.Reader, x.Curate.Ledger = x.Curate.Ledger, &read
	for b.Loop() {
		pages, records, read.sets = 0, 0, 0
		for cursor := ""; ; {
			raw, err := json.Marshal(map[string]any{"user": "collector", "cursor": cursor})
			must(b, err)
			began := time.Now()
			reply, err := op.Call(b.Context(), access.Local(), raw)
			must(b, err)
			worst = max(worst, time.Since(began))
			page := reply.(*door.ExportReply)
			pages, records = pages+1, records+len(page.Records)
			if cursor = page.Cursor; cursor == "" {
				break
			}
		}
	}
	if records != 2*memories {
		b.Fatalf("%d records, want %d", records, 2*memories)
	}
	b.ReportMetric(float64(pages), "pages")
	b.ReportMetric(float64(read.sets), "change-sets-read/op")
	b.ReportMetric(float64(worst.Milliseconds()), "ms/worst-page")
}

// countingReader counts the change sets that are read.
type countingReader struct {
	decide.Reader
	sets int
}

// Read counts what fn is called for.
func (r *countingReader) Read(ctx context.Context, s memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	return r.Reader.Read(ctx, s, after, upTo, func(seq uint64, at time.Time, data []byte) error {
		r.sets++
		return fn(seq, at, data)
	})
}
