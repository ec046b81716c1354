package pkg_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/nats-io/nats.go"
	"github.com/santhosh-tekuri/jsonschema/v6"

	documents "github.com/mnemond/mnemond/pkg/document"
	"github.com/mnemond/mnemond/pkg/event"
	"github.com/mnemond/mnemond/pkg/ledger"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/shelve"
	"github.com/mnemond/mnemond/pkg/stream"
	"github.com/mnemond/mnemond/schemas"
)

// document is schemas/asyncapi.yaml as JSON decodes.
func document(t *testing.T) map[string]any {
	t.Helper()
	raw, err := schemas.Files.ReadFile("asyncapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := yaml.YAMLToJSON(raw)
	if err != nil {
		t.Fatalf("asyncapi.yaml: %v", err)
	}
	var doc map[string]any
	if err := json.Unmarshal(asJSON, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// at follows keys into nested objects.
func at(t *testing.T, v any, path ...string) any {
	t.Helper()
	for i, key := range path {
		object, ok := v.(map[string]any)
		if v, ok = object[key], ok && object[key] != nil; !ok {
			t.Fatalf("there is no %s", strings.Join(path[:i+1], "."))
		}
	}
	return v
}

func object(t *testing.T, v any, path ...string) map[string]any {
	t.Helper()
	o, ok := at(t, v, path...).(map[string]any)
	if !ok {
		t.Fatalf("%s is no object", strings.Join(path, "."))
	}
	return o
}

var parameter = regexp.MustCompile(`\{[a-z]+\}`)

// pattern is the subject of a channel: {key} may have several tokens, as keys of a bucket do.
func pattern(address string) string {
	return parameter.ReplaceAllString(strings.ReplaceAll(address, "{key}", ">"), "*")
}

func TestAsyncAPIHasTheSubjects(t *testing.T) {
	var described, configured []string
	for name := range object(t, document(t), "channels") {
		c := object(t, document(t), "channels", name)
		address, _ := c["address"].(string)
		described = append(described, pattern(address))
		declared := 0
		if parameters, ok := c["parameters"].(map[string]any); ok {
			declared = len(parameters)
		}
		if used := parameter.FindAllString(address, -1); len(used) != declared {
			t.Errorf("channel %s declares %d parameters for %s", name, declared, address)
		}
	}
	for _, s := range stream.NewTopology(stream.Options{}).Streams {
		configured = append(configured, s.Subjects...)
	}
	slices.Sort(described)
	slices.Sort(configured)
	if !slices.Equal(described, configured) {
		t.Errorf("described:\n%s\nconfigured:\n%s", strings.Join(described, "\n"), strings.Join(configured, "\n"))
	}
}

func TestAsyncAPISubjectsAreThoseOfTheCode(t *testing.T) {
	ref := memory.ThreadRef{Tenant: "a", User: "b", Thread: "c"}
	channels := object(t, document(t), "channels")
	for name, subject := range map[string]string{
		"events": stream.EventSubject(ref), "questions": stream.QuestionSubject(ref.Scope(), "q"),
		"ledger": stream.LedgerSubject(ref.Scope()), "recalls": stream.RecallsSubject("a", "b"), "dead": stream.DeadSubject("gather", ref.Scope()),
	} {
		address, _ := at(t, channels, name, "address").(string)
		want := strings.NewReplacer("{tenant}", "a", "{user}", "b", "{thread}", "c", "{owner}", "u_b", "{stage}", "gather", "{key}", "a.u_b.q").Replace(address)
		if subject != want {
			t.Errorf("%s: the code makes %s, the document %s", name, subject, want)
		}
	}
	names := stream.NewNames([]byte("secret"))
	for name, subject := range map[string]string{"timerSet": names.TimerSetSubject(ref), "timerDue": names.TimerDueSubject(ref)} {
		address, _ := at(t, channels, name, "address").(string)
		hashes := strings.Split(subject, ".")[3:]
		want := strings.NewReplacer("{tenant}", hashes[0], "{user}", hashes[1], "{thread}", hashes[2]).Replace(address)
		if subject != want {
			t.Errorf("%s: the code makes %s, the document %s", name, subject, want)
		}
	}
}

func TestAsyncAPITokensAreThoseOfTheCode(t *testing.T) {
	doc := document(t)
	text, _ := at(t, doc, "info", "description").(string)
	for _, id := range []string{"a.b", "杭州"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), fmt.Sprintf("`%s` is `%s`", id, stream.Token(id))) {
			t.Errorf("the description does not say that %q becomes %q", id, stream.Token(id))
		}
	}
	for _, name := range []string{"tenant", "user", "thread", "stage", "owner"} {
		examples, _ := at(t, doc, "components", "parameters", name, "examples").([]any)
		for _, e := range examples {
			token, _ := e.(string)
			var err error
			if name == "owner" {
				_, err = stream.ParseLedgerSubject("mem.ledger.x." + token)
			} else {
				_, err = stream.Untoken(token)
			}
			if err != nil {
				t.Errorf("example %q of %s: %v", token, name, err)
			}
		}
		if len(examples) == 0 {
			t.Errorf("parameter %s has no examples", name)
		}
	}
}

func TestAsyncAPIHasTheEventTypesAndHeaders(t *testing.T) {
	doc := document(t)
	raw, err := json.Marshal(at(t, doc, "components", "messages"))
	if err != nil {
		t.Fatal(err)
	}
	types := []event.Type{event.TypeTurn, event.TypeThreadClosed, event.TypeFeedback, event.TypeTask, event.TypeAnswer}
	for _, typ := range types {
		if n := strings.Count(string(raw), fmt.Sprintf(`{"const":%q}`, typ)); n != 1 {
			t.Errorf("%s is the type of %d messages, want 1", typ, n)
		}
	}
	if got := len(object(t, doc, "channels", "events", "messages")); got != len(types) {
		t.Errorf("the events channel has %d messages, want %d", got, len(types))
	}
	headers := object(t, doc, "components", "schemas", "eventHeaders", "properties")
	for _, name := range []string{nats.MsgIdHdr, stream.HeaderReceivedAt, stream.HeaderReplay, stream.HeaderReplayedAt, "traceparent", "tracestate"} {
		if headers[name] == nil {
			t.Errorf("the header %s is not described", name)
		}
	}
	at(t, doc, "components", "schemas", "appendHeaders", "properties", nats.ExpectedLastSubjSeqHdr)
}

func TestAsyncAPIOperations(t *testing.T) {
	doc := document(t)
	used := map[string]bool{}
	for name := range object(t, doc, "operations") {
		o := object(t, doc, "operations", name)
		if o["action"] != "send" && o["action"] != "receive" {
			t.Errorf("operation %s has the action %v", name, o["action"])
		}
		ref, _ := at(t, o, "channel", "$ref").(string)
		used[strings.TrimPrefix(ref, "#/channels/")] = true
	}
	for name := range object(t, doc, "channels") {
		c := object(t, doc, "channels", name)
		description, _ := c["description"].(string)
		reserved := strings.Contains(description, "Reserved") || strings.Contains(description, "server's word")
		if used[name] == reserved {
			t.Errorf("channel %s: has operations is %v, is reserved is %v", name, used[name], reserved)
		}
	}
}

func TestReferencesResolve(t *testing.T) {
	check(t, "asyncapi.yaml", document(t), document(t))
	entries, err := schemas.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") {
			doc := readJSON(t, e.Name())
			check(t, e.Name(), doc, doc)
		}
	}
}

// check follows every $ref below v.
func check(t *testing.T, name string, doc, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			check(t, name, doc, e)
		}
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			if fragment, ok := strings.CutPrefix(ref, "#/"); ok {
				at(t, doc, strings.Split(fragment, "/")...)
			} else if _, err := fs.Stat(schemas.Files, strings.TrimPrefix(ref, "./")); err != nil {
				t.Errorf("%s: $ref %s: %v", name, ref, err)
			}
		}
		for _, e := range v {
			check(t, name, doc, e)
		}
	}
}

func readJSON(t *testing.T, name string) map[string]any {
	t.Helper()
	raw, err := schemas.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return doc
}

// The schemas name just the fields that the types write.
func TestSchemasHaveTheFieldsOfTheTypes(t *testing.T) {
	changeSet, letter, timer := readJSON(t, "changeset.schema.json"), readJSON(t, "deadletter.schema.json"), object(t, document(t), "components", "schemas", "timer")
	defs := object(t, changeSet, "$defs")
	for _, tt := range []struct {
		value      any
		properties map[string]any
	}{
		{ledger.ChangeSet{}, object(t, changeSet, "properties")},
		{ledger.Rejection{}, object(t, changeSet, "properties", "rejections", "items", "properties")},
		{ledger.Change{}, object(t, defs, "change", "properties")},
		{ledger.Checkpoint{}, object(t, defs, "checkpoint", "properties")},
		{ledger.Counts{}, object(t, defs, "checkpoint", "properties", "counts", "properties")},
		{memory.Memory{}, object(t, defs, "memory", "properties")},
		{memory.Evidence{}, object(t, defs, "evidence", "properties")},
		{memory.Target{}, object(t, defs, "target", "properties")},
		{memory.Topic{}, object(t, defs, "topic", "properties")},
		{memory.Tombstone{}, object(t, defs, "tombstone", "properties")},
		{memory.Dispute{}, object(t, defs, "dispute", "properties")},
		{memory.Question{}, object(t, defs, "question", "properties")},
		{memory.Side{}, object(t, defs, "side", "properties")},
		{memory.Evidence{}, object(t, defs, "place", "properties")},
		{ledger.Access{}, object(t, changeSet, "properties", "accessed", "items", "properties")},
		{ledger.Erased{}, object(t, changeSet, "properties", "erased", "properties")},
		{memory.Scope{}, object(t, defs, "scope", "properties")},
		{memory.Owner{}, object(t, defs, "scope", "properties", "owner", "properties")},
		{stream.DeadLetter{}, object(t, letter, "properties")},
		{stream.DeadEvent{}, object(t, letter, "properties", "events", "items", "properties")},
		{memory.ThreadRef{}, object(t, letter, "properties", "ref", "properties")},
		{stream.Pending{}, object(t, timer, "properties")},
		{event.Event{}, object(t, readJSON(t, "event.schema.json"), "properties")},
		{event.Turn{}, object(t, readJSON(t, "turn.schema.json"), "properties")},
		{event.Message{}, object(t, readJSON(t, "turn.schema.json"), "properties", "messages", "items", "properties")},
	} {
		var fields, described []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(tt.value)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields = append(fields, name)
		}
		for name := range tt.properties {
			described = append(described, name)
		}
		slices.Sort(fields)
		slices.Sort(described)
		if !slices.Equal(fields, described) {
			t.Errorf("%T writes %v, its schema has %v", tt.value, fields, described)
		}
	}
}

// validates fails unless the JSON of v is as the schema says.
func validates(t *testing.T, name string, raw []byte) {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, readJSON(t, name)); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%s\n%v", raw, err)
	}
}

// Decisions of every sort are as schemas/changeset.schema.json says.
func TestChangeSetsValidate(t *testing.T) {
	registry, err := profile.Parse(schemas.Profile)
	if err != nil {
		t.Fatal(err)
	}
	scope := memory.UserScope("acme", "用户")
	shanghai := time.FixedZone("", 8*3600)
	now := time.Date(2026, 5, 4, 9, 0, 0, 123, shanghai)
	said := func(day int, relation memory.Relation, key memory.Key, value string) reconcile.Statement {
		text, kind := "it is "+value, memory.KindProfile
		if key == "" {
			kind = memory.KindFact
		}
		return reconcile.Statement{
			Candidate: memory.Candidate{
				Kind: kind, Key: key, Value: value, Text: text, Language: "en", Stability: memory.Stable,
				Confidence: 0.9, Relation: relation, Pinned: true, About: "user.pets", ExpiresAt: now.AddDate(1, 0, 0), ValidFrom: now,
			},
			Evidence: memory.Evidence{
				Event: fmt.Sprint("e", day), Seq: uint64(day), Thread: "t", Role: memory.RoleUser, Quote: text, Asked: "really?",
				At: now.AddDate(0, 0, day-30),
			},
			Agent: "travel",
		}
	}
	ends := said(9, memory.RelationEnds, "", "my cat died")
	ends.Target = &memory.Target{Key: "user.pets", Value: "cat", Must: true}
	var changes []ledger.Change
	var opened, closed []memory.Question
	state := map[memory.ID]memory.Memory{}
	plan := func(in reconcile.Input) reconcile.Decision {
		in.Now, in.Scope, in.Registry, in.Secret = now, scope, registry, []byte("secret")
		for _, m := range state {
			in.Existing = append(in.Existing, m)
		}
		d := reconcile.Plan(in)
		for _, c := range d.Changes {
			if c.Op != ledger.OpHistory {
				state[c.Memory.ID] = c.Memory
			}
		}
		changes, opened, closed = append(changes, d.Changes...), append(opened, d.Opened...), append(closed, d.Closed...)
		return d
	}
	at := func(day int, words string) memory.Evidence {
		return memory.Evidence{Event: "request:1", Message: 1 << 20, Seq: uint64(day), Role: memory.RoleUser, At: now.AddDate(0, 0, day-30), Quote: words}
	}
	plan(reconcile.Input{Statements: []reconcile.Statement{
		said(2, memory.RelationNew, "user.city", "Boston"), said(3, memory.RelationNew, "user.city", "Boston"),
		said(4, memory.RelationNew, "user.city", "Oslo"), said(5, memory.RelationUpdates, "user.city", "Hangzhou"),
		said(6, memory.RelationNew, "user.city", "Hangzhou, Xihu district"), said(7, memory.RelationNew, "", "a marathon"),
		said(8, memory.RelationNew, "user.pets", "cat"), ends,
	}})
	plan(reconcile.Input{Statements: []reconcile.Statement{said(1, memory.RelationNew, "user.city", "Lima")}})
	asked := plan(reconcile.Input{Statements: []reconcile.Statement{said(10, memory.RelationNew, "user.city", "Rome")}})
	plan(reconcile.Input{Answers: []reconcile.Answer{{
		Question: asked.Opened[0].ID, Key: "user.city", Decision: memory.DecisionReplace, Evidence: at(11, "replace"),
	}}})
	marathon := memory.Topic{Words: "marathon"}
	plan(reconcile.Input{Requests: []reconcile.Request{{Action: memory.ActionSuppress, Topic: marathon, Evidence: at(12, "no marathon")}}})
	plan(reconcile.Input{Requests: []reconcile.Request{{Action: memory.ActionLift, Topic: marathon, Evidence: at(13, "a marathon again")}}})
	plan(reconcile.Input{Requests: []reconcile.Request{{Action: memory.ActionForget, Topic: memory.Topic{Keys: []memory.Key{"user.city"}}, Evidence: at(14, "forget it")}}})
	ops := map[ledger.Op]bool{}
	for _, c := range changes {
		ops[c.Op] = true
	}
	for _, op := range []ledger.Op{
		ledger.OpAdd, ledger.OpRefresh, ledger.OpRefine, ledger.OpSupersede, ledger.OpEnd, ledger.OpDispute, ledger.OpSettle, ledger.OpHistory,
		ledger.OpRequest, ledger.OpLift, ledger.OpSuppress, ledger.OpUnsuppress, ledger.OpDelete,
	} {
		if !ops[op] {
			t.Errorf("no decision is of the sort %q: %v", op, ops)
		}
	}
	if len(opened) == 0 || len(closed) == 0 {
		t.Errorf("%d questions were opened and %d closed", len(opened), len(closed))
	}
	for _, op := range []ledger.Op{ledger.OpMark, ledger.OpExpire, ledger.OpArchive, ledger.OpReturn, ledger.OpRestore, ledger.OpRedact, ledger.OpPurge, ledger.OpDrop} {
		changes = append(changes, ledger.Change{Op: op, Memory: changes[0].Memory, Reason: "expired", Moved: true})
	}
	note := shelved(scope, now)
	left := note.Removed(now)
	changes = append(changes, ledger.Change{Op: ledger.OpPut, Document: &note, Reason: shelve.ReasonPut},
		ledger.Change{Op: ledger.OpRemove, Document: &left, Reason: shelve.ReasonRemoved}, ledger.Change{Op: ledger.OpDrop, Document: &left, Reason: "tombstone_ended"})
	cs := ledger.ChangeSet{
		V: ledger.Version, At: now, Author: ledger.AuthorExtractor, Scope: scope, Changes: changes,
		Rejections:     []ledger.Rejection{{Reason: "transient", Count: 1}},
		QuestionOpened: opened, QuestionClosed: closed, InPlaceOf: 7, Erased: &ledger.Erased{EventHead: 9},
		Accessed: []ledger.Access{{ID: changes[0].Memory.ID, At: now}},
		Checkpoint: &ledger.Checkpoint{
			Thread: "t", Seq: 9, Events: []ledger.EventHash{ledger.HashEvent("e1", 0)}, Recent: []uint64{8, 9}, Parked: true,
			Counts: ledger.Counts{Messages: 9, Parked: 9},
		},
	}
	raw, err := cs.Encode()
	if err != nil {
		t.Fatal(err)
	}
	validates(t, "changeset.schema.json", raw)
	least := ledger.ChangeSet{V: ledger.Version, At: now, Author: ledger.AuthorApplication, Scope: scope}
	if raw, err = least.Encode(); err != nil {
		t.Fatal(err)
	}
	validates(t, "changeset.schema.json", raw)
}

// shelved is a document with everything that one can have.
func shelved(s memory.Scope, now time.Time) documents.Document {
	return documents.Document{
		ID: documents.Identity(s, []string{"笔记", "a"}, "k"), Scope: s, Namespace: []string{"笔记", "a"}, Key: "k",
		Value: json.RawMessage(`{"text":"x"}`), Index: []string{"text"}, CreatedAt: now, UpdatedAt: now, ExpiresAt: now, StaleSince: now,
		Source: documents.Source{Thread: "t", Place: 1, Speaker: "Ann", At: now, Assistant: true},
	}
}

func TestDeadLettersValidate(t *testing.T) {
	ref := memory.ThreadRef{Tenant: "acme", User: "u1", Thread: "t1"}
	now := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	for _, l := range []stream.DeadLetter{
		{
			Stage: "gather", Reason: "invalid_event", Detail: "id: is required", Attempts: 3, At: now, Ref: ref, Scope: ref.Scope(), Part: 1, Parts: 1,
			Events: []stream.DeadEvent{{Seq: 4, ReceivedAt: now, Subject: stream.EventSubject(ref), Header: nats.Header{"traceparent": {"x"}}, Data: []byte("{}")}},
		},
		{Stage: "timers", Reason: "unknown_subject", At: now, Part: 1, Parts: 1},
	} {
		raw, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		validates(t, "deadletter.schema.json", raw)
	}
}
