package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mnemond/mnemond/pkg/llm/llmtest"
)

// errNoModel means that the simulation extracts by rules.
var errNoModel = errors.New("the simulation has no model")

// Script has the model answer a step of n messages with what a story says, as a good model
// would put it; nothing (nil) has it answer what the rules find.
func (s *Sim) Script(raw []byte, n int) error {
	if s.model == nil {
		return errNoModel
	}
	if raw == nil {
		s.model.SetScript(nil)
		return nil
	}
	m, err := llmtest.ParseModel(raw)
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	s.model.SetScript(m.Says(n))
	return nil
}

// Misbehave gives the model a quirk of stories, until it is given another.
func (s *Sim) Misbehave(quirk string) error {
	if s.model == nil {
		return errNoModel
	}
	switch q := llmtest.Quirk(quirk); q {
	case llmtest.QuirkNone, llmtest.QuirkUnavailable, llmtest.QuirkFencedJSON, llmtest.QuirkProseOnly, llmtest.QuirkHallucinates:
		s.model.SetQuirk(q)
		return nil
	}
	return fmt.Errorf("unknown quirk %q", quirk)
}

// ModelCalls is how often the model was asked, refused calls included; 0 without one.
func (s *Sim) ModelCalls() int {
	if s.model == nil {
		return 0
	}
	return s.model.Calls()
}

// Attempted waits until the model has been asked more often than before.
func (s *Sim) Attempted(ctx context.Context, before int) error {
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for s.ModelCalls() <= before {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the model was not asked within %s", settleTimeout)
		}
	}
	return nil
}
