package qdrantstore

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/index"
	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/reconcile"
)

// timeFormat is RFC 3339 in UTC with microseconds, the precision of a datetime index.
const timeFormat = "2006-01-02T15:04:05.000000Z"

// payload is the fields of a point. What is empty is left out.
type payload map[string]*qdrant.Value

func newPayload(s memory.Scope, kind string, seq uint64) payload {
	return payload{
		fieldOwner:  qdrant.NewValueString(ownerOf(s)),
		fieldTenant: qdrant.NewValueString(string(s.Tenant)),
		fieldType:   qdrant.NewValueString(kind),
		fieldSeq:    qdrant.NewValueInt(int64(seq)),
	}
}

func (p payload) text(field, value string) {
	if value != "" {
		p[field] = qdrant.NewValueString(value)
	}
}

func (p payload) texts(field string, values []string) {
	if len(values) == 0 {
		return
	}
	list := make([]*qdrant.Value, len(values))
	for i, v := range values {
		list[i] = qdrant.NewValueString(v)
	}
	p[field] = qdrant.NewValueFromList(list...)
}

func (p payload) flag(field string, set bool) {
	if set {
		p[field] = qdrant.NewValueBool(true)
	}
}

func (p payload) date(field string, at time.Time) {
	if !at.IsZero() {
		p[field] = qdrant.NewValueString(at.UTC().Format(timeFormat))
	}
}

// traits is what a memory and its marker have in common: enough for a decision to find it.
func traits(kind string, e *index.Entry) payload {
	m := &e.Memory
	p := newPayload(m.Scope, kind, e.LedgerSeq)
	p.text(fieldStatus, string(m.Status))
	p.text(fieldKind, string(m.Kind))
	p.text(fieldKey, string(m.Key))
	p.texts(fieldAbout, words(reconcile.AboutOf(m)))
	p.flag(fieldAsked, m.Question != "")
	p.flag(fieldSuppressed, m.SuppressedBy != "")
	if until, ok := reconcile.PlanUntil(m); ok {
		p.flag(fieldPlan, true)
		p.date(fieldPlanUntil, until)
	}
	return p
}

// inArchive reports whether a memory stands in the archive, or else at hand.
func inArchive(m *memory.Memory) bool {
	return m.Status != memory.StatusDeleted && (!m.ArchivedAt.IsZero() || m.Origin != "")
}

func memoryPoint(e *index.Entry) (*qdrant.PointStruct, error) {
	m := &e.Memory
	raw, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode memory %s: %w", m.ID, err)
	}
	p := traits(typeMemory, e)
	p.text(fieldMemory, string(raw))
	p.text(fieldOrigin, string(m.Origin))
	p.text(fieldAgent, string(m.Agent))
	p.text(fieldWithin, m.Namespace)
	p.dates(m)
	vectors := map[string]*qdrant.Vector{}
	if m.Status != memory.StatusDeleted {
		vectors[vectorDense] = qdrant.NewVectorDense(e.Dense)
		if len(e.Sparse.Indices) > 0 {
			vectors[vectorSparse] = qdrant.NewVectorSparse(e.Sparse.Indices, e.Sparse.Values)
		}
	}
	return &qdrant.PointStruct{
		Id: qdrant.NewIDUUID(string(m.ID)), Payload: p, Vectors: qdrant.NewVectorsMap(vectors),
	}, nil
}

// dates sets those dates alone at which something becomes due for m: see the fields.
func (p payload) dates(m *memory.Memory) {
	switch m.Status {
	case memory.StatusCurrent:
		p.date(fieldExpires, m.ExpiresAt)
		if m.Lasting || m.Pinned {
			p.date(fieldLastingUsed, m.UsedAt())
		} else {
			p.date(fieldUsed, m.UsedAt())
		}
	case memory.StatusDisputed:
		if d := m.Dispute; d != nil && d.Question != "" && d.ClosedAt.IsZero() {
			p.date(fieldTimeout, d.TimeoutAt)
		}
	}
	p.date(fieldArchived, m.ArchivedAt)
	if t := m.Tombstone; t != nil {
		p.texts(fieldTombKey, words(t.Keys))
		p.texts(fieldHash, t.Hashes)
		if t.PurgedAt.IsZero() {
			p.date(fieldDeleted, t.At)
		} else {
			p.date(fieldPurgedDeleted, t.At)
		}
	}
}

// markerPoint is what stays where the memory was.
func markerPoint(e *index.Entry) *qdrant.PointStruct {
	return bare(qdrant.NewIDUUID(string(e.Memory.ID)), traits(typeMarker, e))
}

// bare is a point without vectors.
func bare(id *qdrant.PointId, p payload) *qdrant.PointStruct {
	return &qdrant.PointStruct{Id: id, Payload: p, Vectors: qdrant.NewVectorsMap(map[string]*qdrant.Vector{})}
}

// The spaces keep the ids of cursors and checkpoints apart from those of memories.
var (
	cursorSpace     = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://mnemond.dev/cursor"))
	checkpointSpace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://mnemond.dev/checkpoint"))
)

func cursorID(s memory.Scope) *qdrant.PointId {
	return qdrant.NewIDUUID(uuid.NewSHA1(cursorSpace, []byte(ownerOf(s))).String())
}

func cursorPoint(s memory.Scope, seq uint64) *qdrant.PointStruct {
	return bare(cursorID(s), newPayload(s, typeCursor, seq))
}

// checkpointPoint is found by its thread; there is one a change set.
func checkpointPoint(c *index.Checkpoint) (*qdrant.PointStruct, error) {
	raw, err := json.Marshal(c.Checkpoint)
	if err != nil {
		return nil, fmt.Errorf("encode checkpoint: %w", err)
	}
	name := fmt.Appendf(nil, "%d/%s", c.LedgerSeq, ownerOf(c.Scope))
	p := newPayload(c.Scope, typeCheckpoint, c.LedgerSeq)
	p.text(fieldThread, string(c.Checkpoint.Thread))
	p.text(fieldCheckpoint, string(raw))
	return bare(qdrant.NewIDUUID(uuid.NewSHA1(checkpointSpace, name).String()), p), nil
}

var errPayload = errors.New("point without a memory")

// memoryFields are what decode reads.
var memoryFields = []string{fieldMemory, fieldUsed, fieldLastingUsed}

// decode is the memory of a point, with the last use that was written to the point alone.
func decode(p payload) (memory.Memory, error) {
	var m memory.Memory
	raw := p[fieldMemory].GetStringValue()
	if raw == "" {
		return m, errPayload
	}
	if err := json.Unmarshal([]byte(raw), &m); err != nil {
		return m, fmt.Errorf("decode memory: %w", err)
	}
	if used, ok := lastUse(p); ok && used.After(m.UsedAt()) {
		m.AccessedAt = used
	}
	return m, nil
}

func lastUse(p payload) (time.Time, bool) {
	at := cmp.Or(p[fieldUsed].GetStringValue(), p[fieldLastingUsed].GetStringValue())
	if at == "" {
		return time.Time{}, false
	}
	used, err := time.Parse(timeFormat, at)
	return used, err == nil
}

func sequence(p payload) uint64 { return uint64(p[fieldSeq].GetIntegerValue()) }

func words[T ~string](in []T) []string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = string(v)
	}
	return out
}
