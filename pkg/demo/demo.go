// Package demo plays conversations over simulated months through a whole embedded stack
// and tells what memory made of them and why. It shows; it decides nothing.
package demo

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/guard"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
	"github.com/mnemond/mnemond/pkg/sim"
)

//go:embed conversations
var bundled embed.FS

// Line is one message of a conversation.
type Line struct {
	At      time.Time     `json:"at"`
	User    memory.User   `json:"user"`
	Thread  memory.Thread `json:"thread"`
	Role    memory.Role   `json:"role"`
	Content string        `json:"content"`
}

// Question is asked after the conversations.
type Question struct {
	At    time.Time
	User  memory.User
	Query string
}

// Script is what a demo plays.
type Script struct {
	Lines     []Line
	Questions []Question
}

// Bundled is the script in both languages that comes with the program.
func Bundled() (Script, error) {
	var s Script
	for _, name := range []string{"en.jsonl", "zh.jsonl"} {
		raw, err := bundled.ReadFile("conversations/" + name)
		if err != nil {
			return s, fmt.Errorf("bundled conversation: %w", err)
		}
		lines, err := Parse(bytes.NewReader(raw))
		if err != nil {
			return s, fmt.Errorf("bundled conversation %s: %w", name, err)
		}
		s.Lines = append(s.Lines, lines...)
	}
	march := time.Date(2026, 3, 9, 2, 0, 0, 0, time.UTC)
	june := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	s.Questions = []Question{
		{march, "alex", "what trips are on my schedule?"},
		{march, "小岚", "我最近有什么出差安排？"},
		{june, "alex", "where do I live, and what do I do for work?"},
		{june, "alex", "any food allergies before I order dinner?"},
		{june, "alex", "what should I buy for my pet?"},
		{june, "sam", "where do I live, any allergies?"},
		{june, "alex", "what trips are on my schedule?"},
		{june, "小岚", "我住在哪个城市？"},
		{june, "小岚", "给我的宠物买点什么？"},
		{june, "小岚", "点菜要注意什么，我有什么过敏？"},
		{june, "阿杰", "我住在哪里？"},
	}
	return s, nil
}

// maxLine bounds a line of a conversation file.
const maxLine = 1 << 20

// Parse reads one JSON object a line, strictly; an error names the line and, where one is at
// fault, the field.
func Parse(r io.Reader) ([]Line, error) {
	var out []Line
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	n := 1
	for ; sc.Scan(); n++ {
		raw := bytes.TrimSpace(sc.Bytes())
		if len(raw) == 0 {
			continue
		}
		l, err := parseLine(raw)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, l)
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	if len(out) == 0 {
		return nil, errors.New("no line in the conversation")
	}
	return out, nil
}

func parseLine(raw []byte) (Line, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var l Line
	if err := dec.Decode(&l); err != nil {
		return l, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return l, errors.New("more than one JSON value")
	}
	switch {
	case l.At.IsZero():
		return l, errors.New("at: is required")
	case l.User == "":
		return l, errors.New("user: is required")
	case l.Content == "":
		return l, errors.New("content: is required")
	}
	if l.Thread == "" {
		l.Thread = "main"
	}
	if l.Role == "" {
		l.Role = memory.RoleUser
	}
	return l, l.check()
}

// check reports why the line cannot become an event.
func (l Line) check() error {
	e, err := turnEvent("check", []Line{l})
	if err != nil {
		return err
	}
	e.Time = time.Time{} // it is the message's
	raw, err := e.Encode()
	if err != nil {
		return err
	}
	_, err = event.Decode(raw)
	var bad *event.Error
	if errors.As(err, &bad) {
		return &event.Error{Field: strings.TrimPrefix(bad.Field, "data.messages.0."), Reason: bad.Reason}
	}
	return err
}

// turnEvent is an exchange as an agent's backend would send it.
func turnEvent(id string, lines []Line) (event.Event, error) {
	last := lines[len(lines)-1]
	e := event.Event{
		SpecVersion: "1.0", ID: id, Source: "/demo", Type: event.TypeTurn,
		Time: last.At, User: last.User, Thread: last.Thread,
	}
	var turn event.Turn
	for _, l := range lines {
		turn.Messages = append(turn.Messages, event.Message{Role: l.Role, Content: l.Content, At: l.At})
	}
	return e, e.SetTurn(turn)
}

// Summary is what a demo did, as one object.
type Summary struct {
	Messages ledger.Counts `json:"messages"`
	// Redacted counts the secrets that were cut out of messages before anything was stored.
	Redacted int                      `json:"redacted"`
	Changes  map[ledger.Op]int        `json:"changes"`
	Memories map[memory.User][]string `json:"memories"`
	Recalls  []Recalled               `json:"recalls"`
}

// Recalled is a question and what was handed out for it.
type Recalled struct {
	At       time.Time   `json:"at"`
	User     memory.User `json:"user"`
	Query    string      `json:"query"`
	Memories []string    `json:"memories"`
}

// player plays a script on a simulation.
type player struct {
	sim     *sim.Sim
	tell    *teller
	summary Summary
	// told is the last change set of each owner that has been told.
	told map[memory.Scope]uint64
	// order of users as they first spoke.
	users  []memory.User
	events int
}

// Play plays the script and tells about it on w.
func Play(ctx context.Context, w io.Writer, s Script) (_ Summary, err error) {
	lines := slices.Clone(s.Lines)
	slices.SortStableFunc(lines, func(a, b Line) int { return a.At.Compare(b.At) })
	simulation, err := sim.Start(ctx, sim.Options{Start: start(lines)})
	if err != nil {
		return Summary{}, err
	}
	defer func() { err = errors.Join(err, simulation.Close()) }()
	p := &player{
		sim: simulation, tell: &teller{w: w}, told: map[memory.Scope]uint64{},
		summary: Summary{Changes: map[ledger.Op]int{}, Memories: map[memory.User][]string{}, Recalls: []Recalled{}},
	}
	questions := slices.Clone(s.Questions)
	p.tell.title("What was said, and what memory made of it")
	for _, turn := range turns(lines) {
		if questions, err = p.ask(ctx, questions, turn[0].At); err != nil {
			return p.summary, err
		}
		if err := p.turn(ctx, turn); err != nil {
			return p.summary, err
		}
	}
	p.tell.title("What an agent gets to hear")
	if _, err = p.ask(ctx, questions, time.Time{}); err != nil {
		return p.summary, err
	}
	return p.summary, errors.Join(p.close(ctx), p.tell.err)
}

// start is when the first line is said.
func start(lines []Line) time.Time {
	if len(lines) == 0 {
		return time.Time{}
	}
	return lines[0].At
}

// Bounds of an exchange, below those of an event.
const (
	maxTurnLines = 50
	maxTurnBytes = 100 << 10
)

// turns groups lines that belong to one exchange: the same user and thread, not an hour
// apart, and not too many for one event.
func turns(lines []Line) [][]Line {
	var out [][]Line
	size := 0
	for _, l := range lines {
		size += len(l.Content)
		if n := len(out); n > 0 {
			last := out[n-1][len(out[n-1])-1]
			if last.User == l.User && last.Thread == l.Thread && l.At.Sub(last.At) < time.Hour &&
				len(out[n-1]) < maxTurnLines && size <= maxTurnBytes {
				out[n-1] = append(out[n-1], l)
				continue
			}
		}
		out, size = append(out, []Line{l}), len(l.Content)
	}
	return out
}

// turn publishes an exchange, waits until it is consolidated and tells what changed.
func (p *player) turn(ctx context.Context, lines []Line) error {
	last := lines[len(lines)-1]
	if !slices.Contains(p.users, last.User) {
		p.users = append(p.users, last.User)
	}
	p.events++
	e, err := turnEvent(fmt.Sprintf("demo-%d", p.events), lines)
	if err != nil {
		return err
	}
	for _, l := range lines {
		p.said(l)
	}
	p.sim.Clock.Advance(last.At)
	seq, err := p.sim.Publish(ctx, e)
	if err != nil {
		return err
	}
	if err := p.sim.Settle(ctx, e.Ref(), seq); err != nil {
		return err
	}
	return p.news(ctx, e.Ref().Scope())
}

// said tells a message as it is stored, and what the edge cuts out of it.
func (p *player) said(l Line) {
	clean, findings := guard.Redact(l.Content)
	l.Content = clean
	p.tell.said(l)
	n := 0
	for _, f := range findings {
		n += f.Count
	}
	if n > 0 {
		p.summary.Redacted += n
		p.tell.redacted(n)
	}
}

// news tells the owner's change sets since the last time.
func (p *player) news(ctx context.Context, scope memory.Scope) error {
	records, err := p.sim.Stack.Recall.Records(ctx, scope)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.Seq <= p.told[scope] {
			continue
		}
		p.told[scope] = r.Seq
		if r.Checkpoint != nil {
			p.summary.Messages = p.summary.Messages.Add(r.Checkpoint.Counts)
		}
		for _, c := range r.Changes {
			p.summary.Changes[c.Op]++
			p.tell.change(c)
		}
		p.tell.ignored(r)
	}
	return nil
}

// ask asks the questions that are due before t, all if t is zero, and returns the rest.
func (p *player) ask(ctx context.Context, questions []Question, t time.Time) ([]Question, error) {
	for len(questions) > 0 && (t.IsZero() || questions[0].At.Before(t)) {
		q := questions[0]
		questions = questions[1:]
		p.sim.Clock.Advance(q.At)
		raw, err := p.sim.Post(ctx, "/v1/recall", recall.Request{User: q.User, Query: q.Query})
		if err != nil {
			return nil, err
		}
		var resp recall.Response
		if err := json.Unmarshal(raw, &resp); err != nil {
			return nil, fmt.Errorf("read answer: %w", err)
		}
		got := Recalled{At: q.At, User: q.User, Query: q.Query, Memories: []string{}}
		for _, m := range resp.Memories {
			got.Memories = append(got.Memories, m.Citation+" "+m.Text)
		}
		p.summary.Recalls = append(p.summary.Recalls, got)
		p.tell.recalled(q, resp)
	}
	return questions, nil
}

// close tells what each user has in memory at the end.
func (p *player) close(ctx context.Context) error {
	p.tell.title("What is remembered in the end")
	for _, u := range p.users {
		all, err := p.sim.Stack.Recall.Memories(ctx, memory.UserScope(memory.DefaultTenant, u))
		if err != nil {
			return err
		}
		out := []string{}
		for _, m := range all {
			if m.Live(p.sim.Clock.Now()) {
				out = append(out, m.Text)
			}
		}
		slices.Sort(out)
		p.summary.Memories[u] = out
		p.tell.remembered(u, out)
	}
	p.tell.counts(p.summary.Messages)
	return nil
}
