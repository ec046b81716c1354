package document

import (
	"strconv"
	"strings"
)

// whole is the path of all of a value.
const whole = "$"

// step is one step of a path: into a field, or into one element of a list or all of them.
type step struct {
	field string
	// list says that the step goes into a list: to its element at, from the end where that is
	// negative, or to each of them.
	list bool
	each bool
	at   int
}

// parsePath reads "$", "a.b", "items[*].name", "items[0]" and "items[-1]".
func parsePath(path string) (steps []step, ok bool) {
	if path == whole {
		return nil, true
	}
	for part := range strings.SplitSeq(path, ".") {
		field, rest, found := strings.Cut(part, "[")
		if field == "" {
			return nil, false
		}
		steps = append(steps, step{field: field})
		for found {
			var in string
			in, rest, found = strings.Cut(rest, "]")
			if !found {
				return nil, false
			}
			s, ok := element(in)
			if !ok {
				return nil, false
			}
			steps = append(steps, s)
			if rest == "" {
				break
			}
			if rest, found = strings.CutPrefix(rest, "["); !found {
				return nil, false
			}
		}
	}
	return steps, true
}

func element(in string) (step, bool) {
	if in == "*" {
		return step{list: true, each: true}, true
	}
	at, err := strconv.Atoi(in)
	return step{list: true, at: at}, err == nil
}

// follow adds the nodes at the end of the steps to out. A path that the value does not have
// ends nowhere.
func (n *node) follow(steps []step, out []*node) []*node {
	if len(steps) == 0 {
		return append(out, n)
	}
	s, rest := steps[0], steps[1:]
	switch {
	case !s.list:
		if f := n.field(s.field); f != nil {
			out = f.follow(rest, out)
		}
	case s.each:
		for _, e := range n.items {
			out = e.follow(rest, out)
		}
	default:
		at := s.at
		if at < 0 {
			at += len(n.items)
		}
		if at >= 0 && at < len(n.items) {
			out = n.items[at].follow(rest, out)
		}
	}
	return out
}

// lookup is the node that a dotted name names, nil for none. A field that has dots in its
// name comes before those of the same name in parts.
func (n *node) lookup(name string) *node {
	if f := n.field(name); f != nil {
		return f
	}
	for i, c := range name {
		if c != '.' {
			continue
		}
		if f := n.field(name[:i]); f != nil {
			if found := f.lookup(name[i+1:]); found != nil {
				return found
			}
		}
	}
	return nil
}
