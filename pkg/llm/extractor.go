package llm

import (
	"context"
	"errors"
	"fmt"

	openai "github.com/sashabaranov/go-openai"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/llm/wire"
	"github.com/mnemond/mnemond/pkg/memory"
)

// maxCalls bounds the requests for one extraction, whatever happens: refused formats,
// repairs and the parts of a long piece included.
const maxCalls = 24

// Extractor extracts with a chat model: one call for a piece of conversation as a rule. It
// may be used by any number of goroutines at once.
type Extractor struct {
	chat     *chat
	wordings wordings
	opts     Options
}

// New returns an extractor; it starts nothing, and calls nobody. An error names the option
// that cannot be.
func New(o Options) (*Extractor, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("chat model: %w", err)
	}
	c, err := newChat(o)
	if err != nil {
		return nil, fmt.Errorf("chat model: %w", err)
	}
	w, err := newWordings(o.Registry)
	if err != nil {
		return nil, fmt.Errorf("chat model: %w", err)
	}
	return &Extractor{chat: c, wordings: w, opts: o}, nil
}

// Name says which model extracts, as a log line may show it.
func (x *Extractor) Name() string { return x.opts.Model }

// Close closes the connections that no call is using.
func (x *Extractor) Close() { x.chat.idle() }

// Extract returns what the model finds in the new messages. Trivial ones cost no call. What
// does not fit the model is asked about in parts, cut between messages.
//
// No candidate has been verified, but each refers to a message that was given, or to none
// (number 0) where the model named another.
//
// An error is a fault.Outage while the endpoint cannot be used (out of reach, busy, not set
// up, the breaker open, the budget spent), permanent when the endpoint refuses this very
// request or a single message is too long for the model, and a *ReplyError, which counts as an
// attempt, when the model's reply is of no use even after it was asked once to repair it.
func (x *Extractor) Extract(ctx context.Context, in memory.Extraction) ([]memory.Candidate, []memory.Directive, error) {
	if Trivial(in.Messages) {
		x.chat.usage.save(ctx, in.Scope.Tenant)
		return nil, nil, nil
	}
	in.Known = shown(in.Known, x.opts.MaxKnown)
	in.Questions = in.Questions[:min(len(in.Questions), maxQuestions)]
	w := x.wordings[languageOf(in.Messages)]
	calls := maxCalls
	var candidates []memory.Candidate
	var directives []memory.Directive
	for parts := []memory.Extraction{in}; len(parts) > 0; {
		allowance, _ := x.chat.room(x.opts.MaxReplyTokens)
		parts = append(w.fitting(parts[0], allowance, x.chat.schemaTokens), parts[1:]...)
		part := parts[0]
		reply, err := x.reply(ctx, w.prompt(part), in.Scope.Tenant, sources(part) > 1, &calls)
		if err != nil {
			smaller, err := x.smaller(w, part, err)
			if err != nil {
				return nil, nil, fmt.Errorf("ask model: %w", err)
			}
			parts = append(smaller, parts[1:]...)
			continue
		}
		c, d := resolver{part, x.opts.Registry}.resolve(reply)
		candidates, directives = append(candidates, c...), append(directives, d...)
		parts = parts[1:]
	}
	return candidates, directives, nil
}

// maxQuestions bounds the open questions that are shown.
const maxQuestions = 10

// shown are the first of the known memories that state something at present.
func shown(all []memory.Memory, most int) []memory.Memory {
	var out []memory.Memory
	for _, m := range all {
		if len(out) == most {
			break
		}
		if m.Status == memory.StatusCurrent && m.Text != "" {
			out = append(out, m)
		}
	}
	return out
}

// smaller is what to ask about instead of a part that did not fit, or whose reply did not;
// or the error, if a part cannot be smaller, or its size is not the trouble.
func (x *Extractor) smaller(w wording, part memory.Extraction, err error) ([]memory.Extraction, error) {
	var f *failure
	var bad *ReplyError
	switch {
	case errors.As(err, &bad) && bad.Reason == ReasonTruncated && sources(part) > 1:
		return halves(part), nil
	case !errors.As(err, &f) || f.class != classTooLong:
		return nil, err
	}
	size := w.sizes(part, x.chat.schemaTokens)
	x.chat.overflowed(size.all, f.limit, x.opts.MaxReplyTokens)
	allowance, _ := x.chat.room(x.opts.MaxReplyTokens)
	switch {
	case sources(part) > 1:
		return []memory.Extraction{part}, nil // which does not fit any more
	case len(part.Messages) > 1 || len(part.Known) > 0 || len(part.Questions) > 0:
		return []memory.Extraction{alone(part)}, nil
	case allowance <= size.fixed:
		return nil, fault.Outage(fmt.Errorf("%w: %w", errSmallModel, f), 0)
	}
	return nil, fault.Permanent(fmt.Errorf("a message is too long for the model: %w", f))
}

var errSmallModel = errors.New("the model cannot hold the instructions and a message")

// reply asks, and asks once more where the reply cannot be read. A reply that was cut off is
// not asked for again if the part can be halved instead.
func (x *Extractor) reply(ctx context.Context, p prompt, t memory.Tenant, halve bool, calls *int) (wire.Reply, error) {
	a, err := x.chat.ask(ctx, t, p, calls)
	if err != nil {
		return wire.Reply{}, err
	}
	r, err := wire.Read(a.content)
	if err != nil && !(a.cut && halve) {
		if a, err = x.chat.ask(ctx, t, p.repaired(a, err), calls); err != nil {
			return wire.Reply{}, err
		}
		r, err = wire.Read(a.content)
	}
	x.chat.read(a.mode, err == nil || a.cut)
	if err != nil {
		return wire.Reply{}, replyError(reasonOf(err, a.cut), a.content)
	}
	return r, nil
}

// repaired is the prompt that asks for a reply again, and says what was wrong with it.
func (p prompt) repaired(a answer, wrong error) prompt {
	if content := beginning(a.content); content != "" {
		p.more = append(p.more, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant, Content: content})
	}
	p.more = append(p.more, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: fmt.Sprintf(p.repair, wrong)})
	return p
}

func reasonOf(err error, cut bool) Reason {
	switch {
	case cut:
		return ReasonTruncated
	case errors.Is(err, wire.ErrEmpty):
		return ReasonEmpty
	case errors.Is(err, wire.ErrContract):
		return ReasonContract
	}
	return ReasonNotJSON
}
