package ledger_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

var (
	noon  = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	scope = memory.UserScope("acme", "u1")
)

func city(value string, at time.Time) memory.Memory {
	return memory.Memory{
		ID: "6f1e2a0c-52b5-5c0e-9d0b-8a3b6c1f7d24", Scope: scope, Kind: memory.KindProfile, Key: "user.city",
		Value: value, Text: "I live in " + value, Language: "en", Stability: memory.Stable, Status: memory.StatusCurrent,
		SaidAt: at, CreatedAt: at, ConfirmedAt: at, Confidence: 0.9, Evidence: []memory.Evidence{said(value, at)},
	}
}

func said(value string, at time.Time) memory.Evidence {
	return memory.Evidence{
		Event: "e-" + at.Format(time.RFC3339), Seq: uint64(at.Unix()), Thread: "t1", Role: memory.RoleUser,
		At: at, Quote: "I live in " + value,
	}
}

func full() ledger.ChangeSet {
	previous := city("Boston", noon.Add(-time.Hour))
	return ledger.ChangeSet{
		V: ledger.Version, At: noon, Author: ledger.AuthorExtractor, Scope: scope,
		Checkpoint: &ledger.Checkpoint{
			Thread: "t1", Seq: 12, Events: []ledger.EventHash{1, math.MaxUint64}, Recent: []uint64{11, 12},
			Counts: ledger.Counts{Messages: 2, Remembered: 1, Nothing: 1},
		},
		Changes:    []ledger.Change{{Op: ledger.OpSupersede, Memory: city("Denver", noon), Previous: &previous, Reason: "change_said"}},
		Rejections: []ledger.Rejection{{Reason: "transient", Count: 2}},
	}
}

func encode(t testing.TB, c ledger.ChangeSet) []byte {
	t.Helper()
	raw, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestChangeSetRoundTrip(t *testing.T) {
	raw := encode(t, full())
	back, err := ledger.Decode(raw, scope)
	if err != nil {
		t.Fatal(err)
	}
	if again := encode(t, back); !bytes.Equal(raw, again) {
		t.Errorf("became\n%s\nfrom\n%s", again, raw)
	}
	if !strings.Contains(string(raw), `["0000000000000001","ffffffffffffffff"]`) {
		t.Errorf("event hashes are not text: %s", raw)
	}
}

func TestEncodeDoesNotEscapeHTML(t *testing.T) {
	c := full()
	c.Changes[0].Memory.Text = "a <b> & 杭州"
	if raw := string(encode(t, c)); !strings.Contains(raw, "a <b> & 杭州") || strings.HasSuffix(raw, "\n") {
		t.Errorf("encoded as %s", raw)
	}
}

func TestEncodeRefusesTooLarge(t *testing.T) {
	c := full()
	c.Changes[0].Memory.Text = strings.Repeat("x", ledger.MaxBytes)
	if _, err := c.Encode(); err == nil || !strings.Contains(err.Error(), "more than 524288") {
		t.Errorf("error is %v", err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	valid := string(encode(t, full()))
	other := memory.UserScope("acme", "u2")
	moved := full()
	moved.Changes[0].Memory.Scope = other
	before := full()
	before.Changes[0].Previous.Scope = other
	tests := []struct{ name, raw, want string }{
		{"nothing", "", "EOF"},
		{"another version", strings.Replace(valid, `"v":1`, `"v":2`, 1), "version 2, this program reads 1"},
		{"no version", strings.Replace(valid, `"v":1,`, ``, 1), "version 0"},
		{"unknown field", strings.Replace(valid, `"v":1`, `"v":1,"x":2`, 1), "unknown field"},
		{"unknown field of a memory", strings.Replace(valid, `"text":`, `"note":"","text":`, 1), "unknown field"},
		{"another owner", strings.Replace(valid, `"u1"`, `"u2"`, 1), "its scope is not that of its subject"},
		{"another owner's memory", string(encode(t, moved)), "change 0: its scope"},
		{"another owner's previous memory", string(encode(t, before)), "change 0: its scope"},
		{"two values", valid + valid, "more than one JSON value"},
		{"a bracket behind", valid + "]", "more than one JSON value"},
		{"a hash that is short", strings.Replace(valid, "0000000000000001", "1", 1), "16 hexadecimal digits"},
		{"a hash with a space", strings.Replace(valid, "0000000000000001", "00000000 0000001", 1), "16 hexadecimal digits"},
		{"a hash with junk", strings.Replace(valid, "0000000000000001", "00000001zzzzzzzz", 1), "16 hexadecimal digits"},
		{"a hash that is a number", strings.Replace(valid, `"0000000000000001"`, "1", 1), "unmarshal number"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ledger.Decode([]byte(tt.raw), scope)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %q", err, tt.want)
			}
		})
	}
}

func TestHashEvent(t *testing.T) {
	if got := ledger.HashEvent("e1", 0); got != 0x18c43cdc5c9ceafe {
		t.Errorf("hash is %016x: what ledgers hold would be recognised no more", uint64(got))
	}
	seen := map[ledger.EventHash]string{}
	for _, id := range []string{"", "e1", "e2", "1", "\x00", "事件"} {
		for _, replay := range []uint64{0, 1, 1 << 40} {
			h := ledger.HashEvent(id, replay)
			if before, ok := seen[h]; ok {
				t.Errorf("%q (replay %d) and %s have one hash", id, replay, before)
			}
			seen[h] = id
		}
	}
}

func TestEventHashRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := ledger.EventHash(rapid.Uint64().Draw(t, "hash"))
		raw, err := json.Marshal(h)
		if err != nil || len(raw) != 18 {
			t.Fatalf("%s, %v", raw, err)
		}
		var back ledger.EventHash
		if err := json.Unmarshal(raw, &back); err != nil || back != h {
			t.Fatalf("%x became %x, %v", h, back, err)
		}
	})
}

func TestCounts(t *testing.T) {
	a := ledger.Counts{Messages: 5, Remembered: 1, Refreshed: 1, Rejected: 1, Nothing: 1, Parked: 1}
	if !a.Balanced() || !a.Add(a).Balanced() || a.Add(a) != (ledger.Counts{10, 2, 2, 2, 2, 2}) {
		t.Errorf("twice %+v is %+v", a, a.Add(a))
	}
	for _, part := range []ledger.Counts{{Messages: 1}, {Remembered: 1}, {Refreshed: 1}, {Rejected: 1}, {Nothing: 1}, {Parked: 1}} {
		if part.Balanced() || a.Add(part).Balanced() {
			t.Errorf("%+v is balanced", part)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, full()))
	f.Add([]byte(`{"v":1,"scope":{"tenant":"acme","owner":{"kind":"user","id":"u1"}},"changes":null}`))
	f.Add([]byte(`{"v":1}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ledger.Decode(raw, scope)
		if err != nil {
			return
		}
		if c.Scope != scope {
			t.Fatalf("accepted for %v", c.Scope)
		}
		first, err := c.Encode()
		if err != nil {
			return // a time beyond what JSON can hold, or too large
		}
		back, err := ledger.Decode(first, scope)
		if err != nil {
			t.Fatalf("accepted, but refused when encoded: %v", err)
		}
		if second := encode(t, back); !bytes.Equal(first, second) {
			t.Fatalf("%s\n%s", first, second)
		}
	})
}
