package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"

	"github.com/mnemond/mnemond/pkg/curate"
)

// Bounds of what one request of an import carries.
const (
	importRecords = curate.MaxImport
	importBytes   = 4 << 20
	maxRecord     = 4 << 20
)

// exportFormat names the form of an export, in its first line.
const exportFormat = "mnemond.export"

// exportHead is the first line of an export.
type exportHead struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

type exportCmd struct {
	api   `embed:""`
	owner `embed:""`
}

// Run writes everything of a user, a record a line, page by page.
func (c *exportCmd) Run(e *env) error {
	out := bufio.NewWriter(e.out)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	q := c.query()
	for first := true; ; first = false {
		var page struct {
			exportHead
			Records []json.RawMessage `json:"records"`
			Next    string            `json:"next_cursor"`
		}
		if err := c.call(e, http.MethodGet, "/v1/export?"+q.Encode(), nil, &page); err != nil {
			return err
		}
		if first {
			if err := enc.Encode(page.exportHead); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
		for _, r := range page.Records {
			if err := enc.Encode(r); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
		if page.Next == "" {
			break
		}
		q.Set("cursor", page.Next)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

type importCmd struct {
	api   `embed:""`
	owner `embed:""`
	File  string `arg:"" type:"existingfile" help:"What export has written."`
}

// Run brings what export has written to a user, in pieces, and prints what became of it. It
// may be repeated.
func (c *importCmd) Run(e *env) (err error) {
	f, err := os.Open(c.File)
	if err != nil {
		return fmt.Errorf("open export: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxRecord)
	var head exportHead
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &head) != nil || head.Format != exportFormat {
		return usage("%s is no export: its first line must name the format %s", c.File, exportFormat)
	}
	counts := map[string]int{}
	var piece []json.RawMessage
	size := 0
	send := func() error {
		if len(piece) == 0 {
			return nil
		}
		var reply struct {
			Results []curate.Imported `json:"results"`
		}
		body := map[string]any{"tenant": c.Tenant, "user": c.User, "version": head.Version, "records": piece}
		if err := c.call(e, http.MethodPost, "/v1/import", body, &reply); err != nil {
			return err
		}
		for _, r := range reply.Results {
			what := string(r.Result)
			if r.Reason != "" {
				what += " (" + r.Reason + ")"
			}
			counts[what]++
		}
		piece, size = nil, 0
		return nil
	}
	for lines.Scan() {
		if len(piece) == importRecords || size+len(lines.Bytes()) > importBytes {
			if err := send(); err != nil {
				return err
			}
		}
		piece, size = append(piece, bytes.Clone(lines.Bytes())), size+len(lines.Bytes())
	}
	if err := errors.Join(lines.Err(), send()); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	return printCounts(e.out, counts)
}

func printCounts(w io.Writer, counts map[string]int) error {
	if len(counts) == 0 {
		if _, err := fmt.Fprintln(w, "nothing to do"); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		if _, err := fmt.Fprintf(w, "%6d %s\n", counts[what], what); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

type mergeCmd struct {
	api   `embed:""`
	owner `embed:""`
	From  string `arg:"" help:"User whose memories are taken over."`
	Erase bool   `help:"Erase that user then. There is no undo."`
}

// Run merges a user into another one.
func (c *mergeCmd) Run(e *env) error {
	then := "keep"
	if c.Erase {
		then = "erase"
	}
	var m curate.Merged
	body := map[string]any{"tenant": c.Tenant, "user": c.User, "from": c.From, "then": then}
	if err := c.call(e, http.MethodPost, "/v1/merge", body, &m); err != nil {
		return err
	}
	counts := map[string]int{}
	for _, r := range m.Results {
		counts[string(r.Result)]++
	}
	for _, d := range m.Documents {
		counts["documents "+string(d.Result)]++
	}
	if err := printCounts(e.out, counts); err != nil {
		return err
	}
	if m.Erased != nil {
		if _, err := fmt.Fprintf(e.out, "%s is erased: %d memories, final %t\n", c.From, m.Erased.Memories, m.Erased.Final); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}
