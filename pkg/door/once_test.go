package door_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/memory"
)

// kept is replies in memory.
type kept struct {
	all map[string]*keptReply
	seq uint64
}

type keptReply struct {
	request, reply []byte
	claim          uint64
}

func at(s memory.Scope, name string) string {
	return string(s.Tenant) + "/" + s.Owner.ID + "/" + name
}

func (k *kept) Claim(_ context.Context, s memory.Scope, name string, request []byte) (uint64, []byte, bool, error) {
	if was := k.all[at(s, name)]; was != nil {
		if !bytes.Equal(was.request, request) {
			return 0, nil, false, nil
		}
		return 0, was.reply, true, nil
	}
	k.seq++
	k.all[at(s, name)] = &keptReply{request: request, claim: k.seq}
	return k.seq, nil, true, nil
}

func (k *kept) Keep(_ context.Context, s memory.Scope, name string, _ []byte, claim uint64, reply []byte) error {
	if was := k.all[at(s, name)]; was != nil && was.claim == claim {
		was.reply = reply
	}
	return nil
}

func (k *kept) Release(_ context.Context, s memory.Scope, name string, _ uint64) error {
	delete(k.all, at(s, name))
	return nil
}

// TestOnce: under one key a request is carried out once, and its reply repeated.
func TestOnce(t *testing.T) {
	var calls int
	var failure error
	operations := table(&calls, &failure)
	write, _ := operations.Operation("user")
	read, _ := operations.Operation("owned")
	k := &kept{all: map[string]*keptReply{}}
	const note, other = `{"kind":"a","note":"<b>"}`, `{"kind":"b"}`
	ask := func(op *door.Operation, c access.Caller, body, key string, status, after int, replayed bool) any {
		t.Helper()
		out, again, err := op.CallOnce(t.Context(), k, c, []byte(body), key)
		got := 0
		if err != nil {
			p := door.ProblemOf(err)
			if got = p.Status; key != "" && got != 500 && p.Field != door.IdempotencyKey {
				t.Errorf("the problem names %q", p.Field)
			}
		}
		if got != status || calls != after || again != replayed {
			t.Errorf("%s under %q ends with %v after %d calls; replayed: %t", body, key, err, calls, again)
		}
		return out
	}
	failure = errors.New("broken")
	ask(write, alice, note, "k1", 500, 1, false) // what has failed may be tried again
	failure = nil
	first, _ := json.Marshal(ask(write, alice, note, "k1", 0, 2, false))
	second, _ := json.Marshal(ask(write, alice, note, "k1", 0, 2, true))
	if !bytes.Equal(first, second) || !strings.Contains(string(first), `"alice"`) {
		t.Errorf("the replies are %s and %s", first, second)
	}
	ask(write, alice, other, "k1", 422, 2, false)
	ask(write, alice, other, "k2", 0, 3, false)
	ask(write, alice, note, "", 0, 4, false)
	theirs, _ := json.Marshal(ask(write, admin, `{"kind":"a","user":"alice"}`, "k1", 0, 5, false)) // another caller
	ask(write, admin, `{"kind":"a","user":"alice"}`, "k1", 0, 5, true)
	ask(write, admin, `{"kind":"b","user":"alice"}`, "k1", 422, 5, false)
	if again, _ := json.Marshal(ask(write, alice, note, "k1", 0, 5, true)); !bytes.Equal(again, first) || !strings.Contains(string(theirs), `"alice"`) {
		t.Errorf("the first caller's reply is %s, the second's %s", again, theirs)
	}
	ask(read, alice, `{}`, "k1", 0, 6, false) // nothing is kept of what only reads
	ask(read, alice, `{}`, "k1", 0, 7, false)
	ask(write, alice, note, strings.Repeat("k", door.MaxIdempotencyKey+1), 400, 7, false)
	ask(write, alice, note, "schlüssel", 400, 7, false)
	scope := memory.UserScope("acme", "alice")
	if _, _, _, err := k.Claim(t.Context(), scope, "k-alice\x00user\x00k3", []byte(note)); err != nil {
		t.Fatal(err)
	}
	ask(write, alice, note, "k3", 409, 7, false) // it is running
	if _, _, err := write.CallOnce(t.Context(), nil, alice, []byte(note), "k1"); door.ProblemOf(err).Field != door.IdempotencyKey {
		t.Errorf("where no replies are kept: %v", err)
	}
	if _, _, err := write.CallOnce(t.Context(), k, alice, []byte(`{"user":"bob","kind":"a"}`), "k1"); door.ProblemOf(err).Status != 403 {
		t.Errorf("for another user: %v", err)
	}
}

// noted is a writer that keeps the ids of requests.
type noted struct {
	door.Writer
	ids []string
}

func (n *noted) Remember(_ context.Context, _ memory.Scope, request string, _ curate.Note) (curate.Written, error) {
	n.ids = append(n.ids, request)
	return curate.Written{}, nil
}

func (n *noted) Edit(_ context.Context, _ memory.Scope, request string, _ memory.ID, _ curate.Change) (curate.Written, error) {
	n.ids = append(n.ids, request)
	return curate.Written{}, nil
}

// TestRequestsUnderOneKey: a request is known again by its caller and operation as well as by
// its key, and its id gives nothing of them away.
func TestRequestsUnderOneKey(t *testing.T) {
	n := &noted{}
	operations := door.New(door.Services{Write: n})
	const remember, edit = `{"user":"alice","text":"I live in Oslo."}`, `{"user":"alice","id":"m1","text":"I live in Bergen."}`
	long := strings.Repeat("k", door.MaxIdempotencyKey)
	seen := map[string]int{}
	for i, c := range []struct {
		id, body, key string
		who           access.Caller
	}{
		{"remember", remember, "key-1", alice}, {"remember", remember, "key-1", admin}, {"edit_memory", edit, "key-1", alice},
		{"remember", remember, "key-2", alice}, {"remember", remember, long, alice}, {"remember", remember, "key-1", local},
	} {
		op, _ := operations.Operation(c.id)
		for range 2 { // the second finds no reply, as after a crash
			if _, _, err := op.CallOnce(t.Context(), &kept{all: map[string]*keptReply{}}, c.who, []byte(c.body), c.key); err != nil {
				t.Fatal(err)
			}
		}
		first, second := n.ids[len(n.ids)-2], n.ids[len(n.ids)-1]
		if was, there := seen[first]; there || first != second {
			t.Errorf("request %d is %q and then %q; so was request %d", i, first, second, was)
		}
		seen[first] = i
		if strings.Contains(first, "key") || strings.Contains(first, "alice") || memory.ValidateID(first) != nil {
			t.Errorf("request %d is called %q", i, first)
		}
	}
}

// TestOnceGoesOn: what was begun under a key ends although its client has gone.
func TestOnceGoesOn(t *testing.T) {
	operations := door.NewTable()
	door.Add(operations, door.Operation{ID: "x", Summary: "x", Tag: "x", Method: "POST", Path: "/x", Role: access.RoleUser, Writes: true},
		func(ctx context.Context, _ access.Caller, _ *ofOwner) (*reply, error) { return &reply{}, ctx.Err() })
	op, _ := operations.Operation("x")
	ctx, gone := context.WithCancel(t.Context())
	gone()
	k := &kept{all: map[string]*keptReply{}}
	if _, _, err := op.CallOnce(ctx, k, alice, nil, "k1"); err != nil {
		t.Fatal(err)
	}
	if _, again, err := op.CallOnce(t.Context(), k, alice, nil, "k1"); !again || err != nil {
		t.Errorf("its reply was not kept: %t, %v", again, err)
	}
}
