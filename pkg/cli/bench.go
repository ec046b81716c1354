package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/bench"
)

type benchCmd struct {
	Retrieval benchRetrievalCmd `cmd:"" help:"Measure how well the turns that hold an answer are found, on conversation sets."`
	Recall    benchRecallCmd    `cmd:"" help:"Fill a collection with a made-up population and measure recall under load."`
}

type benchRetrievalCmd struct {
	Dirs     []string `arg:"" name:"dir" help:"Folders of conversation sets: corpus.jsonl.gz and queries.jsonl.gz." type:"existingdir"`
	Pooled   int      `help:"So many consecutive users share an owner." default:"1"`
	Halves   bool     `help:"Print the figures of either half of the owners as well."`
	Pipeline []string `help:"What to measure, beside a reference BM25." enum:"bm25,dense,hybrid,full" default:"bm25,dense,hybrid,full"`
	JSON     bool     `help:"Print one object a set."`
}

// Validate is called by the parser.
func (c *benchRetrievalCmd) Validate() error {
	if c.Pooled < 1 {
		return usage("--pooled must be at least 1")
	}
	return nil
}

// Run measures the sets, one after the other.
func (c *benchRetrievalCmd) Run(e *env) error {
	for _, dir := range c.Dirs {
		set, err := bench.Load(dir)
		if err != nil {
			return err
		}
		report, err := c.measure(e.ctx, set)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		if c.JSON {
			err = printJSON(e.out, report)
		} else {
			err = report.Print(e.out)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *benchRetrievalCmd) measure(ctx context.Context, set *bench.Set) (r bench.Report, err error) {
	stand, err := app.OpenBench(ctx, "", "")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, stand.Close()) }()
	pools := set.Pools(c.Pooled)
	open, err := stand.Shelve(ctx, pools, benchNow)
	if err != nil {
		return r, err
	}
	m := bench.Retrieval{Pooled: c.Pooled, Halves: c.Halves}
	for _, name := range c.Pipeline {
		m.Pipelines = append(m.Pipelines, bench.PipelineOf(name))
	}
	return m.Measure(ctx, set, pools, open)
}

type benchRecallCmd struct {
	Owners    int    `help:"Owners of the population." default:"100"`
	Memories  int    `help:"Memories of all of them together." default:"10000"`
	Seed      uint64 `help:"The same seed makes the same population and the same recalls." default:"1"`
	Clients   int    `help:"Recalls at the same time." default:"4"`
	Recalls   int    `help:"Recalls altogether." default:"2000"`
	Draw      string `help:"How the owner of a recall is drawn." enum:"uniform,zipf" default:"uniform"`
	Unrelated int    `help:"Recalls in a hundred about what the owner has nothing of." default:"20"`
	Qdrant    string `name:"qdrant" placeholder:"ADDRESS" help:"Measure a Qdrant server that is in no other use, such as http://127.0.0.1:6334, instead of the embedded engine. Its key is MNEMOND_QDRANTSTORE_API_KEY."`
	Profiles  string `placeholder:"DIR" help:"Write cpu.pprof, of the recalls, and heap.pprof, after filling, into this folder." type:"existingdir"`
	JSON      bool   `help:"Print one object."`
}

// benchNow is the time at which all recalls are made, so that they find the same on any day.
var benchNow = time.Date(2026, time.June, 1, 12, 0, 0, 0, time.UTC)

// Validate is called by the parser.
func (c *benchRecallCmd) Validate() error {
	switch {
	case c.Owners < 1 || c.Memories < c.Owners:
		return usage("--owners must be at least 1, and --memories at least as many")
	case c.Clients < 1 || c.Recalls < 1:
		return usage("--clients and --recalls must be at least 1")
	case c.Unrelated < 0 || c.Unrelated > 100:
		return usage("--unrelated must be between 0 and 100")
	}
	return nil
}

// Run measures recall.
func (c *benchRecallCmd) Run(e *env) (err error) {
	cfg, err := app.LoadConfig()
	if err != nil {
		return err
	}
	stand, err := app.OpenBench(e.ctx, c.Qdrant, cfg.QdrantStore.APIKey)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stand.Close()) }()
	p, err := bench.NewPopulation(c.Seed, c.Owners, c.Memories, stand.Registry, benchNow)
	if err != nil {
		return err
	}
	r := bench.RecallReport{
		Seed: c.Seed, Owners: c.Owners, Collection: stand.Where, Sizes: bench.SizesOf(p), Clients: c.Clients, Draw: bench.Draw(c.Draw),
		Machine: bench.ThisMachine(),
	}
	if err := c.fill(e, &r, p, stand); err != nil {
		return err
	}
	if err := c.load(e.ctx, &r, p, stand); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, r)
	}
	return r.Print(e.out)
}

// fillEvery is after how many memories a line tells of progress.
const fillEvery = 100_000

func (c *benchRecallCmd) fill(e *env, r *bench.RecallReport, p *bench.Population, stand *app.BenchStand) (err error) {
	before, start, told := bench.HeapBytes(), time.Now(), 0
	r.Stored, err = bench.Fill(e.ctx, p, stand.Store, stand.Embed, func(done int) {
		if done/fillEvery > told {
			told = done / fillEvery
			e.log.Warn("filling", "memories", done, "of", c.Memories)
		}
	})
	if err != nil {
		return err
	}
	took := time.Since(start).Seconds()
	r.Filling = bench.Filling{Seconds: took, MemoriesPerSecond: float64(r.Stored.Memories) / took}
	heap := bench.HeapBytes()
	resident, _ := bench.Resident()
	r.Memory = bench.Memory{HeapBytes: heap, RSSBytes: resident, PerMemory: (heap - min(before, heap)) / uint64(r.Stored.Memories)}
	if c.Profiles == "" {
		return nil
	}
	return written(filepath.Join(c.Profiles, "heap.pprof"), func(f *os.File) error { return pprof.WriteHeapProfile(f) })
}

func (c *benchRecallCmd) load(ctx context.Context, r *bench.RecallReport, p *bench.Population, stand *app.BenchStand) error {
	t := bench.Traffic{Clients: c.Clients, Recalls: c.Recalls, Draw: bench.Draw(c.Draw), Unrelated: c.Unrelated}
	questions, err := t.Questions(ctx, p)
	if err != nil {
		return err
	}
	run := func() (err error) {
		r.Recalls, err = t.Run(ctx, questions, stand.Recaller(benchNow))
		return err
	}
	if c.Profiles != "" {
		plain := run
		run = func() error {
			return written(filepath.Join(c.Profiles, "cpu.pprof"), func(f *os.File) error {
				if err := pprof.StartCPUProfile(f); err != nil {
					return fmt.Errorf("profile: %w", err)
				}
				defer pprof.StopCPUProfile()
				return plain()
			})
		}
	}
	err = run()
	_, r.Memory.PeakBytes = bench.Resident()
	return err
}

// written is a new file with what write puts into it.
func written(path string, write func(*os.File) error) error {
	f, err := os.Create(path) //nolint:gosec // where the operator wants it
	if err != nil {
		return fmt.Errorf("make file: %w", err)
	}
	return errors.Join(write(f), f.Close())
}
