package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/bench"
	"github.com/mnemond/mnemond/pkg/qdrantmem"
	"github.com/mnemond/mnemond/pkg/qdrantstore"
)

// aSet is a small conversation set of two users, who say similar things in two languages.
func aSet(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	packed(t, dir, "corpus.jsonl.gz", `{"user":"a","sess":"s1","ts":"8 May 2023","id":1,"role":"user","text":"The book fair is in Lyon this year."}
{"user":"a","sess":"s1","ts":"8 May 2023","id":2,"role":"assistant","text":"How nice. Which books will you look for?"}
{"user":"a","sess":"s2","ts":"9 June 2023","id":3,"role":"user","text":"The rent is 900 euros a month."}
{"user":"a","sess":"s3","ts":"1 July 2023","id":4,"role":"user","text":"The rent for the flat was raised to 950 euros."}
{"user":"b","sess":"s1","ts":"","id":1,"role":"user","text":"我养了一只猫，叫小黑。"}
{"user":"b","sess":"s1","ts":"","id":2,"role":"user","text":"书展今年在里昂举行。"}
{"user":"b","sess":"s2","ts":"","id":3,"role":"user","text":"我每天早上喝绿茶。"}
`)
	packed(t, dir, "queries.jsonl.gz", `{"user":"a","qid":"q1","cat":"simple","q":"Where is the book fair?","gold":[1],"abstain":false}
{"user":"a","qid":"q2","cat":"update","q":"How much is the rent a month?","gold":[4],"gold_new":[4],"gold_old":[3],"abstain":false}
{"user":"b","qid":"q1","cat":"simple","q":"我的猫叫什么？","gold":[1],"abstain":false}
{"user":"b","qid":"q2","cat":"simple","q":"早上喝什么？","gold":[3],"abstain":true}
`)
	return dir
}

// Through the product, every pipeline finds what shares words, and the whole one knows which
// value is the newer. Nothing but the times differs between two runs.
func TestBenchRetrieval(t *testing.T) {
	dir := aSet(t)
	var reports [2]bench.Report
	var texts [2]string
	for i := range reports {
		out, err := run(t, "bench", "retrieval", "--json", "--halves", dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(out), &reports[i]); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		for j := range reports[i].Runs {
			if reports[i].Runs[j].Times == nil {
				t.Errorf("no times in %s", out)
			}
			reports[i].Runs[j].Times = nil
		}
		raw, err := json.Marshal(reports[i])
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(raw)
	}
	if texts[0] != texts[1] {
		t.Errorf("two runs differ:\n%s\n%s", texts[0], texts[1])
	}
	r := reports[0]
	if r.Set != filepath.Base(dir) || r.Turns != 7 || r.Owners != 2 || len(r.CorpusSHA256) != 64 || len(r.QueriesSHA256) != 64 {
		t.Errorf("report %+v", r)
	}
	names := []string{bench.ReferenceName, "bm25", "dense", "hybrid", "full"}
	if len(r.Runs) != len(names) {
		t.Fatalf("runs %+v", r.Runs)
	}
	for i, run := range r.Runs {
		all := run.Figures[0]
		if run.Name != names[i] || all.Of != bench.All || all.Queries != 4 || all.R10 < 75 || all.Tokens10 == 0 || len(run.First) == 0 || len(run.Second) == 0 {
			t.Errorf("run %+v, want %s, which finds nearly all", run, names[i])
		}
	}
	if full := r.Runs[4].Figures[0]; full.R10 != 100 || full.NDCG10 != 100 || full.NewerFirst != 100 {
		t.Errorf("full: %+v, want all first and the newer value before the older", full)
	}
	if bm25 := r.Runs[1].Figures[0]; bm25.NewerFirst != 0 {
		t.Errorf("bm25: %+v, want the older value first, which shares more words", bm25)
	}
}

func TestBenchRetrievalChoices(t *testing.T) {
	dir := aSet(t)
	out, err := run(t, "bench", "retrieval", "--json", "--pooled", "2", "--pipeline", "full", dir)
	if err != nil {
		t.Fatal(err)
	}
	var r bench.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Owners != 1 || r.Pooled != 2 || len(r.Runs) != 2 || r.Runs[1].Name != "full" || r.Runs[1].Figures[0].R3 != 100 || r.Runs[1].First != nil {
		t.Errorf("report %+v", r)
	}
	out, err = run(t, "bench", "retrieval", "--pipeline", "bm25,full", dir, dir)
	if err != nil || strings.Count(out, "7 turns of 2 owners") != 2 || strings.Count(out, "a search took") != 6 {
		t.Errorf("two sets print %s (%v)", out, err)
	}
}

func TestBenchRetrievalErrors(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(dir string)
		args  []string
		want  string
	}{
		"no folder":     {func(string) {}, []string{"/nowhere/at/all"}, "/nowhere/at/all"},
		"no file":       {func(dir string) { _ = os.Remove(filepath.Join(dir, "queries.jsonl.gz")) }, nil, "queries.jsonl.gz"},
		"a broken line": {func(dir string) { packed(t, dir, "corpus.jsonl.gz", "{\"user\":\"a\",\"id\":1}\n{") }, nil, "corpus.jsonl.gz, line 2: "},
		"no pool":       {func(string) {}, []string{"--pooled", "0"}, "--pooled must be at least 1"},
		"no pipeline":   {func(string) {}, []string{"--pipeline", "magic"}, "magic"},
	} {
		dir := aSet(t)
		c.spoil(dir)
		if _, err := run(t, append([]string{"bench", "retrieval", dir}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.want)
		}
	}
}

// The population is stored and recalled through the product: nearly all answers are among
// the first 6, and what nobody has spoken of brings nothing back.
func TestBenchRecall(t *testing.T) {
	var reports [2]bench.RecallReport
	for i := range reports {
		out, err := run(t, "bench", "recall", "--json", "--owners", "8", "--memories", "400", "--recalls", "100", "--clients", "2", "--draw", "zipf")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(out), &reports[i]); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
	}
	r := reports[0]
	if r.Stored.Memories != 400 || r.Stored.Recallable+r.Stored.Archived+r.Stored.Expired+r.Stored.Suppressed != 400 || r.Stored.Archived == 0 {
		t.Errorf("stored %+v", r.Stored)
	}
	if c := r.Recalls; c.Recalls != 100 || c.Answerable+c.Unrelated != 100 || c.HitAt6 < 90 || c.Silent < 80 || c.QueriesPerRecall < 1 {
		t.Errorf("recalls %+v", c)
	}
	if times := r.Recalls.Times; times.Recall.P50 <= 0 || times.Raw.P50 <= 0 || times.Raw.P50 > times.Recall.Max || r.Memory.HeapBytes == 0 {
		t.Errorf("times %+v, memory %+v", times, r.Memory)
	}
	for i := range reports { // but for the machine's part, they are the same
		reports[i].Recalls.Times, reports[i].Memory, reports[i].Filling = bench.Times{}, bench.Memory{}, bench.Filling{}
	}
	if reports[0] != reports[1] {
		t.Errorf("two runs differ: %+v and %+v", reports[0], reports[1])
	}
}

// A server that is in no other use is filled, measured and left as it was; one that is in use
// is not touched.
func TestBenchRecallOfAServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	engine := qdrantmem.New()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	served := make(chan error, 1)
	go func() { served <- engine.Serve(ctx, l) }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	address := "http://" + l.Addr().String()
	args := []string{"bench", "recall", "--owners", "2", "--memories", "20", "--recalls", "10", "--qdrant", address}
	for range 2 {
		if out, err := run(t, args...); err != nil || !strings.Contains(out, "in Qdrant at "+address) {
			t.Fatalf("%s (%v)", out, err)
		}
	}
	c, err := qdrantstore.Connect(address, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := qdrantstore.StartRebuild(t.Context(), c, qdrantstore.Model{Name: "another", Dim: 3}); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, args...); !errors.Is(err, qdrantstore.ErrInUse) {
		t.Errorf("a server in use: %v", err)
	}
	if names, err := c.ListCollections(t.Context()); err != nil || len(names) != 2 {
		t.Errorf("collections %v are left (%v), want the two of the other use", names, err)
	}
}

func TestBenchRecallPrints(t *testing.T) {
	dir := t.TempDir()
	out, err := run(t, "bench", "recall", "--owners", "2", "--memories", "20", "--recalls", "10", "--profiles", dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"seed 1: 20 memories of 2 owners", "10 recalls of 4 clients, owners uniform", "the collection's part of it", "bytes a memory"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	for _, name := range []string{"cpu.pprof", "heap.pprof"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, args := range [][]string{
		{"--owners", "0"}, {"--owners", "5", "--memories", "4"}, {"--clients", "0"}, {"--recalls", "0"}, {"--unrelated", "101"},
		{"--draw", "normal"}, {"--qdrant", "nowhere"},
	} {
		if _, err := run(t, append([]string{"bench", "recall"}, args...)...); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}
