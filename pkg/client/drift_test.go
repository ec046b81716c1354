package client

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/schemas"
)

// TestWireTypesAreThoseOfTheServer: the client's own types have the fields that the server's
// OpenAPI document has, and its operations stand where it says.
func TestWireTypesAreThoseOfTheServer(t *testing.T) {
	raw, err := schemas.Files.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Paths      map[string]map[string]struct{ OperationID string }
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{
		"RecallRequest": RecallRequest{}, "RecallResponse": RecallResponse{}, "RecallResult": Recalled{}, "RecallWhy": Why{},
		"RankScore": Score{}, "RankMatch": Match{}, "RecallExplanation": Explanation{}, "RecallWeights": Weights{},
		"AnswerRequest": QuestionAnswer{}, "QuestionsReply": questionsReply{}, "Problem": Error{},
		"Question": memory.Question{}, "Side": memory.Side{}, "Evidence": memory.Evidence{},
	} {
		var own []string
		for f := range reflect.TypeOf(v).Fields() {
			if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "-" {
				own = append(own, tag)
			}
		}
		slices.Sort(own)
		if want := slices.Sorted(maps.Keys(d.Components.Schemas[name].Properties)); !slices.Equal(own, want) {
			t.Errorf("%T has the fields\n%q, %s has\n%q", v, own, name, want)
		}
	}
	for _, op := range []operation{opRecall, opQuestions, opAnswerQuestion, {"events", "POST", "/v1/events"}} {
		if got := d.Paths[op.path][strings.ToLower(op.method)].OperationID; got != op.id {
			t.Errorf("%s %s is the operation %q, want %q", op.method, op.path, got, op.id)
		}
	}
}
