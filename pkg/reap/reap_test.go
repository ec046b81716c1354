package reap_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/decide"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/retention"
)

func expiring(d time.Duration) func(*memory.Memory) {
	return func(m *memory.Memory) { m.ExpiresAt = ago(d) }
}

// ops are the operations of the reaper's change sets of an owner, in order.
func ops(records []ledger.Record) []string {
	var out []string
	for _, r := range records {
		for _, a := range r.Accessed {
			out = append(out, "access "+string(a.ID))
		}
		for _, c := range r.Changes {
			out = append(out, string(c.Op)+" "+string(c.Memory.ID))
		}
	}
	return out
}

func op(o ledger.Op, m memory.Memory) string { return string(o) + " " + string(m.ID) }

func sorted(s ...string) []string {
	slices.Sort(s)
	return s
}

func TestExpire(t *testing.T) {
	w := newWorld(t)
	over := w.known(t, alice, "the meeting is on Monday", 9*day, expiring(2*day))
	pinned := w.known(t, alice, "会议在周二", 9*day, func(m *memory.Memory) { m.Pinned, m.ExpiresAt = true, now })
	later := w.known(t, alice, "the meeting is on Friday", 9*day, expiring(-1))
	r := w.run(t, reap.JobExpire)
	for _, m := range []memory.Memory{over, pinned} {
		m.ArchivedAt = now
		if got := w.get(m.ID); !reflect.DeepEqual(got, m) {
			t.Errorf("it became %+v", got)
		}
	}
	if got := w.get(later.ID); !got.ArchivedAt.IsZero() {
		t.Error("what has not expired was archived")
	}
	sets := w.reaped(t, alice)
	if want := sorted(op(ledger.OpExpire, over), op(ledger.OpExpire, pinned)); !slices.Equal(sorted(ops(sets)...), want) || len(sets) != 1 {
		t.Errorf("change sets are %v, want one of %v", ops(sets), want)
	}
	for _, c := range sets[0].Changes {
		if c.Reason != reap.ReasonExpired || !sets[0].At.Equal(now) {
			t.Errorf("change %+v at %v", c, sets[0].At)
		}
	}
	want := reap.Report{Job: reap.JobExpire, At: now, Owners: 1, Memories: 2, ByOp: map[string]int{"expire": 2}, TookMS: r.TookMS}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("report is %+v", r)
	}
	if again := w.run(t, reap.JobExpire); again.Owners != 0 || len(w.reaped(t, alice)) != 1 {
		t.Errorf("the second run did %+v", again)
	}
}

func TestTierMovesWhatIsNotUsed(t *testing.T) {
	w := newWorld(t)
	cold := w.known(t, alice, "I like window seats", 90*day, nil)
	w.known(t, alice, "I like aisle seats", 90*day-1, nil)
	lasting := w.known(t, alice, "I am allergic to nuts", 900*day, func(m *memory.Memory) { m.Lasting = true })
	used := w.known(t, alice, "我喜欢爵士乐", 900*day, nil)
	w.use(t, used, 10*day)
	w.run(t, reap.JobTier)
	sets := w.reaped(t, alice)
	if want := []string{"access " + string(used.ID), op(ledger.OpArchive, cold)}; !slices.Equal(ops(sets), want) {
		t.Errorf("changes are %v, want %v", ops(sets), want)
	}
	if got := w.get(cold.ID).ArchivedAt; !got.Equal(now) {
		t.Errorf("archived at %v", got)
	}
	if got := w.get(lasting.ID); !got.ArchivedAt.IsZero() {
		t.Error("what lasts was archived")
	}
	if r := w.run(t, reap.JobTier); r.Memories != 0 || len(w.reaped(t, alice)) != len(sets) {
		t.Errorf("the second run did %+v", r)
	}
}

func TestTierRecordsUsesOnceAnOwner(t *testing.T) {
	w := newWorld(t)
	w.pageSize = 30
	var used []memory.Memory
	for i := range 200 {
		for _, s := range []memory.Scope{alice, bob, carol} {
			m := w.known(t, s, fmt.Sprint("fact ", i), 50*day, nil)
			w.use(t, m, time.Duration(i)*time.Hour)
			used = append(used, m)
		}
	}
	r := w.run(t, reap.JobTier)
	for _, s := range []memory.Scope{alice, bob, carol} {
		if sets := w.reaped(t, s); len(sets) != 1 || len(sets[0].Accessed) != 200 || len(sets[0].Changes) != 0 {
			t.Errorf("%v: %d change sets", s, len(sets))
		}
	}
	if r.ByOp[reap.OpAccess] != len(used) || r.Memories != len(used) || r.Owners != 3 {
		t.Errorf("report is %+v", r)
	}
	m := used[len(used)-1]
	if got := w.reaped(t, m.Scope)[0].Accessed; !slices.Contains(got, ledger.Access{ID: m.ID, At: ago(199 * time.Hour)}) {
		t.Errorf("the use of %s is not among %v", m.ID, got)
	}
	for _, m := range used {
		if w.store.points[m.ID].accessed {
			t.Fatalf("the ledger is not known to know of %s", m.ID)
		}
	}
}

func TestTierBringsBackWhatIsUsed(t *testing.T) {
	w := newWorld(t)
	cold := w.known(t, alice, "I like window seats", 900*day, nil)
	over := w.known(t, alice, "the meeting is on Monday", 900*day, expiring(800*day))
	for _, m := range []memory.Memory{cold, over} {
		m.ArchivedAt = ago(20 * day)
		w.decides(t, alice, ledger.Change{Op: ledger.OpArchive, Memory: m, Reason: "unused"})
		w.use(t, m, day)
	}
	w.run(t, reap.JobTier)
	if got := w.get(cold.ID); !got.ArchivedAt.IsZero() || !got.AccessedAt.Equal(ago(day)) {
		t.Errorf("it is %+v", got)
	}
	if got := w.get(over.ID); got.ArchivedAt.IsZero() {
		t.Error("what is over came back")
	}
	sets := w.reaped(t, alice)
	if len(sets) != 1 || len(sets[0].Changes) != 1 || sets[0].Changes[0].Op != ledger.OpReturn || !sets[0].Changes[0].Moves() {
		t.Errorf("changes are %v", ops(sets))
	}
}

// deleted has the owner forget m that long ago.
func (w *world) deleted(t failer, m memory.Memory, at time.Duration, purged time.Time) memory.Memory {
	t.Helper()
	tomb := memory.Memory{
		ID: m.ID, Scope: m.Scope, Status: memory.StatusDeleted,
		Tombstone: &memory.Tombstone{At: ago(at), Hashes: []string{"h-" + string(m.ID)}, PurgedAt: purged},
	}
	w.decides(t, m.Scope, ledger.Change{Op: ledger.OpDelete, Memory: tomb, Reason: "requested"})
	return tomb
}

func TestPurge(t *testing.T) {
	w := newWorld(t)
	kept := memory.Memory{ID: idOf(alice, "kept"), Scope: alice, Text: "kept", Status: memory.StatusCurrent, ConfirmedAt: now}
	gone := memory.Memory{ID: idOf(alice, "gone"), Scope: alice, Text: "a secret word", Status: memory.StatusCurrent, ConfirmedAt: now}
	w.decides(t, alice, ledger.Change{Op: ledger.OpAdd, Memory: kept}, ledger.Change{Op: ledger.OpAdd, Memory: gone})
	w.decides(t, alice, ledger.Change{Op: ledger.OpRefresh, Memory: gone})
	fresh := w.known(t, alice, "deleted of late", 20*day, nil)
	w.deleted(t, gone, 7*day, time.Time{})
	w.deleted(t, fresh, 7*day-1, time.Time{})
	r := w.run(t, reap.JobPurge)
	for _, d := range w.ledger.sets[alice] {
		if strings.Contains(string(d.data), "secret word") {
			t.Errorf("change set %d still says %s", d.seq, d.data)
		}
	}
	if got := w.get(gone.ID).Tombstone; got == nil || !got.PurgedAt.Equal(now) || len(got.Hashes) != 1 {
		t.Errorf("the tombstone is %+v", got)
	}
	if got := w.get(fresh.ID).Tombstone; got == nil || !got.PurgedAt.IsZero() {
		t.Errorf("the tombstone of what can be restored is %+v", got)
	}
	if !strings.Contains(w.state(t, alice), "deleted of late") {
		t.Error("what can be restored is not in the ledger any more")
	}
	if got := w.get(kept.ID); !reflect.DeepEqual(got, kept) {
		t.Errorf("the other memory of the change set is %+v", got)
	}
	if r.Rewritten != 2 || r.Memories != 1 || r.ByOp["purge"] != 1 || r.Owners != 1 {
		t.Errorf("report is %+v", r)
	}
	var inPlace []uint64
	for _, s := range w.sets(t, alice) {
		if s.InPlaceOf != 0 {
			inPlace = append(inPlace, s.InPlaceOf)
			if s.Author != ledger.AuthorExtractor {
				t.Errorf("the author of what was decided by the extractor is the %s", s.Author)
			}
		}
	}
	if !slices.Equal(inPlace, []uint64{1, 2}) {
		t.Errorf("change sets stand in the place of %v", inPlace)
	}
	if again := w.run(t, reap.JobPurge); again.Memories != 0 || again.Rewritten != 0 {
		t.Errorf("the second run did %+v", again)
	}
}

// A change set that is rewritten twice stands where the first one stood.
func TestPurgeOfWhatWasRewrittenBefore(t *testing.T) {
	w := newWorld(t)
	memories := make([]memory.Memory, 3)
	changes := make([]ledger.Change, 3)
	for i := range memories {
		text := fmt.Sprint("words ", i)
		memories[i] = memory.Memory{ID: idOf(alice, text), Scope: alice, Text: text, Status: memory.StatusCurrent, ConfirmedAt: now}
		changes[i] = ledger.Change{Op: ledger.OpAdd, Memory: memories[i]}
	}
	w.decides(t, alice, changes...)
	for i := range 2 {
		w.deleted(t, memories[i], 0, time.Time{})
		later := now.Add(time.Duration(i+1) * 30 * day)
		if _, err := w.service().RunOnce(t.Context(), reap.JobPurge, later, nil); err != nil {
			t.Fatal(err)
		}
		rewritten := slices.DeleteFunc(w.sets(t, alice), func(r ledger.Record) bool { return r.InPlaceOf == 0 })
		if len(rewritten) != 1 || rewritten[0].InPlaceOf != 1 || len(rewritten[0].Changes) != 2-i {
			t.Errorf("rewritten are %+v", rewritten)
		}
	}
}

// What else is deleted while the ledger is rewritten, and due as well, is purged with it, and
// not noted as purged before.
func TestPurgeSeesWhatIsDeletedMeanwhile(t *testing.T) {
	w := newWorld(t)
	gone, other := w.known(t, alice, "a secret word", 20*day, nil), w.known(t, alice, "another secret", 20*day, nil)
	w.deleted(t, gone, 8*day, time.Time{})
	w.reached = func(s decide.Step) {
		if s == reap.StepReplaced {
			w.reached = func(decide.Step) {}
			w.mu.Unlock()
			defer w.mu.Lock()
			w.deleted(t, other, 8*day, time.Time{})
		}
	}
	if r := w.run(t, reap.JobPurge); r.Rewritten != 2 || r.ByOp["purge"] != 2 {
		t.Errorf("report is %+v", r)
	}
	for _, d := range w.ledger.sets[alice] {
		if strings.Contains(string(d.data), "secret") {
			t.Errorf("change set %d still says %s", d.seq, d.data)
		}
	}
	for _, m := range []memory.Memory{gone, other} {
		if got := w.get(m.ID).Tombstone; got == nil || !got.PurgedAt.Equal(now) {
			t.Errorf("the tombstone is %+v", got)
		}
	}
}

// A memory that is restored while its text is being taken out is not noted as purged.
func TestPurgeStopsAtWhatIsRestored(t *testing.T) {
	w := newWorld(t)
	gone := w.known(t, alice, "first words", 20*day, nil)
	w.decides(t, alice, ledger.Change{Op: ledger.OpRefresh, Memory: gone})
	w.deleted(t, gone, 8*day, time.Time{})
	w.reached = func(s decide.Step) {
		if s == reap.StepDeleted {
			w.reached = func(decide.Step) {}
			w.mu.Unlock()
			defer w.mu.Lock()
			w.decides(t, alice, ledger.Change{Op: ledger.OpRestore, Memory: gone})
		}
	}
	r := w.run(t, reap.JobPurge)
	if got := w.get(gone.ID); got.Status != memory.StatusCurrent || got.Text != gone.Text {
		t.Errorf("it is %+v", got)
	}
	if r.ByOp["purge"] != 0 || r.Rewritten != 1 {
		t.Errorf("report is %+v", r)
	}
}

func TestPurgeDropsOldTombstones(t *testing.T) {
	w := newWorld(t)
	old := w.deleted(t, w.known(t, alice, "old", 500*day, nil), 400*day, ago(390*day))
	young := w.deleted(t, w.known(t, alice, "young", 500*day, nil), 400*day-1, ago(390*day))
	w.run(t, reap.JobPurge)
	if got := w.get(old.ID); got.Status != "" {
		t.Errorf("the old tombstone is %+v", got)
	}
	if got := w.get(young.ID); !reflect.DeepEqual(got, young) {
		t.Errorf("the young tombstone is %+v", got)
	}
	if got, want := ops(w.reaped(t, alice)), []string{op(ledger.OpDrop, old)}; !slices.Equal(got, want) {
		t.Errorf("changes are %v, want %v", got, want)
	}
}

// What has been in the archive for longer than the policy says is deleted, and can be restored
// until it is purged. What was said of it is not learnt again, whatever its key.
func TestPurgeDeletesFromTheArchive(t *testing.T) {
	for _, key := range []memory.Key{"", "user.city", "user.languages"} {
		w := newWorld(t)
		w.policies.Default.ArchiveFor = 100 * day
		m := w.known(t, alice, "long not used", 900*day, func(m *memory.Memory) {
			if m.Key = key; key != "" {
				m.Value = "French"
			}
			m.ID = w.registry.Identity(alice, key, m.Value, m.Text)
		})
		m.ArchivedAt = ago(100 * day)
		w.decides(t, alice, ledger.Change{Op: ledger.OpArchive, Memory: m})
		w.run(t, reap.JobPurge)
		got := w.get(m.ID)
		if got.Status != memory.StatusDeleted || got.Text != "" || got.Value != "" || len(got.Evidence) != 0 || !got.Tombstone.At.Equal(now) {
			t.Errorf("%q: it is %+v", key, got)
		}
		if text := w.state(t, alice); !strings.Contains(text, "long not used") {
			t.Errorf("%q: it cannot be restored any more", key)
		}
		for said, want := range map[time.Duration]reconcile.Outcome{900 * day: reconcile.Forgotten, -day: reconcile.Remembered} {
			d := reconcile.Plan(reconcile.Input{
				Now: now, Scope: alice, Registry: w.registry, Secret: secret, Existing: w.store.of(alice),
				Statements: []reconcile.Statement{{
					Candidate: memory.Candidate{Kind: m.Kind, Key: key, Value: m.Value, Text: m.Text, Stability: memory.Stable},
					Evidence:  memory.Evidence{Event: "another", Seq: 9, Role: memory.RoleUser, At: ago(said), Quote: m.Text},
				}},
			})
			if d.Outcomes[0] != want {
				t.Errorf("%q: said %v ago it is %s, want %s", key, said, d.Outcomes[0], want)
			}
		}
	}
}

func TestQuestionsTimeOut(t *testing.T) {
	w := newWorld(t)
	cur, rival := w.asked(t, alice, 15*day, ago(day))
	_, open := w.asked(t, bob, 5*day, now.Add(1))
	r := w.run(t, reap.JobQuestions)
	if got := w.get(rival.ID); got.Status != memory.StatusSettled || got.Dispute.Closing != memory.ClosedByTimeout || !got.Dispute.ClosedAt.Equal(now) {
		t.Errorf("the rival is %+v", got)
	}
	if got := w.get(cur.ID); got.Status != memory.StatusCurrent || got.Question != "" || got.Value != cur.Value {
		t.Errorf("the current value is %+v", got)
	}
	if got := w.get(open.ID); got.Status != memory.StatusDisputed {
		t.Errorf("the open rival is %+v", got)
	}
	if q := w.questions.all[rival.Dispute.Question]; q.Status != memory.QuestionClosed || q.Decision != memory.DecisionKeep {
		t.Errorf("the question is %+v", q)
	}
	if r.Owners != 1 || r.Memories != 2 {
		t.Errorf("report is %+v", r)
	}
	if again := w.run(t, reap.JobQuestions); again.Memories != 0 {
		t.Errorf("the second run did %+v", again)
	}
}

// asked has an owner's city disputed that long ago.
func (w *world) asked(t failer, s memory.Scope, at time.Duration, timeout time.Time) (cur, rival memory.Memory) {
	t.Helper()
	city := func(id memory.ID, value string) memory.Memory {
		return memory.Memory{
			ID: id, Scope: s, Kind: memory.KindProfile, Key: "user.city", Value: value, Text: "I live in " + value,
			Language: "en", Status: memory.StatusCurrent, SaidAt: ago(at), CreatedAt: ago(at), ConfirmedAt: ago(at),
			Evidence: []memory.Evidence{{Event: "e-" + value, Seq: 3, Thread: "t", Role: memory.RoleUser, At: ago(at), Quote: "I live in " + value}},
		}
	}
	cur = city(w.registry.Identity(s, "user.city", "Oslo", ""), "Oslo")
	question := idOf(s, "question")
	cur.Question = question
	rival = city(w.registry.DisputeIdentity(s, "user.city", "Bergen"), "Bergen")
	rival.Status = memory.StatusDisputed
	rival.Dispute = &memory.Dispute{Of: cur.ID, Question: question, OpenedAt: ago(at), TimeoutAt: timeout}
	w.decides(t, s, ledger.Change{Op: ledger.OpAdd, Memory: cur}, ledger.Change{Op: ledger.OpDispute, Memory: rival})
	return cur, rival
}

func TestTenantsHaveTheirOwnLimits(t *testing.T) {
	tests := []struct {
		name     string
		policies retention.Policies
		want     map[memory.Tenant]bool // whose memory of 50 days is archived
		sweeps   int                    // for what is unused
	}{
		{"the defaults", retention.Policies{}, map[memory.Tenant]bool{}, 1},
		{"one sooner", retention.Policies{Tenants: map[memory.Tenant]retention.Policy{"globex": {ColdAfter: 40 * day}}}, map[memory.Tenant]bool{"globex": true}, 2},
		{"one never", retention.Policies{
			Default: retention.Policy{ColdAfter: 40 * day},
			Tenants: map[memory.Tenant]retention.Policy{"globex": {ColdAfter: retention.Never}},
		}, map[memory.Tenant]bool{"acme": true, "third": true}, 1},
		{"all but one never", retention.Policies{
			Default: retention.Policy{ColdAfter: retention.Never},
			Tenants: map[memory.Tenant]retention.Policy{"globex": {ColdAfter: 40 * day}, "third": {WarmAfter: day}},
		}, map[memory.Tenant]bool{"globex": true}, 1},
		{"the same by name", retention.Policies{
			Default: retention.Policy{ColdAfter: 40 * day},
			Tenants: map[memory.Tenant]retention.Policy{"globex": {ColdAfter: 40 * day}, "third": {UndoFor: day}},
		}, map[memory.Tenant]bool{"acme": true, "globex": true, "third": true}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.policies = tt.policies
			var all []memory.Memory
			for _, tenant := range []memory.Tenant{"acme", "globex", "third"} {
				all = append(all, w.known(t, memory.UserScope(tenant, "u"), "I like tea", 50*day, nil))
			}
			r := w.run(t, reap.JobTier)
			for _, m := range all {
				if got := !w.get(m.ID).ArchivedAt.IsZero(); got != tt.want[m.Scope.Tenant] {
					t.Errorf("%s: archived is %v", m.Scope.Tenant, got)
				}
			}
			if r.Skipped != 0 {
				t.Errorf("%d memories were read that are not due", r.Skipped)
			}
			if got := w.store.sweeps[index.DueUnused]; got != tt.sweeps {
				t.Errorf("%d sweeps, want %d", got, tt.sweeps)
			}
		})
	}
}

// A page holds part of an owner, and an owner's memories lie on many pages: each is found
// all the same, once.
func TestMoreThanAPage(t *testing.T) {
	w := newWorld(t)
	const many, few = 1200, 20
	for i := range many {
		w.known(t, alice, fmt.Sprint("fact ", i), 100*day, nil)
		if i < few {
			w.known(t, bob, fmt.Sprint("fact ", i), 100*day, nil)
		}
	}
	r := w.run(t, reap.JobTier)
	if r.Memories != many+few || r.Owners != 2 || r.Skipped != 0 {
		t.Errorf("report is %+v", r)
	}
	for s, want := range map[memory.Scope]int{alice: many, bob: few} {
		archived := map[memory.ID]int{}
		for _, rec := range w.reaped(t, s) {
			for _, c := range rec.Changes {
				archived[c.Memory.ID]++
			}
			if len(rec.Changes) > reap.DefaultPageSize {
				t.Errorf("one change set holds %d changes", len(rec.Changes))
			}
		}
		if len(archived) != want || slices.Max(slices.Collect(maps.Values(archived))) != 1 {
			t.Errorf("%v: %d were archived, want %d, once each", s, len(archived), want)
		}
	}
	if slices.Max(w.store.pages) > reap.DefaultPageSize {
		t.Errorf("a page held %d memories", slices.Max(w.store.pages))
	}
}

var errBroken = errors.New("cannot be read")

func TestAnOwnerThatFailsDoesNotStopTheOthers(t *testing.T) {
	w := newWorld(t)
	w.pageSize = 2
	const users = 40
	var all []memory.Memory
	for i := range users {
		s := memory.UserScope("acme", memory.User(fmt.Sprint("u", i)))
		all = append(all, w.known(t, s, "one", 100*day, nil), w.known(t, s, "two", 100*day, nil))
		if i%3 == 0 {
			w.store.failing[s] = errBroken
		}
	}
	r, err := w.service().RunOnce(t.Context(), reap.JobTier, now, nil)
	if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "4 more owners failed") {
		t.Errorf("error is %v", err)
	}
	if r.Failed != 14 || r.Owners != users-14 {
		t.Errorf("report is %+v", r)
	}
	for _, m := range all {
		if failed := w.store.failing[m.Scope] != nil; failed != w.get(m.ID).ArchivedAt.IsZero() {
			t.Errorf("%v: failed is %v, and it is %+v", m.Scope, failed, w.get(m.ID))
		}
	}
	clear(w.store.failing)
	if r := w.run(t, reap.JobTier); r.Owners != 14 {
		t.Errorf("the next run did %+v", r)
	}
}

func TestAnOutageEndsTheRun(t *testing.T) {
	w := newWorld(t)
	w.pageSize = 1
	for i := range 20 {
		s := memory.UserScope("acme", memory.User(fmt.Sprint("u", i)))
		w.known(t, s, "one", 100*day, nil)
		w.store.failing[s] = fault.Outage(errBroken, 0)
	}
	r, err := w.service().RunOnce(t.Context(), reap.JobTier, now, nil)
	if !errors.Is(err, fault.ErrOutage) || r.Failed != 0 || len(w.store.pages) != 1 {
		t.Errorf("after %d pages: %+v, %v", len(w.store.pages), r, err)
	}
}

func TestARunThatIsStopped(t *testing.T) {
	w := newWorld(t)
	w.known(t, alice, "one", 100*day, nil)
	ctx, cancel := context.WithCancel(t.Context())
	w.reached = func(s decide.Step) {
		if s == decide.StepDecided {
			cancel()
		}
	}
	r, err := w.service().RunOnce(ctx, reap.JobTier, now, nil)
	if !errors.Is(err, context.Canceled) || r.Failed != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Of who has been erased nothing is written down again, whatever is left in the collections.
func TestNothingIsAppendedForWhoWasErased(t *testing.T) {
	w := newWorld(t)
	w.pageSize = 3
	w.populate(t, 60)
	clear(w.ledger.sets)
	for _, job := range reap.Jobs {
		if r := w.run(t, job); r.Owners != 0 || r.Memories != 0 {
			t.Errorf("report is %+v", r)
		}
	}
	if len(w.ledger.sets) != 0 {
		t.Errorf("%d owners have change sets", len(w.ledger.sets))
	}
}

func TestUnknownJob(t *testing.T) {
	if _, err := newWorld(t).service().RunOnce(t.Context(), "nap", now, nil); !errors.Is(err, reap.ErrUnknownJob) {
		t.Errorf("error is %v", err)
	}
}

// What is found and turns out not to be due is left alone, and looked at once.
func TestWhatIsNotDueAfterAll(t *testing.T) {
	w := newWorld(t)
	w.pageSize = 1
	for i := range 5 {
		w.known(t, alice, fmt.Sprint("fact ", i), 100*day, nil)
	}
	w.policies.Tenants = map[memory.Tenant]retention.Policy{"acme": {ColdAfter: 95 * day}}
	s := w.service()
	w.reached = func(step decide.Step) {
		if step == reap.StepSwept {
			s.Policies = retention.Policies{Default: retention.Policy{ColdAfter: retention.Never}}
		}
	}
	r, err := s.RunOnce(t.Context(), reap.JobTier, now, nil)
	if err != nil || r.Skipped != 5 || r.Owners != 0 || len(w.reaped(t, alice)) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestDryRunChangesNothing(t *testing.T) {
	w := newWorld(t)
	w.pageSize = 3
	w.policies.Default.ArchiveFor = 200 * day
	w.populate(t, 40)
	for _, job := range reap.Jobs {
		before := w.states(t)
		var would []reap.Planned
		dry, err := w.service().RunOnce(t.Context(), job, now, func(p reap.Planned) { would = append(would, p) })
		if err != nil {
			t.Fatal(err)
		}
		if after := w.states(t); !reflect.DeepEqual(after, before) {
			t.Errorf("a dry run of %s has changed something", job)
		}
		done := w.run(t, job)
		var did []string
		for _, s := range w.owners() {
			for _, r := range w.reaped(t, s) {
				for _, c := range r.Changes {
					did = append(did, fmt.Sprint(s, c.Memory.ID, c.Op))
				}
				for _, a := range r.Accessed {
					did = append(did, fmt.Sprint(s, a.ID, reap.OpAccess))
				}
			}
		}
		var planned []string
		for _, p := range would {
			planned = append(planned, fmt.Sprint(p.Scope, p.ID, p.Op))
		}
		for _, p := range planned {
			if !slices.Contains(did, p) {
				t.Errorf("%s: planned %s, and did not do it", job, p)
			}
		}
		if len(would) == 0 {
			t.Errorf("%s: nothing was planned", job)
		}
		dry.DryRun, dry.TookMS, done.TookMS, done.Rewritten = false, 0, 0, 0
		if !reflect.DeepEqual(dry, done) {
			t.Errorf("a dry run reports %+v, the run %+v", dry, done)
		}
	}
}

func TestReportAsJSON(t *testing.T) {
	raw, err := json.Marshal(reap.Report{
		Job: reap.JobTier, At: now, Owners: 2, Memories: 3, ByOp: map[string]int{"archive": 3}, Skipped: 1, Failed: 1, TookMS: 12,
	})
	want := `{"job":"tier","at":"2026-06-01T03:00:00Z","owners":2,"memories":3,"by_op":{"archive":3},"rewritten":0,"skipped":1,"failed":1,"took_ms":12}`
	if err != nil || string(raw) != want {
		t.Errorf("report is %s, %v", raw, err)
	}
	raw, err = json.Marshal(reap.Planned{Scope: alice, ID: "m", Op: "archive"})
	if want := `{"scope":{"tenant":"acme","owner":{"kind":"user","id":"alice"}},"id":"m","op":"archive"}`; err != nil || string(raw) != want {
		t.Errorf("planned is %s, %v", raw, err)
	}
}
