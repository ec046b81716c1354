package stream

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/memory"
)

// The marks are planted in everything that names a user or holds the user's words.
const (
	idMark   = "marked-id"
	textMark = "marked-words"
	hanMark  = "标记的话"
)

// marks are the bytes under which a store would hold a mark: plain, escaped, and in base64,
// which has three forms by the place of the first byte.
func marks() [][]byte {
	var all [][]byte
	for _, m := range []string{idMark, textMark, hanMark} {
		all = append(all, []byte(m), []byte(Token(m)), []byte(strings.Trim(fmt.Sprintf("%+q", m), `"`)))
		for skip := range 3 {
			whole := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", skip) + m))
			all = append(all, []byte(whole[4:len(whole)-4]))
		}
	}
	return all
}

// marked are the files below dir that hold a mark.
func marked(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) || err == nil && d.IsDir() {
			return nil // the server removes files while we look
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		name, _ := filepath.Rel(dir, path)
		for _, m := range marks() {
			if bytes.Contains(data, m) || bytes.Contains([]byte(name), m) {
				files = append(files, name)
				break
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// household is one installation with everything at work.
type household struct {
	js        jetstream.JetStream
	names     Names
	events    *Events
	timers    *Timers
	log       *Log
	dead      *Dead
	threads   *Threads
	questions *Questions
	recalls   *Recalls
	stop      []func()
	worked    chan Job
	// traces counts those that were published.
	traces uint64
}

func openHousehold(t *testing.T, js jetstream.JetStream) *household {
	t.Helper()
	ctx := testContext(t)
	if _, err := NewTopology(Options{}).Ensure(ctx, js); err != nil {
		t.Fatal(err)
	}
	secret, err := Secret(ctx, js)
	if err != nil {
		t.Fatal(err)
	}
	names := NewNames(secret)
	x := &household{
		js: js, names: names, events: NewEvents(js, EventsOptions{}), log: NewLog(js), dead: NewDead(js),
		timers:  NewTimers(js, names, TimerOptions{Quiet: time.Hour, MaxWait: time.Hour}, time.Now),
		threads: NewThreads(js, names), questions: NewQuestions(js), worked: make(chan Job, 100),
	}
	if x.recalls, err = NewRecalls(js, RecallsOptions{}); err != nil {
		t.Fatal(err)
	}
	worker, err := NewWorker(js, x.timers, x, WorkerOptions{BackoffMin: time.Hour, BackoffMax: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	scheduler := NewScheduler(js, x.timers, measure, x.reject, SchedulerOptions{})
	for _, run := range []func(context.Context) error{x.events.Run, x.recalls.Run, worker.Run, scheduler.Run} {
		x.stop = append(x.stop, background(t, run))
	}
	return x
}

func (x *household) reject(ctx context.Context, e StoredEvent, reason string) error {
	return x.dead.Put(ctx, DeadLetter{Stage: "timers", Reason: "invalid", Detail: reason, Ref: e.Ref, Events: []DeadEvent{NewDeadEvent(e)}})
}

func (x *household) Handle(_ context.Context, j Job) error {
	x.worked <- j
	if strings.HasPrefix(string(j.Ref.Thread), "failing") {
		return errors.New("odd")
	}
	return nil
}

func (x *household) Park(context.Context, Job, string, error) error { return nil }

// live fills every place with what is of the user, marked if mark says so.
func (x *household) live(t *testing.T, s memory.Scope, mark string) {
	t.Helper()
	ctx := testContext(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	u := memory.User(s.Owner.ID)
	words := mark + " " + hanMark
	if mark == "" {
		words = "nothing special 平常的话"
	}
	ref := func(id string) memory.ThreadRef { return thread(string(s.Tenant), s.Owner.ID, id+mark) }
	// Timers that slide, that fire and are done, that come again later, and that wait.
	for i := range 4 {
		publish(t, x.events, outgoing(ref("talk"), fmt.Sprint("talk", mark, i), words), outgoing(ref("waits"), fmt.Sprint("waits", mark, i), words))
	}
	publish(t, x.events, outgoing(ref("talk"), "end"+mark, "close"), outgoing(ref("failing"), "fails"+mark, "close"))
	for range 2 {
		if j := receive(t, x.worked, "a due thread"); j.Ref.Scope() != s {
			t.Fatalf("worked on %+v for %+v", j.Ref, s)
		}
	}
	_, err := x.js.Publish(ctx, eventPrefix+Token(string(s.Tenant))+"."+Token(string(u))+".=zz", []byte(words))
	must(err)
	for i := range 3 {
		must(x.threads.Store(ctx, ref("talk"), []byte{byte(i)}))
	}
	head := appendOne(t, x.log, s, 0, words)
	head = appendOne(t, x.log, s, head, words+" again")
	question := memory.Question{ID: "q1", Scope: s, Status: memory.QuestionOpen, Text: words, OpenedAt: noon}
	must(x.questions.Put(ctx, question, head-1))
	question.Text = words + " and more"
	must(x.questions.Put(ctx, question, head))
	x.traces++
	x.recalls.Publish(ctx, Trace{Tenant: s.Tenant, User: u, Data: []byte(words)})
	x.letters(t, ref("talk"), words)
	x.consumers(t, s)
	for _, b := range []string{BucketWorking, BucketEmbeddings} {
		kv, err := x.js.KeyValue(ctx, b)
		must(err)
		_, err = kv.PutString(ctx, x.names.owner(s)+".task", words)
		must(err)
	}
	key := newKey(t, NewKeys(x.js, x.names, KeysOptions{}), access.Key{Tenant: s.Tenant, User: u, Role: access.RoleUser, Name: words}, noon)
	must(NewKeys(x.js, x.names, KeysOptions{}).Revoke(ctx, s.Tenant, key.ID, noon))
	replies := NewReplies(x.js, x.names, time.Now)
	claim, _, _, err := replies.Claim(ctx, s, words, []byte(words))
	must(err)
	must(replies.Keep(ctx, s, words, []byte(words), claim, []byte(words)))
	must(WithLease(ctx, x.js, "erase", 3*time.Second, func(context.Context) error { return nil }))
}

// letters parks three times: one letter is dropped, one replayed, one stays.
func (x *household) letters(t *testing.T, r memory.ThreadRef, words string) {
	t.Helper()
	before := len(list(t, x.dead, DeadFilter{Tenant: r.Tenant, Owner: r.Scope().Owner}))
	for i := range uint64(3) {
		l := letter(r, deadEvent(r, i+1, words))
		l.Detail = words
		put(t, x.dead, l)
	}
	entries := list(t, x.dead, DeadFilter{Tenant: r.Tenant, Owner: r.Scope().Owner})[before:]
	if err := errors.Join(x.dead.Drop(testContext(t), entries[0].Seq), x.dead.Replay(testContext(t), entries[1].Seq, noon)); err != nil {
		t.Fatal(err)
	}
}

// consumers are those that a backend may make: for the user alone, and for two users.
func (x *household) consumers(t *testing.T, s memory.Scope) {
	t.Helper()
	somebody := LedgerSubject(memory.UserScope("initech", "somebody"))
	for _, c := range []jetstream.ConsumerConfig{
		{Durable: "of-" + Token(s.Owner.ID) + "-" + string(s.Tenant), FilterSubject: LedgerSubject(s)},
		{FilterSubjects: []string{LedgerSubject(s), somebody}, InactiveThreshold: time.Hour},
	} {
		if _, err := x.js.CreateConsumer(testContext(t), StreamLedger, c); err != nil {
			t.Fatal(err)
		}
	}
}

// settle waits until everything that was said is on its way to nobody.
func (x *household) settle(t *testing.T) {
	t.Helper()
	idle := func(stream, name string) func() bool {
		return func() bool {
			c, err := x.js.Consumer(testContext(t), stream, name)
			if err != nil {
				t.Fatal(err)
			}
			return c.CachedInfo().NumPending == 0 && c.CachedInfo().NumAckPending == 0
		}
	}
	until(t, "every timer is set", idle(StreamEvents, ConsumerTimers))
	until(t, "every job is done", idle(StreamTimers, ConsumerExtractor))
	until(t, "every trace is stored", func() bool {
		m, err := x.recalls.last(testContext(t), recallsPrefix+">")
		return err == nil && m.seq == x.traces+firstSeq-1
	})
}

func (x *household) close() {
	for _, stop := range x.stop {
		stop()
	}
}

// filled is what live leaves in each place.
var filled = map[string]int{
	PlaceEvents: 12, PlaceTimers: 3, PlaceThreads: 1, PlaceQuestions: 1, PlaceWorking: 1, PlaceRecalls: 1,
	PlaceDead: 1, PlaceUnplaced: 1, PlaceEmbeddings: 1, PlaceConsumers: 2, PlaceLedger: 2, PlaceKeys: 1, PlaceReplies: 1,
}

// TestErasureLeavesNothing is invariant 8 for NATS: no subject, key, payload or file names
// the user or holds the user's words.
func TestErasureLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, restarted := range map[string]bool{"at work": false, "after a restart": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			x := serve(t, dir)
			x.live(t, memory.UserScope("acme", "bob"), "")
			x.live(t, memory.UserScope("acme", idMark), textMark)
			x.settle(t)
			if restarted {
				x.close()
				x = serve(t, dir)
			}
			if files := marked(t, dir); len(files) < 6 {
				t.Fatalf("before, only %v hold a mark: the test does not see what it looks for", files)
			}
			scope := memory.UserScope("acme", idMark)
			head, err := x.events.OwnerHead(testContext(t), scope)
			if err != nil {
				t.Fatal(err)
			}
			ledger, err := x.log.Head(testContext(t), scope)
			if err != nil {
				t.Fatal(err)
			}
			horizon := Horizon{Events: head, Ledger: ledger}
			counts(t, x, "before", scope, horizon, filled)
			erase(t, x, scope, horizon, filled)
			counts(t, x, "after", scope, horizon, nil)
			erase(t, x, scope, horizon, nil)
			if files := marked(t, dir); len(files) > 0 {
				t.Errorf("after, %v hold a mark", files)
			}
			bob := memory.UserScope("acme", "bob")
			counts(t, x, "somebody else after", bob, Horizon{Events: everything, Ledger: everything}, filled)
			x.close()
			if files := marked(t, dir); len(files) > 0 {
				t.Errorf("after closing, %v hold a mark", files)
			}
		})
	}
}

// serve opens an installation on dir, which is closed with the test at the latest.
func serve(t *testing.T, dir string) *household {
	t.Helper()
	s, err := StartEmbedded(testContext(t), EmbeddedOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	nc := connectTo(t, s)
	down := sync.OnceFunc(func() {
		nc.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(down)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	x := openHousehold(t, js)
	x.stop = append(x.stop, down)
	return x
}

// counts compares what each place holds; a place that want does not name holds nothing.
func counts(t *testing.T, x *household, when string, s memory.Scope, h Horizon, want map[string]int) {
	t.Helper()
	for _, p := range Places(x.js, x.names) {
		if n, err := p.Count(testContext(t), s, h); err != nil || n != want[p.Name()] {
			t.Errorf("%s: %s holds %d, %v, want %d", when, p.Name(), n, err, want[p.Name()])
		}
	}
}

func erase(t *testing.T, x *household, s memory.Scope, h Horizon, want map[string]int) {
	t.Helper()
	for _, p := range Places(x.js, x.names) {
		if n, err := p.Erase(testContext(t), s, h); err != nil || n != want[p.Name()] {
			t.Errorf("erased %d from %s, %v, want %d", n, p.Name(), err, want[p.Name()])
		}
	}
}

// TestErasureReachesItsHorizon: what belongs to a user who has come back meanwhile stays, and
// with it what nobody else could bring again.
func TestErasureReachesItsHorizon(t *testing.T) {
	t.Parallel()
	x := serve(t, t.TempDir())
	old := event(t, x.js, alice, alice)
	back := event(t, x.js, thread("acme", "alice", "back"))
	first := appendOne(t, x.log, aliceScope, 0, "a1")
	fence := appendOne(t, x.log, aliceScope, first, "erased")
	appendOne(t, x.log, aliceScope, fence, "back")
	ask(t, x.questions, question(aliceScope, "q1", "old", noon), first)
	ask(t, x.questions, question(aliceScope, "q2", "back", noon), fence+1)
	until(t, "the timers are set", func() bool {
		p, _, err := x.timers.pending(testContext(t), x.names.thread(thread("acme", "alice", "back")))
		return err == nil && p.Seq == back
	})
	nameless := letter(alice)
	unplaced := func(seq uint64, subject string) DeadLetter {
		return DeadLetter{Stage: "timers", Events: []DeadEvent{{Seq: seq, Subject: subject}}}
	}
	put(t, x.dead, nameless, letter(alice, deadEvent(alice, old, "old")), letter(alice, deadEvent(alice, back, "back")),
		letter(alice, deadEvent(alice, old-1, "old"), deadEvent(alice, back+1, "both")),
		unplaced(old, "mem.events.acme.alice.=zz"), unplaced(back, "mem.events.acme.alice.=zz"), unplaced(old, "mem.events.acme.bob.=zz"))
	if err := x.threads.Store(testContext(t), alice, []byte("1")); err != nil {
		t.Fatal(err)
	}
	horizon := Horizon{Events: old, Ledger: first}
	within := map[string]int{
		PlaceEvents: 2, PlaceTimers: 1, PlaceThreads: 1, PlaceQuestions: 1, PlaceDead: 3, PlaceUnplaced: 1, PlaceLedger: 1,
	}
	counts(t, x, "before", aliceScope, horizon, within)
	erase(t, x, aliceScope, horizon, within)
	counts(t, x, "after", aliceScope, Horizon{Events: everything, Ledger: everything}, map[string]int{
		PlaceEvents: 1, PlaceTimers: 1, PlaceQuestions: 1, PlaceDead: 1, PlaceUnplaced: 1, PlaceLedger: 2,
	})
	counts(t, x, "the others", memory.UserScope("acme", "bob"), Horizon{Events: everything, Ledger: everything}, map[string]int{PlaceUnplaced: 1})
}

// TestCountForProofLooksAtTheAge of what cannot be told apart otherwise.
func TestCountForProofLooksAtTheAge(t *testing.T) {
	t.Parallel()
	x := serve(t, t.TempDir())
	if err := x.threads.Store(testContext(t), alice, []byte("1")); err != nil {
		t.Fatal(err)
	}
	e := NewErasures(x.js, x.names)
	if _, err := e.Store(testContext(t), aliceScope, Erasure{}, 0); err != nil {
		t.Fatal(err)
	}
	fence, err := e.Fence(testContext(t), aliceScope)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.threads.Store(testContext(t), thread("acme", "alice", "back"), []byte("1")); err != nil {
		t.Fatal(err)
	}
	counts(t, x, "of all", aliceScope, Horizon{}, map[string]int{PlaceThreads: 2})
	counts(t, x, "of before the fence", aliceScope, Horizon{At: fence.At}, map[string]int{PlaceThreads: 1})
}

// TestEraseAnAgentAndATenant: a user may bear an agent's name, and a tenant has users, agents
// and something of its own.
func TestEraseAnAgentAndATenant(t *testing.T) {
	t.Parallel()
	x := serve(t, t.TempDir())
	all := Horizon{Events: everything, Ledger: everything}
	globex := memory.UserScope("globex", "alice")
	agent := agentScope("acme", "alice")
	for _, s := range []memory.Scope{aliceScope, zhangScope, globex} {
		x.live(t, s, "")
	}
	x.settle(t)
	for _, s := range []memory.Scope{agent, tenantScope("acme")} {
		appendOne(t, x.log, s, 0, "shared")
	}
	ask(t, x.questions, question(agent, "q1", "shared", noon), 1)
	erase(t, x, agent, all, map[string]int{PlaceLedger: 1, PlaceQuestions: 1})
	counts(t, x, "the user of the agent's name", aliceScope, all, filled)
	both := map[string]int{}
	for place, n := range filled {
		both[place] = 2 * n
	}
	both[PlaceLedger]++
	erase(t, x, tenantScope("acme"), all, both)
	for _, s := range []memory.Scope{aliceScope, zhangScope, tenantScope("acme")} {
		counts(t, x, "after", s, all, nil)
	}
	counts(t, x, "another tenant", globex, all, filled)
}

// TestErasureGoesOnWhereItBrokeOff has half of it done, and a second run beside the first.
func TestErasureGoesOnWhereItBrokeOff(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	l := NewLog(js)
	head := uint64(0)
	const n = 3 * singleReads
	for i := range n {
		head = appendOne(t, l, aliceScope, head, fmt.Sprint(i))
	}
	other := appendOne(t, l, zhangScope, 0, "张1")
	places := Places(js, testNames)
	ledger := places[len(places)-1]
	ctx, cancel := context.WithCancel(testContext(t))
	rows := holdings(testNames)
	at := &source{js: js, name: StreamLedger}
	done := 0
	_, err := rows[len(rows)-1].each(ctx, at, aliceScope, Horizon{Ledger: head}, func(m message) error {
		if done++; done == singleReads+5 {
			cancel()
		}
		return at.overwrite(ctx, m.seq)
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("broken off: %v", err)
	}
	erased := make(chan int, 2)
	for range 2 {
		go func() {
			got, err := ledger.Erase(testContext(t), aliceScope, Horizon{Ledger: head})
			if err != nil {
				t.Error(err)
			}
			erased <- got
		}()
	}
	if a, b := receive(t, erased, "one run"), receive(t, erased, "the other"); max(a, b) > n-done+1 || a+b < n-done {
		t.Errorf("two runs erased %d and %d of the %d left", a, b, n-done)
	}
	if left, err := ledger.Count(testContext(t), aliceScope, Horizon{Ledger: everything}); err != nil || left != 0 {
		t.Errorf("%d are left, %v", left, err)
	}
	if held, err := l.Holds(testContext(t), zhangScope, other); err != nil || !held {
		t.Errorf("somebody else's change set is gone, %v", err)
	}
}

func TestPlacesRefuseAZeroScope(t *testing.T) {
	t.Parallel()
	for _, p := range Places(newJetStream(t, Options{}), testNames) {
		if _, err := p.Erase(testContext(t), memory.Scope{Tenant: "acme"}, Horizon{}); !errors.Is(err, memory.ErrScope) {
			t.Errorf("erase %s = %v, want ErrScope", p.Name(), err)
		}
		if _, err := p.Count(testContext(t), memory.Scope{}, Horizon{}); !errors.Is(err, memory.ErrScope) {
			t.Errorf("count %s = %v, want ErrScope", p.Name(), err)
		}
	}
}
