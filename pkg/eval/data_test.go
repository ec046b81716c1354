package eval

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const aTurn = `{"user":"u","sess":"s","ts":"","id":"t1","role":"user","text":"I live in Oslo."}`

func TestLoad(t *testing.T) {
	dir := folder(t, []string{aTurn}, []string{}, []string{
		`{"user":"u","id":7,"sess":"s","subject":"Ann","kind":"Static","text":"Ann lives in Oslo.","source":["t1","s#0"]}`,
		`{"user":"u","id":"m2","sess":"s","text":"用户住在奥斯陆。","source":[]}`,
	})
	s := loaded(t, dir)
	want := []Gold{
		{Session: "s", Subject: "Ann", Kind: "Static", Text: "Ann lives in Oslo.", Source: []string{"t1", "s#0"}},
		{Session: "s", Text: "用户住在奥斯陆。", Source: []string{}},
	}
	if !reflect.DeepEqual(s.Gold["u"], want) {
		t.Errorf("gold memories %+v, want %+v", s.Gold["u"], want)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "memories.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(raw); s.MemoriesSHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("sha256 %s, want %x", s.MemoriesSHA256, sum)
	}
}

func TestLoadIsStrict(t *testing.T) {
	good := `{"user":"u","id":"m1","sess":"s","text":"x","source":["t1"]}`
	for name, c := range map[string]struct{ line, want string }{
		"an unknown field": {`{"user":"u","id":"m1","sess":"s","text":"x","source":[],"mood":"good"}`, "mood"},
		"no text":          {`{"user":"u","id":"m1","sess":"s","text":"","source":[]}`, "without a text"},
		"a stranger":       {`{"user":"v","id":"m1","sess":"s","text":"x","source":[]}`, `"v"`},
		"two values":       {good + good, "more than one value"},
		"no JSON":          {`user u`, "invalid character"},
		"a source of numbers": {
			`{"user":"u","id":"m1","sess":"s","text":"x","source":[1]}`, "source",
		},
	} {
		_, err := Load(folder(t, []string{aTurn}, []string{}, []string{good, c.line}))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "memories.jsonl.gz, line 2") {
			t.Errorf("%s: %v, want an error about line 2 with %q", name, err, c.want)
		}
	}
}

func TestLoadRefusesWhatIsNoSet(t *testing.T) {
	if _, err := Load(t.TempDir()); err == nil || !strings.Contains(err.Error(), "corpus.jsonl.gz") {
		t.Errorf("an empty folder: %v", err)
	}
	dir := folder(t, []string{aTurn}, []string{}, nil)
	if err := os.WriteFile(filepath.Join(dir, "memories.jsonl.gz"), []byte("plain"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "memories.jsonl.gz") {
		t.Errorf("a file that is not packed: %v", err)
	}
}

// FuzzGold: whatever a line holds, it is taken as a whole or refused.
func FuzzGold(f *testing.F) {
	f.Add(`{"user":"u","id":"m1","sess":"s","text":"x","source":["t1"]}`)
	f.Add(`{"user":"v"}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, line string) {
		s := &Set{Gold: map[string][]Gold{"u": nil}}
		err := s.addGold([]byte(line))
		if taken := len(s.Gold["u"]); err == nil && (taken != 1 || s.Gold["u"][0].Text == "") || err != nil && taken != 0 {
			t.Errorf("%d taken with error %v", taken, err)
		}
	})
}
