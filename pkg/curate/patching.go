package curate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/profile"
	"github.com/mnemond/mnemond/pkg/reconcile"
	"github.com/mnemond/mnemond/pkg/rules/sentence"
	"github.com/mnemond/mnemond/pkg/verify"
	"github.com/mnemond/mnemond/pkg/wording"
)

// patching turns a patch of the profile document into what the owner states, corrects and
// takes away.
type patching struct {
	*Service
	in   *reconcile.Input
	said memory.Evidence
}

func (p *patching) apply(all []memory.Memory, ops []jsonpatch.Patch) error {
	now, policy := p.Now(), p.Policies.For(p.in.Scope.Tenant)
	before := p.Registry.Document(slices.DeleteFunc(all, func(m memory.Memory) bool { return !policy.Recallable(&m, now) }))
	doc, err := json.Marshal(before.Profile)
	if err != nil {
		return fmt.Errorf("encode profile: %w", err)
	}
	was, err := decoded(doc)
	if err != nil {
		return err
	}
	after, err := p.patched(doc, ops)
	if err != nil {
		return err
	}
	for _, k := range p.Registry.Keys() {
		f, _ := p.Registry.Field(k)
		path := strings.Split(string(k), ".")
		if err := p.key(k, f, before.Sources, valuesAt(was, path), valuesAt(after, path)); err != nil {
			return err
		}
	}
	return nil
}

// patched is the document with the operations applied in order.
func (p *patching) patched(doc []byte, ops []jsonpatch.Patch) (map[string]any, error) {
	options := jsonpatch.NewApplyOptions()
	options.EnsurePathExistsOnAdd = true // a profile has no empty objects to put something into
	options.SupportNegativeIndices = false
	for i, op := range ops {
		var err error
		doc, err = p.listed(doc, op)
		if err == nil {
			doc, err = op.ApplyWithOptions(doc, options)
		}
		switch {
		case errors.Is(err, jsonpatch.ErrTestFailed):
			return nil, &ConflictError{How: fmt.Sprintf("patch.%d: the test failed: %s is another value", i, pathOf(op))}
		case err != nil:
			return nil, fault.BadField(at(i, "path"), fmt.Sprintf("cannot be applied to %s: %v", pathOf(op), err))
		}
	}
	out, err := decoded(doc)
	if err != nil {
		return nil, fault.BadField("patch", "leaves no profile: it must be an object")
	}
	if err := p.Registry.Validate(out); err != nil {
		return nil, invalid(err)
	}
	return out, nil
}

// decoded is a document with its numbers as they are written.
func decoded(doc []byte) (map[string]any, error) {
	var out map[string]any
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		return nil, fmt.Errorf("decode profile: %w", err)
	}
	return out, nil
}

// listed is the document with the list that an operation adds to, empty where there is none
// yet.
func (p *patching) listed(doc []byte, op jsonpatch.Patch) ([]byte, error) {
	path := pathOf(op)
	parent := path[:strings.LastIndexByte(path, '/')]
	f, ok := p.Registry.Field(memory.Key(strings.ReplaceAll(strings.TrimPrefix(parent, "/"), "/", ".")))
	if !ok || !f.Multi || op[0].Kind() != "add" {
		return doc, nil
	}
	var held map[string]any
	if err := json.Unmarshal(doc, &held); err != nil {
		return nil, err
	}
	node := held
	parts := strings.Split(strings.TrimPrefix(parent, "/"), "/")
	for _, name := range parts[:len(parts)-1] {
		child, ok := node[name].(map[string]any)
		if !ok {
			child = map[string]any{}
			node[name] = child
		}
		node = child
	}
	if last := parts[len(parts)-1]; node[last] == nil {
		node[last] = []any{}
	}
	return json.Marshal(held)
}

func pathOf(op jsonpatch.Patch) string {
	path, err := op[0].Path()
	if err != nil {
		return ""
	}
	return path
}

// invalid says what of the patched document the schema refuses, and where.
func invalid(err error) error {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return fault.BadField("patch", err.Error())
	}
	for len(v.Causes) > 0 {
		v = v.Causes[0]
	}
	why := v.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	return fault.BadField("patch", fmt.Sprintf("the profile would not fit the schema at /%s: %s", strings.Join(v.InstanceLocation, "/"), why))
}

// valuesAt are the values of a key in a document, one or many, as text.
func valuesAt(doc map[string]any, path []string) []string {
	var node any = doc
	for _, name := range path {
		inner, ok := node.(map[string]any)
		if !ok {
			return nil
		}
		node = inner[name]
	}
	list, many := node.([]any)
	switch {
	case node == nil:
		return nil
	case !many:
		list = []any{node}
	}
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = strings.TrimSpace(fmt.Sprint(v))
	}
	return out
}

// key adds what a key's old and new values come to.
func (p *patching) key(k memory.Key, f profile.Field, sources map[string]*memory.Memory, before, after []string) error {
	pointer := "/" + strings.ReplaceAll(string(k), ".", "/")
	source := func(i int) *memory.Memory {
		if f.Multi {
			return sources[fmt.Sprintf("%s/%d", pointer, i)]
		}
		return sources[pointer]
	}
	gone, come := map[int]string{}, map[int]string{}
	for i, v := range before {
		if !slices.Contains(after, v) {
			gone[i] = v
		}
	}
	for i, v := range after {
		if !slices.Contains(before, v) {
			come[i] = v
		}
	}
	for _, i := range slices.Sorted(maps.Keys(come)) {
		_, inPlace := gone[i]
		var err error
		if m := source(i); inPlace && len(before) == len(after) && m != nil {
			delete(gone, i)
			err = p.correct(pointer, m, come[i])
		} else {
			err = p.state(k, f, pointer, come[i])
		}
		if err != nil {
			return err
		}
	}
	var ids []memory.ID
	for _, i := range slices.Sorted(maps.Keys(gone)) {
		if m := source(i); m != nil {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) > 0 {
		place := p.said
		place.Quote = pointer
		p.in.Requests = append(p.in.Requests, reconcile.Request{Action: memory.ActionForget, Topic: memory.Topic{IDs: ids}, Evidence: place})
	}
	return nil
}

// correct puts a value in the place of another one.
func (p *patching) correct(pointer string, m *memory.Memory, value string) error {
	e, err := p.edit(m, Change{Value: &value}, p.after())
	if err != nil {
		return fault.BadField("patch", pointer+": "+err.Error())
	}
	p.in.Edits = append(p.in.Edits, e)
	return nil
}

// state adds a value.
func (p *patching) state(k memory.Key, f profile.Field, pointer, value string) error {
	text := wording.Stated(k, f, value)
	said := p.after()
	said.Quote = text
	c := memory.Candidate{
		Kind: f.Kind, Key: k, Value: value, Text: text, Language: string(sentence.LanguageOf(text)), Stability: memory.Stable,
		Confidence: 1, Relation: memory.RelationUpdates, Pinned: true, Source: memory.Source{Message: 1, Quote: text},
	}
	if !f.DefaultExpiry.IsZero() {
		c.ExpiresAt = f.DefaultExpiry.After(said.At)
	}
	checked := c
	words := memory.Message{Number: 1, Role: memory.RoleUser, At: said.At, Content: text}
	if why := verify.Candidate(&checked, map[int]memory.Message{1: words}, p.Registry); why != "" {
		return fault.BadField("patch", fmt.Sprintf("%s: %q is refused: %s", pointer, value, why))
	}
	p.in.Statements = append(p.in.Statements, reconcile.Statement{Candidate: c, Evidence: said})
	return nil
}

// after is the place of what is stated, behind what is taken away: that is not about it.
func (p *patching) after() memory.Evidence {
	said := p.said
	said.Message++
	return said
}
