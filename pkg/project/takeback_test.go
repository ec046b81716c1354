package project_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/project"
)

// realm is the ledger, the collection, the questions and the cached vectors of one owner, all
// by the rules of their ports. What lies anywhere is known by the change set that made it.
type realm struct {
	change    map[uint64][]byte
	head      uint64
	fence     uint64
	points    map[memory.ID]uint64
	cursor    uint64
	questions map[memory.ID]uint64
	vectors   map[string]bool
}

// record puts a change set at the ledger's head: a memory, a question, and, if it is large,
// as many uses as fill a batch.
func (r *realm) record(large bool) {
	r.put(changeSet(int(r.head)+1, large))
}

func changeSet(n int, large bool) *ledger.ChangeSet {
	c := &ledger.ChangeSet{V: ledger.Version, At: noon, Author: ledger.AuthorExtractor, Scope: alice}
	c.Changes = []ledger.Change{{Op: ledger.OpAdd, Memory: fact(alice, n, fmt.Sprint("said ", n)), Reason: "new"}}
	c.QuestionOpened = []memory.Question{{ID: memory.ID(fmt.Sprint("q", n)), Scope: alice, Status: memory.QuestionOpen, OpenedAt: noon}}
	if large {
		for i := range 256 {
			c.Accessed = append(c.Accessed, ledger.Access{ID: fact(alice, 1000+i, "").ID, At: noon})
		}
	}
	return c
}

func (r *realm) put(c *ledger.ChangeSet) {
	key := fmt.Sprint(r.head, len(c.Accessed), c.Erased != nil)
	data, ok := encoded[key]
	if !ok {
		var err error
		if data, err = c.Encode(); err != nil {
			panic(err)
		}
		encoded[key] = data
	}
	r.head++
	r.change[r.head] = data
}

// encoded are the change sets of all realms, which are the same.
var encoded = map[string][]byte{}

// last is the sequence of the last change set that is there.
func (r *realm) last() uint64 {
	if len(r.change) == 0 {
		return 0
	}
	return slices.Max(slices.Collect(maps.Keys(r.change)))
}

func (r *realm) empty(below uint64) {
	maps.DeleteFunc(r.points, func(_ memory.ID, seq uint64) bool { return seq < below })
	if r.cursor < below {
		r.cursor = 0
	}
}

func (r *realm) emptyQuestions(upTo uint64) {
	maps.DeleteFunc(r.questions, func(_ memory.ID, seq uint64) bool { return seq <= upTo })
}

// leftovers is what there is of what was erased.
func (r *realm) leftovers(fence uint64) string {
	below := maps.Clone(r.points)
	maps.DeleteFunc(below, func(_ memory.ID, seq uint64) bool { return seq > fence })
	asked := maps.Clone(r.questions)
	maps.DeleteFunc(asked, func(_ memory.ID, seq uint64) bool { return seq > fence })
	vectors := maps.Clone(r.vectors)
	maps.DeleteFunc(vectors, func(text string, _ bool) bool { return text > fmt.Sprint("said ", fence) })
	if len(below)+len(asked)+len(vectors) == 0 && (r.cursor == 0 || r.cursor > fence) {
		return ""
	}
	return fmt.Sprintf("points %v, questions %v, vectors %v, cursor %d", below, asked, vectors, r.cursor)
}

// visitor is a projector's way to the realm. Before and after everything that it does there
// lies a point, at which something else may happen.
type visitor struct {
	*realm
	points int
	at     func(point int)
	wrote  bool
	// unanswered has writes fail that have been carried out.
	unanswered bool
}

func (v *visitor) point(ctx context.Context) error {
	if v.at != nil {
		v.at(v.points)
	}
	v.points++
	return ctx.Err()
}

func (v *visitor) between(ctx context.Context, f func() error) error {
	if err := v.point(ctx); err != nil {
		return err
	}
	err := f()
	return errors.Join(err, v.point(ctx))
}

func (v *visitor) Head(ctx context.Context, _ memory.Scope) (head uint64, err error) {
	err = v.between(ctx, func() error { head = v.last(); return nil })
	return head, err
}

func (v *visitor) Read(ctx context.Context, _ memory.Scope, after, upTo uint64, fn func(uint64, time.Time, []byte) error) error {
	for seq := after + 1; seq <= upTo; seq++ {
		data, ok := v.change[seq]
		if !ok {
			continue
		}
		if err := v.between(ctx, func() error { return fn(seq, noon, data) }); err != nil {
			return err
		}
	}
	return nil
}

func (v *visitor) Holds(ctx context.Context, _ memory.Scope, seq uint64) (held bool, err error) {
	err = v.between(ctx, func() error { _, held = v.change[seq]; return nil })
	return held, err
}

func (v *visitor) Erased(ctx context.Context, _ memory.Scope) (below uint64, err error) {
	err = v.between(ctx, func() error { below = v.fence; return nil })
	return below, err
}

func (v *visitor) Cursor(ctx context.Context, _ memory.Scope) (cursor uint64, err error) {
	err = v.between(ctx, func() error { cursor = v.cursor; return nil })
	return cursor, err
}

var errUnanswered = errors.New("unanswered")

func (v *visitor) Write(ctx context.Context, b index.Batch) error {
	return v.between(ctx, func() error {
		v.write(b)
		v.wrote = true
		if v.unanswered {
			return errUnanswered
		}
		return nil
	})
}

func (r *realm) write(b index.Batch) {
	if below, ok := b.Erased[alice]; ok {
		r.empty(below)
	}
	for _, e := range b.Entries {
		if r.points[e.Memory.ID] < e.LedgerSeq {
			r.points[e.Memory.ID] = e.LedgerSeq
		}
	}
	if step := b.Cursors[alice]; r.cursor < step.To && (step.From == 0 || r.cursor >= step.From) {
		r.cursor = step.To
	}
}

func (v *visitor) Erase(ctx context.Context, _ memory.Scope, below uint64) (int, error) {
	return 1, v.between(ctx, func() error { v.empty(below); return nil })
}

func (v *visitor) Put(ctx context.Context, q memory.Question, seq uint64) error {
	return v.between(ctx, func() error { v.questions[q.ID] = max(v.questions[q.ID], seq); return nil })
}

// EmbedFor keeps the vectors, as a cache does.
func (v *visitor) EmbedFor(ctx context.Context, _ memory.Scope, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), v.between(ctx, func() error {
		for _, t := range texts {
			v.vectors[t] = true
		}
		return nil
	})
}

// owned are what is kept of the owner beside the collection.
type owned struct {
	*visitor
	erase func(upTo uint64)
}

func (o owned) EraseOwner(ctx context.Context, _ memory.Scope, upTo uint64) (int, error) {
	return 1, o.between(ctx, func() error { o.erase(upTo); return nil })
}

func (v *visitor) projector() *project.Projector {
	return project.New(project.Config{
		Log: v, Store: v, Embed: v, Erasures: v, Questions: owned{v, v.emptyQuestions},
		Vectors: owned{v, func(uint64) { clear(v.vectors) }},
	})
}

// tale is a projector at work on an owner with three change sets, of which some have been
// projected, while the owner is erased.
type tale struct {
	applies, large bool
	projected      uint64
	// anew is when the owner comes anew: "" for never, "early" and "amid" before the fence has
	// gone, or "late".
	anew string
	// first and second are the points at which the eraser does its first steps, and the rest.
	first, steps, second int
	// fault is what befalls the projector: "cancelled" at a point, "unanswered", or "killed"
	// when it has written.
	fault string
	at    int
}

const fenceSeq = 4

// eraser are the steps of an erasure, and of the owner's who comes anew.
func (s *tale) eraser(r *realm) []func() {
	other := (&visitor{realm: r}).projector()
	projects := func() {
		if _, err := other.CatchUp(context.Background(), alice); err != nil {
			panic(err)
		}
	}
	comesAnew := func(when string) func() {
		return func() {
			switch {
			case s.anew != when:
			case when == "amid": // and nobody projects it for the time being
				r.record(false)
			default:
				projects()
				r.record(false)
				projects()
			}
		}
	}
	empty, questions := func() { r.empty(fenceSeq + 1) }, func() { r.emptyQuestions(fenceSeq) }
	vectors := func() { clear(r.vectors) }
	deletes := func(seq uint64) func() { return func() { delete(r.change, seq) } }
	return []func(){
		func() {
			projects()
			r.put(&ledger.ChangeSet{V: ledger.Version, At: noon, Author: ledger.AuthorUser, Scope: alice, Erased: &ledger.Erased{EventHead: 7}})
		},
		projects, comesAnew("early"),
		func() { r.fence = fenceSeq },
		empty, comesAnew("amid"), questions, vectors, deletes(1), deletes(2), deletes(3),
		empty, questions, vectors, deletes(fenceSeq),
		empty, questions, vectors, comesAnew("late"),
	}
}

type killed struct{}

// runs plays the tale, and returns what is there in the end and how many points there were.
func (s *tale) runs(t *testing.T) (*realm, int) {
	t.Helper()
	r := &realm{change: map[uint64][]byte{}, points: map[memory.ID]uint64{}, questions: map[memory.ID]uint64{}, vectors: map[string]bool{}}
	for n := range uint64(3) {
		r.record(s.large && n == 1)
		if n+1 == s.projected {
			if _, err := (&visitor{realm: r}).projector().CatchUp(t.Context(), alice); err != nil {
				t.Fatal(err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	steps := s.eraser(r)
	done := 0
	does := func(upTo int) {
		for ; done < upTo; done++ {
			steps[done]()
		}
	}
	v := &visitor{realm: r, unanswered: s.fault == "unanswered"}
	v.at = func(point int) {
		if point >= s.first {
			does(s.steps)
		}
		if point >= s.second {
			does(len(steps))
		}
		switch {
		case s.fault == "killed" && v.wrote:
			panic(killed{})
		case s.fault == "cancelled" && point == s.at:
			cancel()
		}
	}
	s.projects(ctx, t, v)
	does(len(steps))
	if left := r.leftovers(fenceSeq); left != "" && s.fault != "killed" && s.first < math.MaxInt {
		t.Fatalf("%+v: left are %s", *s, left)
	}
	if _, err := (&visitor{realm: r}).projector().CatchUp(t.Context(), alice); err != nil {
		t.Fatal(err)
	}
	return r, v.points
}

func (s *tale) projects(ctx context.Context, t *testing.T, v *visitor) {
	defer func() {
		if e := recover(); e != nil && e != (killed{}) {
			panic(e)
		}
	}()
	var err error
	if s.applies {
		err = v.projector().Apply(ctx, alice, 2, 3, changeSet(3, false))
	} else {
		_, err = v.projector().CatchUp(ctx, alice)
	}
	switch {
	case s.fault == "" && err != nil, err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, errUnanswered):
		t.Fatalf("%+v: %v", *s, err)
	}
}

// check plays the tale, and fails if anything is left of what was erased, or anything missing
// of what came anew.
func (s *tale) check(t *testing.T) {
	t.Helper()
	r, _ := s.runs(t)
	if left := r.leftovers(fenceSeq); left != "" {
		t.Fatalf("%+v: left are %s", *s, left)
	}
	want := 0
	if s.anew != "" {
		want = 1
	}
	if len(r.points) != want || r.cursor != r.last() {
		t.Fatalf("%+v: the collection has %v with the cursor at %d, want what came anew, and %d", *s, r.points, r.cursor, r.last())
	}
}

// length is how many points the projector of a tale passes that nobody overtakes.
func (s tale) length(t *testing.T) int {
	t.Helper()
	s.first, s.second, s.at, s.fault = math.MaxInt, math.MaxInt, -1, ""
	_, n := s.runs(t)
	return n
}

// comings are the tale whether or not the owner comes anew.
func (s tale) comings() []tale {
	early, amid, late := s, s, s
	early.anew, amid.anew, late.anew = "early", "amid", "late"
	return []tale{s, early, amid, late}
}

// TestAnErasureOvertakesAProjector at any two points of it, wherever the erasure stands in
// between, and whether or not the owner comes anew.
func TestAnErasureOvertakesAProjector(t *testing.T) {
	for _, of := range []tale{{}, {projected: 1}, {projected: 2, applies: true}} {
		n := of.length(t)
		for _, s := range of.comings() {
			laters := []int{1, n}
			if s.anew == "amid" {
				laters = []int{1, 3, 5, n}
			}
			for s.steps = range len(s.eraser(&realm{})) {
				for s.first = range n {
					for _, later := range laters {
						s.second = s.first + later
						s.check(t)
					}
				}
			}
		}
	}
}

// cancelledWithin is at how many points after it was overtaken a projector is cancelled.
const cancelledWithin = 8

// TestAnErasureOvertakesAProjectorThatFails: it is cancelled at any point, or hears nothing
// of what it has written, in the midst of what it reads or at its end.
func TestAnErasureOvertakesAProjectorThatFails(t *testing.T) {
	for _, of := range []tale{
		{large: true}, {large: true, fault: "cancelled"}, {applies: true, fault: "cancelled"},
		{large: true, fault: "unanswered"}, {applies: true, fault: "unanswered"},
	} {
		n := of.length(t)
		for _, s := range of.comings() {
			for s.first = range n {
				s.second = s.first
				for s.at = s.first; s.at < s.first+cancelledWithin; s.at++ {
					if s.check(t); s.fault != "cancelled" {
						break
					}
				}
			}
		}
	}
}

// TestWhoComesNextTakesBackWhatADeadProjectorLeft: it was killed when it had written, and the
// erasure had been all over, but for the owner's coming anew.
func TestWhoComesNextTakesBackWhatADeadProjectorLeft(t *testing.T) {
	for _, of := range []tale{{fault: "killed"}, {large: true, fault: "killed"}, {applies: true, fault: "killed"}} {
		n := of.length(t)
		for _, s := range of.comings() {
			s.steps, s.second = len(s.eraser(&realm{}))-1, math.MaxInt
			for s.first = range n {
				if s.anew == "" || s.anew == "late" {
					s.check(t)
				}
			}
		}
	}
}
