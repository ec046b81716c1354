package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/mnemond/mnemond/pkg/door"
)

const (
	componentSchemas    = "#/components/schemas/"
	componentResponses  = "#/components/responses/"
	componentParameters = "#/components/parameters/"
)

// Document is the OpenAPI 3.1 document of a table's operations, indented.
func Document(t *door.Table) ([]byte, error) {
	d := described{
		requests: map[string]bool{},
		registry: huma.NewMapRegistry(componentSchemas, door.SchemaName),
		api: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "mnemond", Version: "1",
				Description: "Long-term memory for AI agents. Every error is a problem of RFC 9457 that names the field at fault.",
			},
			Security: []map[string][]string{{"bearer": {}}, {}},
		},
	}
	d.api.Components = &huma.Components{
		Schemas:    d.registry,
		Responses:  d.problems(),
		Parameters: d.headers(),
		SecuritySchemes: map[string]*huma.SecurityScheme{
			"bearer": {Type: "http", Scheme: "bearer", Description: "An API key or a JWT. Without configured credentials, only loopback is served, and without any."},
		},
	}
	for _, op := range t.Operations() {
		d.api.AddOperation(d.operation(op))
	}
	for name, schema := range d.registry.Map() {
		if !d.requests[name] && schema.AdditionalProperties == false {
			schema.AdditionalProperties = nil // replies may grow
		}
	}
	raw, err := json.MarshalIndent(d.api, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode OpenAPI document: %w", err)
	}
	return append(raw, '\n'), nil
}

// described is a document in the making.
type described struct {
	registry huma.Registry
	api      *huma.OpenAPI
	// requests are the names of the schemas of bodies, and of what stands in them.
	requests map[string]bool
}

// statuses are the problems that operations share.
var statuses = map[int]string{
	http.StatusBadRequest:            "What is wrong with the request; field names what.",
	http.StatusUnauthorized:          "There is no credential, or it is not valid.",
	http.StatusForbidden:             "The credential does not reach what is asked for.",
	http.StatusNotFound:              "The owner has no such thing.",
	http.StatusConflict:              "Something else was decided meanwhile, or a request with the same Idempotency-Key is running.",
	http.StatusRequestEntityTooLarge: "The request is too large.",
	http.StatusUnsupportedMediaType:  "The content type is not taken.",
	http.StatusUnprocessableEntity:   "The Idempotency-Key was used for another request.",
	http.StatusTooManyRequests:       "The credential asks too often; Retry-After says when it may again.",
	http.StatusInternalServerError:   "The server's own fault; its log has the request id.",
	http.StatusServiceUnavailable:    "A dependency is not available; Retry-After says when to try again.",
}

func (d *described) problems() map[string]*huma.Response {
	schema := d.registry.Schema(reflect.TypeFor[door.Problem](), true, "Problem")
	out := map[string]*huma.Response{}
	for status, text := range statuses {
		out[responseName(status)] = &huma.Response{
			Description: text, Content: map[string]*huma.MediaType{door.TypeProblem: {Schema: schema}},
		}
	}
	return out
}

// responseName is the name of a problem among the components, such as "BadRequest".
func responseName(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

func (d *described) headers() map[string]*huma.Param {
	text := func(most int) *huma.Schema { return &huma.Schema{Type: huma.TypeString, MaxLength: &most} }
	return map[string]*huma.Param{
		"RequestID": {
			Name: door.RequestIDHeader, In: "header", Schema: text(door.MaxRequestID),
			Description: "Names the request in the reply and in the server's log; printable ASCII. One is made where it is missing.",
		},
		"IdempotencyKey": {
			Name: door.IdempotencyKey, In: "header", Schema: text(door.MaxIdempotencyKey),
			Description: "Printable ASCII; it is the credential's own. A request that is repeated with the same key within 24 hours gets the reply of the first and changes nothing.",
		},
	}
}

func (d *described) operation(op *door.Operation) *huma.Operation {
	out := &huma.Operation{
		OperationID: op.ID, Method: op.Method, Path: op.Path, Summary: op.Summary, Description: op.Description, Tags: []string{op.Tag},
		Parameters: []*huma.Param{{Ref: componentParameters + "RequestID"}}, Responses: map[string]*huma.Response{},
		Extensions: map[string]any{"x-least-role": string(op.Role)},
	}
	body := inBody(op)
	for _, f := range op.Fields() {
		if in := "path"; f.Path || !body {
			if !f.Path {
				in = "query"
			}
			out.Parameters = append(out.Parameters, &huma.Param{
				Name: f.Name, In: in, Required: f.Path || f.Required, Description: f.Schema.Description, Schema: f.Schema,
			})
		}
	}
	if body {
		out.RequestBody = d.body(op)
		out.Extensions["x-max-bytes"] = op.MaxBody
	}
	_, reply := op.Types()
	out.Responses[strconv.Itoa(op.Status)] = &huma.Response{
		Description: "Done.", Content: map[string]*huma.MediaType{door.TypeJSON: {Schema: d.registry.Schema(reply, true, "")}},
	}
	if op.Writes && !op.Idempotent {
		out.Parameters = append(out.Parameters, &huma.Param{Ref: componentParameters + "IdempotencyKey"})
	}
	for _, status := range problemsOf(op) {
		out.Responses[strconv.Itoa(status)] = &huma.Response{Ref: componentResponses + responseName(status)}
	}
	return out
}

// problemsOf are the statuses of problems that an operation may have.
func problemsOf(op *door.Operation) []int {
	out := append([]int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable,
	}, op.Errors...)
	if inBody(op) {
		out = append(out, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	if op.Writes && !op.Idempotent {
		out = append(out, http.StatusConflict, http.StatusUnprocessableEntity)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// body is an operation's body: its request without what stands in the path.
func (d *described) body(op *door.Operation) *huma.RequestBody {
	if op.ID == door.OpEvents {
		return d.eventsBody()
	}
	in, _ := op.Types()
	before := maps.Clone(d.registry.Map())
	schema := huma.SchemaFromType(d.registry, in)
	for name := range d.registry.Map() {
		if before[name] == nil {
			d.requests[name] = true
		}
	}
	for _, f := range op.Fields() {
		if f.Path {
			delete(schema.Properties, f.Name)
			schema.Required = slices.DeleteFunc(schema.Required, func(name string) bool { return name == f.Name })
		}
	}
	name := door.SchemaName(in, "")
	d.registry.Map()[name], d.requests[name] = schema, true
	content := map[string]*huma.MediaType{door.TypeJSON: {Schema: &huma.Schema{Ref: componentSchemas + name}}}
	if op.JSONPatch {
		content[typePatch] = &huma.MediaType{Schema: schema.Properties[fieldPatch]}
	}
	return &huma.RequestBody{
		Required: true, Content: content,
		Description: fmt.Sprintf("At most %d bytes.", op.MaxBody),
	}
}

// eventsBody is events as they come.
func (d *described) eventsBody() *huma.RequestBody {
	d.registry.Map()["Event"] = &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true, Required: []string{"specversion", "id", "source", "type"},
		Description: "A CloudEvents 1.0 event in JSON, as schemas/event.schema.json has it.",
		Properties: map[string]*huma.Schema{
			"specversion": {Type: huma.TypeString}, "id": {Type: huma.TypeString}, "source": {Type: huma.TypeString}, "type": {Type: huma.TypeString},
			"tenant": {Type: huma.TypeString}, "user": {Type: huma.TypeString}, "agent": {Type: huma.TypeString}, "thread": {Type: huma.TypeString},
		},
	}
	one := &huma.Schema{Ref: componentSchemas + "Event"}
	many := &huma.Schema{Type: huma.TypeArray, Items: one}
	return &huma.RequestBody{
		Required: true, Description: fmt.Sprintf("One event, a JSON array of them, or one a line; at most %d bytes and 1000 events.", door.MaxEventsBody),
		Content: map[string]*huma.MediaType{
			door.TypeJSON:  {Schema: &huma.Schema{OneOf: []*huma.Schema{one, many}}},
			typeCloudEvent: {Schema: one}, typeCloudEventBatch: {Schema: many},
			typeNDJSON: {Schema: &huma.Schema{Type: huma.TypeString}},
		},
	}
}

// describe serves the document, which is made when it is first asked for.
func describe(t *door.Table) http.HandlerFunc {
	document := sync.OnceValues(func() ([]byte, error) { return Document(t) })
	return func(w http.ResponseWriter, _ *http.Request) {
		raw, err := document()
		if err != nil {
			writeProblem(w, door.ProblemOf(err))
			return
		}
		w.Header().Set("Content-Type", door.TypeJSON)
		write(w, http.StatusOK, raw)
	}
}
