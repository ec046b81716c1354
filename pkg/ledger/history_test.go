package ledger_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

// day is the n-th day after noon.
func day(n int) time.Time { return noon.AddDate(0, 0, n) }

func records(sets ...[]ledger.Change) []ledger.Record {
	var out []ledger.Record
	for i, changes := range sets {
		out = append(out, ledger.Record{
			Seq: uint64(10 * (i + 1)), ChangeSet: ledger.ChangeSet{At: day(100 + i), Scope: scope, Changes: changes},
		})
	}
	return out
}

func one(op ledger.Op, m memory.Memory) []ledger.Change {
	return []ledger.Change{{Op: op, Memory: m, Reason: "why"}}
}

// confirmed is m with more evidence, as a refresh leaves it.
func confirmed(m memory.Memory, more ...memory.Evidence) memory.Memory {
	m.Evidence = append(append([]memory.Evidence{}, m.Evidence...), more...)
	return m
}

func TestHistory(t *testing.T) {
	boston, denver := city("Boston", day(1)), city("Denver", day(5))
	district := city("Denver, Capitol Hill", day(7))
	district.Evidence = append([]memory.Evidence{said("Denver", day(5))}, district.Evidence...)
	disputed := city("Oslo", day(6))
	disputed.ID, disputed.Status = "d", memory.StatusDisputed
	ended := confirmed(boston, said("nowhere", day(3)))
	ended.Status = memory.StatusEnded
	job := city("nurse", day(2))
	job.Key = "user.occupation"

	tests := []struct {
		name    string
		records []ledger.Record
		want    []string
	}{
		{"nothing", nil, nil},
		{"in order", records(one(ledger.OpAdd, boston), one(ledger.OpSupersede, denver)), []string{"Boston", "Denver"}},
		{"the earlier one decided later", records(one(ledger.OpAdd, denver), one(ledger.OpHistory, boston)), []string{"Boston", "Denver"}},
		{"the same record twice", records(one(ledger.OpAdd, denver), one(ledger.OpHistory, boston), one(ledger.OpHistory, boston)), []string{"Boston", "Denver"}},
		{"other keys", records(one(ledger.OpAdd, boston), one(ledger.OpAdd, job)), []string{"Boston"}},
		{"a dispute and its end", records(one(ledger.OpAdd, denver), one(ledger.OpDispute, disputed), one(ledger.OpSettle, disputed)), []string{"Denver"}},
		{"an ending", records(one(ledger.OpAdd, boston), one(ledger.OpEnd, ended)), []string{"Boston"}},
		{"a refresh", records(one(ledger.OpAdd, boston), one(ledger.OpRefresh, confirmed(boston, said("Boston", day(2))))), []string{"Boston"}},
		{"refined", records(one(ledger.OpAdd, denver), []ledger.Change{{Op: ledger.OpRefine, Memory: district, Previous: &denver}}), []string{"Denver", "Denver, Capitol Hill"}},
		{"refined and confirmed", records(
			one(ledger.OpAdd, denver), []ledger.Change{{Op: ledger.OpRefine, Memory: district, Previous: &denver}},
			one(ledger.OpRefresh, confirmed(district, said("Denver", day(8)))),
		), []string{"Denver", "Denver, Capitol Hill"}},
		{"there and back", records(one(ledger.OpAdd, boston), one(ledger.OpSupersede, denver), one(ledger.OpSupersede, city("Boston", day(9)))), []string{"Boston", "Denver", "Boston"}},
		{"there and back, decided out of order", records(
			one(ledger.OpAdd, city("Boston", day(9))),
			one(ledger.OpRefresh, confirmed(city("Boston", day(9)), said("Boston", day(1)))),
			one(ledger.OpHistory, denver),
		), []string{"Boston", "Denver", "Boston"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			entries := ledger.History(tt.records, "user.city")
			var got []string
			for i, e := range entries {
				got = append(got, e.Value)
				if i > 0 && e.SaidAt.Before(entries[i-1].SaidAt) {
					t.Errorf("%q comes after %q, but was said before", e.Value, entries[i-1].Value)
				}
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("history is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHistoryJoinsEvidenceOfOneValue(t *testing.T) {
	boston := city("Boston", day(1))
	entries := ledger.History(records(one(ledger.OpAdd, boston), one(ledger.OpRefresh, confirmed(boston, said("Boston", day(4))))), "user.city")
	if len(entries) != 1 || len(entries[0].Evidence) != 2 || !entries[0].SaidAt.Equal(day(1)) {
		t.Fatalf("history is %+v", entries)
	}
	e := entries[0]
	if e.LedgerSeq != 10 || !e.DecidedAt.Equal(day(100)) || e.Op != ledger.OpAdd || e.Reason != "why" || e.ID != boston.ID || e.Text != boston.Text {
		t.Errorf("entry is %+v", e)
	}
}

// Two values that one sentence states under a key with many are two entries.
func TestHistoryOfOneSentence(t *testing.T) {
	french, german := city("French", day(1)), city("German", day(1))
	german.ID = "other"
	german.Evidence = french.Evidence
	if got := ledger.History(records([]ledger.Change{{Op: ledger.OpAdd, Memory: french}, {Op: ledger.OpAdd, Memory: german}}), "user.city"); len(got) != 2 {
		t.Errorf("history is %+v", got)
	}
}

func TestChangesAreInOrderOfDecision(t *testing.T) {
	disputed := city("Oslo", day(6))
	got := ledger.Changes(records(one(ledger.OpAdd, city("Denver", day(5))), one(ledger.OpHistory, city("Boston", day(1))), one(ledger.OpDispute, disputed)))
	var ops []ledger.Op
	for _, e := range got {
		ops = append(ops, e.Op)
	}
	if want := []ledger.Op{ledger.OpAdd, ledger.OpHistory, ledger.OpDispute}; !reflect.DeepEqual(ops, want) {
		t.Errorf("operations are %v, want %v", ops, want)
	}
}
