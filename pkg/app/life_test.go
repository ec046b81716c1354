package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reap"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/retention"
)

// fact is something that a user may say, with a word that nothing else holds.
type fact struct {
	word, says, asks string
	// key is that of its memory; empty for a free one, of which text is the text.
	key  memory.Key
	text string
	// lasting facts never go cold. Of dated ones, says takes the date, after which they are
	// over. plainly says it without a sign of a change, where one holds at a time.
	lasting, dated bool
	plainly        string
}

const (
	likes     memory.Key = "user.likes"
	allergies memory.Key = "user.allergies"
	city      memory.Key = "user.city"
)

var facts = []fact{
	{word: "pottery", key: likes, says: "I like pottery.", asks: "Do I like pottery?"},
	{word: "documentaries", key: likes, says: "I love documentaries.", asks: "Do I love documentaries?"},
	{word: "sourdough", key: likes, says: "I like sourdough.", asks: "Do I like sourdough?"},
	{word: "围棋", key: likes, says: "我喜欢围棋。", asks: "我喜欢围棋吗？"},
	{word: "古筝", key: likes, says: "我喜欢古筝。", asks: "我喜欢古筝吗？"},
	{word: "豆浆", key: likes, says: "我喜欢豆浆。", asks: "我喜欢豆浆吗？"},
	{word: "shellfish", key: allergies, says: "I'm allergic to shellfish.", asks: "Am I allergic to shellfish?", lasting: true},
	{word: "芒果", key: allergies, says: "我对芒果过敏。", asks: "我对芒果过敏吗？", lasting: true},
	{
		word: "fridge", text: "the garage code is on the fridge", says: "Remember that the garage code is on the fridge.",
		asks: "Is the garage code on the fridge?", lasting: true,
	},
	{word: "dentist", says: "I have a dentist appointment on %s.", asks: "When is my dentist appointment?", dated: true},
	{word: "律师", says: "我%s要去见律师。", asks: "我什么时候去见律师？", dated: true},
	{word: "Lima", key: city, says: "I moved to Lima.", plainly: "I live in Lima.", asks: "Do I live in Lima?"},
	{word: "Oslo", key: city, says: "I moved to Oslo.", plainly: "I live in Oslo.", asks: "Do I live in Oslo?"},
	{word: "青岛", key: city, says: "我搬到青岛了。", plainly: "我住在青岛。", asks: "我住在青岛吗？"},
}

func (f *fact) home() bool { return f.key == city }

// id is that of the fact's memory; of a dated one there may be several.
func (f *fact) id(x *still, s memory.Scope) memory.ID {
	return x.Registry.Identity(s, f.key, f.word, f.text)
}

// chinese reports whether a text is.
func chinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > 0x2E80 })
}

// lot is what has become of a fact of a user.
type lot struct {
	// held is set while it is believed, hidden while a request keeps it from recall, and
	// forgotten from the user's request to forget it until it is said anew.
	held, hidden, forgotten bool
	// used is the last use, or later where that is not known.
	used    time.Time
	vague   bool
	expires time.Time
	// deleted is when it was forgotten, as these memories; purged says that their text has
	// left the ledger since.
	deleted time.Time
	ids     []memory.ID
	purged  bool
}

// person is a user, and what there is to know about them.
type person struct {
	scope  memory.Scope
	lots   map[string]*lot
	hushed map[string]bool
	// home is the word of the current one; rivals are those in open questions.
	home    string
	events  []event.Event
	threads int
}

func newPerson(t memory.Tenant, u memory.User) *person {
	p := &person{scope: memory.UserScope(t, u)}
	p.startAnew()
	return p
}

func (p *person) startAnew() {
	p.lots, p.hushed, p.home, p.events = map[string]*lot{}, map[string]bool{}, "", nil
	for _, f := range facts {
		p.lots[f.word] = &lot{}
	}
}

// thread is one of the person's own; a new one where there are few.
func (p *person) thread(n int) memory.ThreadRef {
	return memory.ThreadRef{Tenant: p.scope.Tenant, User: memory.User(p.scope.Owner.ID), Thread: memory.Thread(fmt.Sprintf("t%d", n))}
}

// life is what some users say, ask and request of a stack, at random, while time goes by;
// and what must be known of it. Its log says how it came so far.
type life struct {
	*still
	rng    *rand.Rand
	people []*person
	quiet  *recall.Service
	log    []string
}

// ageing is a policy under which everything that can become due does within a life. The
// tombstones outlive it: events are kept by the broker's clock, not by the life's.
var ageing = retention.Policies{
	Default: retention.Policy{TombstoneFor: retention.Never},
	Tenants: map[memory.Tenant]retention.Policy{
		"acme":   {ArchiveFor: 100 * 24 * time.Hour, UndoFor: 3 * 24 * time.Hour, ColdAfter: 60 * 24 * time.Hour},
		fleeting: {ArchiveFor: 24 * time.Hour, UndoFor: 24 * time.Hour, TombstoneFor: 40 * 24 * time.Hour},
	},
}

func startLife(t *testing.T, seed uint64) *life {
	t.Helper()
	l := &life{still: startStill(t, stillOptions{policies: ageing}), rng: rand.New(rand.NewPCG(seed, 8))}
	l.people = []*person{newPerson("globex", "robin"), newPerson("acme", "robin"), newPerson("acme", "用户")}
	c := l.Recall.Config
	c.Traces = unnoticed{}
	l.quiet = recall.New(c)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d:\n%s", seed, strings.Join(l.log, "\n"))
		}
	})
	return l
}

// unnoticed loses every trace, so that looking is no use.
type unnoticed struct{}

func (unnoticed) Record(recall.Trace) {}

// deed is something that may happen; it returns false when it cannot at the moment.
type deed func(*life, *testing.T, *person) bool

// deeds are all that may happen, each as often as it stands here.
var deeds = []struct {
	name string
	do   deed
	per  int
}{
	{"say", (*life).sayAny, 9}, {"contradict", (*life).contradict, 3}, {"answer", (*life).answerAny, 2},
	{"forget", (*life).forgetAny, 4}, {"restore", (*life).restoreAny, 3}, {"suppress", (*life).suppressAny, 3}, {"lift", (*life).liftAny, 2},
	{"ask", (*life).askAny, 4}, {"pass", (*life).passAny, 5}, {"reap", (*life).reapAny, 6}, {"rebuild", (*life).rebuildAll, 1},
	{"again", (*life).again, 2}, {"duplicate", (*life).duplicate, 2}, {"letter", (*life).letter, 2}, {"erase", (*life).eraseAny, 1},
}

// happen lets something happen to somebody, and returns to whom.
func (l *life) happen(t *testing.T) *person {
	t.Helper()
	total := 0
	for _, d := range deeds {
		total += d.per
	}
	for {
		p := l.people[l.rng.IntN(len(l.people))]
		n := l.rng.IntN(total)
		for _, d := range deeds {
			if n -= d.per; n < 0 {
				l.pass(time.Duration(1+l.rng.IntN(90)) * time.Minute)
				if d.do(l, t, p) {
					return p
				}
				break
			}
		}
	}
}

func (l *life) note(p *person, format string, args ...any) bool {
	l.log = append(l.log, fmt.Sprintf("%s %s/%s: %s", l.clock.Now().Format(time.RFC3339), p.scope.Tenant, p.scope.Owner.ID, fmt.Sprintf(format, args...)))
	return true
}

func (l *life) any() *fact { return &facts[l.rng.IntN(len(facts))] }

// policy is the one that the person lives under.
func (l *life) policy(p *person) retention.Policy { return l.Policies.For(p.scope.Tenant) }

// where is one of the person's threads.
func (l *life) where(p *person) memory.ThreadRef { return p.thread(l.rng.IntN(4)) }

// over reports whether a dated fact is.
func (o *lot) over(now time.Time) bool { return !o.expires.IsZero() && !now.Before(o.expires) }

func (l *life) sayAny(t *testing.T, p *person) bool {
	f := l.any()
	content, ok := l.wording(p, f)
	if !ok {
		return false
	}
	p.events = append(p.events, l.say(t, l.where(p), content))
	l.learnt(t, p, f)
	return l.note(p, "says %s", content)
}

// wording is how the fact is said now; a dated one that holds is not said again.
func (l *life) wording(p *person, f *fact) (string, bool) {
	now := l.clock.Now()
	if !f.dated {
		return f.says, true
	}
	o := p.lots[f.word]
	date := now.AddDate(0, 0, 2+l.rng.IntN(30))
	format := "2006-01-02"
	if chinese(f.word) {
		format = "2006年1月2日"
	}
	return fmt.Sprintf(f.says, date.Format(format)), !o.held || o.over(now)
}

// learnt is what becomes of a fact that is said now.
func (l *life) learnt(t *testing.T, p *person, f *fact) {
	t.Helper()
	now := l.clock.Now()
	o := p.lots[f.word]
	*o = lot{held: true, used: now, hidden: p.hushed[f.word]}
	if f.home() {
		l.movedTo(p, f.word)
	}
	if f.dated {
		for _, m := range l.holdings(t, p.scope) {
			if strings.Contains(m.Text, f.word) && m.ExpiresAt.After(o.expires) {
				o.expires = m.ExpiresAt
			}
		}
		if !o.expires.After(now) {
			t.Errorf("%s does not expire", f.word)
		}
	}
}

// movedTo makes a home the only one that holds.
func (l *life) movedTo(p *person, word string) {
	for _, f := range facts {
		if f.home() && f.word != word {
			p.lots[f.word].held = false
		}
	}
	p.home = word
	if word != "" {
		p.lots[word].held = true
	}
}

// contradict says another home without any sign of a move.
func (l *life) contradict(t *testing.T, p *person) bool {
	f := l.any()
	if !f.home() {
		return false
	}
	p.events = append(p.events, l.say(t, l.where(p), f.plainly))
	if p.home == "" || p.home == f.word {
		l.learnt(t, p, f)
	} else {
		*p.lots[f.word] = lot{hidden: p.hushed[f.word]}
	}
	return l.note(p, "says %s", f.plainly)
}

// answerAny answers an open question by either of its sides.
func (l *life) answerAny(t *testing.T, p *person) bool {
	open, err := l.Curate.Pending(t.Context(), p.scope)
	if err != nil {
		t.Fatal(err)
	}
	if len(open) == 0 {
		return false
	}
	q := open[l.rng.IntN(len(open))]
	decision, value := memory.DecisionKeep, ""
	if l.rng.IntN(2) == 0 {
		decision, value = memory.DecisionReplace, q.Rivals[l.rng.IntN(len(q.Rivals))].Value
	}
	if _, err := l.Curate.Answer(t.Context(), p.scope, q.ID, decision, value); err != nil {
		t.Fatal(err)
	}
	if value != "" {
		*p.lots[value] = lot{used: l.clock.Now(), hidden: p.hushed[value]}
		l.movedTo(p, value)
	} else if o := p.lots[p.home]; o == nil {
		t.Fatalf("%+v is open, but there is no home", q)
	} else if o.held {
		o.used, o.vague = l.clock.Now(), true // an answer is not a use for sure
	}
	return l.note(p, "answers %s %s", decision, value)
}

// forgetAny has a fact forgotten, in one of the ways in which that is asked for.
func (l *life) forgetAny(t *testing.T, p *person) bool {
	f := l.any()
	o := p.lots[f.word]
	var ids []memory.ID
	for _, m := range l.holdings(t, p.scope) {
		if m.Suppresses == nil && strings.Contains(m.Text, f.word) {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return false
	}
	way := [...]string{"by topic", "by what it contains", "by id", "in words"}[l.rng.IntN(4)]
	switch way {
	case "in words":
		content := "Please forget what I told you about " + f.word + "."
		if chinese(f.word) {
			content = "忘掉我说过的关于" + f.word + "的事。"
		}
		p.events = append(p.events, l.say(t, l.where(p), content))
	default:
		selection := map[string]curate.Selection{
			"by topic": {Topic: f.word}, "by what it contains": {Contains: f.word}, "by id": {IDs: ids},
		}[way]
		if _, err := l.Curate.Forget(t.Context(), p.scope, selection); err != nil {
			t.Fatal(err)
		}
	}
	*o = lot{forgotten: true, deleted: l.clock.Now(), ids: ids}
	if way == "by what it contains" {
		p.hushed[f.word] = false // so does the request not to mention it
	}
	if p.home == f.word {
		l.movedTo(p, "")
	}
	return l.note(p, "forget %s %s", f.word, way)
}

// restoreAny undoes a deletion, which goes until the purge.
func (l *life) restoreAny(t *testing.T, p *person) bool {
	f := l.any()
	o := p.lots[f.word]
	if !o.forgotten || f.home() || f.dated || len(o.ids) != 1 {
		return false
	}
	err := l.Curate.Restore(t.Context(), p.scope, o.ids[0])
	if gone := errors.Is(err, curate.ErrNotFound); err != nil && !gone || gone != o.purged {
		t.Errorf("restore %s: %v; purged: %v", f.word, err, o.purged)
	}
	if err == nil {
		*o = lot{held: true, hidden: p.hushed[f.word], used: l.clock.Now(), vague: true}
	}
	return l.note(p, "restore %s: %v", f.word, err)
}

// suppressAny has the user ask not to hear of something again.
func (l *life) suppressAny(t *testing.T, p *person) bool {
	f := l.any()
	if p.hushed[f.word] {
		return false
	}
	if l.rng.IntN(2) == 0 {
		if _, err := l.Curate.Suppress(t.Context(), p.scope, curate.Selection{Topic: f.word}); err != nil {
			t.Fatal(err)
		}
	} else {
		content := "Don't mention " + f.word + " again."
		if chinese(f.word) {
			content = "不要再提" + f.word + "这个话题了。"
		}
		p.events = append(p.events, l.say(t, l.where(p), content))
	}
	p.hushed[f.word], p.lots[f.word].hidden = true, true
	return l.note(p, "suppress %s", f.word)
}

func (l *life) liftAny(t *testing.T, p *person) bool {
	f := l.any()
	if !p.hushed[f.word] {
		return false
	}
	if _, err := l.Curate.Unsuppress(t.Context(), p.scope, curate.Selection{Topic: f.word}); err != nil {
		t.Fatal(err)
	}
	p.hushed[f.word], p.lots[f.word].hidden = false, false
	return l.note(p, "lift %s", f.word)
}

// askAny recalls, which is a use of what is handed out.
func (l *life) askAny(t *testing.T, p *person) bool {
	f, archive := l.any(), l.rng.IntN(2) == 0
	for _, m := range l.ask(t, p.scope, f.asks, archive) {
		for _, f := range facts {
			if strings.Contains(m.Text, f.word) {
				p.lots[f.word].used, p.lots[f.word].vague = l.clock.Now(), false
			}
		}
	}
	return l.note(p, "asks %s (archive: %v)", f.asks, archive)
}

func (l *life) passAny(_ *testing.T, p *person) bool {
	days := 1 + l.rng.IntN(20)
	if l.rng.IntN(4) == 0 {
		days = 30 + l.rng.IntN(80)
	}
	l.pass(time.Duration(days) * 24 * time.Hour)
	return l.note(p, "%d days pass", days)
}

func (l *life) reapAny(t *testing.T, p *person) bool {
	job := reap.Jobs[l.rng.IntN(len(reap.Jobs))]
	l.reap(t, job)
	if job == reap.JobPurge {
		for _, p := range l.people {
			l.purged(t, p)
		}
	}
	return l.note(p, "job %s", job)
}

// purged is what a purge does to a person's facts: it ends the time for undoing deletions,
// and deletes what has been in the archive for long.
func (l *life) purged(t *testing.T, p *person) {
	t.Helper()
	undo, _ := l.policy(p).Undo()
	aged := map[memory.ID]bool{}
	for _, m := range l.holdings(t, p.scope) {
		aged[m.ID] = m.Tombstone != nil
	}
	for i := range facts {
		f := &facts[i]
		o := p.lots[f.word]
		if o.forgotten && !o.deleted.After(l.clock.Now().Add(-undo)) {
			o.purged = true
		}
		_, ages := l.policy(p).Archive()
		if ages && o.held && !f.dated && aged[f.id(l.still, p.scope)] {
			*o = lot{} // neither believed nor forgotten: only gone
			if f.home() {
				p.home = ""
			}
		}
	}
}

func (l *life) rebuildAll(t *testing.T, p *person) bool {
	l.rebuild(t)
	return l.note(p, "rebuild")
}

// again consolidates a thread once more, which changes nothing.
func (l *life) again(t *testing.T, p *person) bool {
	r := l.where(p)
	if err := l.Consolidate.Again(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return l.note(p, "consolidate %s again", r.Thread)
}

// duplicate has an event come once more, which changes nothing either.
func (l *life) duplicate(t *testing.T, p *person) bool {
	if len(p.events) == 0 {
		return false
	}
	e := p.events[l.rng.IntN(len(p.events))]
	l.comeAgain(t, e)
	return l.note(p, "event %s comes again", e.ID)
}

// letter gives up on what the user says, and replays it later: by then they may have asked
// to forget it.
func (l *life) letter(t *testing.T, p *person) bool {
	f := l.any()
	if f.dated || f.home() {
		return false
	}
	p.threads++
	r := p.thread(100 + p.threads)
	at := l.clock.Now()
	l.park(t, r, f.says)
	forgets := l.rng.IntN(2) == 0
	l.pass(time.Hour)
	if forgets {
		if _, err := l.Curate.Forget(t.Context(), p.scope, curate.Selection{Topic: f.word}); err != nil {
			t.Fatal(err)
		}
	}
	l.pass(time.Hour)
	l.replay(t, p.scope)
	o := p.lots[f.word]
	switch {
	case forgets:
		*o = lot{forgotten: true, deleted: at.Add(time.Hour)}
	case o.forgotten || !o.held:
		*o = lot{held: true, used: l.clock.Now(), hidden: p.hushed[f.word]}
	default:
		o.used, o.vague = l.clock.Now(), true // used then, or earlier
	}
	return l.note(p, "letter with %s is replayed; forgotten meanwhile: %v", f.says, forgets)
}

func (l *life) eraseAny(t *testing.T, p *person) bool {
	receipt, err := l.Curate.Erase(t.Context(), p.scope)
	if err != nil || !receipt.Final {
		t.Fatalf("erase: %+v, %v", receipt, err)
	}
	p.startAnew()
	return l.note(p, "erased")
}

// seen is everything that a recall gives away of its memories.
func (l *life) seen(t *testing.T, p *person, query string, archive bool) []string {
	t.Helper()
	answer, err := l.quiet.Recall(t.Context(), recall.Request{
		Tenant: p.scope.Tenant, User: memory.User(p.scope.Owner.ID), Query: query, Limit: recall.MaxLimit, IncludeArchive: archive,
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range answer.Memories {
		out = append(out, encoded(t, m))
	}
	return out
}

// goneIsGone checks for every fact that it is recalled if, and only if, it is believed and
// nothing keeps it from being recalled.
func (l *life) goneIsGone(t *testing.T, p *person) {
	t.Helper()
	now := l.clock.Now()
	coldAfter, _ := l.policy(p).Cold()
	for i := range facts {
		f := &facts[i]
		o := p.lots[f.word]
		for _, archive := range []bool{false, true} {
			cold := !f.lasting && !o.used.After(now.Add(-coldAfter))
			want := o.held && !o.hidden && !o.over(now) && (archive || !cold)
			got := slices.ContainsFunc(l.seen(t, p, f.asks, archive), func(s string) bool { return strings.Contains(s, f.word) })
			if got && !want || want && !got && !o.vague {
				t.Errorf("%s/%s: %s recalled (archive: %v): %v, want %v; it is %+v", p.scope.Tenant, p.scope.Owner.ID, f.word, archive, got, want, *o)
			}
		}
	}
}

// forgottenStays checks that nothing is left anywhere of the words of what was forgotten,
// and after the purge not in the ledger either. Requests not to mention it are the user's
// own words.
func (l *life) forgottenStays(t *testing.T, p *person) {
	t.Helper()
	held := slices.DeleteFunc(l.holdings(t, p.scope), func(m memory.Memory) bool { return m.Suppresses != nil })
	open, err := l.Curate.Pending(t.Context(), p.scope)
	if err != nil {
		t.Fatal(err)
	}
	records := l.decided(t, p)
	var here []string
	for _, m := range held {
		here = append(here, encoded(t, m))
	}
	for _, q := range open {
		here = append(here, encoded(t, q))
	}
	decided := encoded(t, records)
	for _, f := range facts {
		o := p.lots[f.word]
		for _, s := range here {
			if o.forgotten && strings.Contains(s, f.word) {
				t.Errorf("%s/%s: %s is remembered: %s", p.scope.Tenant, p.scope.Owner.ID, f.word, s)
			}
		}
		if o.purged && strings.Contains(decided, f.word) {
			t.Errorf("%s/%s: %s is in the ledger after the purge", p.scope.Tenant, p.scope.Owner.ID, f.word)
		}
	}
}

// decided are all of the person's change sets, those included that others have taken the
// place of, but for the requests not to mention something.
func (l *life) decided(t *testing.T, p *person) []ledger.ChangeSet {
	t.Helper()
	var out []ledger.ChangeSet
	err := l.Log.Read(t.Context(), p.scope, 0, math.MaxUint64, func(_ uint64, _ time.Time, data []byte) error {
		c, err := ledger.Decode(data, p.scope)
		c.Changes = slices.DeleteFunc(c.Changes, func(c ledger.Change) bool { return c.Memory.Suppresses != nil })
		out = append(out, c)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
