package curate_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/memory"
)

// TestExportByPages: whatever the size of the pages is, they hold what the whole holds, and
// what was forgotten is as silent in them.
func TestExportByPages(t *testing.T) {
	p := newPorts(t)
	var gone memory.ID
	for i := range 6 {
		if id := p.say(t, ann, "t1", "user.likes", fmt.Sprint("tea ", i), fmt.Sprint("I like tea ", i)); i == 2 {
			gone = id
		}
	}
	p.say(t, ann, "t1", "user.city", "Oslo", "I live in Oslo")
	p.say(t, anon, "t2", "user.city", "Bergen", "I live in Bergen")
	if _, err := p.Merge(t.Context(), anon, ann, false); err != nil { // which asks
		t.Fatal(err)
	}
	p.put(t, ann, "draft", `{"v":1}`)
	p.put(t, ann, "theme", `{"v":2}`)
	if _, err := p.Forget(t.Context(), ann, curate.Selection{IDs: []memory.ID{gone}}); err != nil {
		t.Fatal(err)
	}
	if err := p.Restore(t.Context(), ann, gone); err != nil {
		t.Fatal(err)
	}
	p.now = p.now.Add(time.Minute)
	if _, err := p.Forget(t.Context(), ann, curate.Selection{IDs: []memory.ID{gone}}); err != nil {
		t.Fatal(err)
	}
	whole, err := p.Export(t.Context(), ann, "", math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	sorts := map[byte]int{}
	for _, e := range whole {
		sorts[e.Place[0]]++
		if e.Change != nil && e.Change.ID == gone && e.Change.Text != "" {
			t.Errorf("the history of what was forgotten says %q", e.Change.Text)
		}
	}
	if sorts['1'] < 7 || sorts['2'] < 11 || sorts['3'] != 1 || sorts['4'] != 2 {
		t.Errorf("records by their sort: %v", sorts)
	}
	for size := 1; size <= len(whole); size++ {
		var got []curate.Exported
		for after := ""; ; after = got[len(got)-1].Place {
			page, err := p.Export(t.Context(), ann, after, size)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page[:min(size, len(page))]...)
			if len(page) <= size {
				break
			}
		}
		if !reflect.DeepEqual(got, whole) {
			t.Fatalf("pages of %d hold %d records, want %d, or others", size, len(got), len(whole))
		}
	}
}
