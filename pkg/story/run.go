package story

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/sim"
)

// Result is how a story ended: it passed if there are no faults.
type Result struct {
	Name   string        `json:"name"`
	Faults []string      `json:"faults,omitempty"`
	Took   time.Duration `json:"took_ns"`
}

// Run tells the story on a stack of its own, with that extractor. For ExtractorLLM, the model
// is the one of real, unless that is nil or the story needs one that misbehaves: then it is
// scripted. An error is a fault of the story too.
func Run(ctx context.Context, s *Story, extractor string, real *app.Config) Result {
	start := time.Now()
	res := Result{Name: s.Name}
	res.Faults = tell(ctx, s, extractor, real)
	res.Took = time.Since(start)
	return res
}

func tell(ctx context.Context, s *Story, extractor string, real *app.Config) (f faults) {
	o := sim.Options{Model: extractor == ExtractorLLM}
	if o.Model && !s.quirks() {
		o.Real = real
	}
	simulation, err := sim.Start(ctx, o)
	if err != nil {
		return faults{err.Error()}
	}
	defer func() {
		if err := simulation.Close(); err != nil {
			f.addf("close: %v", err)
		}
	}()
	r := &run{sim: simulation, scripted: o.Model && o.Real == nil, seeded: map[memory.Scope][]string{}, shelved: map[memory.Scope][]memory.ID{}}
	if err := r.behave(s.ModelQuirk); err != nil {
		return faults{err.Error()}
	}
	for i := range s.Steps {
		found, err := r.step(ctx, &s.Steps[i])
		if err != nil {
			found.addf("%v", err)
		}
		for _, x := range found {
			f.addf("step %d: %s", i+1, x)
		}
		if err != nil {
			return f // what follows would speak of another story
		}
	}
	return f
}

// run is a story that is being told.
type run struct {
	sim *sim.Sim
	// scripted says that there is a model, and that it says what the story wants.
	scripted bool
	// quirk is how the model behaves now.
	quirk string

	mu     sync.Mutex
	events int
	// recalled is the last recall's answer, for feedback about it.
	recalled []byte
	// recalledOf is whose it was.
	recalledOf memory.Scope
	// traced is the id of a recall of which the trace has been kept.
	traced string
	// seeded are the texts of seeds.
	seeded map[memory.Scope][]string
	// shelved are the documents that were put.
	shelved map[memory.Scope][]memory.ID
	// kept are names, and what replies had for them.
	kept []string
}

var errUnsupported = errors.New("not supported yet")

func (r *run) step(ctx context.Context, s *Step) (faults, error) {
	if name := s.unsupported(); name != "" {
		return nil, fmt.Errorf("%w: %s", errUnsupported, name)
	}
	if s.Expect != nil {
		if name := s.Expect.unsupported(s); name != "" {
			return nil, fmt.Errorf("%w: expectation %s", errUnsupported, name)
		}
	}
	found, err := r.act(ctx, s)
	if s.Expect == nil || s.Expect.Refused == "" {
		return found, err
	}
	if err == nil || !contains(err.Error(), s.Expect.Refused) {
		found.addf("refused: want %q, got %v", s.Expect.Refused, err)
	}
	return found, nil
}

// act takes the step's action.
func (r *run) act(ctx context.Context, s *Step) (faults, error) {
	if err := r.behave(s.ModelQuirk); err != nil {
		return nil, err
	}
	switch {
	case s.Say != nil:
		return nil, r.say(ctx, s)
	case s.Burst != nil:
		return nil, r.burst(ctx, s.Burst)
	case s.Concurrently != nil:
		return r.concurrently(ctx, s.Concurrently)
	case s.Recall != nil:
		return r.recall(ctx, s)
	case s.Rebuild:
		_, err := r.sim.Stack.Rebuild(ctx, nil)
		return nil, err
	case s.Delete != nil, s.Forget != nil, s.Restore != nil, s.Suppress != nil, s.Unsuppress != nil:
		return nil, r.owned(ctx, s)
	case s.Confirm != nil, s.Erase != nil, s.Seed != nil, s.Reap != nil, s.Reconsolidate != nil:
		return r.curate(ctx, s)
	case s.Feedback != nil:
		return nil, r.feedback(ctx, s)
	case s.Looked.any():
		return r.look(ctx, s)
	case s.Request != nil:
		return r.ask(ctx, s)
	case s.Stored.any():
		return r.store(ctx, s)
	case s.ReplayDeadLetters:
		return nil, r.replay(ctx)
	case s.WaitMS > 0:
		return nil, pause(ctx, time.Duration(s.WaitMS)*time.Millisecond)
	case s.Expect != nil:
		return r.expect(ctx, s)
	case s.ModelQuirk != "":
		return nil, nil
	default:
		return nil, errors.New("the step does nothing")
	}
}

// say publishes one turn, as often as the story says, and has it consolidated.
func (r *run) say(ctx context.Context, s *Step) error {
	if err := r.script(s); err != nil {
		return err
	}
	turn := turnOf(s.Say)
	if s.Question != "" {
		var err error
		if turn.QuestionID, err = r.about(ctx, Owner{s.Tenant, s.User}.scope(), s.Question); err != nil {
			return err
		}
	}
	e, err := r.event(s, s.At, turn)
	if err != nil {
		return err
	}
	times := s.PublishAt
	if len(times) == 0 {
		times = []time.Time{later(s.At, s.ProcessAt)}
	}
	for i, at := range times {
		// In a simulation the dedupe window is short, and runs in real time.
		if i > 0 && at.Sub(times[0]) > 2*time.Minute {
			if err := pause(ctx, sim.Duplicates+100*time.Millisecond); err != nil {
				return err
			}
		}
		r.sim.Clock.Advance(at)
		before := r.sim.ModelCalls()
		seq, err := r.sim.Publish(ctx, e)
		if err != nil {
			return err
		}
		if r.quirk == "unavailable" { // it cannot be consolidated
			if err := r.sim.Trigger(ctx, e.Ref()); err != nil {
				return err
			}
			if err := r.sim.Attempted(ctx, before); err != nil {
				return err
			}
			continue
		}
		if err := r.sim.Settle(ctx, e.Ref(), seq); err != nil {
			return err
		}
	}
	return nil
}

// behave has the model behave so from now on, where there is one.
func (r *run) behave(quirk string) error {
	if quirk == "" || !r.scripted {
		return nil
	}
	r.quirk = quirk
	return r.sim.Misbehave(quirk)
}

// script has the model answer the step as the story says, where there is one.
func (r *run) script(s *Step) error {
	if !r.scripted {
		return nil
	}
	return r.sim.Script(s.Model, len(s.Say))
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// event is that of a step, with a turn.
func (r *run) event(s *Step, at time.Time, turn event.Turn) (event.Event, error) {
	r.mu.Lock()
	r.events++
	n := r.events
	r.mu.Unlock()
	e := event.Event{
		SpecVersion: "1.0", ID: s.EventID, Source: "/stories", Type: event.TypeTurn, Time: at,
		Tenant: s.Tenant, User: s.User, Agent: s.Agent, Thread: s.Thread, TimeZone: s.TimeZone,
	}
	if e.ID == "" {
		e.ID = fmt.Sprintf("event-%d", n)
	}
	return e, e.SetTurn(turn)
}

func turnOf(messages []Message) event.Turn {
	var turn event.Turn
	for _, m := range messages {
		turn.Messages = append(turn.Messages, event.Message{Role: m.Role, Content: m.Content, Name: m.Name})
	}
	return turn
}

// burst says many turns in real time; the timers decide when they are consolidated.
func (r *run) burst(ctx context.Context, b *Burst) error {
	r.sim.Clock.Advance(b.At)
	step := &Step{Tenant: b.Tenant, User: b.User, Thread: b.Thread}
	tick := time.NewTicker(time.Duration(max(b.EveryMS, 1)) * time.Millisecond)
	defer tick.Stop()
	for i := 1; i <= b.N+1; i++ {
		content := strings.ReplaceAll(b.Content, "{i}", fmt.Sprint(i))
		if i > b.N {
			content = b.Last
		}
		e, err := r.event(step, b.At, turnOf([]Message{{Role: memory.RoleUser, Content: content}}))
		if err != nil {
			return err
		}
		if _, err := r.sim.Publish(ctx, e); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (r *run) concurrently(ctx context.Context, steps []Step) (faults, error) {
	var mu sync.Mutex
	var all faults
	var errs []error
	var wg sync.WaitGroup
	for i := range steps {
		wg.Go(func() {
			f, err := r.step(ctx, &steps[i])
			mu.Lock()
			defer mu.Unlock()
			all = append(all, f...)
			errs = append(errs, err)
		})
	}
	wg.Wait()
	return all, errors.Join(errs...)
}

// recall asks through the HTTP edge, with the step's fields as they are.
func (r *run) recall(ctx context.Context, s *Step) (faults, error) {
	var body map[string]json.RawMessage
	if err := json.Unmarshal(s.Recall, &body); err != nil {
		return nil, fmt.Errorf("recall: %w", err)
	}
	if raw, ok := body["at"]; ok {
		var at time.Time
		if err := json.Unmarshal(raw, &at); err != nil {
			return nil, fmt.Errorf("recall: at: %w", err)
		}
		r.sim.Clock.Advance(at)
		delete(body, "at")
	}
	raw, err := r.sim.Post(ctx, "/v1/recall", body)
	if err != nil {
		return nil, err
	}
	r.recalled = raw
	var who Owner
	if err := json.Unmarshal(s.Recall, &who); err != nil {
		return nil, fmt.Errorf("recall: %w", err)
	}
	r.recalledOf = who.scope()
	if body["as_of"] == nil { // else it is no use
		if err := r.sim.Used(ctx, who.scope(), raw); err != nil {
			return nil, err
		}
	}
	if s.Expect == nil {
		return nil, nil
	}
	return s.Expect.answer(raw), nil
}

// expectTimeout is for how long an expectation with "eventually" is tried.
const expectTimeout = 20 * time.Second

func (r *run) expect(ctx context.Context, s *Step) (faults, error) {
	r.sim.Clock.Advance(s.At)
	deadline := time.Now().Add(expectTimeout)
	for {
		f, err := r.state(ctx, s.Expect)
		if err != nil || len(f) == 0 || !s.Expect.Eventually || time.Now().After(deadline) {
			return f, err
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return f, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
