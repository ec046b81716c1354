package app_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/consolidate"
	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/stream"
)

// dialogue is a thread of ten turns as people have them with assistants, of which some
// state a fact; %s is another word in each thread.
var dialogue = [10][2]string{
	{"Hi! Can you help me plan the week? I've been swamped lately and could use some structure.",
		"Of course. Let's start with the fixed appointments, then block out time for deep work, and leave Friday afternoon free as a buffer. Which days are already full?"},
	{"I work as a product designer at %s, so Monday and Tuesday are full of reviews.",
		"Noted. I would keep those two days for reviews and short tasks only, and move anything that needs concentration to Wednesday morning."},
	{"我最近开始学%s，每周三晚上上课，你能帮我排一下练习时间吗？",
		"可以。建议把练习拆成每天二十分钟，周三上课之前留半小时复习，周末安排一次完整的练习，这样进度比较稳。"},
	{"我对花生过敏，所以这周的菜谱里不要放花生。",
		"好的，菜谱里会避开花生和花生油。周一可以做番茄牛腩，周二清炒时蔬，周四做一锅鸡汤，其余几天吃简餐。"},
	{"I'm flying to %s next Friday, so the weekend is out.",
		"Then I would pack on Thursday evening and keep the weekend empty. Do you want a checklist for the trip, with the chargers and the documents?"},
	{"Could you also write me a regular expression that matches ISO 8601 dates like 2026-03-04?",
		"Here you go: \\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01]). It checks the ranges of month and day, but not the length of each month; for that, parse the date instead."},
	{"谢谢，这个解释很清楚。", "不客气！还有什么需要安排的吗？"},
	{"Actually I moved to %s last month, so please use that time zone from now on.",
		"Thanks for telling me. I have shifted all the times in the plan accordingly; the evening lessons now start one hour later than before."},
	{"对了，我养了一只猫，叫年糕，出门前要提醒我找人喂它。",
		"没问题，我会在周四的清单里加上一条：联系朋友来喂年糕，并且准备好三天的猫粮和水。"},
	{"ok thanks, that's all for today", "You're welcome. Have a good trip!"},
}

// converse publishes thread n of the owner: ten events, each a turn of user and assistant.
func (s *stand) converse(b *testing.B, user memory.User, n int) memory.ThreadRef {
	b.Helper()
	ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: user, Thread: memory.Thread(fmt.Sprintf("thread-%d", n))}
	var out []stream.OutgoingEvent
	for i, turn := range dialogue {
		content := turn[0]
		if strings.Contains(content, "%s") {
			content = fmt.Sprintf(content, seedPlaces[(n+i)%len(seedPlaces)])
		}
		at := day.Add(time.Duration(n)*24*time.Hour + time.Duration(i)*time.Minute)
		e := event.Event{
			SpecVersion: "1.0", ID: fmt.Sprintf("%s-%d-%d", user, n, i), Source: "/bench", Type: event.TypeTurn, Time: at,
			Tenant: ref.Tenant, User: ref.User, Thread: ref.Thread, TimeZone: "Asia/Shanghai",
		}
		err := e.SetTurn(event.Turn{Messages: []event.Message{
			{Role: memory.RoleUser, Content: content, At: at}, {Role: memory.RoleAssistant, Content: turn[1], At: at.Add(20 * time.Second)},
		}})
		if err != nil {
			b.Fatal(err)
		}
		data, err := e.Encode()
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, stream.OutgoingEvent{Ref: ref, EventID: e.ID, Data: data, ReceivedAt: at})
	}
	if _, err := s.Events.Publish(b.Context(), out); err != nil {
		b.Fatal(err)
	}
	return ref
}

// chat appends change sets of threads in which there was nothing to remember.
func (s *stand) chat(b *testing.B, scope memory.Scope, sets int) {
	b.Helper()
	head, err := s.Log.Head(b.Context(), scope)
	if err != nil {
		b.Fatal(err)
	}
	for i := range sets {
		cp := &ledger.Checkpoint{Thread: memory.Thread(fmt.Sprintf("chat-%d", i)), Seq: uint64(i + 1), Counts: ledger.Counts{Messages: 10, Nothing: 10}}
		for n := range uint64(10) {
			cp.Events = append(cp.Events, ledger.HashEvent(fmt.Sprintf("chat-%d-%d", i, n), 0))
		}
		cs := ledger.ChangeSet{V: ledger.Version, At: day, Author: ledger.AuthorExtractor, Scope: scope, Checkpoint: cp}
		data, err := cs.Encode()
		if err != nil {
			b.Fatal(err)
		}
		if head, err = s.Log.Append(b.Context(), scope, head, data); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := s.Projector.CatchUp(b.Context(), scope); err != nil {
		b.Fatal(err)
	}
}

// stopwatch adds up the CPU that consolidation uses on its way to each step. It is for one
// thread at a time.
type stopwatch struct {
	last  time.Duration
	total map[decide.Step]time.Duration
}

func (w *stopwatch) start() { w.last = cpuTime() }

func (w *stopwatch) reached(step decide.Step) {
	now := cpuTime()
	w.total[step] += now - w.last
	w.last = now
}

// BenchmarkConsolidate consolidates threads of ten turns for an owner with 500 memories,
// among many owners and after a long history. CPU is given in all and by the step that it
// led to: decided is catching up, reading what is known and reconciling; extracted has
// verification in it. Target: cpu-ms/thread below 2, in every line.
func BenchmarkConsolidate(b *testing.B) {
	for _, c := range []struct{ owners, history int }{{1, 0}, {1, 50}, {1, 1000}, {1_000, 0}, {10_000, 0}, {100_000, 0}} {
		b.Run(fmt.Sprintf("owners=%d/history=%d", c.owners, c.history), func(b *testing.B) {
			watch := &stopwatch{total: map[decide.Step]time.Duration{}}
			s := startStand(b, openBackend(b, b.TempDir()), app.Options{Reached: watch.reached})
			owner := benchOwner(0)
			if c.owners > 1 {
				s.seedOthers(b, 1, c.owners-1, 3)
			}
			s.seedOwner(b, owner, 500, 50)
			s.chat(b, owner, c.history)
			// What is compiled once a process is not a thread's cost.
			if err := s.Consolidate.Thread(b.Context(), s.converse(b, memory.User(owner.Owner.ID), 0)); err != nil {
				b.Fatal(err)
			}
			clear(watch.total)
			var cpu time.Duration
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				ref := s.converse(b, memory.User(owner.Owner.ID), n+1)
				n++
				watch.start()
				before := watch.last
				b.StartTimer()
				if err := s.Consolidate.Thread(b.Context(), ref); err != nil {
					b.Fatal(err)
				}
				cpu += cpuTime() - before
			}
			b.ReportMetric(milliseconds(cpu)/float64(n), "cpu-ms/thread")
			for _, step := range consolidate.Steps {
				b.ReportMetric(milliseconds(watch.total[step])/float64(n), string(step)+"-cpu-ms")
			}
		})
	}
}

// BenchmarkConsolidateContended has 50 workers consolidate 50 threads of one owner at once.
// Nothing is extracted twice, whatever conflicts there are: extractions/thread is 1.
func BenchmarkConsolidateContended(b *testing.B) {
	const workers = 50
	var extracted, decided, appended atomic.Int64
	s := startStand(b, openBackend(b, b.TempDir()), app.Options{Reached: func(step decide.Step) {
		switch step {
		case consolidate.StepExtracted:
			extracted.Add(1)
		case decide.StepDecided:
			decided.Add(1)
		case decide.StepAppended:
			appended.Add(1)
		}
	}})
	owner := benchOwner(0)
	s.seedOwner(b, owner, 500, 50)
	var cpu time.Duration
	threads := 0
	for b.Loop() {
		b.StopTimer()
		refs := make([]memory.ThreadRef, workers)
		for i := range refs {
			refs[i] = s.converse(b, memory.User(owner.Owner.ID), threads+i)
		}
		threads += workers
		before := cpuTime()
		b.StartTimer()
		var wg sync.WaitGroup
		for _, ref := range refs {
			wg.Go(func() {
				if err := s.Consolidate.Thread(b.Context(), ref); err != nil {
					b.Error(err)
				}
			})
		}
		wg.Wait()
		cpu += cpuTime() - before
	}
	n := float64(threads)
	if extracted.Load() != int64(threads) || appended.Load() != int64(threads) {
		b.Errorf("%d extractions and %d change sets for %d threads", extracted.Load(), appended.Load(), threads)
	}
	b.ReportMetric(float64(extracted.Load())/n, "extractions/thread")
	b.ReportMetric(float64(decided.Load()-appended.Load())/n, "conflicts/thread")
	b.ReportMetric(milliseconds(cpu)/n, "cpu-ms/thread")
}
