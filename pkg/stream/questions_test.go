package stream

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
)

func question(s memory.Scope, id memory.ID, text string, opened time.Time) memory.Question {
	return memory.Question{
		ID: id, Scope: s, Key: "user.city", Status: memory.QuestionOpen, Text: text, OpenedAt: opened,
		Current: memory.Side{Value: "Oslo"}, Rivals: []memory.Side{{Value: "杭州"}}, Options: memory.Decisions,
	}
}

func closed(q memory.Question, at time.Time) memory.Question {
	q.Status, q.ClosedAt, q.Closing = memory.QuestionClosed, at, memory.ClosedByAnswer
	return q
}

func ask(t testing.TB, questions *Questions, q memory.Question, seq uint64) {
	t.Helper()
	if err := questions.Put(testContext(t), q, seq); err != nil {
		t.Fatal(err)
	}
}

func TestQuestionsAreListedOpenAndOldestFirst(t *testing.T) {
	t.Parallel()
	questions := NewQuestions(newJetStream(t, Options{}))
	ctx := testContext(t)
	if open, err := questions.List(ctx, aliceScope); err != nil || len(open) != 0 {
		t.Fatalf("empty = %v, %v", open, err)
	}
	ask(t, questions, question(aliceScope, "q3", "third", noon.Add(time.Hour)), 3)
	ask(t, questions, question(aliceScope, "q1", "first", noon), 4)
	ask(t, questions, question(zhangScope, "q1", "第一", noon), 5)
	ask(t, questions, question(agentScope("acme", "alice"), "q1", "an agent's", noon), 6)
	ask(t, questions, question(aliceScope, "q2", "second", noon), 7)
	ask(t, questions, closed(question(aliceScope, "q4", "fourth", noon), noon), 8)
	var texts []string
	open, err := questions.List(ctx, aliceScope)
	for _, q := range open {
		texts = append(texts, q.Text)
	}
	if err != nil || !slices.Equal(texts, []string{"first", "second", "third"}) {
		t.Errorf("listed %q, %v", texts, err)
	}
	if q, ok, err := questions.Get(ctx, aliceScope, "q4"); err != nil || !ok || q.Status != memory.QuestionClosed {
		t.Errorf("the closed one = %+v, %v, %v", q, ok, err)
	}
	if q, ok, err := questions.Get(ctx, zhangScope, "q1"); err != nil || !ok || q.Text != "第一" || q.Rivals[0].Value != "杭州" {
		t.Errorf("somebody else's of the same id = %+v, %v, %v", q, ok, err)
	}
	if _, ok, err := questions.Get(ctx, zhangScope, "q2"); err != nil || ok {
		t.Errorf("a question of somebody else is there: %v", err)
	}
	if _, err := questions.List(ctx, memory.Scope{}); !errors.Is(err, memory.ErrScope) {
		t.Errorf("zero scope = %v, want ErrScope", err)
	}
}

// TestQuestionsNeverGoBack: whatever comes late, the state of the last change set is kept, and
// nothing else is on disk.
func TestQuestionsNeverGoBack(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	questions := NewQuestions(js)
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		id := memory.ID(fmt.Sprint("q", round))
		var last uint64
		for range rapid.IntRange(1, 6).Draw(rt, "puts") {
			seq := uint64(rapid.IntRange(1, 4).Draw(rt, "seq"))
			ask(t, questions, question(aliceScope, id, fmt.Sprint("as of ", seq), noon), seq)
			last = max(last, seq)
			q, ok, err := questions.Get(testContext(t), aliceScope, id)
			if err != nil || !ok || q.Text != fmt.Sprint("as of ", last) {
				rt.Fatalf("after %d it is %q, %v, %v, want the state of %d", seq, q.Text, ok, err, last)
			}
		}
		st, err := js.Stream(testContext(t), bucketStream(BucketQuestions))
		if err != nil {
			t.Fatal(err)
		}
		info, err := st.Info(testContext(t), jetstream.WithSubjectFilter(QuestionSubject(aliceScope, id)))
		if err != nil {
			t.Fatal(err)
		}
		if n := info.State.Subjects[QuestionSubject(aliceScope, id)]; n != 1 {
			rt.Fatalf("%d states are stored, want the last one", n)
		}
	})
}

// TestQuestionsReplacedByTheDead: a process died between storing a state and overwriting the
// one before it.
func TestQuestionsReplacedByTheDead(t *testing.T) {
	t.Parallel()
	for name, seq := range map[string]uint64{"put again": 2, "put anew": 3} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			_, js := startServer(t, dir)
			if _, err := NewTopology(Options{}).Ensure(testContext(t), js); err != nil {
				t.Fatal(err)
			}
			questions := NewQuestions(js)
			for i, text := range []string{textMark, "second"} {
				m, err := questionMsg(question(aliceScope, "q1", text, noon), uint64(i+1))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := js.PublishMsg(testContext(t), m); err != nil {
					t.Fatal(err)
				}
			}
			if files := marked(t, dir); len(files) != 1 {
				t.Fatalf("before, %v hold the first state", files)
			}
			ask(t, questions, question(aliceScope, "q1", "anew", noon), seq)
			if files := marked(t, dir); len(files) != 0 {
				t.Errorf("%v still hold the first state", files)
			}
		})
	}
}

func TestClosedQuestionsExpire(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, js := startServer(t, dir)
	ctx := testContext(t)
	if _, err := NewTopology(Options{}).Ensure(ctx, js); err != nil {
		t.Fatal(err)
	}
	questions := NewQuestions(js)
	ask(t, questions, question(aliceScope, "open", "old, but open", noon.Add(-ClosedQuestionTTL)), 1)
	ask(t, questions, closed(question(aliceScope, "old", textMark, noon), noon), 2)
	ask(t, questions, closed(question(zhangScope, "late", "later", noon), noon.Add(time.Minute)), 3)
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{ClosedQuestionTTL - time.Second, 0}, {ClosedQuestionTTL, 1}, {ClosedQuestionTTL, 0}, {ClosedQuestionTTL + time.Minute, 1}} {
		if n, err := questions.Expire(ctx, noon.Add(c.after)); err != nil || n != c.want {
			t.Errorf("after %s, %d expired, %v, want %d", c.after, n, err, c.want)
		}
	}
	if open, err := questions.List(ctx, aliceScope); err != nil || len(open) != 1 {
		t.Errorf("open: %v, %v", open, err)
	}
	if files := marked(t, dir); len(files) != 0 {
		t.Errorf("%v hold an expired question", files)
	}
}

func TestEraseOwnersQuestions(t *testing.T) {
	t.Parallel()
	questions := NewQuestions(newJetStream(t, Options{}))
	ctx := testContext(t)
	ask(t, questions, question(aliceScope, "q1", "first", noon), 1)
	ask(t, questions, closed(question(aliceScope, "q2", "second", noon), noon), 2)
	ask(t, questions, question(aliceScope, "q3", "since the user is back", noon), 4)
	ask(t, questions, question(zhangScope, "q1", "第一", noon), 2)
	for _, want := range []int{2, 0} {
		if n, err := questions.EraseOwner(ctx, aliceScope, 3); err != nil || n != want {
			t.Errorf("erased %d, %v, want %d", n, err, want)
		}
	}
	for s, want := range map[memory.Scope]int{aliceScope: 1, zhangScope: 1} {
		if open, err := questions.List(ctx, s); err != nil || len(open) != want {
			t.Errorf("%+v has %d questions, %v, want %d", s, len(open), err, want)
		}
	}
}

// TestQuestionsAreConsumedDurably has a backend die with a question that it has not
// acknowledged, again and again, while questions are opened, joined and closed: in the end it
// has heard the last of every one.
func TestQuestionsAreConsumedDurably(t *testing.T) {
	t.Parallel()
	js := newJetStream(t, Options{})
	questions := NewQuestions(js)
	ctx := testContext(t)
	const n = 30
	want := map[memory.ID]string{}
	heard := map[memory.ID]string{}
	hear := func(take int, acknowledge bool) {
		c, err := js.CreateOrUpdateConsumer(ctx, bucketStream(BucketQuestions), jetstream.ConsumerConfig{
			Durable: "backend", FilterSubject: "$KV.mem_questions.acme.>", AckPolicy: jetstream.AckExplicitPolicy, AckWait: 100 * time.Millisecond,
		})
		if err != nil {
			t.Fatal(err)
		}
		for range take {
			msg, err := c.Next(jetstream.FetchMaxWait(testWait))
			if err != nil {
				t.Fatal(err)
			}
			if !acknowledge {
				return
			}
			q, err := decodeQuestion(message{data: msg.Data()})
			if err != nil {
				t.Fatal(err)
			}
			heard[q.ID] = q.Text
			if err := msg.DoubleAck(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range n {
		id := memory.ID(fmt.Sprint("q", i%20))
		q := question(aliceScope, id, fmt.Sprint("as of ", i), noon)
		if i%3 == 0 {
			q = closed(q, noon)
		}
		ask(t, questions, q, uint64(i+1))
		want[id] = q.Text
		if i%5 == 0 {
			hear(1, false)
			hear(1, true)
		}
	}
	for len(heard) < len(want) || heard["q9"] != want["q9"] {
		hear(1, true)
	}
	for id, text := range want {
		if heard[id] != text {
			t.Errorf("of %s the backend has heard %q last, want %q", id, heard[id], text)
		}
	}
}
