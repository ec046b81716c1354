package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/sim"
	"github.com/mnemond/mnemond/pkg/stream"
	"github.com/mnemond/mnemond/pkg/verify"
)

func startSim(t *testing.T) *sim.Sim {
	t.Helper()
	s, err := sim.Start(t.Context(), sim.Options{Workers: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

var events struct {
	sync.Mutex
	n int
}

// said is an event in which a user says something.
func said(r memory.ThreadRef, at time.Time, content string) event.Event {
	events.Lock()
	events.n++
	n := events.n
	events.Unlock()
	e := event.Event{
		SpecVersion: "1.0", ID: fmt.Sprintf("e%d", n), Source: "/test", Type: event.TypeTurn, Time: at,
		Tenant: r.Tenant, User: r.User, Thread: r.Thread,
	}
	if err := e.SetTurn(event.Turn{Messages: []event.Message{{Role: memory.RoleUser, Content: content}}}); err != nil {
		panic(err)
	}
	return e
}

// tell publishes an event and has it consolidated.
func tell(t *testing.T, s *sim.Sim, e event.Event) {
	t.Helper()
	s.Clock.Advance(e.Time)
	seq, err := s.Publish(t.Context(), e)
	if err == nil {
		err = s.Settle(t.Context(), e.Ref(), seq)
	}
	if err != nil {
		t.Fatal(err)
	}
}

var day = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// TestOneCurrentValue is invariant 3: many threads of one user, each with another home,
// are consolidated at once and out of order by many workers; the one said last is current,
// and it alone.
func TestOneCurrentValue(t *testing.T) {
	s := startSim(t)
	cities := []string{"Oslo", "Lima", "Kyoto", "Accra", "Perth", "Quito", "Hanoi", "Turin", "Leeds", "Porto", "Malmö", "Cork"}
	for seed := range uint64(4) {
		user := memory.User(fmt.Sprintf("mover-%d", seed))
		rng := rand.New(rand.NewPCG(seed, 3))
		s.Clock.Advance(day.Add(100 * 24 * time.Hour))
		var refs []memory.ThreadRef
		for _, i := range rng.Perm(len(cities)) {
			ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: user, Thread: memory.Thread(fmt.Sprintf("t%d", i))}
			if _, err := s.Publish(t.Context(), said(ref, day.Add(time.Duration(i)*24*time.Hour), "I moved to "+cities[i]+".")); err != nil {
				t.Fatal(err)
			}
			refs = append(refs, ref)
		}
		var wg sync.WaitGroup
		for range 3 { // three workers on each thread, besides those of the stack
			for _, ref := range refs {
				wg.Go(func() {
					if err := s.Stack.Consolidate.Thread(t.Context(), ref); err != nil {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		got := current(t, s, refs[0].Scope(), "user.city")
		if want := cities[len(cities)-1]; len(got) != 1 || got[0].Value != want {
			t.Errorf("seed %d: current homes %+v, want %s alone", seed, got, want)
		}
	}
}

func current(t *testing.T, s *sim.Sim, scope memory.Scope, key memory.Key) []memory.Memory {
	t.Helper()
	all, err := s.Stack.Recall.Memories(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	var out []memory.Memory
	for _, m := range all {
		if m.Live(s.Clock.Now()) && m.Key == key {
			out = append(out, m)
		}
	}
	return out
}

// hostile are ids that would collide, match as wildcards or leave their place if they were
// used as they are.
var hostile = []memory.ThreadRef{
	{Tenant: "a", User: "b.c", Thread: "t"}, {Tenant: "a.b", User: "c", Thread: "t"}, {Tenant: "a", User: "b", Thread: "c.t"},
	{Tenant: "a", User: "*", Thread: "*"}, {Tenant: "a", User: ">", Thread: ">"}, {Tenant: "*", User: ">", Thread: "t"},
	{Tenant: "默认", User: "用户", Thread: "线程"}, {Tenant: "a/user", User: "b", Thread: "t"}, {Tenant: "a", User: "user/b", Thread: "t"},
	{Tenant: "1:a/user/b", User: "c", Thread: "t"}, {Tenant: "a", User: "1:a/user/b", Thread: "t"}, {Tenant: "a ", User: "b", Thread: "t"},
	{Tenant: "a", User: " b", Thread: "t"}, {Tenant: "A", User: "B", Thread: "t"}, {Tenant: "a", User: "b'; --", Thread: "t"},
	{Tenant: "a", User: `b","owner":"x`, Thread: "t"}, {Tenant: "..", User: "../..", Thread: "/"}, {Tenant: "a\n", User: "b\t", Thread: "t\r"},
	{Tenant: "a", User: "e\u0301", Thread: "t"}, {Tenant: "a", User: "\u00e9", Thread: "t"}, {Tenant: "a", User: memory.User(strings.Repeat("长", 85)), Thread: "t"},
}

// TestIsolation is invariant 4: owners whose ids are made to be confused each say where
// they live, and each call answers with the caller's own home alone.
func TestIsolation(t *testing.T) {
	s := startSim(t)
	home := func(i int) string { return fmt.Sprintf("Town%c%c", 'A'+i/26, 'a'+i%26) }
	for i, ref := range hostile {
		tell(t, s, said(ref, day, fmt.Sprintf("I live in %s and I'm allergic to shellfish.", home(i))))
	}
	for i, ref := range hostile {
		raw, err := s.Post(t.Context(), "/v1/recall", recall.Request{
			Tenant: ref.Tenant, User: ref.User, Query: "where do I live, any allergies to shellfish? Town", Limit: recall.MaxLimit,
		})
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.Stack.Recall.Memories(t.Context(), ref.Scope())
		if err != nil {
			t.Fatal(err)
		}
		changes, err := s.Stack.Recall.History(t.Context(), ref.Scope(), "")
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != 2 || len(changes) != 2 {
			t.Errorf("%q has %d memories and %d changes, want 2 and 2", ref, len(list), len(changes))
		}
		listed, err := json.Marshal([]any{list, changes})
		if err != nil {
			t.Fatal(err)
		}
		for place, got := range map[string][]byte{"recall": raw, "list and history": listed} {
			if !bytes.Contains(got, []byte(home(i))) {
				t.Errorf("%s of %q lacks %s", place, ref, home(i))
			}
			for j := range hostile {
				if j != i && bytes.Contains(got, []byte(home(j))) {
					t.Errorf("%s of %q has %s, the home of %q", place, ref, home(j), hostile[j])
				}
			}
		}
	}
	for _, scope := range []memory.Scope{{}, {Tenant: "a"}, memory.UserScope("", "b"), memory.UserScope("a", "")} {
		if _, err := s.Stack.Recall.Memories(t.Context(), scope); err == nil {
			t.Errorf("a list in the scope %+v is answered", scope)
		}
	}
}

// TestEvidenceOrNothing is invariant 9: whatever was said, each memory quotes a message of
// the user that was really said.
func TestEvidenceOrNothing(t *testing.T) {
	s := startSim(t)
	ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}
	contents := map[string]string{}
	for i, content := range []string{
		"I'm a nurse in Boston, can you help me plan meals? I can't eat gluten.", "我住在杭州，平时通勤用地铁，我喜欢爬山、游泳和摄影。",
		"My wife's name is Anna and we have two dogs.", "我养了一只狗，叫旺财。", "I speak French, German and a little Arabic.",
		"If I lived in Paris I'd be happy.", "I'm flying to Rome next Friday.", "我下周三去深圳开会。", "remember that the gate is on the left",
	} {
		e := said(ref, day.Add(time.Duration(i)*time.Hour), content)
		contents[e.ID] = content
		tell(t, s, e)
	}
	all, err := s.Stack.Recall.Memories(t.Context(), ref.Scope())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Errorf("%d memories, want at least 10: the test would show nothing", len(all))
	}
	for _, m := range all {
		if len(m.Evidence) == 0 {
			t.Errorf("%q has no evidence", m.Text)
		}
		for _, e := range m.Evidence {
			if e.Role != memory.RoleUser || !verify.Quoted(contents[e.Event], e.Quote) {
				t.Errorf("%q quotes %q as %s, which does not stand in %q", m.Text, e.Quote, e.Role, contents[e.Event])
			}
		}
	}
}

// secrets are cut out wherever they are said.
var secrets = []string{
	"sk-proj-AbCdEf0123456789AbCdEf0123456789", "4111 1111 1111 1111", "hunter2!Xy", "11010519491231002X",
	"6222021234567890123", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----", "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
	"482913",
}

var confessions = []string{
	"I live in Oslo. My API key is " + secrets[0] + " and my card is " + secrets[1] + ".",
	"my password is " + secrets[2], "我的身份证号是" + secrets[3] + "，我住在奥斯陆。", "银行卡号 " + secrets[4],
	"here: " + secrets[5], "use " + secrets[6] + " for the repo", "验证码 " + secrets[7],
}

// TestSecretsAreNeverStoredOrLogged is invariant 11: what comes through the edge is
// nowhere, not even in the event log; what a trusted backend publishes raw is nowhere after
// it.
func TestSecretsAreNeverStoredOrLogged(t *testing.T) {
	t.Run("through the edge", func(t *testing.T) {
		s := startSim(t)
		ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}
		for _, c := range confessions {
			tell(t, s, said(ref, day, c))
		}
		nowhere(t, s, ref.Scope(), func(string) bool { return true })
	})
	t.Run("published raw", func(t *testing.T) {
		s := startSim(t)
		ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}
		for i, c := range confessions {
			e := said(ref, day, c)
			data, err := e.Encode()
			if err != nil {
				t.Fatal(err)
			}
			receipts, err := s.Stack.Events.Publish(t.Context(), []stream.OutgoingEvent{
				{Ref: ref, EventID: fmt.Sprint(i), Data: data, ReceivedAt: day},
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Settle(t.Context(), ref, receipts[0].Seq); err != nil {
				t.Fatal(err)
			}
		}
		nowhere(t, s, ref.Scope(), func(path string) bool { return !strings.Contains(path, stream.StreamEvents) })
	})
}

// nowhere looks for every secret in the store files that in says, the collection, the log
// and the answers.
func nowhere(t *testing.T, s *sim.Sim, scope memory.Scope, in func(path string) bool) {
	t.Helper()
	places := map[string][]byte{"the log": s.LogOutput(), "an answer": s.Answers()}
	files, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	for path, raw := range files {
		if in(path) {
			places[path] = raw
		}
	}
	all, err := s.Stack.Recall.Memories(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	if places["the collection"], err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Error("nothing is remembered at all: the test would show nothing")
	}
	for _, secret := range secrets {
		escaped, err := json.Marshal(secret)
		if err != nil {
			t.Fatal(err)
		}
		for place, raw := range places {
			if bytes.Contains(raw, []byte(secret)) || bytes.Contains(raw, bytes.Trim(escaped, `"`)) {
				t.Errorf("a secret (%.6s…) is in %s", secret, place)
			}
		}
	}
}

// TestMemoryTextIsNeverLogged is the second half of invariant 11.
func TestMemoryTextIsNeverLogged(t *testing.T) {
	s := startSim(t)
	ref := memory.ThreadRef{Tenant: memory.DefaultTenant, User: "u", Thread: "t"}
	tell(t, s, said(ref, day, "I live in Reykjavik."))
	if _, err := s.Post(context.WithoutCancel(t.Context()), "/v1/recall", recall.Request{User: "u", Query: "is Reykjavik my home?"}); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(s.LogOutput(), []byte("Reykjavik")) {
		t.Errorf("what was said is in the log: %s", s.LogOutput())
	}
}
