package app_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/retention"
	"github.com/mnemond/mnemond/pkg/stream"
)

// heir is a user who leaves something in every place. The words, in both languages, stand in
// everything that they say, and in the ids of their threads and events.
type heir struct {
	memory.ThreadRef
	word, han string
}

// marks are what would show that the user has been here: the words, and what names the user
// within the tenant, since others may bear the same name.
func (h heir) marks() []string {
	scope := h.Scope()
	tenant, id := string(scope.Tenant), scope.Owner.ID
	return []string{
		h.word, h.capital(), h.han, stream.LedgerSubject(scope), "." + stream.Token(tenant) + "." + stream.Token(id) + ".",
		fmt.Sprintf(`"tenant":%q,"owner":{"kind":"user","id":%q`, tenant, id), fmt.Sprintf(`"tenant":%q,"user":%q`, tenant, id),
		fmt.Sprintf(`%d:%s/user/%s"`, len(tenant), tenant, id),
	}
}

func (h heir) capital() string { return strings.ToUpper(h.word[:1]) + h.word[1:] }

// forms are the bytes under which a store may hold a text: plain, as a subject token, with
// escapes, and in base64, which has three forms by the place of the first byte. It has 12
// bytes and more.
func forms(text string) [][]byte {
	out := [][]byte{[]byte(text), []byte(stream.Token(text)), []byte(strings.Trim(strconv.QuoteToASCII(text), `"`))}
	for skip := range 3 {
		whole := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", skip) + text))
		out = append(out, []byte(whole[4:len(whole)-4]))
	}
	return out
}

// holders are those of the places that hold one of the texts in any form.
func holders(places map[string][]byte, texts []string) []string {
	var out []string
	for place, raw := range places {
		for _, text := range texts {
			for _, form := range forms(text) {
				if bytes.Contains(raw, form) || bytes.Contains([]byte(place), form) {
					out = append(out, place+": "+text)
				}
			}
		}
	}
	return out
}

// files are what lies in the store folder.
func (x *still) files(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(x.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && d.IsDir() {
			return nil // the server removes files while we look
		}
		name, _ := filepath.Rel(x.dir, path)
		if out[name], err = os.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
			delete(out, name)
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// stored is every message of every stream and bucket with what is around it, every consumer,
// and every point of every collection.
func (x *still) stored(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	js, err := jetstream.New(x.backend.NATS)
	if err != nil {
		t.Fatal(err)
	}
	list := js.ListStreams(t.Context())
	for info := range list.Info() {
		st, err := js.Stream(t.Context(), info.Config.Name)
		if err != nil {
			t.Fatal(err)
		}
		for seq := max(info.State.FirstSeq, 1); seq <= info.State.LastSeq; seq++ {
			m, err := st.GetMsg(t.Context(), seq)
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			out[fmt.Sprintf("%s %d %s", info.Config.Name, seq, m.Subject)] = fmt.Appendf(nil, "%v %s", m.Header, m.Data)
		}
		consumers := st.ListConsumers(t.Context())
		for c := range consumers.Info() {
			out[info.Config.Name+" consumer "+c.Name] = fmt.Appendf(nil, "%+v", c.Config)
		}
		if err := consumers.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	collections, err := x.backend.Qdrant.ListCollections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range collections {
		for _, p := range x.scroll(t, c) {
			out[c+" "+p.GetId().GetUuid()] = []byte(fmt.Sprint(p.GetPayload()))
		}
	}
	return out
}

// must fails the test at the first error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// in is another thread of the user, and the words stand in its id.
func (h heir) in(thread string) memory.ThreadRef {
	return memory.ThreadRef{Tenant: h.Tenant, User: h.User, Thread: memory.Thread(thread + h.word + h.han)}
}

// tells has the user say something, in an event whose id holds the words.
func (h heir) tells(t testing.TB, x *still, thread, format string) {
	t.Helper()
	e := said(h.in(thread), x.clock.Now(), strings.NewReplacer("{word}", h.word, "{Word}", h.capital(), "{han}", h.han).Replace(format))
	e.ID = h.word + h.han + e.ID
	x.publish(t, e)
	x.consolidate(t, e.Ref())
	x.pass(time.Minute)
}

// lives leaves what a user can leave, but for what needs time to pass.
func (h heir) lives(t testing.TB, x *still) {
	t.Helper()
	ctx, scope := t.Context(), h.Scope()
	for _, says := range []string{
		"I like {word}.", "我喜欢{han}。", "I moved to {Word}ville.", "我搬到{han}村了。", "I have a {word} appointment on 2026-03-20.",
		"I work at {Word}works.", "I'm allergic to {word} seeds.", "我对{han}花粉过敏。", "I like {word} tea.",
	} {
		h.tells(t, x, "talk", says)
	}
	h.tells(t, x, "topics", "Don't mention {word} tea again.")
	h.tells(t, x, "topics", "I live in {Word}stead.") // asked
	h.tells(t, x, "topics", "I work at {Word}soft.")  // asked, and answered
	open, err := x.Curate.Pending(ctx, scope)
	if err != nil || len(open) != 2 {
		t.Fatalf("%d open questions, want two (%v)", len(open), err)
	}
	_, err = x.Curate.Answer(ctx, scope, open[1].ID, memory.DecisionKeep, "")
	must(t, err)
	_, err = x.Curate.Forget(ctx, scope, curate.Selection{Contains: h.han + "花粉"})
	must(t, err)
	x.ask(t, scope, "What do I like, "+h.word+" or "+h.han+"?", true)
	down := said(h.in("topics"), x.clock.Now(), "")
	down.ID, down.Type = h.word+h.han+down.ID, event.TypeFeedback
	down.Data, err = json.Marshal(event.Feedback{Rating: event.RatingDown, Comment: "No more of " + h.word + "! 不要再提" + h.han + "。"})
	must(t, err)
	x.publish(t, down)
	x.consolidate(t, down.Ref())
	h.writes(t, x)
}

// writes leaves what does not come of conversations.
func (h heir) writes(t testing.TB, x *still) {
	t.Helper()
	ctx, scope := t.Context(), h.Scope()
	// Dead letters: one stays, one is replayed, one is of a subject that names no thread.
	for _, thread := range []string{"parked", "replayed"} {
		x.park(t, h.in(thread), "I like "+h.word+" and "+h.han+".")
	}
	x.replay(t, scope)
	subject, _, _ := strings.Cut(stream.EventSubject(h.in("")), "."+stream.Token(string(h.in("").Thread)))
	js, err := jetstream.New(x.backend.NATS)
	must(t, err)
	_, err = js.Publish(ctx, subject+".=zz", []byte(h.word+h.han))
	must(t, err)
	_, err = js.CreateConsumer(ctx, stream.StreamLedger, jetstream.ConsumerConfig{
		Durable: "of-" + h.word + "-" + stream.Token(string(h.Tenant)), FilterSubject: stream.LedgerSubject(scope),
	})
	must(t, err)
	secret, err := stream.Secret(ctx, js)
	names := stream.NewNames(secret)
	must(t, err, stream.NewEmbeddings(js, names).Store(ctx, scope, "model", h.word+h.han, []float32{1, 2}))
	key, _, err := access.NewKey(access.Key{Tenant: h.Tenant, User: h.User, Role: access.RoleUser, Name: h.word + h.han}, x.clock.Now())
	must(t, err, x.Keys().Create(ctx, key))
	replies, request := stream.NewReplies(js, names, x.clock.Now), []byte(h.word)
	claim, _, _, err := replies.Claim(ctx, scope, h.word+h.han, request)
	must(t, err, replies.Keep(ctx, scope, h.word+h.han, request, claim, []byte(h.han)))
}

// seed gives an owner n free memories, through the ledger.
func (x *still) seed(t testing.TB, s memory.Scope, n int, word string) {
	t.Helper()
	const each = 250
	now := x.clock.Now()
	for from := 0; from < n; from += each {
		_, err := x.Decider.Do(t.Context(), s, func(context.Context, uint64) (*ledger.ChangeSet, error) {
			c := &ledger.ChangeSet{V: ledger.Version, At: now, Author: ledger.AuthorOperator, Scope: s}
			for i := from; i < min(from+each, n); i++ {
				text := fmt.Sprintf("Note %d says %s.", i, word)
				c.Changes = append(c.Changes, ledger.Change{Op: ledger.OpAdd, Reason: "seeded", Memory: memory.Memory{
					ID: x.Registry.Identity(s, "", "", text), Scope: s, Kind: memory.KindFact, Text: text, Language: "en",
					Stability: memory.Stable, Status: memory.StatusCurrent, SaidAt: now, CreatedAt: now, ConfirmedAt: now, Confidence: 1,
					Evidence: []memory.Evidence{{Event: fmt.Sprint(word, i), Role: memory.RoleUser, At: now, Quote: text}},
				}})
			}
			return c, nil
		})
		must(t, err)
	}
}

// left is how many pieces there are of an owner, by place.
func (x *still) left(t testing.TB, s memory.Scope) map[string]int {
	t.Helper()
	r, err := x.Curate.Verify(t.Context(), s)
	must(t, err)
	return r.Removed
}

// state is everything there is of an owner, and how much in the places where it names no one.
func (x *still) state(t testing.TB, s memory.Scope) string {
	t.Helper()
	records, err := x.Recall.Records(t.Context(), s)
	must(t, err)
	open, err := x.Curate.Pending(t.Context(), s)
	must(t, err)
	raw, err := json.Marshal([]any{x.holdings(t, s), records, open, x.left(t, s)})
	must(t, err)
	return string(raw)
}

// settled waits until the scheduler has seen every event, and the uses have been noted.
func (x *still) settled(t testing.TB) {
	t.Helper()
	js, err := jetstream.New(x.backend.NATS)
	must(t, err)
	for stream, consumer := range map[string]string{stream.StreamEvents: stream.ConsumerTimers, stream.StreamRecalls: "uses"} {
		c, err := js.Consumer(t.Context(), stream, consumer)
		must(t, err)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for waited := time.Now(); ; <-tick.C {
			info, err := c.Info(t.Context())
			must(t, err)
			if info.NumPending == 0 && info.NumAckPending == 0 {
				break
			}
			if time.Since(waited) > usedTimeout {
				t.Fatalf("%s is behind: %+v", consumer, info)
			}
		}
	}
}

// TestErasureLeavesNothing is invariant 8: a user who has left something everywhere is
// erased, beside others who have too. Nothing of them is left in any stream, bucket,
// collection or file, then or when the store has been closed; everything of the others is.
func TestErasureLeavesNothing(t *testing.T) {
	x := startStill(t, stillOptions{busy: true, policies: retention.Policies{Default: retention.Policy{UndoFor: 24 * time.Hour}}})
	gone := heir{memory.ThreadRef{Tenant: "acme", User: "robin 知更鸟"}, "marblewort", "蓝铃石风车"}
	others := []heir{
		{memory.ThreadRef{Tenant: "sacme", User: gone.User}, "pottery", "竹编灯笼"},
		{memory.ThreadRef{Tenant: "acme", User: "wren 鹪鹩之家"}, "sourdough", "紫藤摇椅"},
		{memory.ThreadRef{Tenant: "acme", User: "s" + gone.User}, "kayaking", "青花瓷瓶"},
	}
	for _, h := range append(others, gone) {
		h.lives(t, x)
	}
	x.seed(t, gone.Scope(), 1500, gone.word)
	x.seed(t, others[0].Scope(), 1500, others[0].word)
	x.seed(t, others[1].Scope(), 20, others[1].word)
	for range 4 { // what has expired is archived, what was forgotten is purged, uses are recorded
		x.pass(10 * 24 * time.Hour)
		x.reap(t, reap.Jobs...)
	}
	for _, h := range append(others, gone) {
		h.tells(t, x, "late", "I like {word} cake.")
		x.ask(t, h.Scope(), "Do I like "+h.word+" cake?", false)
	}
	x.settled(t)
	for place, n := range x.left(t, gone.Scope()) {
		if n == 0 && place != stream.PlaceWorking {
			t.Errorf("nothing is in %s: the test would show nothing", place)
		}
	}
	if len(holders(x.files(t), gone.marks())) == 0 || len(holders(x.stored(t), gone.marks())) == 0 {
		t.Error("there are no marks to be seen: the test would show nothing")
	}
	x.erases(t, gone, 1500, others...)
	x.erases(t, others[1], 20, others[0], others[2])
	x.comesAnew(t, gone)
	x.close(t)
	marks := append(others[1].marks(), string(others[1].User), "marblewort appointment", "蓝铃石风车村")
	if found := holders(x.files(t), marks); len(found) > 0 {
		t.Errorf("after the store was closed, found in %d places, such as %s", len(found), found[0])
	}
}

// erases erases a user with at least so many memories, and checks that nothing else is.
func (x *still) erases(t *testing.T, gone heir, memories int, others ...heir) {
	t.Helper()
	before := map[heir]string{}
	for _, h := range others {
		before[h] = x.state(t, h.Scope())
	}
	had := x.left(t, gone.Scope())
	receipt, err := x.Curate.Erase(t.Context(), gone.Scope())
	must(t, err)
	if !receipt.Final || receipt.FinishedAt.IsZero() || receipt.Memories < memories {
		t.Errorf("receipt %+v, want a final one with %d memories and more", receipt, memories)
	}
	if !maps.Equal(receipt.Removed, had) {
		t.Errorf("removed %v, want %v", receipt.Removed, had)
	}
	for place, n := range x.left(t, gone.Scope()) {
		if n > 0 {
			t.Errorf("%d pieces are left in %s", n, place)
		}
	}
	for _, places := range []map[string][]byte{x.files(t), x.stored(t)} {
		if found := holders(places, gone.marks()); len(found) > 0 {
			t.Errorf("found in %d places, such as %s", len(found), found[0])
		}
	}
	for _, h := range others {
		if after := x.state(t, h.Scope()); after != before[h] {
			t.Errorf("%s/%s is not what it was:\nbefore %s\nafter  %s", h.Tenant, h.User, before[h], after)
		}
	}
}

// comesAnew has the user come back: they start empty, and are learnt again from the same
// events, in the same threads.
func (x *still) comesAnew(t *testing.T, h heir) {
	t.Helper()
	if got := x.holdings(t, h.Scope()); len(got) > 0 {
		t.Errorf("who comes anew has %+v", got)
	}
	h.tells(t, x, "talk", "I like {word}.")
	if got := x.ask(t, h.Scope(), "Do I like "+h.word+"?", true); len(got) != 1 || got[0].Value != h.word {
		t.Errorf("of who came anew, %+v is recalled", got)
	}
}
