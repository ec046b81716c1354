package eval

import (
	"reflect"
	"testing"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

func change(op ledger.Op, id memory.ID, value, text string, s memory.Status, turns ...string) ledger.Change {
	m := memory.Memory{ID: id, Value: value, Text: text, Status: s}
	for _, t := range turns {
		m.Evidence = append(m.Evidence, memory.Evidence{Event: t})
	}
	return ledger.Change{Op: op, Memory: m}
}

func TestRemembered(t *testing.T) {
	standing := change(ledger.OpRequest, "r", "", "don't mention work", memory.StatusStanding, "9")
	standing.Memory.Suppresses = &memory.Topic{Words: "work"}
	asked := change(ledger.OpAdd, "a", "Rex", "Rex", memory.StatusCurrent, "8")
	asked.Memory.Evidence[0].Asked = "What is your dog's name?"
	records := []ledger.Record{
		{Seq: 1, ChangeSet: ledger.ChangeSet{Changes: []ledger.Change{
			change(ledger.OpAdd, "c", "Oslo", "I live in Oslo", memory.StatusCurrent, "1"),
			change(ledger.OpAdd, "d", "Ann", "Ann is my aunt", memory.StatusCurrent, "2"),
			standing, asked,
		}}},
		{Seq: 2, ChangeSet: ledger.ChangeSet{Changes: []ledger.Change{
			change(ledger.OpRefresh, "c", "Oslo", "I live in Oslo", memory.StatusCurrent, "1", "3"),
			change(ledger.OpHistory, "c", "Paris", "I lived in Paris", memory.StatusCurrent, "4"),
		}}},
		{Seq: 3, ChangeSet: ledger.ChangeSet{Changes: []ledger.Change{
			change(ledger.OpSupersede, "c", "Bergen", "I moved to Bergen", memory.StatusCurrent, "5"),
			change(ledger.OpEnd, "d", "Ann", "Ann is my aunt", memory.StatusEnded, "2", "6"),
			change(ledger.OpDispute, "e", "Bonn", "I live in Bonn", memory.StatusDisputed, "7"),
			change(ledger.OpDelete, "a", "", "", memory.StatusDeleted),
		}}},
	}
	want := []found{
		{"I live in Oslo", []string{"1", "3"}, memory.StatusSuperseded},
		{"Ann is my aunt", []string{"2", "6"}, memory.StatusEnded},
		{"Rex\nWhat is your dog's name?", []string{"8"}, memory.StatusSuperseded},
		{"I lived in Paris", []string{"4"}, memory.StatusSuperseded},
		{"I moved to Bergen", []string{"5"}, memory.StatusCurrent},
		{"I live in Bonn", []string{"7"}, memory.StatusDisputed},
	}
	if got := remembered(records); !reflect.DeepEqual(got, want) {
		t.Errorf("remembered\n%+v, want\n%+v", got, want)
	}
}
