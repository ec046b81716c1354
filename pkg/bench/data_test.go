package bench_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
)

const tinyCorpus = `{"user":"u1","sess":"s1","ts":"1 May","id":0,"role":"user","text":"I have a cat."}
{"user":"u2","sess":"s1","ts":"","id":"D1:1","role":"Ann","text":"我养了一只狗。"}
{"user":"u1","sess":"s1","ts":"1 May","id":1,"role":"assistant","text":"What is its name?"}
`

const tinyQueries = `{"user":"u1","qid":"q1","cat":"simple","q":"Which pet?","answer":3,"gold":[0,7],"abstain":false,"rubric":["r"]}
{"user":"u2","qid":"q2","cat":"update","q":"什么宠物？","gold":["D1:1"],"gold_new":["D1:1"],"gold_old":[],"abstain":true,"choices":{"A":"x"},"choice":"A","ts":"t"}
`

func TestLoad(t *testing.T) {
	dir := written(t, tinyCorpus, tinyQueries)
	got, err := bench.Load(dir + "/")
	if err != nil {
		t.Fatal(err)
	}
	want := &bench.Set{
		Name: "tiny", CorpusSHA256: hashOf(t, dir, "corpus.jsonl.gz"), QueriesSHA256: hashOf(t, dir, "queries.jsonl.gz"),
		Users: []bench.User{
			{
				ID: "u1", Turns: []bench.Turn{
					{ID: "0", Session: "s1", Time: "1 May", Role: "user", Text: "I have a cat."},
					{ID: "1", Session: "s1", Time: "1 May", Role: "assistant", Text: "What is its name?"},
				},
				Queries: []bench.Query{{ID: "q1", Category: "simple", Text: "Which pet?", Gold: []string{"0", "7"}, New: []string{}, Old: []string{}}},
			},
			{
				ID: "u2", Turns: []bench.Turn{{ID: "D1:1", Session: "s1", Role: "Ann", Text: "我养了一只狗。"}},
				Queries: []bench.Query{{
					ID: "q2", Category: "update", Text: "什么宠物？", Gold: []string{"D1:1"}, New: []string{"D1:1"}, Old: []string{}, Abstain: true,
				}},
			},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func hashOf(t *testing.T, dir, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

func TestLoadIsStrict(t *testing.T) {
	turn := `{"user":"u","sess":"s","ts":"","id":1,"role":"user","text":"x"}` + "\n"
	query := `{"user":"u","qid":"q","cat":"c","q":"x?","gold":[1],"abstain":false}` + "\n"
	for _, c := range []struct{ name, corpus, queries, want string }{
		{"an unknown field of a turn", `{"user":"u","id":1,"mood":"x"}`, query, "corpus.jsonl.gz, line 1: json: unknown field"},
		{"an unknown field of a query", turn, query + `{"user":"u","qid":"q","q":"x","golden":[]}`, "queries.jsonl.gz, line 2: json: unknown field"},
		{"no user", `{"id":1}`, query, "line 1: a turn without a user"},
		{"no id", `{"user":"u"}`, query, "line 1: a turn without an id"},
		{"an id that is a fraction", `{"user":"u","id":1.5}`, query, "line 1: id 1.5 is neither"},
		{"an id twice", turn + turn, query, "line 2: a second turn 1 of u"},
		{"an id as number and as string", turn + strings.Replace(turn, `"id":1`, `"id":"1"`, 1), query, "line 2: a second turn 1 of u"},
		{"a query of nobody", turn, strings.Replace(query, `"user":"u"`, `"user":"v"`, 1), `line 1: a query of "v"`},
		{"a query without an id", turn, `{"user":"u","q":"x"}`, "line 1: a query without an id"},
		{"a query without text", turn, `{"user":"u","qid":"q"}`, "line 1: query q has no text"},
		{"two values in a line", strings.TrimSpace(turn) + strings.TrimSpace(turn), query, "line 1: more than one value"},
		{"half a line", turn + `{"user"`, query, "line 2: unexpected EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := bench.Load(written(t, c.corpus, c.queries)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
		})
	}
	t.Run("no such folder", func(t *testing.T) {
		if _, err := bench.Load(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("not packed", func(t *testing.T) {
		dir := written(t, turn, query)
		if err := os.WriteFile(filepath.Join(dir, "queries.jsonl.gz"), []byte(query), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := bench.Load(dir); err == nil || !strings.Contains(err.Error(), "queries.jsonl.gz") {
			t.Errorf("error is %v", err)
		}
	})
}
