package recall_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/recall"
)

func TestABadRequestNamesItsField(t *testing.T) {
	w := newWorld(t)
	good := recall.Request{User: "alice", Query: "tea"}
	for name, c := range map[string]struct {
		change func(*recall.Request)
		field  string
	}{
		"no user":          {func(r *recall.Request) { r.User = "" }, "user"},
		"long user":        {func(r *recall.Request) { r.User = memory.User(strings.Repeat("长", 86)) }, "user"},
		"user with NUL":    {func(r *recall.Request) { r.User = "a\x00" }, "user"},
		"broken tenant":    {func(r *recall.Request) { r.Tenant = "\xff" }, "tenant"},
		"long thread":      {func(r *recall.Request) { r.Thread = memory.Thread(strings.Repeat("t", 257)) }, "thread"},
		"long agent":       {func(r *recall.Request) { r.Agent = memory.Agent(strings.Repeat("a", 257)) }, "agent"},
		"broken namespace": {func(r *recall.Request) { r.Namespace = "\xff" }, "namespace"},
		"negative budget":  {func(r *recall.Request) { r.Budget = -1 }, "budget"},
		"unknown key":      {func(r *recall.Request) { r.Keys = []memory.Key{"user.city", "user.shoe_size"} }, "keys"},
		"empty key":        {func(r *recall.Request) { r.Keys = []memory.Key{""} }, "keys"},
		"too many keys":    {func(r *recall.Request) { r.Keys = slices.Repeat([]memory.Key{"user.city"}, recall.MaxKeys+1) }, "keys"},
		"the future":       {func(r *recall.Request) { r.AsOf = noon.Add(time.Nanosecond) }, "as_of"},
		"long query":       {func(r *recall.Request) { r.Query = strings.Repeat("q", recall.MaxQueryBytes+1) }, "query"},
		"negative limit":   {func(r *recall.Request) { r.Limit = -1 }, "limit"},
		"limit too high":   {func(r *recall.Request) { r.Limit = recall.MaxLimit + 1 }, "limit"},
		"unknown kind":     {func(r *recall.Request) { r.Kinds = []memory.Kind{memory.KindFact, "gossip"} }, "kinds"},
		"empty kind":       {func(r *recall.Request) { r.Kinds = []memory.Kind{""} }, "kinds"},
		"user before kind": {func(r *recall.Request) { r.User, r.Kinds = "", []memory.Kind{"gossip"} }, "user"},
	} {
		t.Run(name, func(t *testing.T) {
			r := good
			c.change(&r)
			_, err := w.Recall(t.Context(), r)
			var field *fault.FieldError
			if !errors.As(err, &field) || field.Field != c.field || field.Reason == "" || !strings.HasPrefix(err.Error(), c.field+": ") {
				t.Errorf("Recall = %v, want an error about %s", err, c.field)
			}
		})
	}
	for name, change := range map[string]func(*recall.Request){
		"as it is":            func(*recall.Request) {},
		"the longest query":   func(r *recall.Request) { r.Query = strings.Repeat("q", recall.MaxQueryBytes) },
		"the highest limit":   func(r *recall.Request) { r.Limit = recall.MaxLimit },
		"no query":            func(r *recall.Request) { r.Query = "" },
		"white space alone":   func(r *recall.Request) { r.Query = " \n\u3000" },
		"this very moment":    func(r *recall.Request) { r.AsOf = noon },
		"an agent and a key":  func(r *recall.Request) { r.Agent, r.Shared, r.Keys = "coach", true, []memory.Key{"user.city"} },
		"a budget of nothing": func(r *recall.Request) { r.Budget = 1 },
		"every kind": func(r *recall.Request) {
			r.Kinds = []memory.Kind{memory.KindProfile, memory.KindPreference, memory.KindConstraint, memory.KindRelation, memory.KindFact, memory.KindEpisodic, memory.KindProcedural}
		},
	} {
		r := good
		change(&r)
		if _, err := w.Recall(t.Context(), r); err != nil {
			t.Errorf("%s: Recall = %v", name, err)
		}
	}
}
