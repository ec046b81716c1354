package purge_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/purge"
)

// shelf is an owner's ledger of documents.
type shelf struct {
	records []ledger.Record
	seq     uint64
}

func noteID(key string) memory.ID { return document.Identity(scope, []string{"n"}, key) }

func (s *shelf) append(changes ...ledger.Change) {
	s.seq++
	s.records = append(s.records, ledger.Record{Seq: s.seq, ChangeSet: ledger.ChangeSet{V: ledger.Version, Scope: scope, At: start, Changes: changes}})
}

func putNote(key, text string) ledger.Change {
	return ledger.Change{Op: ledger.OpPut, Document: &document.Document{
		ID: noteID(key), Scope: scope, Namespace: []string{"n"}, Key: key, Value: json.RawMessage(fmt.Sprintf(`{"text":%q}`, text)),
	}}
}

func removeNote(op ledger.Op, key string) ledger.Change {
	left := putNote(key, "").Document.Removed(start)
	return ledger.Change{Op: op, Document: &left}
}

// fold is the last state of each document.
func (s *shelf) fold() map[memory.ID]ledger.Change {
	out := map[memory.ID]ledger.Change{}
	for _, r := range ledger.InEffect(append([]ledger.Record{}, s.records...)) {
		for _, c := range r.Changes {
			out[c.ID()] = c
		}
	}
	return out
}

// replace puts what takes the place of records there, as the reaper does.
func (s *shelf) replace(with []ledger.Record) {
	for _, w := range with {
		for i, r := range s.records {
			if r.Seq == w.Seq {
				s.records = append(s.records[:i:i], s.records[i+1:]...)
				break
			}
		}
		s.seq++
		w.Seq = s.seq
		s.records = append(s.records, w)
	}
}

func wordsOf(records []ledger.Record) string {
	raw, err := json.Marshal(records)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestTextOfDocumentsLeavesTheLedger(t *testing.T) {
	s := &shelf{}
	s.append(putNote("replaced", "first"), putNote("kept", "stays"), putNote("other", "its old text"))
	s.append(putNote("removed", "secret"))
	s.append(putNote("replaced", "second"), removeNote(ledger.OpRemove, "removed"), putNote("replaced", "third"))
	s.append(putNote("other", "its new text"))
	before := s.fold()
	untouched := wordsOf(s.records)
	got := purge.Documents(s.records, []memory.ID{noteID("replaced"), noteID("removed")})
	if wordsOf(s.records) != untouched {
		t.Error("the records that were given have been changed")
	}
	if len(got) != 3 || got[0].Seq != 1 || got[0].InPlaceOf != 1 || got[1].Seq != 2 || len(got[1].Changes) != 0 || got[2].Seq != 3 {
		t.Fatalf("rewritten are %s", wordsOf(got))
	}
	// The old text of the other one goes along: what takes the place of a change set comes late.
	if len(got[0].Changes) != 1 || got[0].Changes[0].Document.Key != "kept" || len(got[2].Changes) != 2 {
		t.Errorf("rewritten are %s", wordsOf(got))
	}
	s.replace(got)
	if after := s.fold(); !reflect.DeepEqual(before, after) {
		t.Errorf("the ledger adds up to\n%v\nand did to\n%v", after, before)
	}
	for _, gone := range []string{"first", "second", "secret"} {
		if strings.Contains(wordsOf(s.records), gone) {
			t.Errorf("%q is left", gone)
		}
	}
	if again := purge.Documents(s.records, []memory.ID{noteID("replaced"), noteID("removed")}); len(again) != 0 {
		t.Errorf("rewritten again: %s", wordsOf(again))
	}
	if none := purge.Documents(s.records, []memory.ID{noteID("kept")}); len(none) != 0 {
		t.Errorf("rewritten for what is as it was put: %s", wordsOf(none))
	}
}

// Whatever is put, removed and dropped, and whoever is purged: the ledger adds up to the
// same, no old text of who is due is left, and a second pass changes nothing.
func TestPurgeOfDocumentsChangesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := &shelf{}, 0
		keys := []string{"a", "b", "c"}
		last := map[string]string{}
		for range rapid.IntRange(1, 6).Draw(t, "sets") {
			var changes []ledger.Change
			for range rapid.IntRange(1, 4).Draw(t, "changes") {
				key := rapid.SampledFrom(keys).Draw(t, "key")
				n++
				last[key] = fmt.Sprintf("text %d.", n)
				c := putNote(key, last[key])
				if op := rapid.SampledFrom([]ledger.Op{ledger.OpPut, ledger.OpPut, ledger.OpRemove, ledger.OpDrop}).Draw(t, "op"); op != ledger.OpPut {
					c, last[key] = removeNote(op, key), ""
				}
				changes = append(changes, c)
			}
			s.append(changes...)
			if rapid.Bool().Draw(t, "purge now") {
				s.replace(purge.Documents(s.records, []memory.ID{noteID("b")}))
			}
		}
		before := s.fold()
		s.replace(purge.Documents(s.records, []memory.ID{noteID("a"), noteID("b")}))
		if after := s.fold(); !reflect.DeepEqual(before, after) {
			t.Fatalf("the ledger adds up to\n%v\nand did to\n%v", after, before)
		}
		for _, r := range s.records {
			for _, c := range r.Changes {
				if d := c.Document; (d.Key == "a" || d.Key == "b") && !strings.Contains(string(d.Value), last[d.Key]) {
					t.Fatalf("old text of %s is left: %s", d.Key, d.Value)
				}
			}
		}
		if again := purge.Documents(s.records, []memory.ID{noteID("a"), noteID("b")}); len(again) != 0 {
			t.Fatalf("rewritten again: %s", wordsOf(again))
		}
	})
}

// The purge of memories leaves documents in what it rewrites, but no state of one that
// another has followed.
func TestPurgeOfMemoriesLeavesDocuments(t *testing.T) {
	l := &life{t: t}
	l.say(memory.RelationNew, fact{"", "a secret of mine"})
	l.records[0].Changes = append(l.records[0].Changes, putNote("kept", "it is a secret of mine"), putNote("old", "before"))
	l.append(ledger.ChangeSet{Changes: []ledger.Change{putNote("old", "after")}})
	m := l.records[0].Changes[0].Memory
	tomb := memory.Memory{ID: m.ID, Scope: scope, Kind: m.Kind, Status: memory.StatusDeleted, Tombstone: &memory.Tombstone{At: l.now(), Seq: 9999}}
	l.append(ledger.ChangeSet{Changes: []ledger.Change{{Op: ledger.OpDelete, Memory: tomb}}})
	got := purger.Rewrite(l.records, []memory.Memory{tomb})
	if len(got) != 1 || len(got[0].Changes) != 1 || got[0].Changes[0].Document == nil || got[0].Changes[0].Document.Key != "kept" ||
		string(got[0].Changes[0].Document.Value) != `{"text":"it is a secret of mine"}` {
		t.Errorf("rewritten are %s", wordsOf(got))
	}
	if _, ok := purge.Undo(l.records, noteID("kept")); ok {
		t.Error("a document is undone as a memory")
	}
}
