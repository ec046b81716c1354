package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
)

// Set is a conversation set in memory.
type Set struct {
	// Name is that of its folder.
	Name string
	// CorpusSHA256 and QueriesSHA256 are of the files as they lie in the folder, in hex.
	CorpusSHA256  string
	QueriesSHA256 string
	// Users are in the order of their first turns.
	Users []User
}

// User is one user's turns and what is asked about them, each in the order of its file.
type User struct {
	ID      string
	Turns   []Turn
	Queries []Query
}

// Turn is one message of a conversation.
type Turn struct {
	// ID is unique among the user's turns.
	ID string
	// Session is the conversation that it belongs to.
	Session string
	// Time is when it was said, as free text; it may be empty.
	Time string
	// Role is user, assistant, or the name of who speaks.
	Role string
	Text string
}

// Query is a question about a user's turns.
type Query struct {
	ID       string
	Category string
	Text     string
	// Gold are the ids of the turns that hold the answer. Ids that name no turn are kept.
	Gold []string
	// New and Old are, of a value that was updated, the turns with the current and with the
	// replaced value.
	New, Old []string
	// Abstain says that the conversation holds no answer. In LoCoMo it marks the questions
	// that name the wrong speaker, which have gold turns all the same.
	Abstain bool
}

// Names of the files of a set.
const (
	corpusFile  = "corpus.jsonl.gz"
	queriesFile = "queries.jsonl.gz"
)

// Load reads the set in dir. It is strict: a field that is not known, a turn or a query
// without what it needs, two turns of a user with one id, a query of a user without turns
// are errors that name the file and the line.
func Load(dir string) (*Set, error) {
	s := &Set{Name: filepath.Base(filepath.Clean(dir))}
	users := map[string]int{}
	turns := map[[2]string]bool{}
	var err error
	s.CorpusSHA256, err = ReadLines(filepath.Join(dir, corpusFile), func(line []byte) error {
		var l turnLine
		if err := DecodeStrict(line, &l); err != nil {
			return err
		}
		return s.addTurn(&l, users, turns)
	})
	if err != nil {
		return nil, err
	}
	s.QueriesSHA256, err = ReadLines(filepath.Join(dir, queriesFile), func(line []byte) error {
		var l queryLine
		if err := DecodeStrict(line, &l); err != nil {
			return err
		}
		return s.addQuery(&l, users)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// turnLine is a line of the corpus.
type turnLine struct {
	User    string `json:"user"`
	Session string `json:"sess"`
	Time    string `json:"ts"`
	ID      turnID `json:"id"`
	Role    string `json:"role"`
	Text    string `json:"text"`
}

// queryLine is a line of the queries. What is not measured is named, so that anything else
// is noticed.
type queryLine struct {
	User     string   `json:"user"`
	ID       string   `json:"qid"`
	Category string   `json:"cat"`
	Text     string   `json:"q"`
	Gold     []turnID `json:"gold"`
	New      []turnID `json:"gold_new"`
	Old      []turnID `json:"gold_old"`
	Abstain  bool     `json:"abstain"`

	Answer       json.RawMessage `json:"answer"`
	Rubric       json.RawMessage `json:"rubric"`
	Choices      json.RawMessage `json:"choices"`
	Choice       json.RawMessage `json:"choice"`
	Time         json.RawMessage `json:"ts"`
	AskedIn      json.RawMessage `json:"at_sess"`
	GoldSessions json.RawMessage `json:"gold_sess"`
	GoldTexts    json.RawMessage `json:"gold_text"`
}

// turnID is a string or a whole number.
type turnID string

// UnmarshalJSON reads either form.
func (id *turnID) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*id = turnID(s)
		return nil
	}
	n, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return fmt.Errorf("id %s is neither a string nor a whole number", data)
	}
	*id = turnID(strconv.FormatInt(n, 10))
	return nil
}

func (s *Set) addTurn(l *turnLine, users map[string]int, turns map[[2]string]bool) error {
	switch {
	case l.User == "":
		return errors.New("a turn without a user")
	case l.ID == "":
		return errors.New("a turn without an id")
	case turns[[2]string{l.User, string(l.ID)}]:
		return fmt.Errorf("a second turn %s of %s", l.ID, l.User)
	}
	turns[[2]string{l.User, string(l.ID)}] = true
	at, ok := users[l.User]
	if !ok {
		at = len(s.Users)
		users[l.User] = at
		s.Users = append(s.Users, User{ID: l.User})
	}
	u := &s.Users[at]
	u.Turns = append(u.Turns, Turn{ID: string(l.ID), Session: l.Session, Time: l.Time, Role: l.Role, Text: l.Text})
	return nil
}

func (s *Set) addQuery(l *queryLine, users map[string]int) error {
	at, ok := users[l.User]
	switch {
	case !ok:
		return fmt.Errorf("a query of %q, who has no turns", l.User)
	case l.ID == "":
		return errors.New("a query without an id")
	case l.Text == "":
		return fmt.Errorf("query %s has no text", l.ID)
	}
	u := &s.Users[at]
	u.Queries = append(u.Queries, Query{
		ID: l.ID, Category: l.Category, Text: l.Text, Abstain: l.Abstain,
		Gold: texts(l.Gold), New: texts(l.New), Old: texts(l.Old),
	})
	return nil
}

func texts(ids []turnID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}
