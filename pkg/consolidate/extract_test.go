package consolidate_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
)

func TestWhatTheUserAsksNotToSaveIsNotSaved(t *testing.T) {
	for name, c := range map[string]struct {
		said []string
		want []string
	}{
		"English": {[]string{"I live in Oslo.", "Nice.", "I have a cat named Mimi, but don't save that."}, []string{"Oslo"}},
		"Chinese": {[]string{"我住在杭州。", "好的。", "我养了一只猫，这个不用记。"}, []string{"杭州"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.say(alice, c.said...)
			w.consolidate(t, alice)
			if got := w.current(alice.Scope(), "user.city"); !slices.Equal(got, c.want) {
				t.Errorf("user.city is %q, want %q", got, c.want)
			}
			if got := w.current(alice.Scope(), "user.pets"); len(got) != 0 {
				t.Errorf("user.pets is %q, which was not to be saved", got)
			}
		})
	}
}

// found makes the extractor return the candidates and directives once.
func found(candidates []memory.Candidate, directives ...memory.Directive) func([]memory.Message) ([]memory.Candidate, []memory.Directive) {
	return func([]memory.Message) ([]memory.Candidate, []memory.Directive) { return candidates, directives }
}

func lives(message int, value, quote string) memory.Candidate {
	return memory.Candidate{
		Kind: memory.KindProfile, Key: "user.city", Value: value, Text: quote, Stability: memory.Stable, Confidence: 0.9,
		Relation: memory.RelationNew, Source: memory.Source{Message: message, Quote: quote},
	}
}

// about is a directive in the words of a message.
func about(a memory.Action, message int, quote string) memory.Directive {
	return memory.Directive{Action: a, Source: memory.Source{Message: message, Quote: quote}}
}

// TestRefusalsAreCountedByReason: what is not borne out, or cannot be done, leaves its
// reason in the ledger and its message under "rejected".
func TestRefusalsAreCountedByReason(t *testing.T) {
	oslo := lives(1, "Oslo", "I live in Oslo.")
	invented := lives(1, "Bergen", "I live in Bergen.")
	unsure := oslo
	unsure.Confidence = 0.1
	for name, c := range map[string]struct {
		find       func([]memory.Message) ([]memory.Candidate, []memory.Directive)
		rejections []ledger.Rejection
		counts     ledger.Counts
	}{
		"nothing refused": {
			found([]memory.Candidate{oslo}), nil, ledger.Counts{Messages: 3, Remembered: 1, Nothing: 2},
		},
		"an invented quote": {
			found([]memory.Candidate{invented}), []ledger.Rejection{{Reason: "quote_not_in_message", Count: 1}},
			ledger.Counts{Messages: 3, Rejected: 1, Nothing: 2},
		},
		"the assistant's words": {
			found([]memory.Candidate{lives(2, "Paris", "Paris")}), []ledger.Rejection{{Reason: "source_not_allowed", Count: 1}},
			ledger.Counts{Messages: 3, Rejected: 1, Nothing: 2},
		},
		"several reasons, in order": {
			found([]memory.Candidate{unsure, invented, invented, lives(7, "Oslo", "Oslo")}),
			[]ledger.Rejection{{Reason: "low_confidence", Count: 1}, {Reason: "no_such_message", Count: 1}, {Reason: "quote_not_in_message", Count: 2}},
			ledger.Counts{Messages: 3, Rejected: 1, Nothing: 2},
		},
		"one message remembered and refused": {
			found([]memory.Candidate{oslo, invented}), []ledger.Rejection{{Reason: "quote_not_in_message", Count: 1}},
			ledger.Counts{Messages: 3, Remembered: 1, Nothing: 2},
		},
		"not to be saved": {
			found([]memory.Candidate{oslo}, about(memory.ActionDoNotSave, 1, "I live in Oslo.")), []ledger.Rejection{{Reason: "user_asked_not_to_save", Count: 1}},
			ledger.Counts{Messages: 3, Rejected: 1, Nothing: 2},
		},
		"a request that quotes nobody": {
			found(nil, memory.Directive{Action: memory.ActionForget, What: "x", Source: memory.Source{Message: 3, Quote: "Forget it."}}),
			[]ledger.Rejection{{Reason: "quote_not_in_message", Count: 1}}, ledger.Counts{Messages: 3, Rejected: 1, Nothing: 2},
		},
		"a request about more than it says": {
			found(nil, memory.Directive{Action: memory.ActionForget, What: "I live", Source: memory.Source{Message: 1, Quote: "in Oslo"}}),
			[]ledger.Rejection{{Reason: "not_in_evidence", Count: 1}}, ledger.Counts{Messages: 3, Rejected: 1, Nothing: 2},
		},
		"an unknown request": {
			found(nil, memory.Directive{Action: "erase", What: "Oslo", Source: memory.Source{Message: 1, Quote: "live in Oslo"}}),
			[]ledger.Rejection{{Reason: "unknown_kind", Count: 1}}, ledger.Counts{Messages: 3, Rejected: 1, Nothing: 2},
		},
		"a directive from the assistant": {
			found([]memory.Candidate{oslo}, about(memory.ActionDoNotSave, 2, "Not in Paris?")), []ledger.Rejection{{Reason: "source_not_allowed", Count: 1}},
			ledger.Counts{Messages: 3, Remembered: 1, Rejected: 1, Nothing: 1},
		},
		"a directive from nowhere": {
			found(nil, about(memory.ActionDoNotSave, 9, "No.")), []ledger.Rejection{{Reason: "no_such_message", Count: 1}},
			ledger.Counts{Messages: 3, Nothing: 3},
		},
		"remember": {
			found([]memory.Candidate{oslo}, about(memory.ActionRemember, 1, "I live in Oslo.")), nil, ledger.Counts{Messages: 3, Remembered: 1, Nothing: 2},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.listener.find = c.find
			w.say(alice, "I live in Oslo.", "Not in Paris?", "No.")
			w.consolidate(t, alice)
			records := w.sets(t, alice.Scope())
			if !slices.Equal(records[0].Rejections, c.rejections) {
				t.Errorf("rejections %+v, want %+v", records[0].Rejections, c.rejections)
			}
			if got := records[0].Checkpoint.Counts; got != c.counts || !got.Balanced() {
				t.Errorf("counts %+v, want %+v", got, c.counts)
			}
		})
	}
}

// TestWhatIsStoredAlreadyIsTakenBack: the message that is not to be saved was consolidated
// before. What rests on it alone is forgotten; what was said elsewhere as well stays.
func TestWhatIsStoredAlreadyIsTakenBack(t *testing.T) {
	w := newWorld(t)
	w.say(in(alice, "t0"), "I have a cat.")
	w.consolidate(t, in(alice, "t0"))
	w.say(alice, "I live in Oslo, and I have a cat.")
	w.consolidate(t, alice)
	w.listener.find = found(nil, about(memory.ActionDoNotSave, 1, "Don't save that."))
	w.say(alice, "Don't save that.")
	w.consolidate(t, alice)
	statuses := map[memory.Key]memory.Status{}
	for _, m := range w.store.list(alice.Scope()) {
		if m.Key != "" {
			statuses[m.Key] = m.Status
		}
	}
	if statuses["user.city"] != memory.StatusDeleted || statuses["user.pets"] != memory.StatusCurrent {
		t.Errorf("the city is %q and the cat %q, want only the city deleted", statuses["user.city"], statuses["user.pets"])
	}
}

func TestMoreStatementsThanADecisionTakesAreRefused(t *testing.T) {
	w := newWorld(t)
	var all []memory.Candidate
	for range 130 {
		all = append(all, lives(1, "Oslo", "I live in Oslo."))
	}
	w.listener.find = found(all)
	w.say(alice, "I live in Oslo.")
	w.consolidate(t, alice)
	if got, want := w.sets(t, alice.Scope())[0].Rejections, []ledger.Rejection{{Reason: "too_many_statements", Count: 30}}; !slices.Equal(got, want) {
		t.Errorf("rejections %+v, want %+v", got, want)
	}
}

// TestSecretsAreCutOutBeforeTheExtractor: what a backend publishes past the edge.
func TestSecretsAreCutOutBeforeTheExtractor(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "My key is sk-proj-AbCdEf0123456789AbCdEf0123456789 and I live in Oslo.", "ok", "> I live in Rome\n\n我住在杭州")
	w.consolidate(t, alice)
	for i, want := range []string{"My key is [redacted:api_key] and I live in Oslo.", "ok", "我住在杭州"} {
		if got := w.listener.shown[0][i].Content; got != want {
			t.Errorf("message %d is shown as %q, want %q", i+1, got, want)
		}
	}
}

func TestAThreadInWhichTheUserSaysNothingCostsNoExtraction(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "", "You live in Oslo.", "")
	w.consolidate(t, alice)
	if len(w.listener.shown) != 0 {
		t.Error("the extractor was asked")
	}
	if got, want := total(w.sets(t, alice.Scope())), (ledger.Counts{Messages: 3, Nothing: 3}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
}

func TestAPermanentFailureKeepsItsClass(t *testing.T) {
	w := newWorld(t)
	w.say(alice, "I live in Oslo.")
	w.failures["extract"] = fault.Permanent(errors.New("the model refuses"))
	if err := w.Thread(t.Context(), alice); !fault.IsPermanent(err) {
		t.Errorf("Thread = %v, want it permanent", err)
	}
}

// TestWhatStandsBehindARequestToForgetIsSaidAnew: within a message its order counts.
func TestWhatStandsBehindARequestToForgetIsSaidAnew(t *testing.T) {
	for content, want := range map[string][]string{
		"Please forget where I live. I live in Bergen now.":                              {"Bergen"},
		"I live in Bergen now. Please forget where I live.":                              nil,
		"Please forget where I live. I live in Bergen now. Oh, and forget where I work.": nil,
		"忘掉我住在哪里。我现在住在杭州。":                                                               {"杭州"},
		"我现在住在杭州。忘掉我住在哪里。":                                                               nil,
	} {
		w := newWorld(t)
		w.say(alice, "I live in Oslo.")
		w.consolidate(t, alice)
		w.say(alice, content)
		w.consolidate(t, alice)
		if got := w.current(alice.Scope(), "user.city"); !slices.Equal(got, want) {
			t.Errorf("after %q the city is %q, want %q", content, got, want)
		}
	}
}

// TestARequestPointsAtWhatWasSaidBeforeIt: in its message, and by the assistant.
func TestARequestPointsAtWhatWasSaidBeforeIt(t *testing.T) {
	for content, want := range map[string][]string{
		"Please don't bring that up again.":                             {"I am training for a marathon"},
		"Please don't bring that up again. I have a cat.":               {"I am training for a marathon"},
		"I have a cat, but please don't bring that up again.":           {"I am training for a marathon", "I have a cat"},
		"I have a cat. Please don't bring it up again. I live in Oslo.": {"I am training for a marathon", "I have a cat"},
	} {
		w := newWorld(t)
		w.say(in(alice, "t0"), "I am training for a marathon.", "", "I live in Oslo.")
		w.consolidate(t, in(alice, "t0"))
		w.put(alice, encode(turn(alice, "asks", monday.Add(time.Hour), "Hello.", "How is your marathon training going?", content)))
		w.consolidate(t, alice)
		var hidden []string
		for _, m := range w.store.list(alice.Scope()) {
			if m.SuppressedBy != "" {
				hidden = append(hidden, m.Text)
			}
		}
		slices.Sort(hidden)
		if !slices.Equal(hidden, want) {
			t.Errorf("after %q hidden are %q, want %q", content, hidden, want)
		}
	}
}
