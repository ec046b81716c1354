package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/schemas"
)

// maxChatBytes bounds a chat response.
const maxChatBytes = 1 << 20

// toolName is the tool that is called in modeTool, and the schema's name in modeSchema.
const toolName = "remember"

// chat asks a chat model for replies of the contract.
type chat struct {
	*endpoint
	server
	budget Budget
	schema json.RawMessage
	// schemaTokens is the estimated size of schema, which every prompt carries.
	schemaTokens    int
	maxReply        int
	reasoningEffort string
}

func newChat(o Options) (*chat, error) {
	e, err := newEndpoint(o.Endpoint, "chat", maxChatBytes)
	if err != nil {
		return nil, err
	}
	schema, err := contract(o.Registry)
	if err != nil {
		return nil, err
	}
	c := &chat{
		endpoint: e, budget: o.Budget, schema: schema, schemaTokens: event.Tokens(string(schema)),
		maxReply: o.MaxReplyTokens, reasoningEffort: o.ReasoningEffort,
	}
	if o.ContextTokens > 0 {
		c.overflowed(math.MaxInt, o.ContextTokens, o.MaxReplyTokens)
	}
	return c, nil
}

// maxKeys is up to how many keys the schema lists them: servers bound enumerations.
const maxKeys = 200

// contract is the schema of replies for one registry: where it can, it admits its keys only.
func contract(r *profile.Registry) (json.RawMessage, error) {
	var doc map[string]any
	if err := json.Unmarshal(schemas.Extraction, &doc); err != nil {
		return nil, fmt.Errorf("read the extraction schema: %w", err)
	}
	for _, annotation := range []string{"$schema", "$id", "title"} { // not every server lets them pass
		delete(doc, annotation)
	}
	candidate := doc["properties"].(map[string]any)["candidates"].(map[string]any)["items"].(map[string]any)["properties"].(map[string]any)
	if keys := r.Keys(); len(keys) <= maxKeys {
		for _, property := range []string{"key", "about"} {
			p := maps.Clone(candidate[property].(map[string]any))
			p["enum"] = append([]memory.Key{""}, keys...)
			candidate[property] = p
		}
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("write the extraction schema: %w", err)
	}
	return raw, nil
}

// prompt is what a model is asked.
type prompt struct {
	system, user string
	// schemaNote introduces the schema in modes in which only the prompt can hold it.
	schemaNote string
	// repair is how to ask for the reply again.
	repair string
	// more is the reply that is to be repaired, and how; empty at first.
	more []openai.ChatCompletionMessage
}

// tokens estimates the prompt's size.
func (c *chat) tokens(p prompt) int {
	n := event.Tokens(p.system) + event.Tokens(p.user) + c.schemaTokens
	for _, m := range p.more {
		n += event.Tokens(m.Content)
	}
	return n
}

// answer is what a model said.
type answer struct {
	content string
	mode    mode
	// cut is set when the reply ended because it grew too long.
	cut bool
}

// ask puts a prompt to the model, in the dialect that is known to work or else in the first
// that turns out to. Its errors are classified, but for a *failure of classTooLong and a
// *ReplyError. Every request takes one of the calls that are left.
func (c *chat) ask(ctx context.Context, t memory.Tenant, p prompt, calls *int) (answer, error) {
	d, proven := c.asked()
	tried := 0
	for {
		a, err := c.once(ctx, t, p, d, calls)
		var f *failure
		if err == nil {
			if c.answered(d) {
				c.Logger.InfoContext(ctx, "chat endpoint asked in another way", "format", d.mode.String())
			}
			return a, nil
		}
		if !errors.As(err, &f) {
			return answer{}, err
		}
		other, ok := d.adapted(f, &tried)
		if !ok {
			return answer{}, c.classified(f, proven)
		}
		d = other
	}
}

// classified is the error for a failure that nothing could be done about.
func (c *chat) classified(f *failure, proven bool) error {
	switch {
	case f.class == classTooLong:
		return f
	case f.class == classReply:
		return replyError(f.reason, "")
	case f.class == classOutage, f.class == classSetup, !proven:
		return c.outage(f)
	}
	return fault.Permanent(fmt.Errorf("%s endpoint: %w", c.name, f))
}

// once makes one request. What it may cost is taken from the budget before, and settled after
// it, whatever came of it.
func (c *chat) once(ctx context.Context, t memory.Tenant, p prompt, d dialect, calls *int) (answer, error) {
	if *calls <= 0 {
		return answer{}, replyError(ReasonCalls, "")
	}
	*calls--
	if err := c.admit(t); err != nil {
		return answer{}, err
	}
	_, reply := c.room(c.maxReply)
	size := c.tokens(p)
	if err := c.budget.Reserve(ctx, t, size+reply); err != nil {
		c.breakers.cancelled(t)
		return answer{}, fmt.Errorf("reserve tokens: %w", err)
	}
	var resp openai.ChatCompletionResponse
	err := c.call(ctx, t, func(ctx context.Context) (err error) {
		resp, err = c.client.CreateChatCompletion(ctx, c.request(p, d, reply))
		return err
	})
	a := said(resp, d.mode)
	used := charged(err, size)
	if err == nil {
		used = c.spend(ctx, t, resp.Usage, size, event.Tokens(a.content))
	}
	// Settled even if the work has just been cancelled. If it fails, the reservation stays
	// taken, which errs on the safe side; what has been paid for is not thrown away for it.
	if err := c.budget.Settle(context.WithoutCancel(ctx), t, size+reply, used); err != nil {
		c.Logger.WarnContext(ctx, "budget not settled", "tenant", t, "error", err)
	}
	switch {
	case err != nil:
		return answer{}, err
	case len(resp.Choices) > 0 && refusedBy(resp.Choices[0]):
		return answer{}, replyError(ReasonRefused, resp.Choices[0].Message.Refusal)
	}
	return a, nil
}

// spend counts what a call has used, as the server says or else as estimated, and returns it.
func (c *chat) spend(ctx context.Context, t memory.Tenant, u openai.Usage, prompt, completion int) int {
	if u.PromptTokens > 0 {
		prompt, completion = u.PromptTokens, max(u.CompletionTokens, 0)
	}
	c.usage.spent(ctx, t, prompt, completion)
	return prompt + completion
}

func refusedBy(c openai.ChatCompletionChoice) bool {
	return c.Message.Refusal != "" || c.FinishReason == openai.FinishReasonContentFilter
}

// charged estimates what a failed request with a prompt of that size has cost: nothing where
// the server answered that it failed, or was not reached, else what it had read by then.
func charged(err error, size int) int {
	var f *failure
	var dial *net.OpError
	if err == nil || errors.As(err, &f) && f.status != 0 || errors.As(err, &dial) && dial.Op == "dial" {
		return 0
	}
	return size
}

// said is the reply in a response. What a model reasoned is in fields of its own, or in
// parts of other types, and is not looked at.
func said(resp openai.ChatCompletionResponse, m mode) answer {
	a := answer{mode: m}
	if len(resp.Choices) == 0 {
		return a
	}
	choice := resp.Choices[0]
	a.cut = choice.FinishReason == openai.FinishReasonLength
	a.content = choice.Message.Content
	for _, part := range choice.Message.MultiContent {
		if part.Type == openai.ChatMessagePartTypeText {
			a.content += part.Text
		}
	}
	called := slices.IndexFunc(choice.Message.ToolCalls, func(c openai.ToolCall) bool { return c.Function.Arguments != "" })
	if called >= 0 {
		a.content = choice.Message.ToolCalls[called].Function.Arguments
	}
	return a
}

// request is a prompt in a dialect.
func (c *chat) request(p prompt, d dialect, reply int) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{Model: c.Model, ReasoningEffort: c.reasoningEffort}
	if !d.ownTemperature {
		r.Temperature = math.SmallestNonzeroFloat32 // 0 would be left out, and the default is 1
	}
	if d.newMaxTokens {
		r.MaxCompletionTokens = reply
	} else {
		r.MaxTokens = reply //nolint:staticcheck // what most servers but OpenAI's know
	}
	system := p.system
	switch d.mode {
	case modeSchema:
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: toolName, Schema: c.schema, Strict: true},
		}
	case modeTool:
		r.Tools = []openai.Tool{{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{Name: toolName, Parameters: c.schema}}}
		r.ToolChoice = openai.ToolChoice{Type: openai.ToolTypeFunction, Function: openai.ToolFunction{Name: toolName}}
	case modeObject:
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
		fallthrough
	default:
		system = strings.TrimRight(system, "\n") + "\n\n" + p.schemaNote + "\n" + string(c.schema)
	}
	r.Messages = append([]openai.ChatCompletionMessage{
		{Role: openai.ChatMessageRoleSystem, Content: system}, {Role: openai.ChatMessageRoleUser, Content: p.user},
	}, p.more...)
	return r
}
