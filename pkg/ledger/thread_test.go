package ledger_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/ledger"
)

func passed(seq uint64, recent []uint64, events ...ledger.EventHash) *ledger.Checkpoint {
	return &ledger.Checkpoint{Thread: "t1", Seq: seq, Events: events, Recent: recent}
}

func TestThreadStateApply(t *testing.T) {
	var s ledger.ThreadState
	s.Apply(3, passed(10, []uint64{8, 9, 10}, 1, 2, 3))
	s.Apply(6, passed(14, []uint64{12, 14}, 3, 4))
	want := ledger.ThreadState{LedgerSeq: 6, Checkpoint: 6, Seq: 14, Recent: []uint64{9, 10, 12, 14}, Consumed: []ledger.EventHash{1, 2, 3, 4}}
	if !sameState(s, want) {
		t.Errorf("state is %+v", s)
	}
	for h, consumed := range map[ledger.EventHash]bool{1: true, 4: true, 9: false, 5: false} {
		if s.Has(h) != consumed {
			t.Errorf("Has(%d) = %v", h, !consumed)
		}
	}
	s.Apply(6, passed(99, nil, 99))
	s.Apply(2, passed(99, nil, 99))
	if !sameState(s, want) {
		t.Errorf("what was folded in before changed the state to %+v", s)
	}
	s.Apply(7, passed(13, nil))
	if s.Seq != 14 {
		t.Errorf("the checkpoint moved back to %d", s.Seq)
	}
}

func sameState(a, b ledger.ThreadState) bool {
	return a.LedgerSeq == b.LedgerSeq && a.Checkpoint == b.Checkpoint && a.Seq == b.Seq &&
		len(a.Recent) == len(b.Recent) && len(a.Consumed) == len(b.Consumed) &&
		(len(a.Recent) == 0 || reflect.DeepEqual(a.Recent, b.Recent)) &&
		(len(a.Consumed) == 0 || reflect.DeepEqual(a.Consumed, b.Consumed))
}

var checkpoints = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *ledger.Checkpoint {
	var events []ledger.EventHash
	for _, e := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 6).Draw(t, "events") {
		events = append(events, ledger.EventHash(e))
	}
	return passed(rapid.Uint64Range(0, 100).Draw(t, "seq"), rapid.SliceOfN(rapid.Uint64(), 0, 6).Draw(t, "recent"), events...)
}), 0, 10)

// A cache written anywhere on the way, and the checkpoints after it, give the same state as
// all of them.
func TestThreadStateFromACache(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := checkpoints.Draw(t, "checkpoints")
		cut := rapid.IntRange(0, len(all)).Draw(t, "cut")
		var whole, cached ledger.ThreadState
		for i, c := range all {
			whole.Apply(uint64(i+1), c)
			if i < cut {
				cached.Apply(uint64(i+1), c)
			}
		}
		resumed, err := ledger.DecodeThreadState(cached.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if !sameState(resumed, cached) {
			t.Fatalf("%+v became %+v", cached, resumed)
		}
		for i, c := range all {
			resumed.Apply(uint64(i+1), c) // what the cache holds is passed over
		}
		if !sameState(resumed, whole) {
			t.Fatalf("resumed %+v, whole %+v", resumed, whole)
		}
		for h := range ledger.EventHash(10) {
			if resumed.Has(h) != whole.Has(h) {
				t.Fatalf("event %d is consumed in one only", h)
			}
		}
	})
}

func TestDecodeThreadStateRefuses(t *testing.T) {
	state := ledger.ThreadState{LedgerSeq: 300, Checkpoint: 299, Seq: 2, Recent: []uint64{1, 2}, Consumed: []ledger.EventHash{7}}
	raw := state.Encode()
	tests := map[string][]byte{
		"nothing": {}, "another version": append([]byte{9}, raw[1:]...), "JSON": []byte(`{"seq":1}`),
		"many recent": {raw[0], 1, 1, 1, 200, 1}, "a number without end": {raw[0], 0xff, 0xff},
		"a number too large": append([]byte{raw[0]}, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
		"half a hash":        raw[:len(raw)-1], "no recent": raw[:6],
	}
	for name, b := range tests {
		if s, err := ledger.DecodeThreadState(b); err == nil {
			t.Errorf("%s was read as %+v", name, s)
		}
	}
}

func FuzzDecodeThreadState(f *testing.F) {
	state := ledger.ThreadState{LedgerSeq: 1 << 40, Seq: 9, Recent: []uint64{8, 9}, Consumed: []ledger.EventHash{1, 2}}
	f.Add(state.Encode())
	f.Add([]byte{1, 0, 0, 0})
	f.Add([]byte{1, 0x80, 0, 0, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := ledger.DecodeThreadState(raw)
		if err != nil {
			return
		}
		back, err := ledger.DecodeThreadState(s.Encode())
		if err != nil || !sameState(s, back) {
			t.Fatalf("%+v became %+v, %v", s, back, err)
		}
	})
}
