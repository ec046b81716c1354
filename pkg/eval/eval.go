package eval

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/consolidate"
)

// Options say what is measured. Config and Logger are required.
type Options struct {
	// Name says which extractor it is, in the report.
	Name string
	// Config is the installation's; where its backends are does not matter.
	Config app.Config
	// Extractor takes the place of the one that Config names. Default: that one.
	Extractor consolidate.Extractor
	// Usage is what the extractor has used so far. Default: what the models of the
	// configuration have cost.
	Usage func() Usage
	// Limit bounds the users of the set, from its first on; 0 is all.
	Limit  int
	Logger *slog.Logger
}

// Run has the users' conversations consolidated one user after the other, and compares. What
// an extractor that uses no model is given and does is the same in each run; so is the report.
func Run(ctx context.Context, s *Set, o Options) (_ *Report, err error) {
	r := &Report{
		Set: s.Name, Extractor: o.Name,
		CorpusSHA256: s.CorpusSHA256, QueriesSHA256: s.QueriesSHA256, MemoriesSHA256: s.MemoriesSHA256,
	}
	in, err := open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("start installation: %w", err)
	}
	defer func() { err = errors.Join(err, in.close()) }()
	users := s.Users
	if o.Limit > 0 {
		users = users[:min(o.Limit, len(users))]
	}
	for i := range users {
		who, err := people(&users[i], s.Gold[users[i].ID])
		if err != nil {
			return nil, err
		}
		for j := range who {
			records, err := in.remember(ctx, &who[j])
			if err != nil {
				return nil, fmt.Errorf("consolidate: %w", err)
			}
			compare(&who[j], remembered(records)).addTo(r)
			r.count(records)
		}
	}
	r.Refused, r.Usage = in.refused, in.usage
	if o.Usage != nil {
		r.Usage = o.Usage()
	}
	return r, nil
}
