package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/mnemond/mnemond/pkg/memory"
)

// consumersPlace is the consumers of the readable streams whose filters name the scope. The
// server keeps a consumer's filters in a file; consumers in memory are left alone.
func consumersPlace(js jetstream.JetStream, rows []holding) *Place {
	return &Place{
		name: PlaceConsumers,
		erase: func(ctx context.Context, s memory.Scope, h Horizon) (int, error) {
			return eachConsumer(ctx, js, rows, s, h, func(c *jetstream.ConsumerInfo, rest []string) error {
				return unname(ctx, js, c, rest)
			})
		},
		count: func(ctx context.Context, s memory.Scope, h Horizon) (int, error) {
			return eachConsumer(ctx, js, rows, s, h, func(*jetstream.ConsumerInfo, []string) error { return nil })
		},
	}
}

// eachConsumer calls fn for every consumer with a filter that names the scope, with its
// other filters, and counts them.
func eachConsumer(ctx context.Context, js jetstream.JetStream, rows []holding, s memory.Scope, h Horizon,
	fn func(c *jetstream.ConsumerInfo, rest []string) error) (n int, err error) {
	for _, row := range rows {
		if !row.readable || row.subject(s) == "" {
			continue
		}
		all, err := listConsumers(ctx, js, row.stream)
		if err != nil {
			return n, err
		}
		for _, c := range all {
			filters := slices.Clone(c.Config.FilterSubjects)
			if c.Config.FilterSubject != "" {
				filters = append(filters, c.Config.FilterSubject)
			}
			named := len(filters)
			rest := slices.DeleteFunc(filters, func(f string) bool { return covers(row.subject(s), f) })
			if len(rest) == named || c.Config.MemoryStorage || !h.At.IsZero() && c.Created.After(h.At) {
				continue
			}
			if err := fn(c, rest); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

func listConsumers(ctx context.Context, js jetstream.JetStream, stream string) ([]*jetstream.ConsumerInfo, error) {
	st, err := js.Stream(ctx, stream)
	if err != nil {
		return nil, fmt.Errorf("open stream %s: %w", stream, classify(ctx, err))
	}
	lister := st.ListConsumers(ctx)
	var all []*jetstream.ConsumerInfo
	for c := range lister.Info() {
		all = append(all, c)
	}
	if err := lister.Err(); err != nil {
		return nil, fmt.Errorf("list consumers of %s: %w", stream, classify(ctx, err))
	}
	return all, nil
}

// unname leaves a consumer the rest of its filters, and deletes one that has none.
func unname(ctx context.Context, js jetstream.JetStream, c *jetstream.ConsumerInfo, rest []string) error {
	if len(rest) == 0 {
		err := js.DeleteConsumer(ctx, c.Stream, c.Name)
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			return nil
		}
		return classify(ctx, err)
	}
	config := c.Config
	config.FilterSubject, config.FilterSubjects = "", rest
	_, err := js.UpdateConsumer(ctx, c.Stream, config)
	return classify(ctx, err)
}
