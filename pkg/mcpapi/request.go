package mcpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mnemond/mnemond/pkg/door"
)

// schema is the part of the operation's JSON Schema that a model fills in.
func schema(op *door.Operation, d described) json.RawMessage {
	var whole map[string]json.RawMessage
	var properties map[string]json.RawMessage
	var required []string
	err := json.Unmarshal(op.Schema(), &whole)
	if err == nil {
		err = json.Unmarshal(whole["properties"], &properties)
	}
	if err == nil && whole["required"] != nil {
		err = json.Unmarshal(whole["required"], &required)
	}
	for _, name := range d.arguments {
		if err == nil && properties[name] == nil {
			err = fmt.Errorf("there is no field %s", name)
		}
	}
	if err != nil {
		panic(fmt.Sprintf("mcpapi: schema of %s: %v", op.ID, err)) // a fault of the program
	}
	foreign := func(name string) bool { return !slices.Contains(d.arguments, name) }
	maps.DeleteFunc(properties, func(name string, _ json.RawMessage) bool { return foreign(name) })
	required = append(slices.DeleteFunc(required, foreign), d.required...)
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		slices.Sort(required)
		out["required"] = slices.Compact(required)
	}
	if whole["$defs"] != nil {
		out["$defs"] = whole["$defs"]
	}
	raw, err := json.Marshal(out)
	if err != nil {
		panic(fmt.Sprintf("mcpapi: schema of %s: %v", op.ID, err))
	}
	return raw
}

// request is the operation's request: whose it is and what is fixed, in front of a model's
// arguments, which may hold neither. What else is wrong with them the operation says.
func (t *tool) request(o Owner, arguments json.RawMessage) ([]byte, error) {
	arguments = bytes.TrimSpace(arguments)
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &given); err != nil {
		return nil, door.BadField("", "the arguments are not a JSON object")
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(t.arguments, name) {
			return nil, door.BadField(name, "is not a known argument: want one of %q", t.arguments)
		}
	}
	for _, name := range t.required {
		if given[name] == nil {
			return nil, door.BadField(name, "is required and must not be empty")
		}
	}
	head, err := json.Marshal(struct {
		Owner
		Limit int `json:"limit,omitempty"`
	}{o, t.limit})
	if err != nil {
		return nil, fmt.Errorf("encode owner: %w", err)
	}
	if len(given) == 0 {
		return head, nil
	}
	head = head[:len(head)-1]
	if len(head) > 1 {
		head = append(head, ',')
	}
	return append(head, arguments[1:]...), nil
}
