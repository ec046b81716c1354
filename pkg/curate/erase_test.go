package curate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// lived has an owner live through everything that leaves traces: 6 memories, one of them a
// past value, one suppressed, and a tombstone.
func (p *ports) lived(t *testing.T, s memory.Scope) {
	t.Helper()
	p.known(t, s)
	p.say(t, s, "t4", "user.city", "Bergen", "I moved to Bergen")
	if _, err := p.Suppress(t.Context(), s, curate.Selection{Topic: "jazz"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Forget(t.Context(), s, curate.Selection{Topic: "where I work"}); err != nil {
		t.Fatal(err)
	}
}

// lives is how many memories there are then: bakery is gone, the request stands.
const lives = 6

// nothing fails if anything of an owner is left, or the receipt is not final.
func (p *ports) nothing(t *testing.T, s memory.Scope) {
	t.Helper()
	left, err := p.Verify(t.Context(), s)
	if err != nil || !left.Final {
		t.Errorf("Verify(%s) = %+v, %v; want it final", s.Owner.ID, left, err)
	}
	for place, n := range left.Removed {
		if n != 0 {
			t.Errorf("%d pieces are left in %s", n, place)
		}
	}
	if len(p.log.sets[s])+p.events[s] > 0 || p.recalled(s) != "" {
		t.Errorf("left are %d change sets, %d events and %q", len(p.log.sets[s]), p.events[s], p.recalled(s))
	}
	for _, e := range p.hand.points {
		if e.Memory.Scope == s {
			t.Errorf("%q is left", e.Memory.Text)
		}
	}
}

// untouched fails if an owner has not all that they had.
func (p *ports) untouched(t *testing.T, s memory.Scope) {
	t.Helper()
	if got := p.recalled(s); got != "I am preparing for IELTS; I like opera; I moved to Bergen" || p.hidden(s) != "I like jazz" {
		t.Errorf("%s of %s has %q, and hidden %q", s.Owner.ID, s.Tenant, got, p.hidden(s))
	}
}

func TestErase(t *testing.T) {
	p := newPorts(t)
	for _, s := range []memory.Scope{ann, anna, other} {
		p.lived(t, s)
	}
	sets, events := len(p.log.sets[ann]), p.events[ann]
	got, err := p.Erase(t.Context(), ann)
	if err != nil || !got.Final || got.Memories != lives || got.StartedAt.IsZero() || got.FinishedAt.IsZero() {
		t.Fatalf("Erase = %+v, %v", got, err)
	}
	if got.Removed["events"] != events || got.Removed["change_sets"] < sets || got.Removed["collections"] < lives {
		t.Errorf("removed %v; there were %d events and %d change sets", got.Removed, events, sets)
	}
	p.nothing(t, ann)
	p.untouched(t, anna)
	p.untouched(t, other)
	if again, err := p.Erase(t.Context(), ann); err != nil || !again.Final || again.Memories != 0 {
		t.Errorf("erased again: %+v, %v", again, err)
	}
	// Who comes anew starts empty, and is erased like anybody.
	p.say(t, ann, "t1", "user.city", "Turku", "I live in Turku")
	if got := p.recalled(ann); got != "I live in Turku" {
		t.Errorf("the new one has %q", got)
	}
	if left, err := p.Verify(t.Context(), ann); err != nil || left.Removed["change_sets"] != 0 {
		t.Errorf("what is new counts as left: %+v, %v", left, err)
	}
	if got, err := p.Erase(t.Context(), ann); err != nil || got.Memories != 1 {
		t.Errorf("the new one is erased: %+v, %v", got, err)
	}
	p.nothing(t, ann)
	p.untouched(t, anna)
}

// TestEraseIsTakenUpAgain after a failure at every port, with what had been counted.
func TestEraseIsTakenUpAgain(t *testing.T) {
	down := fault.Outage(errors.New("down"), 0)
	for _, port := range []string{
		"event head", "load record", "store record", "memories", "count", "append", "read ledger", "collections", "events", "change sets", "delete fence",
	} {
		t.Run(port, func(t *testing.T) {
			p := newPorts(t)
			p.lived(t, ann)
			p.lived(t, anna)
			p.fails[port] = down
			for range 2 {
				if got, err := p.Erase(t.Context(), ann); !errors.Is(err, fault.ErrOutage) || got.Final {
					t.Fatalf("Erase = %+v, %v; want the outage", got, err)
				}
			}
			clear(p.fails)
			got, err := p.Erase(t.Context(), ann)
			if err != nil || !got.Final || got.Memories != lives {
				t.Errorf("taken up again: %+v, %v; want %d memories", got, err, lives)
			}
			p.nothing(t, ann)
			p.untouched(t, anna)
		})
	}
}

// TestEraseOfWhatIsBeingWrittenTo gives up for now, and says so.
func TestEraseOfWhatIsBeingWrittenTo(t *testing.T) {
	p := newPorts(t)
	p.lived(t, ann)
	busy := place{"busy", func() int { return 1 }}
	p.Places = append(p.Places, busy)
	if got, err := p.Erase(t.Context(), ann); !errors.Is(err, fault.ErrOutage) || got.Final || !strings.Contains(err.Error(), "try again") {
		t.Errorf("Erase = %+v, %v; want to hear that something writes to it", got, err)
	}
	n := 3
	p.Places[len(p.Places)-1] = place{"busy", func() int { n = max(0, n-1); return n }}
	got, err := p.Erase(t.Context(), ann)
	if err != nil || !got.Final || got.Memories != lives {
		t.Errorf("Erase = %+v, %v", got, err)
	}
}

// place is one more place, of which so many pieces are found each time.
type place struct {
	name  string
	found func() int
}

func (p place) Name() string { return p.name }
func (p place) Erase(context.Context, memory.Scope, curate.Bounds) (int, error) {
	return p.found(), nil
}
func (p place) Count(context.Context, memory.Scope, curate.Bounds) (int, error) { return 0, nil }

// TestVerify counts everything of who was never erased.
func TestVerify(t *testing.T) {
	p := newPorts(t)
	p.lived(t, ann)
	left, err := p.Verify(t.Context(), ann)
	if err != nil || left.Final || left.Removed["events"] != p.events[ann] || left.Removed["change_sets"] != len(p.log.sets[ann]) || left.Removed["collections"] < lives {
		t.Errorf("Verify = %+v, %v", left, err)
	}
	if none, err := p.Verify(t.Context(), anna); err != nil || none.Final || none.Removed["collections"]+none.Removed["events"]+none.Removed["change_sets"] != 0 {
		t.Errorf("Verify of nobody = %+v, %v", none, err)
	}
	p.fails["load record"] = errors.New("down")
	if _, err := p.Verify(t.Context(), ann); err == nil {
		t.Error("Verify hides that the record cannot be read")
	}
	clear(p.fails)
	p.fails["count"] = errors.New("down")
	if _, err := p.Verify(t.Context(), ann); err == nil || !strings.Contains(err.Error(), "collections") {
		t.Errorf("Verify = %v, want the place that cannot be counted", err)
	}
}

// TestAReceiptNamesNobody.
func TestAReceiptNamesNobody(t *testing.T) {
	p := newPorts(t)
	p.lived(t, ann)
	got, err := p.Erase(t.Context(), ann)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, kept := range [][]byte{text, p.records[ann].receipt} {
		for _, name := range []string{"ann", "acme", "Oslo", "jazz", "bakery"} {
			if strings.Contains(string(kept), name) {
				t.Errorf("%q stands in %s", name, kept)
			}
		}
	}
}

// TestErasedOwners are users and agents; a tenant goes with everybody.
func TestErasedOwners(t *testing.T) {
	p := newPorts(t)
	agent := memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "ann"}}
	p.lived(t, agent)
	p.lived(t, ann)
	if got, err := p.Erase(t.Context(), agent); err != nil || got.Memories != lives {
		t.Errorf("Erase of an agent = %+v, %v", got, err)
	}
	p.nothing(t, agent)
	p.untouched(t, ann)
	whole := memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerTenant}}
	var bad *fault.FieldError
	if _, err := p.Erase(t.Context(), whole); !errors.As(err, &bad) || bad.Field != "owner" {
		t.Errorf("Erase of a tenant = %v, want the field owner", err)
	}
	for _, s := range []memory.Scope{{}, {Tenant: "acme"}, memory.UserScope("acme", "")} {
		if _, err := p.Erase(t.Context(), s); !errors.Is(err, memory.ErrScope) {
			t.Errorf("Erase(%+v) = %v, want ErrScope", s, err)
		}
		if _, err := p.Verify(t.Context(), s); !errors.Is(err, memory.ErrScope) {
			t.Errorf("Verify(%+v) = %v, want ErrScope", s, err)
		}
	}
	p.untouched(t, ann)
}

// TestEraseTenant erases everybody of a tenant, and takes up what was broken off anywhere.
func TestEraseTenant(t *testing.T) {
	down := fault.Outage(errors.New("down"), 0)
	for _, port := range []string{"", "next owner", "append", "collections", "change sets", "delete fence", "store record"} {
		t.Run(fmt.Sprintf("%q down", port), func(t *testing.T) {
			p := newPorts(t)
			agent := memory.Scope{Tenant: "acme", Owner: memory.Owner{Kind: memory.OwnerAgent, ID: "helper"}}
			everybody := []memory.Scope{ann, anna, agent}
			for _, s := range append(everybody, other) {
				p.lived(t, s)
			}
			if port != "" {
				p.fails[port] = down
				if _, err := p.EraseTenant(t.Context(), "acme"); !errors.Is(err, fault.ErrOutage) {
					t.Fatalf("EraseTenant = %v, want the outage", err)
				}
				clear(p.fails)
			}
			got, err := p.EraseTenant(t.Context(), "acme")
			if err != nil || !got.Final {
				t.Fatalf("EraseTenant = %+v, %v", got, err)
			}
			if port == "" && got.Memories != len(everybody)*lives {
				t.Errorf("%d memories are counted, want %d", got.Memories, len(everybody)*lives)
			}
			for _, s := range everybody {
				p.nothing(t, s)
			}
			p.untouched(t, other)
			if again, err := p.EraseTenant(t.Context(), "acme"); err != nil || again.Memories != 0 {
				t.Errorf("erased again: %+v, %v", again, err)
			}
		})
	}
	if _, err := newPorts(t).EraseTenant(t.Context(), ""); !errors.Is(err, memory.ErrScope) {
		t.Errorf("EraseTenant of none = %v, want ErrScope", err)
	}
}
