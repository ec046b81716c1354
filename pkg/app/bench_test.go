package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// The benchmarks measure what design §9 promises, each as a ratio within one run: the
// machine's speed is in both halves. CPU is that of the whole process, with the embedded
// servers in it, and is therefore an upper bound of mnemond's own.

// stand is a stack whose HTTP edge takes events, and in which nothing is consolidated but
// by the benchmark.
type stand struct {
	*app.Stack
	url string
}

func openBackend(b *testing.B, dir string) *app.Backend {
	b.Helper()
	backend, err := app.OpenEmbedded(b.Context(), app.EmbeddedConfig{Dir: dir}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := backend.Close(); err != nil {
			b.Error(err)
		}
	})
	return backend
}

func startStand(b *testing.B, backend *app.Backend, o app.Options) *stand {
	b.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	s, err := app.NewStack(b.Context(), backend, app.DefaultConfig(), o)
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- app.Ingest.Run(ctx, s, l) }()
	b.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	return &stand{Stack: s, url: "http://" + l.Addr().String()}
}

// cpuTime is what the process has used so far, in user and system mode.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // RUSAGE_SELF cannot fail
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// quantile is the q-quantile of the durations, in milliseconds. It sorts them.
func quantile(d []time.Duration, q float64) float64 {
	slices.Sort(d)
	return milliseconds(d[min(int(q*float64(len(d))), len(d)-1)])
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func benchOwner(i int) memory.Scope {
	return memory.UserScope(memory.DefaultTenant, memory.User(fmt.Sprintf("owner-%d", i)))
}

// The words of seeded memories: every combination is a value of its own.
var (
	seedThings = []string{
		"green tea", "jazz records", "trail running", "红烧肉", "film cameras", "水墨画", "board games", "sourdough",
		"羽毛球", "alpine hiking", "documentaries", "古筝", "mechanical keyboards", "豆浆油条", "open-water swimming", "盆栽",
		"street photography", "围棋", "detective novels", "川菜", "vintage bicycles", "观鸟", "pottery", "科幻小说", "baking",
	}
	seedPlaces = []string{
		"Kyoto", "苏州", "Porto", "成都", "Leeds", "昆明", "Turin", "青岛", "Oslo", "西安",
		"Lima", "厦门", "Accra", "哈尔滨", "Hanoi", "拉萨", "Perth", "大理", "Quito", "南京",
	}
	seedKeys = []memory.Key{"user.likes", "", "user.hobbies", "", "user.skills"}
)

// seedMemory is the i-th memory of an owner, up to 500 different ones in two languages,
// keyed and free.
func (s *stand) seedMemory(scope memory.Scope, i int) memory.Memory {
	thing, place := seedThings[i%len(seedThings)], seedPlaces[i/len(seedThings)%len(seedPlaces)]
	key, value := seedKeys[i%len(seedKeys)], thing+" "+place
	said := day.Add(time.Duration(i) * time.Hour)
	m := memory.Memory{
		Scope: scope, Kind: memory.KindPreference, Key: key, Value: value, Stability: memory.Stable,
		Text: "I am fond of " + thing + " from " + place + ", more than I can say", Language: "en",
		Status: memory.StatusCurrent, SaidAt: said, CreatedAt: said, ConfirmedAt: said, Confidence: 0.9,
	}
	if i%2 == 1 {
		m.Text, m.Language = "我一直很喜欢"+place+"的"+thing+"，说不出有多喜欢", "zh"
	}
	if key == "" {
		m.Kind, m.Value = memory.KindFact, ""
	}
	m.ID = s.Registry.Identity(scope, key, m.Value, m.Text)
	m.Evidence = []memory.Evidence{{
		Event: fmt.Sprintf("seed-%d", i), Seq: uint64(i + 1), Thread: "seed", Role: memory.RoleUser, At: said, Quote: m.Text,
	}}
	return m
}

// seedSet is a change set that adds the owner's memories from..to-1.
func (s *stand) seedSet(b *testing.B, scope memory.Scope, from, to int) []byte {
	b.Helper()
	cs := ledger.ChangeSet{V: ledger.Version, At: day, Author: ledger.AuthorOperator, Scope: scope}
	for i := from; i < to; i++ {
		cs.Changes = append(cs.Changes, ledger.Change{Op: ledger.OpAdd, Memory: s.seedMemory(scope, i), Reason: "new"})
	}
	data, err := cs.Encode()
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// seedOwner gives an owner memories, in change sets of size each, and projects them.
func (s *stand) seedOwner(b *testing.B, scope memory.Scope, memories, size int) {
	b.Helper()
	head, err := s.Log.Head(b.Context(), scope)
	if err != nil {
		b.Fatal(err)
	}
	for from := 0; from < memories; from += size {
		if head, err = s.Log.Append(b.Context(), scope, head, s.seedSet(b, scope, from, min(from+size, memories))); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := s.Projector.CatchUp(b.Context(), scope); err != nil {
		b.Fatal(err)
	}
}

// seedOthers gives the owners first..first+n-1 one change set of memories each, many owners
// in one atomic batch, and projects all of them by a rebuild.
func (s *stand) seedOthers(b *testing.B, first, n, memories int) {
	b.Helper()
	const batch = 100
	for from := 0; from < n; from += batch {
		var entries []stream.LogEntry
		for i := from; i < min(from+batch, n); i++ {
			scope := benchOwner(first + i)
			entries = append(entries, stream.LogEntry{Scope: scope, Data: s.seedSet(b, scope, 0, memories)})
		}
		if _, err := s.Log.AppendAll(b.Context(), entries); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := s.Rebuild(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
}
