package recall

import (
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Told is what came back about a recall: what the model answered, or what the user thought of
// it. It is kept beside the trace, and never a source of anything.
type Told struct {
	// Recall is the id of the recall, and RecalledAt its time.
	Recall     string       `json:"of_recall"`
	RecalledAt time.Time    `json:"recalled_at"`
	Scope      memory.Scope `json:"scope"`
	// Event is the id of the event that said it: what comes twice is one.
	Event string    `json:"event"`
	At    time.Time `json:"at"`
	// Answer is what the model said, without secrets; Cut that the rest of it was too long.
	Answer string `json:"answer,omitempty"`
	Cut    bool   `json:"cut,omitempty"`
	// Rating is set where it is feedback, on Memory or on all that was handed out.
	Rating event.Rating `json:"rating,omitempty"`
	Memory memory.ID    `json:"memory_id,omitempty"`
}

// Kept is a trace with what was told about it, in the order in which that was stored.
type Kept struct {
	Trace
	Told []Told
}

// answer is the model's last answer; nil when there is none.
func (k *Kept) answer() *Told {
	var last *Told
	for i := range k.Told {
		if k.Told[i].Rating == "" {
			last = &k.Told[i]
		}
	}
	return last
}

// Encode is what was told as JSON.
func (t Told) Encode() ([]byte, error) { return encode(t) }
