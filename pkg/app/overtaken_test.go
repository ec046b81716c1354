package app_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/project"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/stream"
)

// gate stops the first who comes to it, once it is armed, until it is opened.
type gate struct {
	mu      sync.Mutex
	at      decide.Step
	reached chan struct{}
	open    chan struct{}
}

func (g *gate) arm(at decide.Step) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at, g.reached, g.open = at, make(chan struct{}), make(chan struct{})
}

func (g *gate) pass(at decide.Step) {
	g.mu.Lock()
	stops := at != "" && g.at == at
	if stops {
		g.at = ""
	}
	reached, open := g.reached, g.open
	g.mu.Unlock()
	if stops {
		close(reached)
		<-open
	}
}

// stepParking lies between the look at a thread and its dead letter.
const stepParking decide.Step = "parking"

// gatedDead has who parks events stop before.
type gatedDead struct {
	consolidate.DeadLetters
	*gate
}

func (d gatedDead) Put(ctx context.Context, l event.DeadLetter) error {
	d.pass(stepParking)
	return d.DeadLetters.Put(ctx, l)
}

// TestErasureOvertakesWhoIsAtWork is invariant 8 for who holds what is erased: a worker that
// stands still between any two steps while a user is erased leaves nothing of them when it
// goes on. Who comes anew is learnt, even from an event with the same id.
func TestErasureOvertakesWhoIsAtWork(t *testing.T) {
	g := &gate{}
	x := startStill(t, stillOptions{reached: g.pass})
	c := x.Consolidate.Config
	c.Dead = gatedDead{c.Dead, g}
	worker, err := consolidate.New(c)
	must(t, err)
	consolidates := func(h heir) error { return worker.Thread(context.WithoutCancel(t.Context()), h.in("talk")) }
	parks := func(h heir) error {
		return worker.Park(context.WithoutCancel(t.Context()), h.in("talk"), 1, "test", "")
	}
	for _, work := range []struct {
		name  string
		do    func(heir) error
		steps []decide.Step
	}{
		{"consolidates", consolidates, consolidate.Steps},
		{"parks", parks, append(slices.Clone(decide.Steps), stepParking, consolidate.StepCached)},
	} {
		for _, step := range work.steps {
			for _, known := range []bool{false, true} {
				name := fmt.Sprintf("%s to %s, known: %v", work.name, step, known)
				ref := memory.ThreadRef{Tenant: "acme", User: memory.User("知更鸟 " + name)}
				h := heir{ref, "marblewort", "蓝铃石风车"}
				if known {
					h.tells(t, x, "talk", "我喜欢{han}。")
				}
				e := said(h.in("talk"), x.clock.Now(), "I like "+h.word+".")
				x.publish(t, e)
				g.arm(step)
				done := make(chan error, 1)
				go func() { done <- work.do(h) }()
				select {
				case <-g.reached:
				case err := <-done:
					t.Fatalf("%s: it did not come there (%v)", name, err)
				}
				receipt, err := x.Curate.Erase(t.Context(), h.Scope())
				close(g.open)
				must(t, err, <-done)
				if !receipt.Final {
					t.Errorf("%s: receipt %+v", name, receipt)
				}
				x.hasNothing(t, name, h)
				x.pass(time.Hour)
				x.returns(t, name, h, e)
			}
		}
	}
}

// stepWriting lies between what a projector has read and what it writes.
const stepWriting decide.Step = "writing"

// gatedStore has who projects stop before it writes.
type gatedStore struct {
	project.Store
	*gate
}

func (s gatedStore) Write(ctx context.Context, b index.Batch) error {
	s.pass(stepWriting)
	return s.Store.Write(ctx, b)
}

// stepReading lies between the head of a ledger and what lies before it.
const stepReading decide.Step = "reading"

// gatedLog has who projects stop before it reads.
type gatedLog struct {
	project.Log
	*gate
}

func (l gatedLog) Read(ctx context.Context, s memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	l.pass(stepReading)
	return l.Log.Read(ctx, s, after, upTo, fn)
}

// stepErasing lies between the fence of an erasure and its first pass.
const stepErasing decide.Step = "erasing"

// gatedPlace has an erasure stop before the place.
type gatedPlace struct {
	curate.Place
	*gate
}

func (p gatedPlace) Erase(ctx context.Context, s memory.Scope, b curate.Bounds) (int, error) {
	p.pass(stepErasing)
	return p.Place.Erase(ctx, s, b)
}

// TestErasureOvertakesProjectors is invariant 8 for who has read change sets, or the fence
// itself, and writes to the collections when all is over, or is about to read them; and whose
// process is told to stop meanwhile.
func TestErasureOvertakesProjectors(t *testing.T) {
	x := startStill(t, stillOptions{})
	writing, erasing := &gate{}, &gate{}
	p := x.Projector.Config
	p.Store, p.Log = gatedStore{p.Store, writing}, gatedLog{p.Log, writing}
	projector := project.New(p)
	c := x.Curate.Config
	c.Places = append([]curate.Place{gatedPlace{c.Places[0], erasing}}, c.Places[1:]...)
	eraser := curate.New(c)
	for i := range 8 {
		fenced, stops, at := i&1 == 0, i&2 == 0, stepWriting
		if i&4 == 0 {
			at = stepReading
		}
		name := fmt.Sprintf("%s, fenced: %v, told to stop: %v", at, fenced, stops)
		h := heir{memory.ThreadRef{Tenant: "acme", User: memory.User("知更鸟 " + name)}, "marblewort", "蓝铃石风车"}
		h.tells(t, x, "talk", "I like {word}.")
		h.tells(t, x, "talk", "I moved to {Word}ville.")
		h.tells(t, x, "talk", "I live in {Word}stead.") // asked
		// The projector has everything before it.
		_, err := x.Store.Erase(t.Context(), h.Scope(), math.MaxUint64)
		must(t, err)
		projected, erased := make(chan error, 1), make(chan error, 1)
		ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
		projects := func() {
			writing.arm(at)
			go func() {
				_, err := projector.CatchUp(ctx, h.Scope())
				projected <- err
			}()
			<-writing.reached
		}
		if !fenced {
			projects()
		}
		erasing.arm(stepErasing)
		go func() {
			_, err := eraser.Erase(context.WithoutCancel(t.Context()), h.Scope())
			erased <- err
		}()
		<-erasing.reached
		if fenced {
			_, err := x.Store.Erase(t.Context(), h.Scope(), math.MaxUint64)
			must(t, err)
			projects()
		}
		close(erasing.open)
		must(t, <-erased)
		if stops {
			stop()
		}
		close(writing.open)
		if err := <-projected; !stops || !errors.Is(err, context.Canceled) {
			must(t, err)
		}
		stop()
		x.hasNothing(t, name, h)
	}
}

// TestErasureFencesWhoGoesOn is invariant 8 for a worker that goes on while the fence stands:
// what it has gathered is erased, although the owner's ledger is not empty.
func TestErasureFencesWhoGoesOn(t *testing.T) {
	working, erasing := &gate{}, &gate{}
	x := startStill(t, stillOptions{reached: working.pass})
	c := x.Curate.Config
	c.Places = append([]curate.Place{gatedPlace{c.Places[0], erasing}}, c.Places[1:]...)
	eraser := curate.New(c)
	again := func(h heir) error { return x.Consolidate.Again(context.WithoutCancel(t.Context()), h.in("talk")) }
	goesOn := func(h heir) error { return x.Consolidate.Thread(context.WithoutCancel(t.Context()), h.in("talk")) }
	for name, work := range map[string]func(heir) error{"consolidates": goesOn, "consolidates again": again} {
		h := heir{memory.ThreadRef{Tenant: "acme", User: memory.User("知更鸟 " + name)}, "marblewort", "蓝铃石风车"}
		h.tells(t, x, "talk", "我喜欢{han}。")
		x.publish(t, said(h.in("talk"), x.clock.Now(), "I like "+h.word+"."))
		working.arm(decide.StepDecided)
		worked, erased := make(chan error, 1), make(chan error, 1)
		go func() { worked <- work(h) }()
		<-working.reached
		erasing.arm(stepErasing)
		go func() {
			_, err := eraser.Erase(context.WithoutCancel(t.Context()), h.Scope())
			erased <- err
		}()
		<-erasing.reached
		close(working.open)
		must(t, <-worked)
		close(erasing.open)
		must(t, <-erased)
		x.hasNothing(t, name, h)
	}
}

// overtakenRecords has something happen once a fence against new events is up.
type overtakenRecords struct {
	curate.Records
	then func()
}

func (r *overtakenRecords) Store(ctx context.Context, s memory.Scope, b curate.Bounds, receipt []byte, revision uint64) (uint64, error) {
	revision, err := r.Records.Store(ctx, s, b, receipt, revision)
	if then := r.then; then != nil && err == nil {
		r.then = nil
		then()
	}
	return revision, err
}

// TestErasureReachesWhatWasDecidedBeforeIt has a user go on talking, and be understood, in the
// midst of an erasure: each word is gone with what was learnt from it, or neither is.
func TestErasureReachesWhatWasDecidedBeforeIt(t *testing.T) {
	x := startStill(t, stillOptions{})
	h := heir{memory.ThreadRef{Tenant: "acme", User: "robin 知更鸟"}, "marblewort", "蓝铃石风车"}
	h.tells(t, x, "talk", "I like {word}.")
	c := x.Curate.Config
	var late uint64
	c.Records = &overtakenRecords{c.Records, func() {
		late = x.publish(t, said(h.in("talk"), x.clock.Now(), "我喜欢"+h.han+"。"))
		x.consolidate(t, h.in("talk"))
	}}
	receipt, err := curate.New(c).Erase(t.Context(), h.Scope())
	must(t, err)
	if late == 0 {
		t.Fatal("nothing was said meanwhile")
	}
	if held, gone := len(x.holdings(t, h.Scope())) > 0, late <= receipt.EventHead; held == gone {
		t.Errorf("said at %d, erased up to %d: is held: %v", late, receipt.EventHead, held)
	}
}

// stepRecording lies between a recall and its trace.
const stepRecording decide.Step = "recording"

// gatedTraces has a recall stop before its trace.
type gatedTraces struct {
	recall.Traces
	*gate
}

func (r gatedTraces) Record(t recall.Trace) {
	r.pass(stepRecording)
	r.Traces.Record(t)
}

// TestErasureOvertakesRecalls is invariant 8 for a recall that hands out what is being
// erased: its trace comes late, and does not stay.
func TestErasureOvertakesRecalls(t *testing.T) {
	x := startStill(t, stillOptions{})
	g := &gate{}
	c := x.Recall.Config
	c.Traces = gatedTraces{c.Traces, g}
	reader := recall.New(c)
	h := heir{memory.ThreadRef{Tenant: "acme", User: "robin 知更鸟"}, "marblewort", "蓝铃石风车"}
	other := heir{memory.ThreadRef{Tenant: "acme", User: "wren 鹪鹩"}, "sourdough", "紫藤摇椅"}
	h.tells(t, x, "talk", "I like {word}.")
	other.tells(t, x, "talk", "I like {word}.")
	g.arm(stepRecording)
	done := make(chan error, 1)
	go func() {
		_, err := reader.Recall(context.WithoutCancel(t.Context()), recall.Request{Tenant: h.Tenant, User: h.User, Query: "Do I like marblewort?"})
		done <- err
	}()
	<-g.reached
	_, err := x.Curate.Erase(t.Context(), h.Scope())
	close(g.open)
	must(t, err, <-done)
	// Traces are stored one after the other: with the next one, the first has been.
	x.pass(time.Hour)
	if got := x.ask(t, other.Scope(), "Do I like sourdough?", false); len(got) != 1 {
		t.Errorf("of the other one, %+v is recalled", got)
	}
	x.hasNothing(t, "recalled", h)
	if n := x.left(t, other.Scope())[stream.PlaceRecalls]; n != 1 {
		t.Errorf("the other one has %d traces, want one", n)
	}
}

// hasNothing checks that nothing is left of an erased user.
func (x *still) hasNothing(t *testing.T, name string, h heir) {
	t.Helper()
	for place, n := range x.left(t, h.Scope()) {
		if n > 0 {
			t.Errorf("%s: %d pieces are left in %s", name, n, place)
		}
	}
	if found := holders(x.stored(t), h.marks()); len(found) > 0 {
		t.Errorf("%s: found in %d places, such as %s", name, len(found), found[0])
	}
	if found := holders(x.files(t), h.marks()); len(found) > 0 {
		t.Errorf("%s: found in %d files, such as %s", name, len(found), found[0])
	}
}

// returns has an erased user come anew, elsewhere and with an event that was erased, and then
// go for good.
func (x *still) returns(t *testing.T, name string, h heir, e event.Event) {
	t.Helper()
	h.tells(t, x, "elsewhere", "我喜欢{han}。")
	x.comeAgain(t, e)
	if got := x.holdings(t, h.Scope()); len(got) != 2 {
		t.Errorf("%s: of who came anew there is %+v", name, got)
	}
	_, err := x.Curate.Erase(t.Context(), h.Scope())
	must(t, err)
}

// TestErasureWhileEverythingIsAtWork is invariant 8 in the midst of workers, projectors, the
// reaper's jobs and rebuilds, while the user goes on talking: what was said up to the fence
// is gone, and what was said after it is learnt.
func TestErasureWhileEverythingIsAtWork(t *testing.T) {
	const before, after, threads = 40, 20, 3
	x := startStill(t, stillOptions{busy: true})
	h := heir{memory.ThreadRef{Tenant: "acme", User: "robin 知更鸟"}, "marblewort", "蓝铃石风车"}
	word := func(i int) string { return fmt.Sprintf("%s%03d", h.word, i) }
	ref := func(i int) memory.ThreadRef { return h.in(fmt.Sprint("talk", i%threads)) }
	seqs := make([]uint64, before+after)
	speak := func(i int) {
		seqs[i] = x.publish(t, said(ref(i), x.clock.Now(), "I like "+word(i)+"."))
		must(t, x.Timers.Now(t.Context(), ref(i)))
	}
	ctx, stop := context.WithCancel(t.Context())
	var atWork sync.WaitGroup
	for _, work := range []func() error{
		func() error { _, err := x.Rebuild(ctx, nil); return err },
		func() error { _, err := x.Reap.RunOnce(ctx, reap.JobTier, x.clock.Now(), nil); return err },
		func() error { _, err := x.Projector.CatchUp(ctx, h.Scope()); return err },
	} {
		atWork.Go(func() {
			for ctx.Err() == nil {
				if err := work(); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range before {
		speak(i)
	}
	erased := make(chan curate.Receipt, 1)
	atWork.Go(func() {
		r, err := x.Curate.Erase(t.Context(), h.Scope())
		if err != nil {
			t.Error(err)
		}
		erased <- r
	})
	for i := range after {
		speak(before + i)
	}
	receipt := <-erased
	stop()
	atWork.Wait()
	for i := range threads {
		x.consolidate(t, ref(i))
	}
	held := map[string]bool{}
	for _, m := range x.holdings(t, h.Scope()) {
		held[m.Value] = true
	}
	var gone []string
	for i, seq := range seqs {
		if seq <= receipt.EventHead {
			gone = append(gone, word(i))
		}
		if held[word(i)] != (seq > receipt.EventHead) {
			t.Errorf("%s, said at %d, is held: %v; erased up to %d", word(i), seq, held[word(i)], receipt.EventHead)
		}
	}
	if len(gone) < before {
		t.Errorf("%d things are gone, want %d: the test would show nothing", len(gone), before)
	}
	for _, places := range []map[string][]byte{x.stored(t), x.files(t)} {
		if found := holders(places, gone); len(found) > 0 {
			t.Errorf("found in %d places, such as %s", len(found), found[0])
		}
	}
}
