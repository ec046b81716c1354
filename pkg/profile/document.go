package profile

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Document is what is known of an owner, in the form of the profile schema.
type Document struct {
	// Profile validates against the schema, whatever the memories are. It is never nil.
	Profile map[string]any
	// Sources are the memories behind its values, by JSON pointer ("/user/likes/0").
	Sources map[string]*memory.Memory
	// Unfit are the memories with a key that the document has no place for, by key and id.
	Unfit []Unfit
}

// Unfit is a memory that the schema has no place for. It stays a memory all the same.
type Unfit struct {
	Memory memory.ID  `json:"memory_id"`
	Key    memory.Key `json:"key"`
	Value  string     `json:"value"`
	Reason string     `json:"reason"`
}

// Document makes the profile of memories, those that may be recalled: nested by key, an array
// for a key of many values, in the order in which they were said, and in the types that the
// schema wants. Memories without a key have no place in it and are passed over. Of several
// memories of a key that holds one value, the one that was said last stands.
func (r *Registry) Document(memories []memory.Memory) Document {
	b := building{r: r}
	keyed := slices.DeleteFunc(slices.Clone(memories), func(m memory.Memory) bool { return m.Key == "" })
	slices.SortStableFunc(keyed, func(a, b memory.Memory) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), said(&a).Compare(said(&b)), cmp.Compare(a.ID, b.ID))
	})
	for i := range keyed {
		b.take(&keyed[i])
	}
	b.settle()
	out := Document{Unfit: b.unfit}
	out.Profile, out.Sources = b.tree()
	slices.SortStableFunc(out.Unfit, func(a, b Unfit) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Memory, b.Memory))
	})
	return out
}

// said is when the value of a memory was said; where nothing says so, when it was last.
func said(m *memory.Memory) time.Time {
	if m.SaidAt.IsZero() {
		return m.ConfirmedAt
	}
	return m.SaidAt
}

// building is a document in the making.
type building struct {
	r      *Registry
	values []placed
	unfit  []Unfit
}

// placed is a value with the memory that it comes from.
type placed struct {
	memory *memory.Memory
	path   []string
	multi  bool
	value  any
}

// places are where the values stand in the document, property by property.
func (b *building) places() [][]string {
	out := make([][]string, len(b.values))
	n := 0
	for i, v := range b.values {
		out[i] = v.path
		if !v.multi {
			continue
		}
		if n++; i == 0 || b.values[i-1].memory.Key != v.memory.Key {
			n = 0
		}
		out[i] = append(slices.Clone(v.path), strconv.Itoa(n))
	}
	return out
}

// tree is the document, and the memories behind its values.
func (b *building) tree() (map[string]any, map[string]*memory.Memory) {
	doc, sources := map[string]any{}, map[string]*memory.Memory{}
	for i, place := range b.places() {
		v := b.values[i]
		sources["/"+strings.Join(place, "/")] = v.memory
		node := doc
		last := len(v.path) - 1
		for _, name := range v.path[:last] {
			child, ok := node[name].(map[string]any)
			if !ok {
				child = map[string]any{}
				node[name] = child
			}
			node = child
		}
		if name := v.path[last]; v.multi {
			list, _ := node[name].([]any)
			node[name] = append(list, v.value)
		} else {
			node[name] = v.value
		}
	}
	return doc, sources
}

// take puts a memory's value where its key says, unless the schema refuses it alone. The
// memories come by key, the one that was said last behind the others.
func (b *building) take(m *memory.Memory) {
	f, ok := b.r.Field(m.Key)
	if !ok {
		b.refuse(m, "the schema has no such key")
		return
	}
	v, why := f.typed(m.Value)
	if why != "" {
		b.refuse(m, why)
		return
	}
	p := placed{memory: m, path: strings.Split(string(m.Key), "."), multi: f.Multi, value: v}
	if err := b.r.part(&f).Validate(v); err != nil {
		b.refuse(m, reasonOf(err))
		return
	}
	last := len(b.values) - 1
	if !f.Multi && last >= 0 && b.values[last].memory.Key == m.Key {
		b.refuse(b.values[last].memory, "the schema holds one value for the key, and another one was said later")
		b.values[last] = p
		return
	}
	b.values = append(b.values, p)
}

func (b *building) refuse(m *memory.Memory, reason string) {
	b.unfit = append(b.unfit, Unfit{Memory: m.ID, Key: m.Key, Value: m.Value, Reason: reason})
}

// settle takes out what the schema refuses in company: too many values, one twice, a value
// without another one that it needs. Each round takes out at least one value, and an empty
// document is valid, which Parse has seen to.
func (b *building) settle() {
	for len(b.values) > 0 {
		doc, _ := b.tree()
		err := b.r.Validate(doc)
		if err == nil {
			return
		}
		var v *jsonschema.ValidationError
		if !errors.As(err, &v) {
			b.remove(nil, err.Error())
			continue
		}
		first := leaf(v)
		b.remove(first.InstanceLocation, reasonOf(first))
	}
}

// leaf is the first fault that has no other behind it.
func leaf(v *jsonschema.ValidationError) *jsonschema.ValidationError {
	for len(v.Causes) > 0 {
		v = v.Causes[0]
	}
	return v
}

// remove takes out the value at a place of the document, or else the one below the place
// that was said first, or else, where there is none, that of all.
func (b *building) remove(at []string, reason string) {
	oldest := -1
	for i, place := range b.places() {
		if under(place, at) && (oldest < 0 || said(b.values[i].memory).Before(said(b.values[oldest].memory))) {
			oldest = i
		}
	}
	if oldest < 0 {
		oldest = 0
	}
	b.refuse(b.values[oldest].memory, reason)
	b.values = slices.Delete(b.values, oldest, oldest+1)
}

// under reports whether a path is a place, or lies below it.
func under(path, place []string) bool {
	return len(path) >= len(place) && slices.Equal(path[:len(place)], place)
}

// part is the schema of one value of a field.
func (r *Registry) part(f *Field) *jsonschema.Schema {
	s := r.schema
	for _, name := range strings.Split(string(f.Key), ".") {
		s = s.Properties[name]
	}
	if !f.Multi {
		return s
	}
	if items, ok := s.Items.(*jsonschema.Schema); ok { // before draft 2020-12
		return items
	}
	return s.Items2020
}

// reasonOf is what a schema says against a value, in words.
func reasonOf(err error) string {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return err.Error()
	}
	return leaf(v).ErrorKind.LocalizedString(message.NewPrinter(language.English))
}
