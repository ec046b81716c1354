package memory_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestLive(t *testing.T) {
	tests := []struct {
		name    string
		status  memory.Status
		expires time.Time
		want    bool
	}{
		{"current", memory.StatusCurrent, time.Time{}, true},
		{"before its expiry", memory.StatusCurrent, noon.Add(1), true},
		{"at its expiry", memory.StatusCurrent, noon, false},
		{"after its expiry", memory.StatusCurrent, noon.Add(-1), false},
		{"superseded", memory.StatusSuperseded, time.Time{}, false},
		{"ended", memory.StatusEnded, time.Time{}, false},
		{"disputed", memory.StatusDisputed, noon.Add(1), false},
		{"settled", memory.StatusSettled, time.Time{}, false},
		{"no status", "", time.Time{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := memory.Memory{Status: tt.status, ExpiresAt: tt.expires}
			if got := m.Live(noon); got != tt.want {
				t.Errorf("Live = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestEvidenceBefore(t *testing.T) {
	base := memory.Evidence{At: noon, Seq: 5, Message: 2}
	tests := []struct {
		name  string
		other memory.Evidence
		want  bool
	}{
		{"later", memory.Evidence{At: noon.Add(1), Seq: 1}, true},
		{"earlier", memory.Evidence{At: noon.Add(-1), Seq: 9}, false},
		{"at one time, later in the log", memory.Evidence{At: noon, Seq: 6}, true},
		{"at one time, earlier in the log", memory.Evidence{At: noon, Seq: 4, Message: 9}, false},
		{"in one event, a later message", memory.Evidence{At: noon, Seq: 5, Message: 3}, true},
		{"in one event, an earlier message", memory.Evidence{At: noon, Seq: 5, Message: 1}, false},
		{"the same", base, false},
		{"the same instant in another zone", memory.Evidence{At: noon.In(time.FixedZone("", 8*3600)), Seq: 5, Message: 2}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := base.Before(tt.other); got != tt.want {
				t.Errorf("Before = %v, want %v", got, tt.want)
			}
		})
	}
}

var evidences = rapid.Custom(func(t *rapid.T) memory.Evidence {
	return memory.Evidence{
		Event: "e", At: noon.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "at"))),
		Seq: uint64(rapid.IntRange(1, 3).Draw(t, "seq")), Message: rapid.IntRange(0, 3).Draw(t, "message"),
	}
})

func TestEvidenceBeforeIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := evidences.Draw(t, "a"), evidences.Draw(t, "b"), evidences.Draw(t, "c")
		if a.Before(b) && b.Before(a) {
			t.Fatal("both come first")
		}
		if a.Before(b) && b.Before(c) && !a.Before(c) {
			t.Fatal("not transitive")
		}
		if !a.Before(b) && !b.Before(a) && a != b {
			t.Fatal("two places are not told apart")
		}
	})
}

func TestLastEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := memory.Memory{Evidence: rapid.SliceOf(evidences).Draw(t, "evidence")}
		last := m.LastEvidence()
		if len(m.Evidence) == 0 {
			if last != (memory.Evidence{}) {
				t.Fatalf("of nothing the last is %v", last)
			}
			return
		}
		for _, e := range m.Evidence {
			if last.Before(e) {
				t.Fatalf("%v is after %v", e, last)
			}
		}
	})
}

func TestShort(t *testing.T) {
	for id, want := range map[memory.ID]string{
		"6f1e2a0c-52b5-5c0e-9d0b-8a3b6c1f7d24": "6f1e2a0c", "abc": "abc", "": "",
	} {
		if got := id.Short(); got != want {
			t.Errorf("%q.Short() = %q, want %q", id, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, k := range []memory.Kind{
		memory.KindProfile, memory.KindPreference, memory.KindConstraint, memory.KindRelation,
		memory.KindFact, memory.KindEpisodic, memory.KindProcedural,
	} {
		if !k.Valid() {
			t.Errorf("%q is not valid", k)
		}
	}
	for _, k := range []memory.Kind{"", "Fact", "rumour"} {
		if k.Valid() {
			t.Errorf("%q is valid", k)
		}
	}
}

func TestMemoryRoundTripsInJSON(t *testing.T) {
	shanghai := time.FixedZone("", 8*3600)
	m := memory.Memory{
		ID: "6f1e2a0c-52b5-5c0e-9d0b-8a3b6c1f7d24", Scope: memory.UserScope("acme", "u1"), Kind: memory.KindProfile,
		Key: "user.city", Value: "杭州", Text: "我住在杭州", Language: "zh", Stability: memory.Stable,
		Status: memory.StatusCurrent, SaidAt: noon, CreatedAt: noon, ConfirmedAt: noon, Confidence: 0.9,
		Ends:     &memory.Target{Key: "user.city", Must: true},
		Evidence: []memory.Evidence{{Event: "e", Seq: 7, Thread: "t", Role: memory.RoleUser, At: noon.In(shanghai), Quote: "我住在杭州", Asked: "你住在哪？"}},
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back memory.Memory
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if _, offset := back.Evidence[0].At.Zone(); offset != 8*3600 || !back.Evidence[0].At.Equal(noon) {
		t.Errorf("evidence at %v: the speaker's zone is lost", back.Evidence[0].At)
	}
	back.Evidence[0].At = m.Evidence[0].At
	if !reflect.DeepEqual(m, back) {
		t.Errorf("became %+v", back)
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		t.Fatal(err)
	}
	for _, absent := range []string{"valid_from", "expires_at", "about", "plan", "pinned", "agent", "namespace"} {
		if _, ok := fields[absent]; ok {
			t.Errorf("an empty %q is written", absent)
		}
	}
}

func TestIDValid(t *testing.T) {
	for id, want := range map[memory.ID]bool{
		"0d1c6a9e-3f1d-5d3a-8c52-0e6f6b1f7a90":          true,
		"":                                              false,
		"1":                                             false,
		"0D1C6A9E-3F1D-5D3A-8C52-0E6F6B1F7A90":          false,
		"0d1c6a9e3f1d5d3a8c520e6f6b1f7a90":              false,
		"0d1c6a9e-3f1d-5d3a-8c52-0e6f6b1f7a9":           false,
		"0d1c6a9e-3f1d-5d3a-8c52-0e6f6b1f7a9g":          false,
		"0d1c6a9e03f1d-5d3a-8c52-0e6f6b1f7a90":          false,
		"0d1c6a9e-3f1d-5d3a-8c5-20e6f6b1f7a90":          false,
		"urn:uuid:0d1c6a9e-3f1d-5d3a-8c52-0e6f6b1f7a90": false,
	} {
		if got := id.Valid(); got != want {
			t.Errorf("%q is valid: %t, want %t", id, got, want)
		}
	}
}
