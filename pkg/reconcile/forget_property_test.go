package reconcile_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// statement is what makes a known memory, said on a day. Of a key of one value, each is a
// change.
func (k known) statement(n int) reconcile.Statement {
	m := k.memory()
	s := say(n, m.Key, m.Value)
	s.About, s.Plan, s.Text, s.Evidence.Quote = m.About, m.Plan, m.Text, m.Text
	if m.Key == "" {
		s.Kind = memory.KindFact
	}
	if f, _ := registry.Field(m.Key); m.Key != "" && !f.Multi {
		s.Relation = memory.RelationUpdates
	}
	return s
}

// topicsOf are topics about a world, of keys of one value only whole ones: what another
// value of theirs leaves when it is forgotten depends on what was known then.
var topicsOf = map[bool][]string{
	false: {
		"where I work", "my job", "my address", "my birthday", "my girlfriend", "my cat", "my dog", "my pets", "Mimi", "my mother",
		"my family", "my ex", "my allergies", "my peanut allergy", "that I speak French", "my hobbies", "that I play chess", "what I like",
		"that I like mahjong", "my favourite colour", "IELTS", "my plans", "my trip to Shenzhen", "Tom", "everything about me", "the weather",
	},
	true: {
		"我在哪里上班", "我的工作", "我的住址", "我的生日", "我女朋友", "我的猫", "我的狗", "我的宠物", "咪咪", "我妈妈", "我的家人", "我前女友",
		"我对花生过敏", "我会说法语", "我的爱好", "我喜欢什么", "我喜欢打麻将", "我最喜欢的颜色", "雅思", "我的行程", "我去深圳出差的事", "小刘", "关于我的一切", "天气",
	},
}

// tale is what is said in a life, a statement or a request on each day.
type tale struct {
	statements map[int]reconcile.Statement
	requests   map[int]reconcile.Request
	days       []int
}

func drawTale(t *rapid.T, action func(n int, words string) reconcile.Request) tale {
	chinese := rapid.Bool().Draw(t, "chinese")
	world := robin
	if chinese {
		world = lan
	}
	out := tale{statements: map[int]reconcile.Statement{}, requests: map[int]reconcile.Request{}}
	for n := range rapid.IntRange(2, 12).Draw(t, "days") {
		out.days = append(out.days, n)
		if n > 0 && rapid.IntRange(0, 3).Draw(t, "sort") == 0 {
			out.requests[n] = action(n, rapid.SampledFrom(topicsOf[chinese]).Draw(t, "topic"))
			continue
		}
		out.statements[n] = rapid.SampledFrom(world).Draw(t, "statement").statement(n)
	}
	return out
}

// happen decides what is said on a day.
func (d *diary) happen(s tale, n int) {
	if r, ok := s.requests[n]; ok {
		d.ask(r)
		return
	}
	d.hear(s.statements[n])
}

// Invariant 10: whatever the order of decision, what is left is what was not forgotten after
// it was said, and no word else.
func TestForgottenStaysForgottenInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawTale(rt, forget)
		inOrder, d := newDiary(t), newDiary(t)
		for _, n := range s.days {
			inOrder.happen(s, n)
		}
		days := order(rt, len(s.days))
		for _, n := range days {
			d.happen(s, n)
		}
		if got, want := d.current(), inOrder.current(); got != want {
			rt.Fatalf("in the order %v current is: %s\nin the order of speech: %s", days, got, want)
		}
		before := d.all()
		for _, n := range order(rt, len(s.days)) {
			d.happen(s, n)
		}
		if got := d.all(); !reflect.DeepEqual(got, before) {
			rt.Fatalf("decided again:\n%+v\nbefore:\n%+v", got, before)
		}
		for n, st := range s.statements {
			if d.gone(s, n) && strings.Contains(d.whole(), fmt.Sprintf(`"e%d"`, n)) {
				rt.Fatalf("%q is left in %s", st.Text, d.whole())
			}
		}
	})
}

// gone reports whether a request that was made after the statement of a day means it.
func (d *diary) gone(s tale, n int) bool {
	st := s.statements[n]
	m := memory.Memory{Key: st.Key, About: st.About, Value: st.Value, Text: st.Text, Plan: st.Plan, Status: memory.StatusCurrent}
	for at, r := range s.requests {
		if at > n && reconcile.About(registry, r.Topic).Match(&m) {
			return true
		}
	}
	return false
}

// A request to forget deletes what it means, and of anything else it changes no more than
// words that it means in its text and evidence.
func TestForgettingTouchesNothingElse(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawTale(rt, suppress)
		d := newDiary(t)
		for _, n := range s.days {
			d.happen(s, n)
		}
		before := d.all()
		words := rapid.SampledFrom(slices.Concat(topicsOf[false], topicsOf[true])).Draw(rt, "forget")
		x := reconcile.About(registry, memory.Topic{Words: words})
		d.ask(forget(50, words))
		for _, m := range before {
			now := d.memories[m.ID]
			if x.Match(&m) {
				want := memory.Memory{ID: m.ID, Scope: m.Scope, Kind: m.Kind, Key: m.Key, Status: memory.StatusDeleted, Tombstone: now.Tombstone}
				if !reflect.DeepEqual(now, want) || now.Tombstone == nil {
					rt.Fatalf("forget %q makes of %+v\n%+v", words, m, now)
				}
				continue
			}
			if now.Text != m.Text {
				now.SuppressedBy = m.SuppressedBy // it may have been hidden for those words
			}
			now.Text, now.Evidence = m.Text, m.Evidence
			if m.Status == memory.StatusCurrent || m.Status == memory.StatusSuperseded {
				m.Question, now.Question = "", ""
			}
			if !reflect.DeepEqual(now, m) {
				rt.Fatalf("forget %q changes %+v\nto %+v", words, m, now)
			}
		}
	})
}

// Suppressed and lifted again, everything is recalled as if nothing had been asked; in
// between, what is hidden is what a standing request is about.
func TestSuppressAndLiftInAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawTale(rt, suppress)
		d, plain := newDiary(t), newDiary(t)
		for _, n := range order(rt, len(s.days)) {
			d.happen(s, n)
			if _, ok := s.requests[n]; !ok {
				plain.happen(s, n)
			}
			for _, m := range d.all() {
				meant := slices.ContainsFunc(d.requests(memory.StatusStanding), func(r memory.Memory) bool {
					return reconcile.About(registry, *r.Suppresses).Mentions(&m)
				})
				if request := m.Status == memory.StatusStanding; meant != (m.SuppressedBy != "") && !request {
					rt.Fatalf("suppressed by %q: %+v", m.SuppressedBy, m)
				}
			}
		}
		for _, r := range d.requests(memory.StatusStanding) {
			d.ask(request(memory.ActionLift, 50, memory.Topic{IDs: []memory.ID{r.ID}}))
		}
		for _, m := range d.requests(memory.StatusLifted) {
			delete(d.memories, m.ID)
		}
		if got, want := d.all(), plain.all(); !reflect.DeepEqual(got, want) {
			rt.Fatalf("lifted again:\n%+v\nwithout requests:\n%+v", got, want)
		}
	})
}

// What NeedsOf names is enough, for requests and after them.
func TestNeedsAreEnoughForRequests(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		mixed := func(n int, words string) reconcile.Request {
			action := rapid.SampledFrom([]memory.Action{memory.ActionForget, memory.ActionSuppress, memory.ActionLift}).Draw(rt, "action")
			return request(action, n, memory.Topic{Words: words})
		}
		s := drawTale(rt, mixed)
		d := newDiary(t)
		for _, n := range order(rt, len(s.days)) {
			var in reconcile.Input
			if r, ok := s.requests[n]; ok {
				if all := d.all(); len(all) > 0 && rapid.IntRange(0, 2).Draw(rt, "pointed") == 0 {
					r.Topic = memory.Topic{IDs: []memory.ID{rapid.SampledFrom(all).Draw(rt, "at").ID}}
				}
				in.Requests = []reconcile.Request{r}
			} else {
				in.Statements = []reconcile.Statement{s.statements[n]}
			}
			in = d.input(in)
			in.Existing = d.all()
			before := fmt.Sprintf("%+v", in)
			whole := reconcile.Plan(in)
			if after := fmt.Sprintf("%+v", in); after != before {
				rt.Fatalf("the input is changed:\n%s\nto\n%s", before, after)
			}
			in.Existing = d.load(reconcile.NeedsOf(in))
			if needed := reconcile.Plan(in); !reflect.DeepEqual(whole, needed) {
				rt.Fatalf("with everything:\n%+v\nwith what is needed:\n%+v", whole, needed)
			}
			d.apply(whole)
		}
	})
}

// A change set of a request is valid: each of its changes is about the owner, and what is
// deleted has no content.
func TestRequestsMakeWholeChanges(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawTale(rt, forget)
		d := newDiary(t)
		for _, n := range order(rt, len(s.days)) {
			d.happen(s, n)
		}
		for _, r := range d.records {
			for _, c := range r.Changes {
				deleted := c.Op == ledger.OpDelete
				switch m := c.Memory; {
				case m.Scope != scope || m.ID == "" || c.Reason == "",
					deleted != (m.Status == memory.StatusDeleted), deleted != (m.Tombstone != nil),
					deleted && (c.Previous != nil || m.Text != "" || m.Value != "" || len(m.Evidence) > 0):
					rt.Fatalf("the change is %+v", c)
				}
			}
		}
	})
}
