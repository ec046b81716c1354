package bench

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
)

// turnsNamespace is where turns are stored as documents.
const turnsNamespace = "turns"

// turnValue is a turn as a document. Its time is free text: it belongs to the text.
type turnValue struct {
	Time string `json:"time,omitempty"`
	Text string `json:"text"`
}

// Documents are the turns of a pool as documents of one owner, in the order in which they were
// said and put, one a second from a time on. The key of a document is the place of its turn
// in the pool (Place).
func (p *Pool) Documents(s memory.Scope, from time.Time) ([]document.Document, error) {
	out := make([]document.Document, len(p.Turns))
	places := map[memory.Thread]int64{}
	for i := range p.Turns {
		t := &p.Turns[i]
		value, err := json.Marshal(turnValue{t.Time, t.Text})
		if err != nil {
			return nil, fmt.Errorf("turn %s: %w", t.ID, err)
		}
		thread := memory.Thread(strconv.Itoa(p.Owners[i]) + "/" + t.Session)
		put := from.Add(time.Duration(i) * time.Second)
		out[i] = document.Document{
			Scope: s, Namespace: []string{turnsNamespace}, Key: strconv.Itoa(i), Value: value, CreatedAt: put, UpdatedAt: put,
			Source: document.Source{Thread: thread, Place: places[thread], Speaker: t.Role, Assistant: t.Role == string(memory.RoleAssistant)},
		}
		out[i].ID = document.Identity(s, out[i].Namespace, out[i].Key)
		places[thread]++
	}
	return out, nil
}

// Place is the place in its pool of the turn that a document of Documents is.
func Place(d *document.Document) (int, error) {
	at, err := strconv.Atoi(d.Key)
	if err != nil {
		return 0, fmt.Errorf("document %q is no turn: %w", d.Key, err)
	}
	return at, nil
}

// tokens is what a turn costs when it is handed out, with its time and who said it.
func (t *Turn) tokens() int { return event.Tokens(t.Time + " " + t.Role + ": " + t.Text) }
