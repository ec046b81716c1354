// Package mcpapi is the edge for models: a server of the Model Context Protocol with a few of
// the operations of pkg/door as tools, described for a model. Whose memory they are about is
// fixed before a model is asked: a tool has no argument for it. It knows the protocol, over
// HTTP and any transport of the SDK, and nothing of storage or how anything is decided.
package mcpapi

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/memory"
)

// Owner is whose memory the tools of a server are about. What is empty is the credential's.
type Owner struct {
	Tenant memory.Tenant `json:"tenant,omitempty"`
	User   memory.User   `json:"user,omitempty"`
}

// Call carries an operation out with a request as one JSON object. What door.ProblemOf makes
// of its error is what the model is told.
type Call func(ctx context.Context, op *door.Operation, raw []byte) (reply any, err error)

// Tools are the operations of a table that are open to models.
type Tools struct {
	version string
	tools   []tool
}

// tool is an operation as a model has it.
type tool struct {
	described
	op *door.Operation
	as *mcp.Tool
}

// NewTools returns the tools of a table; those that it has no operation for are left out.
// Version is the server's, as clients are told.
func NewTools(t *door.Table, version string) *Tools {
	out := &Tools{version: version}
	for _, d := range descriptions {
		op, ok := t.Operation(d.operation)
		if !ok {
			continue
		}
		safe, closed := !d.destroys, false
		out.tools = append(out.tools, tool{d, op, &mcp.Tool{
			Name: op.ID, Title: d.title, Description: d.text, InputSchema: schema(op, d), OutputSchema: op.ReplySchema(),
			Annotations: &mcp.ToolAnnotations{
				Title: d.title, ReadOnlyHint: !op.Writes, DestructiveHint: ptr(!safe), IdempotentHint: d.repeatable, OpenWorldHint: &closed,
			},
		}})
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// Server returns a server with the tools, for one owner; it starts nothing.
func (t *Tools) Server(o Owner, call Call) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "mnemond", Title: "mnemond: long-term memory", Version: t.version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	for _, tool := range t.tools {
		s.AddTool(tool.as, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return tool.call(ctx, o, call, r.Params.Arguments), nil
		})
	}
	return s
}

// call carries the tool's operation out. What goes wrong is a result too: the model is to see
// it.
func (t *tool) call(ctx context.Context, o Owner, call Call, arguments json.RawMessage) *mcp.CallToolResult {
	raw, err := t.request(o, arguments)
	if err != nil {
		return failed(err)
	}
	reply, err := call(ctx, t.op, raw)
	if err != nil {
		return failed(err)
	}
	body, err := json.Marshal(reply)
	if err != nil {
		return failed(fmt.Errorf("encode reply: %w", err))
	}
	text, err := t.tell(body)
	if err != nil {
		return failed(fmt.Errorf("read reply: %w", err))
	}
	return &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: json.RawMessage(body),
	}
}

// failed is a result that says what is wrong; the field at fault stands first.
func failed(err error) *mcp.CallToolResult {
	p := door.ProblemOf(err)
	text := p.Title
	if p.Detail != "" {
		text += ": " + p.Detail
	}
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: p}
}
