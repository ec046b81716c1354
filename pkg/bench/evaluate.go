package bench

import (
	"context"
	"fmt"
	"slices"
)

// Pool is what a query is asked of: the turns of one user, or of several.
type Pool struct {
	Users []*User
	// Turns are those of the users, one user after the other.
	Turns []Turn
	// Owners[i] is the place in Users of who turn i belongs to.
	Owners []int
	places map[[2]string]int
}

// Halves are every other pool, from the first on and from the second on: weights that are
// chosen on one half are to be reported on the other.
func Halves(pools []*Pool) (first, second []*Pool) {
	for i, p := range pools {
		if i%2 == 0 {
			first = append(first, p)
		} else {
			second = append(second, p)
		}
	}
	return first, second
}

// Pools puts every size consecutive users of the set together; the last pool may hold fewer.
func (s *Set) Pools(size int) []*Pool {
	var out []*Pool
	for chunk := range slices.Chunk(s.Users, max(size, 1)) {
		p := &Pool{places: map[[2]string]int{}}
		for i := range chunk {
			u := &chunk[i]
			p.Users = append(p.Users, u)
			for _, t := range u.Turns {
				p.places[[2]string{u.ID, t.ID}] = len(p.Turns)
				p.Turns = append(p.Turns, t)
				p.Owners = append(p.Owners, i)
			}
		}
		out = append(out, p)
	}
	return out
}

// find returns the places of a user's turns; ids that name none are left out.
func (p *Pool) find(u *User, ids []string) []int {
	var out []int
	for _, id := range ids {
		if at, ok := p.places[[2]string{u.ID, id}]; ok && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// Ranker orders the turns of its pool for a query: their places in it, best first. Turns
// that do not matter are left out.
type Ranker func(ctx context.Context, query string) ([]int, error)

// Result is one query's.
type Result struct {
	User, Query, Category string
	Score                 Score
	// Tokens10 and Tokens6 are what the first 10, and the first 6, cost a model to read.
	Tokens10, Tokens6 int
	// Abstain is the query's.
	Abstain bool
	// Updated says that the query asks for a value that was updated, NewerFirst that the
	// turn with the current value was ranked above the one with the replaced value.
	Updated    bool
	NewerFirst bool
}

// Ask asks a ranker every query of the users of its pool. Queries without a gold turn in the
// pool are left out. An error of the ranker ends it.
func Ask(ctx context.Context, p *Pool, rank Ranker) ([]Result, error) {
	var out []Result
	for _, u := range p.Users {
		for i := range u.Queries {
			q := &u.Queries[i]
			gold := p.find(u, q.Gold)
			if len(gold) == 0 {
				continue
			}
			order, err := rank(ctx, q.Text)
			if err != nil {
				return nil, fmt.Errorf("query %s: %w", q.ID, err)
			}
			r := Result{
				User: u.ID, Query: q.ID, Category: q.Category, Abstain: q.Abstain, Score: ScoreOf(order, gold),
				Tokens10: p.tokens(order, 10), Tokens6: p.tokens(order, 6),
			}
			if newer, older := p.find(u, q.New), p.find(u, q.Old); len(newer) > 0 && len(older) > 0 {
				r.Updated, r.NewerFirst = true, newerFirst(order, newer, older)
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// tokens is what the first k of an order cost.
func (p *Pool) tokens(order []int, k int) int {
	sum := 0
	for _, at := range order[:min(k, len(order))] {
		sum += p.Turns[at].tokens()
	}
	return sum
}
