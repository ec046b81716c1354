package memory

import "time"

// Kind says what sort of statement a memory is.
type Kind string

// The kinds. Profile, preference, constraint and relation are the durable kinds: about
// them a contradiction matters enough to be disputed.
const (
	KindProfile    Kind = "profile"
	KindPreference Kind = "preference"
	KindConstraint Kind = "constraint"
	KindRelation   Kind = "relation"
	KindFact       Kind = "fact"
	KindEpisodic   Kind = "episodic"
	KindProcedural Kind = "procedural"
)

// Durable reports whether a contradiction about memories of the kind is worth a question.
func (k Kind) Durable() bool {
	switch k {
	case KindProfile, KindPreference, KindConstraint, KindRelation:
		return true
	}
	return false
}

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool {
	switch k {
	case KindProfile, KindPreference, KindConstraint, KindRelation, KindFact, KindEpisodic, KindProcedural:
		return true
	}
	return false
}

// Key is a property path of the profile schema, such as "user.city"; empty is a free memory.
type Key string

// ID identifies a memory: a lower-case hyphenated UUID, canonical for its identity (see
// Identity), and the point id in a collection.
type ID string

// Valid reports whether id has the form of one. Nothing else is asked of a store.
func (id ID) Valid() bool {
	if len(id) != 36 {
		return false
	}
	for i, c := range []byte(id) {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		if hyphen != (c == '-') || !hyphen && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Short is the first eight characters, as citations show them.
func (id ID) Short() string {
	if len(id) > 8 {
		return string(id[:8])
	}
	return string(id)
}

// Status is what a memory is to recall.
type Status string

// The statuses. Only StatusCurrent is ever recalled.
const (
	// StatusCurrent is believed.
	StatusCurrent Status = "current"
	// StatusSuperseded was replaced by a later value of its key.
	StatusSuperseded Status = "superseded"
	// StatusEnded stopped being true ("the cat died", "I quit").
	StatusEnded Status = "ended"
	// StatusDisputed contradicts a current value without any sign of a change.
	StatusDisputed Status = "disputed"
	// StatusSettled was disputed and has been decided since, or was said too early to
	// ever be current.
	StatusSettled Status = "settled"
	// StatusStanding is a request about the memory itself that holds from then on, such as
	// not to mention a topic.
	StatusStanding Status = "standing"
	// StatusLifted is a standing request that holds no more.
	StatusLifted Status = "lifted"
	// StatusDeleted is a tombstone: no text, value or evidence is left.
	StatusDeleted Status = "deleted"
)

// Valid reports whether s is one of the statuses.
func (s Status) Valid() bool {
	switch s {
	case StatusCurrent, StatusSuperseded, StatusEnded, StatusDisputed, StatusSettled, StatusStanding, StatusLifted, StatusDeleted:
		return true
	}
	return false
}

// Tier says how near at hand a memory is.
type Tier string

// The tiers. Hot and warm are computed from the last use; cold is the archive.
const (
	TierHot  Tier = "hot"
	TierWarm Tier = "warm"
	TierCold Tier = "cold"
)

// Memory is the full state of one memory. Times are UTC, but for those of its evidence; a
// zero time means none.
type Memory struct {
	ID    ID     `json:"id"`
	Scope Scope  `json:"scope"`
	Kind  Kind   `json:"kind"`
	Key   Key    `json:"key,omitempty"`
	About Key    `json:"about,omitempty"`
	Value string `json:"value,omitempty"`
	// Text is the clause that states it, in the user's own words.
	Text      string    `json:"text"`
	Language  string    `json:"language,omitempty"`
	Stability Stability `json:"stability"`
	Plan      bool      `json:"plan,omitempty"`
	Status    Status    `json:"status"`
	// ValidFrom is when what it states began or happened.
	ValidFrom time.Time `json:"valid_from,omitzero"`
	// ExpiresAt hides it from recall from that instant on.
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// SaidAt is when its value was first said, CreatedAt when it was decided.
	SaidAt    time.Time `json:"said_at"`
	CreatedAt time.Time `json:"created_at"`
	// ConfirmedAt is when it was last said.
	ConfirmedAt time.Time `json:"confirmed_at"`
	Confidence  float64   `json:"confidence"`
	// Ends is what this memory says is over: it keeps a statement that was said earlier,
	// but is processed later, from becoming current.
	Ends *Target `json:"ends,omitempty"`
	// Pinned memories were asked for in words ("remember that").
	Pinned bool `json:"pinned,omitempty"`
	// Lasting memories never go cold: pinned ones, those under a key that the schema says
	// does not age, and those that expire by their own date.
	Lasting bool `json:"lasting,omitempty"`
	// Agent and Namespace qualify a user's memory; empty means for any.
	Agent     Agent      `json:"agent,omitempty"`
	Namespace string     `json:"namespace,omitempty"`
	Evidence  []Evidence `json:"evidence"`
	// AccessedAt is when recall last handed it out.
	AccessedAt time.Time `json:"accessed_at,omitzero"`
	// ArchivedAt is when it moved to the archive; zero while it is at hand.
	ArchivedAt time.Time `json:"archived_at,omitzero"`
	// Origin is set on a past value in the archive: the memory whose value it was.
	Origin ID `json:"origin,omitempty"`
	// Suppresses is the topic of a standing request not to mention it.
	Suppresses *Topic `json:"suppresses,omitempty"`
	// SuppressedBy is the standing request that keeps the memory from being recalled.
	SuppressedBy ID `json:"suppressed_by,omitempty"`
	// Question is the open question in which a current memory stands.
	Question ID `json:"question,omitempty"`
	// Dispute is set on a rival, open or decided.
	Dispute *Dispute `json:"dispute,omitempty"`
	// Tombstone is set with StatusDeleted, and then alone beside the identity.
	Tombstone *Tombstone `json:"tombstone,omitempty"`
}

// Evidence is the source of a memory. It never leaves its owner. At keeps the zone in
// which it was said, so that a citation shows the speaker's day.
type Evidence struct {
	Event   string    `json:"event"`
	Seq     uint64    `json:"seq"`
	Message int       `json:"message"`
	Thread  Thread    `json:"thread"`
	Role    Role      `json:"role"`
	At      time.Time `json:"at"`
	Quote   string    `json:"quote"`
	// Asked is the assistant's question that Quote answers.
	Asked string `json:"asked,omitempty"`
}

// Live reports whether what the memory says holds at now, as far as is known. Whether it
// may be recalled is a matter of pkg/retention.
func (m *Memory) Live(now time.Time) bool {
	return m.Status == StatusCurrent && (m.ExpiresAt.IsZero() || now.Before(m.ExpiresAt))
}

// UsedAt is when the memory was last learnt, said or handed out: what is learnt today from
// an old conversation is as much at hand as what is said today.
func (m *Memory) UsedAt() time.Time {
	used := m.CreatedAt
	for _, at := range []time.Time{m.ConfirmedAt, m.AccessedAt} {
		if at.After(used) {
			used = at
		}
	}
	return used
}

// For reports whether m holds for the agent and in the namespace. Empty ones mean any, and what
// is qualified by none holds for all.
func (m *Memory) For(agent Agent, namespace string) bool {
	return (agent == "" || m.Agent == "" || m.Agent == agent) &&
		(namespace == "" || m.Namespace == "" || m.Namespace == namespace)
}

// LastEvidence is the evidence that was said last. It is the zero Evidence when there is none.
func (m *Memory) LastEvidence() Evidence {
	var last Evidence
	for _, e := range m.Evidence {
		if last.Event == "" || last.Before(e) {
			last = e
		}
	}
	return last
}

// Before reports whether e was said before o. Equal times are ordered by the events'
// place in the log, then by the messages' place in the event, so that the order of what
// was said does not depend on the order of processing.
func (e Evidence) Before(o Evidence) bool {
	switch {
	case !e.At.Equal(o.At):
		return e.At.Before(o.At)
	case e.Seq != o.Seq:
		return e.Seq < o.Seq
	default:
		return e.Message < o.Message
	}
}
