package curate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// ExportVersion is the version of the form of exported records.
const ExportVersion = 1

// MaxImport bounds the records of one import.
const MaxImport = 200

// Exported is one record of an export: exactly one of its parts.
type Exported struct {
	// Memory is a memory, in any status; of a deleted one only its identity is left.
	Memory *memory.Memory `json:"memory,omitempty" doc:"A memory, in any status, with its evidence; of a forgotten one only the identity."`
	// Change is one step of the history.
	Change *ledger.Entry `json:"change,omitempty" doc:"A change of a memory, in the order of decision."`
	// Question is one that was put, as it was last.
	Question *memory.Question `json:"question,omitempty" doc:"A question that was put to the user, as it is now."`
	// Document is an application's own.
	Document *ExportedDocument `json:"document,omitempty" doc:"A document of the user."`
	// Place orders the records of an owner; what is added later comes behind what was before it
	// in its sort.
	Place string `json:"-"`
}

// ExportedDocument is an application's own document, with its value.
type ExportedDocument document.Document

// The sorts of records, in the order of an export.
const (
	sortMemory   = "1/"
	sortChange   = "2/"
	sortQuestion = "3/"
	sortDocument = "4/"
)

// Export is what there is of the owner behind a place, which is empty for the beginning, in a
// lasting order: memories, history, questions, documents. It is all of it, or more records
// than the bound: what lies behind those need not be read.
func (s *Service) Export(ctx context.Context, scope memory.Scope, after string, bound int) ([]Exported, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	if _, err := s.Decider.Projector.CatchUp(ctx, scope); err != nil {
		return nil, fmt.Errorf("catch up: %w", err)
	}
	x := export{Service: s, scope: scope, after: after}
	for _, part := range []func(context.Context) error{x.memories, x.changes, x.rest} {
		if err := part(ctx); err != nil {
			return nil, err
		}
		if len(x.out) > bound {
			break
		}
	}
	return x.out, nil
}

// export is a part of one.
type export struct {
	*Service
	scope memory.Scope
	after string
	out   []Exported
	// gone are the memories that were deleted; nil until they have been looked for.
	gone map[memory.ID]bool
	// records are the ledger's, all of them or, where some are behind, from the place on.
	records []ledger.Record
	whole   bool
}

// add takes records of one sort, but for those that do not lie behind the place.
func (x *export) add(records []Exported) {
	records = slices.DeleteFunc(records, func(e Exported) bool { return e.Place <= x.after })
	slices.SortFunc(records, func(a, b Exported) int { return cmp.Compare(a.Place, b.Place) })
	x.out = append(x.out, records...)
}

// passed reports whether a sort of records lies before the place.
func (x *export) passed(sort string) bool {
	return x.after >= sort && !strings.HasPrefix(x.after, sort)
}

// memories are those at hand and those that are past.
func (x *export) memories(ctx context.Context) error {
	if x.passed(sortMemory) {
		return nil
	}
	return x.look(ctx)
}

func (x *export) look(ctx context.Context) error {
	all, err := x.Memories.Needed(ctx, x.scope, reconcile.Needs{All: true, Past: true})
	if err != nil {
		return fmt.Errorf("read memories: %w", err)
	}
	x.gone = map[memory.ID]bool{}
	records := make([]Exported, len(all))
	for i := range all {
		m := &all[i]
		m.Tombstone, x.gone[m.ID] = nil, m.Status == memory.StatusDeleted
		records[i] = Exported{Memory: m, Place: sortMemory + string(m.ID)}
	}
	x.add(records)
	return nil
}

// changes are the history, which is read from the change set on that the place is in: what
// takes words out of it comes later.
func (x *export) changes(ctx context.Context) error {
	if x.passed(sortChange) {
		return nil
	}
	from := uint64(0)
	if seq, _, ok := strings.Cut(strings.TrimPrefix(x.after, sortChange), "/"); ok && strings.HasPrefix(x.after, sortChange) {
		from, _ = strconv.ParseUint(seq, 10, 64) // a place that is none begins before the first
	}
	var err error
	if x.records, err = decide.RecordsFrom(ctx, x.Ledger, x.scope, from); err != nil {
		return err
	}
	x.whole = from == 0
	history := ledger.Changes(x.records)
	hushAll(history)
	records := make([]Exported, len(history))
	last, n := uint64(0), 0
	for i := range history {
		if n++; history[i].LedgerSeq != last {
			last, n = history[i].LedgerSeq, 0
		}
		records[i] = Exported{Change: &history[i], Place: fmt.Sprintf("%s%020d/%06d", sortChange, last, n)}
	}
	x.add(records)
	return nil
}

// rest are the questions and documents, which are known once the whole ledger is.
func (x *export) rest(ctx context.Context) (err error) {
	if !x.whole {
		if x.records, err = decide.Records(ctx, x.Ledger, x.scope); err != nil {
			return err
		}
	}
	if x.gone == nil {
		if err := x.look(ctx); err != nil {
			return err
		}
	}
	x.add(questions(x.records, x.gone))
	x.add(x.documents(x.records))
	return nil
}

// hushAll is hush for the history of many memories.
func hushAll(history []ledger.Entry) {
	of := map[memory.ID][]int{}
	for i := range history {
		of[history[i].ID] = append(of[history[i].ID], i)
	}
	for _, places := range of {
		one := make([]ledger.Entry, len(places))
		for i, at := range places {
			one[i] = history[at]
		}
		hush(one)
		for i, at := range places {
			history[at] = one[i]
		}
	}
}

// questions are those that were put, but for what was forgotten since.
func questions(records []ledger.Record, gone map[memory.ID]bool) []Exported {
	last := map[memory.ID]*memory.Question{}
	for i := range records {
		for _, list := range [][]memory.Question{records[i].QuestionOpened, records[i].QuestionClosed} {
			for j := range list {
				last[list[j].ID] = &list[j]
			}
		}
	}
	var out []Exported
	for id, q := range last {
		forgotten := slices.ContainsFunc(append(slices.Clone(q.Rivals), q.Current), func(side memory.Side) bool { return gone[side.Memory] })
		if !forgotten {
			out = append(out, Exported{Question: q, Place: sortQuestion + string(id)})
		}
	}
	return out
}

// documents are those that there are.
func (s *Service) documents(records []ledger.Record) []Exported {
	last := map[memory.ID]*document.Document{}
	for i := range records {
		for j := range records[i].Changes {
			switch c := &records[i].Changes[j]; {
			case c.Document == nil:
			case c.Op == ledger.OpPut:
				last[c.Document.ID] = c.Document
			default:
				delete(last, c.Document.ID)
			}
		}
	}
	var out []Exported
	for id, d := range last {
		if d.ExpiresAt.IsZero() || d.ExpiresAt.After(s.Now()) {
			out = append(out, Exported{Document: (*ExportedDocument)(d), Place: sortDocument + string(id)})
		}
	}
	return out
}

// Imported is what became of one record.
type Imported struct {
	Memory memory.ID `json:"memory_id,omitempty" doc:"The memory, by its id in the export."`
	Result Result    `json:"result" doc:"added, refreshed, asked, superseded, refined, history, unchanged, skipped or refused."`
	Reason string    `json:"reason,omitempty" doc:"Why it was skipped or refused."`
}

// ResultSkipped is that of what an import does not take, and need not: it holds no more, or
// follows from the rest.
const ResultSkipped Result = "skipped"

// Import takes memories of an export as what was said then, with their own evidence and dates:
// what is known already stays as it is, what contradicts is asked about, and what was forgotten
// stays forgotten. All of it is one decision. The results are in the order of the memories.
func (s *Service) Import(ctx context.Context, scope memory.Scope, memories []memory.Memory) ([]Imported, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	if len(memories) > MaxImport {
		return nil, fault.BadField("records", fmt.Sprintf("must be at most %d", MaxImport))
	}
	place, err := s.place(ctx, scope, "import")
	if err != nil {
		return nil, err
	}
	place.Event = "request:import" // the same each time, so that a repetition changes nothing
	var out []Imported
	err = s.write(ctx, scope, func(ctx context.Context, _ uint64) (*ledger.ChangeSet, error) {
		var d reconcile.Decision
		d, out, err = s.adopt(ctx, scope, memories, place)
		if err != nil {
			return nil, err
		}
		return s.changeSet(scope, d), nil
	})
	return out, err
}

// adopt decides on memories from elsewhere.
func (s *Service) adopt(ctx context.Context, scope memory.Scope, memories []memory.Memory, place memory.Evidence) (reconcile.Decision, []Imported, error) {
	in := s.input(scope)
	a := adoption{Service: s, in: &in, of: map[int][]int{}}
	out := make([]Imported, len(memories))
	for i := range memories {
		out[i].Memory = memories[i].ID
		if why, refused := a.take(i, &memories[i]); why != "" {
			out[i].Result, out[i].Reason = ResultSkipped, why
			if refused {
				out[i].Result = ResultRefused
			}
		}
	}
	a.hide(place)
	if err := s.load(ctx, &in); err != nil {
		return reconcile.Decision{}, nil, err
	}
	d := reconcile.Plan(in)
	for i := range memories {
		if out[i].Result == "" {
			out[i].Result, out[i].Reason = a.became(i, &memories[i], d)
		}
	}
	return d, out, nil
}
