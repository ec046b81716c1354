package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// HeaderLedgerSeq is the sequence of the change set that left a question in this state.
const HeaderLedgerSeq = "Mnemond-Ledger-Seq"

// ClosedQuestionTTL is how long a closed question can be read.
const ClosedQuestionTTL = 7 * 24 * time.Hour

// Questions is the questions in the bucket mem_questions, a projection of the ledger. A
// question has the key "<tenant>.<owner>.<id>", each a token, and is stored anew, as JSON,
// whenever a decision changes it; the last time with the status closed.
//
// Backends read them without mnemond's help. Who wants to show what is open watches the
// bucket. Who must miss none has a durable consumer on the bucket's stream, with a filter
// for its tenant: it hears of every question, at the latest as it is now, across restarts
// of either side. See the example.
type Questions struct{ source }

// NewQuestions is the questions in the bucket mem_questions.
func NewQuestions(js jetstream.JetStream) *Questions {
	return &Questions{source{js: js, name: bucketStream(BucketQuestions)}}
}

// QuestionSubject is where a question is stored: $KV.mem_questions.<tenant>.<owner>.<id>.
func QuestionSubject(s memory.Scope, id memory.ID) string {
	return bucketPrefix(BucketQuestions) + scopeTokens(s) + "." + Token(string(id))
}

// Put stores a question as the change set at seq left it. A state that is not newer than
// what is stored changes nothing. The state that it replaces is overwritten on disk, since
// it holds the user's words; until then both are there, so that there is never none.
func (q *Questions) Put(ctx context.Context, question memory.Question, seq uint64) error {
	m, err := questionMsg(question, seq)
	if err != nil {
		return fault.Permanent(err)
	}
	err = persist(ctx, Patience, func(ctx context.Context) error { return q.replace(ctx, m, seq) })
	if err != nil {
		return fmt.Errorf("store question %s: %w", question.ID, err)
	}
	return nil
}

func questionMsg(question memory.Question, seq uint64) (*nats.Msg, error) {
	if err := question.Scope.Validate(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(question)
	if err != nil {
		return nil, fmt.Errorf("encode question %s: %w", question.ID, err)
	}
	m := nats.NewMsg(QuestionSubject(question.Scope, question.ID))
	m.Data = data
	m.Header.Set(HeaderLedgerSeq, strconv.FormatUint(seq, 10))
	return m, nil
}

// replace publishes m over an older state and overwrites that.
func (q *Questions) replace(ctx context.Context, m *nats.Msg, seq uint64) error {
	for {
		last, err := q.last(ctx, m.Subject)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		// Whoever stored the last one may have died before its predecessor was overwritten;
		// a third would drive that out, and leave its bytes.
		if err := q.overwriteBefore(ctx, m.Subject, last.seq); err != nil {
			return err
		}
		if err == nil && ledgerSeq(last) >= seq {
			return nil
		}
		ack, err := q.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(last.seq))
		if err == nil {
			return q.overwriteBefore(ctx, m.Subject, ack.Sequence)
		}
		if err := classify(ctx, err); !errors.Is(err, ErrConflict) {
			return err
		}
	}
}

// overwriteBefore overwrites the states of a question before the one at seq.
func (q *Questions) overwriteBefore(ctx context.Context, subject string, seq uint64) error {
	for {
		m, err := q.next(ctx, subject, 1)
		if errors.Is(err, ErrNotFound) || err == nil && m.seq >= seq {
			return nil
		}
		if err == nil {
			err = q.overwrite(ctx, m.seq)
		}
		if err != nil {
			return err
		}
	}
}

// ledgerSeq is the change set that a stored state is of; 0 when it does not say.
func ledgerSeq(m message) uint64 {
	seq, err := strconv.ParseUint(m.header.Get(HeaderLedgerSeq), 10, 64)
	if err != nil {
		return 0
	}
	return seq
}

// Get returns a question, open, or closed at most ClosedQuestionTTL ago; ok is false when
// there is none.
func (q *Questions) Get(ctx context.Context, s memory.Scope, id memory.ID) (question memory.Question, ok bool, err error) {
	if err := s.Validate(); err != nil {
		return question, false, err
	}
	m, err := q.last(ctx, QuestionSubject(s, id))
	if errors.Is(err, ErrNotFound) {
		return question, false, nil
	}
	if err == nil {
		question, err = decodeQuestion(m)
	}
	if err != nil {
		return question, false, fmt.Errorf("read question %s: %w", id, err)
	}
	return question, true, nil
}

// List returns the owner's open questions, oldest first.
func (q *Questions) List(ctx context.Context, s memory.Scope) ([]memory.Question, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	latest := map[memory.ID]memory.Question{}
	err := q.read(ctx, bucketPrefix(BucketQuestions)+scopeTokens(s)+".*", 0, everything, func(m message) error {
		question, err := decodeQuestion(m)
		latest[question.ID] = question
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list questions: %w", err)
	}
	var open []memory.Question
	for _, question := range latest {
		if question.Status == memory.QuestionOpen {
			open = append(open, question)
		}
	}
	slices.SortFunc(open, func(a, b memory.Question) int {
		return cmp.Or(a.OpenedAt.Compare(b.OpenedAt), cmp.Compare(a.ID, b.ID))
	})
	return open, nil
}

// Expire deletes the questions that were closed more than ClosedQuestionTTL before now,
// overwriting their bytes, and returns how many there were. The server's own expiry would
// leave the user's words on disk.
func (q *Questions) Expire(ctx context.Context, now time.Time) (int, error) {
	expired := 0
	err := q.read(ctx, bucketPrefix(BucketQuestions)+">", 0, everything, func(m message) error {
		question, err := decodeQuestion(m)
		if err != nil {
			return err
		}
		if question.Status != memory.QuestionClosed || question.ClosedAt.Add(ClosedQuestionTTL).After(now) {
			return nil
		}
		expired++
		return q.overwrite(ctx, m.seq)
	})
	if err != nil {
		return expired, fmt.Errorf("expire questions: %w", err)
	}
	return expired, nil
}

// EraseOwner deletes the owner's questions that change sets up to upTo have written,
// overwriting their bytes, and returns how many there were. A projector that finds its
// change set erased takes back with it what it has written late.
func (q *Questions) EraseOwner(ctx context.Context, s memory.Scope, upTo uint64) (int, error) {
	if err := s.Validate(); err != nil {
		return 0, err
	}
	n, err := questionsHolding.each(ctx, &q.source, s, Horizon{Ledger: upTo}, func(m message) error { return q.overwrite(ctx, m.seq) })
	if err != nil {
		return n, fmt.Errorf("erase questions: %w", err)
	}
	return n, nil
}

func decodeQuestion(m message) (memory.Question, error) {
	var question memory.Question
	if err := json.Unmarshal(m.data, &question); err != nil {
		return question, fault.Permanent(fmt.Errorf("decode question at %d: %w", m.seq, err))
	}
	return question, nil
}
