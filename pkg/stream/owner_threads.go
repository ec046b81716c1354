package stream

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/memory"
)

// OwnerThreads lists the threads of the user that have events in the log, in order. There are
// none of an agent or a tenant. It reads one user's subjects, and no others.
func (e *Events) OwnerThreads(ctx context.Context, s memory.Scope) ([]memory.ThreadRef, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Owner.Kind != memory.OwnerUser {
		return nil, nil
	}
	st, err := e.stream(ctx)
	if err != nil {
		return nil, err
	}
	info, err := st.Info(ctx, jetstream.WithSubjectFilter(ofUser(eventPrefix, ".>")(s)))
	if err != nil {
		return nil, fmt.Errorf("list threads of owner: %w", classify(ctx, err))
	}
	var out []memory.ThreadRef
	for subject := range info.State.Subjects {
		// One that names no thread is parked by the scheduler.
		if r, err := ParseThreadSubject(subject); err == nil {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b memory.ThreadRef) int { return strings.Compare(string(a.Thread), string(b.Thread)) })
	return out, nil
}
