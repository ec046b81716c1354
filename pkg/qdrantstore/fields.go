package qdrantstore

// The payload fields. All but fieldMemory, fieldDocument and fieldCheckpoint are indexed: strict mode
// refuses a filter on any other. A field that does not apply to a point is left out, and a
// flag stands only where it is set.
//
// What a job of the reaper looks for has a date of its own, which only those points have
// that the job is about: a sweep then reads what is due, and nothing that has the same date
// and is not.
const (
	// fieldOwner and fieldTenant are keywords, on every point; the owner's names the tenant too.
	fieldOwner  = "owner"
	fieldTenant = "tenant"
	// fieldType is one of the types below; fieldSeq the change set that made the point.
	fieldType = "type"
	fieldSeq  = "ledger_seq"
	// fieldStatus, fieldKind, fieldKey and fieldAbout are keywords, on memories and markers;
	// fieldAbout any number, see reconcile.AboutOf.
	fieldStatus = "status"
	fieldKind   = "kind"
	fieldKey    = "key"
	fieldAbout  = "about"
	// fieldAgent and fieldWithin are the keywords of the agent for whom a memory holds, and of its
	// namespace; what is qualified by none has neither.
	fieldAgent  = "agent"
	fieldWithin = "within"
	// fieldPlan is the flag of what concerns plans, fieldPlanUntil until when, in any status:
	// see reconcile.PlanUntil; also on markers.
	fieldPlan      = "plan"
	fieldPlanUntil = "plan_until"
	// fieldExpires is when a current memory expires, or a document.
	fieldExpires = "expires_at"
	// fieldUsed is the last use of a current memory that ages, and fieldLastingUsed of one
	// that does not.
	fieldUsed        = "used_at"
	fieldLastingUsed = "lasting_used_at"
	// fieldAccessed is the flag of a use that the ledger does not know yet.
	fieldAccessed = "accessed"
	// fieldArchived is when what is in the archive moved there.
	fieldArchived = "archived_at"
	// fieldDeleted is when a tombstone was made whose text the ledger holds still, and
	// fieldPurgedDeleted of one whose text is gone.
	fieldDeleted       = "deleted_at"
	fieldPurgedDeleted = "purged_deleted_at"
	// fieldTombKey and fieldHash are the keywords by which a tombstone blocks, any number.
	fieldTombKey = "tomb_key"
	fieldHash    = "hash"
	// fieldTimeout is when the open question of a rival times out.
	fieldTimeout = "timeout_at"
	// fieldOrigin is the memory that a past value was one of.
	fieldOrigin = "origin"
	// fieldSuppressed is the flag of what a standing request keeps from recall; also on markers.
	fieldSuppressed = "suppressed"
	// fieldAsked is the flag of what stands in an open question; also on markers.
	fieldAsked = "asked"
	// fieldThread is the thread of a checkpoint, and the one in which a document was said,
	// fieldPlace where in it.
	fieldThread = "thread"
	fieldPlace  = "place"
	// fieldNamespace are the keywords of a document's namespace and of all that it lies below,
	// fieldPairs those of document.Pairs.
	fieldNamespace = "namespace"
	fieldPairs     = "pairs"
	// fieldUpdated is when a document was put last; what is left of a removed one has none.
	fieldUpdated = "updated_at"
	// fieldStale is since when the ledger has held text that is a document's no more, and
	// fieldRemoved when one was removed of which it holds none.
	fieldStale   = "stale_since"
	fieldRemoved = "removed_at"
	// fieldMemory, fieldDocument and fieldCheckpoint hold the whole as JSON.
	fieldMemory     = "memory"
	fieldDocument   = "document"
	fieldCheckpoint = "checkpoint"
)

// The values of fieldType.
const (
	// typeMemory is a memory, a tombstone included.
	typeMemory = "memory"
	// typeMarker stands where a memory was that has moved to the other collection. It has
	// nothing of its content and no vectors.
	typeMarker = "marker"
	// typeDocument is a document, or what is left of a removed one. It, typeCursor and
	// typeCheckpoint are in the collection at hand alone.
	typeDocument   = "document"
	typeCursor     = "cursor"
	typeCheckpoint = "checkpoint"
)
