package find_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/embed"
	"github.com/mnemond/mnemond/pkg/find"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/rank"
	"github.com/mnemond/mnemond/schemas"
)

var (
	now   = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	alice = memory.UserScope("acme", "alice")
	agent = memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "helper"}}
)

func id(n int) memory.ID { return memory.ID(fmt.Sprintf("00000000-0000-5000-8000-%012d", n)) }

// recalled is a current memory, said n days ago.
func recalled(n int, key memory.Key, text string, change ...func(*memory.Memory)) memory.Memory {
	at := now.AddDate(0, 0, -n)
	m := memory.Memory{
		ID: id(n), Scope: alice, Kind: memory.KindFact, Key: key, Text: text, Status: memory.StatusCurrent, Stability: memory.Stable,
		SaidAt: at, CreatedAt: at, ConfirmedAt: at, Confidence: 1,
		Evidence: []memory.Evidence{{Event: "e", Seq: uint64(1000 - n), Thread: "t", Role: memory.RoleUser, At: at, Quote: text}},
	}
	for _, f := range change {
		f(&m)
	}
	return m
}

var registry = sync.OnceValues(func() (*profile.Registry, error) { return profile.Parse(schemas.Profile) })

func config(t *testing.T, s find.Store) find.Config {
	t.Helper()
	r, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	e := embed.NewLexical()
	return find.Config{
		Store: s, Embed: e, Registry: r, Weights: rank.DefaultWeights(), Measure: rank.DefaultMeasure(),
		MinDense: float32(rank.DefaultMeasure().MinCosine), Related: e.Related,
	}
}

// shelfOf holds memories as the product indexes them.
func shelfOf(t *testing.T, memories ...memory.Memory) *find.Shelf {
	t.Helper()
	var entries []find.ShelfEntry
	for i := range memories {
		m := &memories[i]
		dense, err := embed.NewLexical().Embed(context.Background(), []string{index.Text(m)})
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, find.ShelfEntry{Hit: index.Hit{Memory: *m, Terms: index.Sparse(m)}, Dense: dense[0]})
	}
	return find.NewShelf(entries...)
}

func foundBy(t *testing.T, c find.Config, r find.Request) []find.Found {
	t.Helper()
	r.Now = now
	if r.Limit == 0 {
		r.Limit = 10
	}
	if len(r.Scopes) == 0 {
		r.Scopes = []memory.Scope{alice}
	}
	got, err := find.New(c).Find(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func foundIn(t *testing.T, query string, memories ...memory.Memory) []string {
	t.Helper()
	return textsOf(foundBy(t, config(t, shelfOf(t, memories...)), find.Request{Query: query}))
}

func textsOf(found []find.Found) []string {
	out := []string{}
	for _, f := range found {
		out = append(out, f.Hit.Memory.Text)
	}
	return out
}
