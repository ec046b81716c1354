package llm

import "sync"

// mode is a way to ask for JSON, from the strictest to what every server has.
type mode int

const (
	modeSchema mode = iota // response_format json_schema
	modeObject             // response_format json_object
	modeTool               // a tool that must be called
	modeText               // nothing: the prompt asks for it
	modes                  // how many there are
)

func (m mode) String() string {
	return [...]string{"json_schema", "json_object", "tool_call", "text"}[m]
}

// next is the mode to try after m, the first one after the last.
func (m mode) next() mode { return (m + 1) % modes }

// dialect is how a server is to be asked.
type dialect struct {
	mode mode
	// ownTemperature leaves the temperature to the model, newMaxTokens says
	// max_completion_tokens for max_tokens.
	ownTemperature, newMaxTokens bool
}

// adapted is the dialect that does without what failed, given how many modes have been tried
// with this request; ok is false when nothing is left to do without.
func (d dialect) adapted(f *failure, tried *int) (other dialect, ok bool) {
	switch {
	case f.class == classFeature && f.feature == featureTemperature && !d.ownTemperature:
		d.ownTemperature = true
		return d, true
	case f.class == classFeature && f.feature == featureMaxTokens && !d.newMaxTokens:
		d.newMaxTokens = true
		return d, true
	case f.class != classFeature && f.class != classRejected:
		return d, false
	}
	*tried++
	d.mode = d.mode.next()
	return d, *tried < int(modes)
}

// maxUnreadable is after how many unreadable replies in a row another mode is tried.
const maxUnreadable = 2

// server is what has been learnt about a server. It is only kept in memory: a restart costs
// a refused request or two, and finds out whether the server can do more by then.
type server struct {
	mu sync.Mutex
	dialect
	unreadable int
	// proven is set once a request has been answered: until then a refusal says more about
	// the set-up than about the request.
	proven bool
	// context is how many tokens fit, prompt and reply together, and allowance how many a
	// prompt may have by our own estimate; 0 is unknown.
	context, allowance int
}

func (s *server) asked() (d dialect, proven bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dialect, s.proven
}

// answered records the dialect in which a request was answered, and reports whether it is
// another one than before.
func (s *server) answered(d dialect) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed = s.dialect != d
	s.dialect, s.proven = d, true
	return changed
}

// read records whether the replies to a prompt could be read in the end. When they cannot
// again and again, the next prompt is asked for in another mode.
func (s *server) read(m mode, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ok || s.mode != m {
		s.unreadable = 0
		return
	}
	if s.unreadable++; s.unreadable >= maxUnreadable {
		s.unreadable, s.mode = 0, s.mode.next()
	}
}

// room is how many tokens a prompt may have, 0 if that is unknown, and a reply, of at most
// most: no more than a quarter of what the model can hold.
func (s *server) room(most int) (prompt, reply int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.context > 0 {
		most = min(most, max(s.context/4, 1))
	}
	return s.allowance, most
}

// minContext is the least that a server can mean by the limit of its context.
const minContext = 1024

// overflowed records that a prompt of an estimated size did not fit, although it was
// allowed, into limit tokens (0: unknown) with the reply.
func (s *server) overflowed(estimated, limit, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if limit >= minContext {
		s.context = limit
		if fits := limit - min(most, limit/4); s.allowance == 0 || fits < s.allowance {
			s.allowance = fits
		}
	}
	// Where the size that the server gave would have let it pass, our estimate is too low.
	if s.allowance == 0 || s.allowance >= estimated {
		s.allowance = max(estimated*2/3, 1)
	}
}
