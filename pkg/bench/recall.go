package bench

import (
	"io"
	"runtime"
	"slices"
	"strconv"
)

// RecallReport is what recalls under load gave. All but Memory and Times is the same for the
// same population and load.
type RecallReport struct {
	Seed       uint64 `json:"seed"`
	Owners     int    `json:"owners"`
	Collection string `json:"collection"`
	Stored     Stored `json:"stored"`
	// Sizes are how many memories owners have.
	Sizes   Sizes    `json:"memories_per_owner"`
	Clients int      `json:"clients"`
	Draw    Draw     `json:"draw"`
	Recalls Outcomes `json:"recalls"`
	Memory  Memory   `json:"memory"`
	Filling Filling  `json:"filling"`
	Machine Machine  `json:"machine"`
}

// Sizes are the fewest, the median and the most.
type Sizes struct {
	Least  int `json:"least"`
	Median int `json:"median"`
	Most   int `json:"most"`
}

// Memory is that of the process after the population was stored. Heap is what is in use after a
// collection of garbage, and PerMemory what of it is new since before the population, by the
// memories stored: it counts only where the collection is in the process.
type Memory struct {
	HeapBytes uint64 `json:"heap_bytes"`
	RSSBytes  uint64 `json:"rss_bytes,omitempty"`
	PerMemory uint64 `json:"bytes_per_memory"`
	// PeakBytes is the most that the process has had resident so far, the recalls included.
	PeakBytes uint64 `json:"peak_rss_bytes,omitempty"`
}

// Filling is how long storing the population took.
type Filling struct {
	Seconds           float64 `json:"seconds"`
	MemoriesPerSecond float64 `json:"memories_per_second"`
}

// Machine is what ran it.
type Machine struct {
	CPUs int    `json:"cpus"`
	Go   string `json:"go"`
}

// ThisMachine is the one that runs this.
func ThisMachine() Machine { return Machine{CPUs: runtime.GOMAXPROCS(0), Go: runtime.Version()} }

// SizesOf are those of a population.
func SizesOf(p *Population) Sizes {
	sorted := slices.Sorted(slices.Values(p.sizes))
	return Sizes{Least: sorted[0], Median: sorted[len(sorted)/2], Most: sorted[len(sorted)-1]}
}

// Print writes the report: what holds on any machine first.
func (r *RecallReport) Print(w io.Writer) error {
	p := printer{w: w}
	p.f("seed %d: %d memories of %d owners (%d to %d each, half have %d or more) in %s\n",
		r.Seed, r.Stored.Memories, r.Owners, r.Sizes.Least, r.Sizes.Most, r.Sizes.Median, r.Collection)
	p.f("  recallable %d, archived %d, expired %d, suppressed %d; keyed %d; Chinese %d\n",
		r.Stored.Recallable, r.Stored.Archived, r.Stored.Expired, r.Stored.Suppressed, r.Stored.Keyed, r.Stored.Chinese)
	l := &r.Recalls
	p.f("%d recalls of %d clients, owners %s, %.2f queries to the collection each\n", l.Recalls, r.Clients, r.Draw, l.QueriesPerRecall)
	p.f("  answered by a memory %5d  it came first %.1f %%, hit@6 %.1f %%, returned %.1f\n", l.Answerable, l.FirstHit, l.HitAt6, l.Returned)
	p.f("  about nothing stored %5d  nothing returned %.1f %%\n", l.Unrelated, l.Silent)
	p.f("\non %d CPUs, %s\n", r.Machine.CPUs, r.Machine.Go)
	p.f("  memory: heap %s, resident %s (peak %s), %d bytes a memory\n",
		mebibytes(r.Memory.HeapBytes), mebibytes(r.Memory.RSSBytes), mebibytes(r.Memory.PeakBytes), r.Memory.PerMemory)
	p.f("  filled in %.1f s, %.0f memories/s; %.0f recalls/s, %.2f ms of CPU each\n",
		r.Filling.Seconds, r.Filling.MemoriesPerSecond, l.Times.RecallsPerSecond, l.Times.CPU)
	p.f("\n  %-34s %8s %8s %8s %8s\n", "milliseconds", "p50", "p95", "p99", "max")
	for _, line := range []struct {
		name string
		Latency
	}{
		{"recall without embedding the query", l.Times.Recall}, {"the collection's part of it", l.Times.Raw},
		{"embedding the query", l.Times.Embedding},
	} {
		p.f("  %-34s %8.2f %8.2f %8.2f %8.2f\n", line.name, line.P50, line.P95, line.P99, line.Max)
	}
	p.f("  p50 of recall - 1.3 p50 of the collection: %.2f ms\n", l.Times.Over)
	return p.err
}

func mebibytes(n uint64) string {
	if n == 0 {
		return "unknown"
	}
	return strconv.FormatUint(n>>20, 10) + " MiB"
}
