package natsapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/nats-io/nats.go/micro"

	"github.com/mnemond/mnemond/pkg/door"
)

// object is a JSON object.
type object = map[string]any

// Document is the AsyncAPI 3.0 document of a table's operations as this service answers them,
// indented: a channel an operation, and one without an address for the replies.
func Document(t *door.Table) ([]byte, error) {
	requests := huma.NewMapRegistry(componentSchemas, door.SchemaName)
	replies := huma.NewMapRegistry(componentSchemas, door.SchemaName)
	channels, operations := object{}, object{}
	messages := object{"problem": object{
		"summary": "What is wrong, a problem of RFC 9457.", "contentType": door.TypeProblem, "headers": ref("schemas/problemHeaders"),
		"payload": replies.Schema(reflect.TypeFor[door.Problem](), true, ""),
	}}
	answers := object{"problem": ref("messages/problem")}
	for _, op := range t.Operations() {
		in, out := op.Types()
		request, reply := op.ID+"_request", op.ID+"_reply"
		messages[request] = object{"headers": ref("schemas/requestHeaders"), "payload": requests.Schema(in, true, "")}
		messages[reply] = object{"headers": ref("schemas/replyHeaders"), "payload": replies.Schema(out, true, "")}
		answers[op.ID] = ref("messages/" + reply)
		channels[op.ID] = object{"address": Subject(op.ID), "messages": object{"request": ref("messages/" + request)}}
		operations[op.ID] = described(op)
	}
	channels["replies"] = object{
		"address": nil, "messages": answers,
		"description": "The inbox that the request names as its reply subject.",
	}
	door.MayGrow(replies)
	raw, err := json.MarshalIndent(object{
		"asyncapi": "3.0.0", "defaultContentType": door.TypeJSON, "channels": channels, "operations": operations,
		"info": object{"title": "mnemond service", "version": "1", "license": object{"name": "Apache-2.0"}, "description": about},
		"components": object{
			"messages": messages, "schemas": schemas(requests, replies),
		},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode AsyncAPI document: %w", err)
	}
	return append(raw, '\n'), nil
}

const (
	componentSchemas = "#/components/schemas/"
	about            = "Long-term memory for AI agents, by request and reply: the service mnemond of NATS's services protocol. " +
		"A request is one JSON object, and a reply that of HTTP. What mnemond stores in streams is in asyncapi.yaml."
)

func ref(component string) object { return object{"$ref": "#/components/" + component} }

// described is an operation with its channels.
func described(op *door.Operation) object {
	of := func(message string) object { return object{"$ref": "#/channels/" + message} }
	return object{
		"action": "receive", "summary": op.Summary, "description": op.Description, "tags": []object{{"name": op.Tag}}, "x-least-role": string(op.Role),
		"channel": of(op.ID), "messages": []object{of(op.ID + "/messages/request")},
		"reply": object{
			"channel":  of("replies"),
			"messages": []object{of("replies/messages/" + op.ID), of("replies/messages/problem")},
		},
	}
}

// schemas are those of requests and replies, and of their headers. What stands in both takes
// no unknown fields.
func schemas(requests, replies huma.Registry) object {
	headers := func(all map[string]string) object {
		properties := object{}
		for name, text := range all {
			properties[name] = object{"type": "string", "description": text}
		}
		return object{"type": "object", "properties": properties}
	}
	reply := map[string]string{
		door.RequestIDHeader: "Names the request in the server's log.",
		door.ReplayedHeader:  "Is true where the reply was kept from an earlier request under the same Idempotency-Key.",
	}
	problem := maps.Clone(reply)
	delete(problem, door.ReplayedHeader)
	problem[micro.ErrorCodeHeader], problem[micro.ErrorHeader] = "The HTTP status.", "The title."
	problem["Retry-After"] = "When to try again, in seconds."
	out := object{
		"requestHeaders": headers(map[string]string{
			"Authorization":      "Bearer and an API key or a JWT, where credentials are configured.",
			door.IdempotencyKey:  "Printable ASCII; it is the credential's own. A write that is repeated with the same key within 24 hours gets the reply of the first and changes nothing.",
			door.RequestIDHeader: "Names the request in the reply and in the server's log; printable ASCII.",
			"traceparent":        "W3C trace context of the sender.", "tracestate": "Goes with traceparent.",
		}),
		"replyHeaders": headers(reply), "problemHeaders": headers(problem),
	}
	for _, r := range []huma.Registry{replies, requests} {
		for name, s := range r.Map() {
			out[name] = s
		}
	}
	return out
}
