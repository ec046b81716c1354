package recall

import (
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/rank"
)

// Trace is what a recall was asked and what it handed out.
type Trace struct {
	ID     string        `json:"id"`
	Scope  memory.Scope  `json:"scope"`
	Thread memory.Thread `json:"thread,omitempty"`
	At     time.Time     `json:"at"`
	Query  string        `json:"query"`
	Hits   []TraceHit    `json:"hits"`
	Prompt string        `json:"prompt"`
}

// TraceHit is one memory that was handed out.
type TraceHit struct {
	ID    memory.ID   `json:"id"`
	Tier  memory.Tier `json:"tier"`
	Score rank.Score  `json:"score"`
}

func trace(now time.Time, scope memory.Scope, r *Request, out *Response) Trace {
	t := Trace{
		ID: out.RecallID, Scope: scope, Thread: r.Thread, At: now.UTC(), Query: r.Query,
		Hits: make([]TraceHit, len(out.Memories)), Prompt: out.Prompt,
	}
	for i, m := range out.Memories {
		t.Hits[i] = TraceHit{ID: m.ID, Tier: m.Tier, Score: m.Score}
	}
	return t
}
