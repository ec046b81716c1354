package demo

import (
	"slices"
	"time"

	"github.com/mnemond/mnemond/pkg/curate"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

// Summary is what a demo did, as one object. No list in it is nil.
type Summary struct {
	Messages ledger.Counts `json:"messages"`
	// Redacted counts the secrets that were cut out of messages before anything was stored.
	Redacted int                      `json:"redacted"`
	Changes  map[ledger.Op]int        `json:"changes"`
	Memories map[memory.User][]string `json:"memories"`
	Recalls  []Recalled               `json:"recalls"`
	// Questions are those that were put to users, in the order in which they were opened.
	Questions []Asked `json:"questions"`
	// The lists below hold what happened to memories, in order.
	Expired    []Fate `json:"expired"`
	Archived   []Fate `json:"archived"`
	Returned   []Fate `json:"returned"`
	Suppressed []Fate `json:"suppressed"`
	Lifted     []Fate `json:"lifted"`
	Forgotten  []Fate `json:"forgotten"`
	Purged     []Fate `json:"purged"`
	// Erased are the users who were erased.
	Erased []Erased `json:"erased"`
}

// Recalled is a question and what was handed out for it.
type Recalled struct {
	At       time.Time   `json:"at"`
	User     memory.User `json:"user"`
	Query    string      `json:"query"`
	Archive  bool        `json:"archive,omitempty"`
	Memories []string    `json:"memories"`
	// Offered are the open questions beside the memories, Block what is to be injected.
	Offered []string `json:"offered,omitempty"`
	Block   string   `json:"block,omitempty"`
}

// Asked is a question that was put to a user; what follows OpenedAt is set once it is closed.
type Asked struct {
	ID       memory.ID       `json:"id"`
	User     memory.User     `json:"user"`
	Key      memory.Key      `json:"key"`
	Question string          `json:"question"`
	OpenedAt time.Time       `json:"opened_at"`
	ClosedAt time.Time       `json:"closed_at,omitzero"`
	Closing  memory.Closing  `json:"closing,omitempty"`
	Decision memory.Decision `json:"decision,omitempty"`
	Value    string          `json:"value,omitempty"`
}

// Fate is a memory that something happened to.
type Fate struct {
	At     time.Time   `json:"at"`
	User   memory.User `json:"user"`
	Memory string      `json:"memory"`
}

// Erased is a user who was erased, with the receipt, and what was found of them afterwards.
type Erased struct {
	User    memory.User    `json:"user"`
	Receipt curate.Receipt `json:"receipt"`
	Left    map[string]int `json:"left"`
}

func newSummary() Summary {
	return Summary{
		Changes: map[ledger.Op]int{}, Memories: map[memory.User][]string{}, Recalls: []Recalled{}, Questions: []Asked{},
		Expired: []Fate{}, Archived: []Fate{}, Returned: []Fate{}, Suppressed: []Fate{}, Lifted: []Fate{},
		Forgotten: []Fate{}, Purged: []Fate{}, Erased: []Erased{},
	}
}

// recalled notes a question and its answer.
func (s *Summary) recalled(q Question, resp recall.Response) {
	got := Recalled{At: q.At, User: q.User, Query: q.Query, Archive: q.Archive, Memories: []string{}, Block: resp.Prompt}
	for _, m := range resp.Memories {
		got.Memories = append(got.Memories, m.Citation+" "+m.Text)
	}
	for _, open := range resp.Questions {
		got.Offered = append(got.Offered, open.Text)
	}
	s.Recalls = append(s.Recalls, got)
}

// changed notes a change, and the memory that it is about.
func (s *Summary) changed(at time.Time, c *ledger.Change, what string) {
	f := Fate{At: at, User: memory.User(c.Memory.Scope.Owner.ID), Memory: what}
	switch c.Op {
	case ledger.OpExpire:
		s.Expired = append(s.Expired, f)
	case ledger.OpArchive:
		s.Archived = append(s.Archived, f)
	case ledger.OpReturn:
		s.Returned = append(s.Returned, f)
	case ledger.OpSuppress:
		s.Suppressed = append(s.Suppressed, f)
	case ledger.OpUnsuppress:
		s.Lifted = append(s.Lifted, f)
	case ledger.OpDelete:
		s.Forgotten = append(s.Forgotten, f)
	case ledger.OpPurge:
		s.Purged = append(s.Purged, f)
	}
}

// question notes a question as it is now.
func (s *Summary) question(q *memory.Question) {
	now := Asked{
		ID: q.ID, User: memory.User(q.Scope.Owner.ID), Key: q.Key, Question: q.Text, OpenedAt: q.OpenedAt,
		ClosedAt: q.ClosedAt, Closing: q.Closing, Decision: q.Decision, Value: q.Value,
	}
	if i := slices.IndexFunc(s.Questions, func(a Asked) bool { return a.ID == q.ID }); i >= 0 {
		s.Questions[i] = now
	} else {
		s.Questions = append(s.Questions, now)
	}
}

// waiting is how many questions to the user are open.
func (s *Summary) waiting(u memory.User) int {
	n := 0
	for _, q := range s.Questions {
		if q.User == u && q.ClosedAt.IsZero() {
			n++
		}
	}
	return n
}
