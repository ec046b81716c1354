package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

var (
	aliceScope = memory.UserScope("acme", "alice")
	zhangScope = memory.UserScope("acme", "张三")
)

func tenantScope(t memory.Tenant) memory.Scope {
	return memory.Scope{Tenant: t, Owner: memory.Owner{Kind: memory.OwnerTenant}}
}

func agentScope(t memory.Tenant, id string) memory.Scope {
	return memory.Scope{Tenant: t, Owner: memory.Owner{Kind: memory.OwnerAgent, ID: id}}
}

func appendOne(t *testing.T, l *Log, s memory.Scope, expect uint64, data string) uint64 {
	t.Helper()
	seq, err := l.Append(testContext(t), s, expect, []byte(data))
	if err != nil {
		t.Fatalf("append %q: %v", data, err)
	}
	return seq
}

func TestAppendComparesTheOwnersHead(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	ctx := testContext(t)
	if head, err := l.Head(ctx, aliceScope); err != nil || head != 0 {
		t.Fatalf("empty head = %d, %v", head, err)
	}
	first := appendOne(t, l, aliceScope, 0, "a1")
	appendOne(t, l, zhangScope, 0, "张1")
	second := appendOne(t, l, aliceScope, first, "a2")
	for _, expect := range []uint64{0, first, second + 1} {
		if seq, err := l.Append(ctx, aliceScope, expect, []byte("late")); !errors.Is(err, ErrConflict) {
			t.Errorf("append expecting %d = %d, %v, want ErrConflict", expect, seq, err)
		} else if fault.IsPermanent(err) || errors.Is(err, fault.ErrOutage) {
			t.Errorf("conflict is classified: %v", err)
		}
	}
	if head, err := l.Head(ctx, aliceScope); err != nil || head != second {
		t.Errorf("head = %d, %v, want %d", head, err, second)
	}
}

func TestAppendWithTwentyWritersLosesNothing(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	var wg sync.WaitGroup
	for w := range 20 {
		wg.Go(func() {
			for {
				ctx := testContext(t)
				head, err := l.Head(ctx, aliceScope)
				if err == nil {
					_, err = l.Append(ctx, aliceScope, head, fmt.Appendf(nil, "writer %d", w))
				}
				if err == nil {
					return
				}
				if !errors.Is(err, ErrConflict) {
					t.Errorf("writer %d: %v", w, err)
					return
				}
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	err := l.Read(testContext(t), aliceScope, 0, everything, func(_ uint64, _ time.Time, data []byte) error {
		seen[string(data)] = true
		return nil
	})
	if err != nil || len(seen) != 20 {
		t.Errorf("%d of 20 writers stored, %v", len(seen), err)
	}
}

func TestAppendAllIsAllOrNothing(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	ctx := testContext(t)
	head := appendOne(t, l, aliceScope, 0, "a1")
	_, err := l.AppendAll(ctx, []LogEntry{{zhangScope, 0, []byte("张1")}, {aliceScope, head + 7, []byte("a2")}})
	if !errors.Is(err, ErrConflict) {
		t.Fatalf("AppendAll = %v, want ErrConflict", err)
	}
	if got, err := l.Head(ctx, zhangScope); err != nil || got != 0 {
		t.Fatalf("half of a rejected decision is stored: head %d, %v", got, err)
	}
	seqs, err := l.AppendAll(ctx, []LogEntry{{zhangScope, 0, []byte("张1")}, {aliceScope, head, []byte("a2")}})
	if err != nil || !slices.Equal(seqs, []uint64{head + 1, head + 2}) {
		t.Fatalf("AppendAll = %v, %v", seqs, err)
	}
	for i, s := range []memory.Scope{zhangScope, aliceScope} {
		if got, err := l.Head(ctx, s); err != nil || got != seqs[i] {
			t.Errorf("head of %v = %d, %v, want %d", s, got, err, seqs[i])
		}
	}
}

func TestAppendRecognisesItsOwnWrite(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	ctx := testContext(t)
	first := appendOne(t, l, aliceScope, 0, "a1")
	appendOne(t, l, aliceScope, first, "a2")
	seqs, err := l.stored(ctx, []LogEntry{{aliceScope, 0, []byte("a1")}})
	if err != nil || seqs[0] != first {
		t.Errorf("stored(a1) = %v, %v, want %d", seqs, err, first)
	}
	if _, err := l.stored(ctx, []LogEntry{{aliceScope, 0, []byte("other")}}); !errors.Is(err, ErrConflict) {
		t.Errorf("stored(other) = %v, want ErrConflict", err)
	}
	if _, err := l.stored(ctx, []LogEntry{{aliceScope, 2, []byte("a3")}}); !errors.Is(err, ErrConflict) {
		t.Errorf("stored(a3) = %v, want ErrConflict", err)
	}
}

func TestAppendRefuses(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	_, err := l.Append(testContext(t), aliceScope, 0, make([]byte, MaxChangeSetBytes+1))
	if !errors.Is(err, ErrTooLarge) || !fault.IsPermanent(err) {
		t.Errorf("too large = %v, want permanent ErrTooLarge", err)
	}
	_, err = l.Append(testContext(t), memory.Scope{}, 0, []byte("x"))
	if !errors.Is(err, memory.ErrScope) {
		t.Errorf("zero scope = %v, want ErrScope", err)
	}
	big := bytes.Repeat([]byte{0xff}, MaxChangeSetBytes)
	seq, err := l.Append(testContext(t), aliceScope, 0, big)
	if err != nil {
		t.Fatalf("largest: %v", err)
	}
	err = l.Read(testContext(t), aliceScope, 0, seq, func(_ uint64, _ time.Time, data []byte) error {
		if !bytes.Equal(data, big) {
			t.Error("largest change set came back changed")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestReadIsInOrderAndBounded(t *testing.T) {
	l := NewLog(newJetStream(t, Options{}))
	var mine []uint64
	var other uint64
	for i := range 3*singleReads + 5 {
		head := uint64(0)
		if len(mine) > 0 {
			head = mine[len(mine)-1]
		}
		mine = append(mine, appendOne(t, l, aliceScope, head, fmt.Sprint(i)))
		other = appendOne(t, l, zhangScope, other, "张")
	}
	last := len(mine)
	for _, c := range []struct{ from, to int }{{0, last}, {0, 3}, {10, 10}, {10, singleReads + 30}, {5, last - 1}, {last - 1, last}} {
		after, upTo := uint64(0), uint64(0)
		if c.from > 0 {
			after = mine[c.from-1]
		}
		if c.to > 0 {
			upTo = mine[c.to-1]
		}
		var got []uint64
		err := l.Read(testContext(t), aliceScope, after, upTo, func(seq uint64, at time.Time, data []byte) error {
			if want := fmt.Sprint(c.from + len(got)); string(data) != want || at.IsZero() {
				return fmt.Errorf("at %d: %q at %v, want %q", seq, data, at, want)
			}
			got = append(got, seq)
			return nil
		})
		if err != nil || !slices.Equal(got, mine[c.from:c.to]) {
			t.Errorf("read %d..%d: %d change sets, %v", c.from, c.to, len(got), err)
		}
	}
	stop := errors.New("stop")
	if err := l.Read(testContext(t), aliceScope, 0, everything, func(uint64, time.Time, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("fn's error came back as %v", err)
	}
}

type followed struct {
	scope   memory.Scope
	seq     uint64
	data    string
	pending uint64
}

func TestFollowSeesTheWholeLedgerAndWhatComes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "rebuild"} {
		t.Run("name="+name, func(t *testing.T) {
			l := NewLog(newJetStream(t, Options{}))
			a := appendOne(t, l, aliceScope, 0, "a1")
			z := appendOne(t, l, zhangScope, 0, "张1")
			got := make(chan followed, 10)
			background(t, func(ctx context.Context) error {
				err := l.Follow(ctx, name, 0, func(_ context.Context, s memory.Scope, seq uint64, data []byte, pending uint64) error {
					got <- followed{s, seq, string(data), pending}
					return nil
				})
				if errors.Is(err, context.Canceled) {
					return nil
				}
				return err
			})
			for _, want := range []followed{{aliceScope, a, "a1", 1}, {zhangScope, z, "张1", 0}} {
				if f := receive(t, got, "a change set"); f != want {
					t.Errorf("followed %+v, want %+v", f, want)
				}
			}
			a = appendOne(t, l, aliceScope, a, "a2")
			if f := receive(t, got, "a new change set"); f != (followed{aliceScope, a, "a2", 0}) {
				t.Errorf("followed %+v", f)
			}
		})
	}
}

func TestFollowWithANameGoesOnWhereItFailed(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	head := uint64(0)
	for i := range 4 {
		head = appendOne(t, l, aliceScope, head, fmt.Sprint(i))
	}
	stop := errors.New("stop")
	var got []string
	follow := func(until string) {
		err := l.Follow(testContext(t), "projector", 0, func(_ context.Context, _ memory.Scope, _ uint64, data []byte, _ uint64) error {
			if string(data) == until {
				return stop
			}
			got = append(got, string(data))
			return nil
		})
		if !errors.Is(err, stop) {
			t.Fatalf("Follow = %v, want fn's error", err)
		}
	}
	follow("2")
	follow("3")
	if want := []string{"0", "1", "2"}; !slices.Equal(got, want) {
		t.Errorf("followed %q, want %q", got, want)
	}
}

func TestReplayEndsAtTheEnd(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	nothing := func(context.Context, memory.Scope, uint64, []byte, uint64) error { return errors.New("called") }
	if last, err := l.Replay(testContext(t), 0, nothing); err != nil || last != 0 {
		t.Fatalf("empty replay = %d, %v", last, err)
	}
	head := uint64(0)
	for i := range 200 {
		head = appendOne(t, l, aliceScope, head, fmt.Sprint(i))
	}
	var seqs []uint64
	first := head - 149
	last, err := l.Replay(testContext(t), first, func(_ context.Context, _ memory.Scope, seq uint64, _ []byte, pending uint64) error {
		if pending != head-seq {
			return fmt.Errorf("pending %d at %d", pending, seq)
		}
		seqs = append(seqs, seq)
		return nil
	})
	if err != nil || last != head || len(seqs) != 150 || seqs[0] != first {
		t.Errorf("replay = %d, %v after %d change sets", last, err, len(seqs))
	}
	if _, err := l.Replay(testContext(t), head+1, nothing); err != nil {
		t.Errorf("replay past the end: %v", err)
	}
}

func TestTrailWaitsForTheLag(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	const lag = 300 * time.Millisecond
	appendOne(t, l, aliceScope, 0, "a1")
	appended := time.Now()
	err := l.Trail(testContext(t), "auditor", lag, func(context.Context, memory.Scope, uint64, []byte, uint64) error {
		if age := time.Since(appended); age < lag-20*time.Millisecond {
			return fmt.Errorf("handed out at an age of %s", age)
		}
		return errEnough
	})
	if !errors.Is(err, errEnough) {
		t.Error(err)
	}
}

func TestHoldsAndDelete(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	ctx := testContext(t)
	first := appendOne(t, l, aliceScope, 0, "a1")
	second := appendOne(t, l, aliceScope, first, "a2")
	other := appendOne(t, l, zhangScope, 0, "张1")
	for _, seq := range []uint64{first, first, other, 0, 99} {
		if err := l.Delete(ctx, aliceScope, seq); err != nil {
			t.Errorf("delete %d: %v", seq, err)
		}
	}
	for _, c := range []struct {
		scope memory.Scope
		seq   uint64
		want  bool
	}{{aliceScope, first, false}, {aliceScope, second, true}, {zhangScope, other, true}, {aliceScope, other, false}, {aliceScope, 0, false}} {
		if held, err := l.Holds(ctx, c.scope, c.seq); err != nil || held != c.want {
			t.Errorf("%+v holds %d: %v, %v, want %v", c.scope, c.seq, held, err, c.want)
		}
	}
}

func TestNextOwnerGoesThroughATenant(t *testing.T) {
	t.Parallel()
	l := NewLog(newJetStream(t, Options{}))
	ctx := testContext(t)
	appendOne(t, l, memory.UserScope("globex", "alice"), 0, "g1")
	want := []memory.Scope{aliceScope, agentScope("acme", "alice"), tenantScope("acme"), zhangScope}
	for _, s := range want {
		appendOne(t, l, s, 0, "one")
	}
	var got []memory.Scope
	for after := uint64(0); ; {
		s, seq, err := l.NextOwner(ctx, "acme", after)
		if errors.Is(err, ErrNotFound) {
			break
		}
		if err != nil || seq <= after {
			t.Fatalf("next owner after %d: %d, %v", after, seq, err)
		}
		got, after = append(got, s), seq
	}
	if !slices.Equal(got, want) {
		t.Errorf("went through %v, want %v", got, want)
	}
	if _, _, err := l.NextOwner(ctx, "", 0); !errors.Is(err, memory.ErrScope) {
		t.Errorf("no tenant = %v, want ErrScope", err)
	}
}
