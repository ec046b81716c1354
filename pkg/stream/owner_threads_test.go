package stream

import (
	"slices"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
)

// TestOwnerThreads: those of one user alone, whatever their names are.
func TestOwnerThreads(t *testing.T) {
	t.Parallel()
	e := runEvents(t, newJetStream(t, Options{}))
	user := memory.UserScope("acme", "张三 *.>")
	var want []memory.ThreadRef
	for _, thread := range []memory.Thread{"a", "b.c", "茶"} {
		r := memory.ThreadRef{Tenant: "acme", User: "张三 *.>", Thread: thread}
		want = append(want, r)
		publish(t, e, OutgoingEvent{Ref: r, EventID: "1-" + string(thread), Data: []byte("x")}, OutgoingEvent{Ref: r, EventID: "2-" + string(thread), Data: []byte("x")})
	}
	for _, r := range []memory.ThreadRef{{Tenant: "acme", User: "张三", Thread: "a"}, {Tenant: "other", User: "张三 *.>", Thread: "d"}} {
		publish(t, e, OutgoingEvent{Ref: r, EventID: "3-" + string(r.Tenant), Data: []byte("x")})
	}
	got, err := e.OwnerThreads(testContext(t), user)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("threads are %v, %v, want %v", got, err, want)
	}
	for _, s := range []memory.Scope{memory.UserScope("acme", "nobody"), {Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "张三 *.>"}}} {
		if got, err := e.OwnerThreads(testContext(t), s); err != nil || len(got) > 0 {
			t.Errorf("%v has the threads %v, %v", s, got, err)
		}
	}
	if _, err := e.OwnerThreads(testContext(t), memory.Scope{}); err == nil {
		t.Error("a scope of nobody is taken")
	}
}
