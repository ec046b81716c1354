package qdrantmem

import (
	"cmp"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/qdrant/go-client/qdrant"
)

// pointID is a number or a UUID in comparable form; numbers sort before all UUIDs.
type pointID struct {
	hi, lo uint64
	uuid   bool
}

func parseID(id *qdrant.PointId) (pointID, error) {
	if id == nil {
		return pointID{}, malformed("Empty ID is not allowed")
	}
	switch v := id.GetPointIdOptions().(type) {
	case *qdrant.PointId_Num:
		return pointID{lo: v.Num}, nil
	case *qdrant.PointId_Uuid:
		u, ok := parseUUID(v.Uuid)
		if !ok {
			return pointID{}, malformed("Unable to parse UUID: %s", v.Uuid)
		}
		return pointID{hi: binary.BigEndian.Uint64(u[:8]), lo: binary.BigEndian.Uint64(u[8:]), uuid: true}, nil
	default:
		return pointID{}, malformed("No ID options provided")
	}
}

func parseIDs(ids []*qdrant.PointId) ([]pointID, error) {
	parsed := make([]pointID, len(ids))
	for i, id := range ids {
		var err error
		if parsed[i], err = parseID(id); err != nil {
			return nil, err
		}
	}
	return parsed, nil
}

// parseUUID accepts the simple, hyphenated, urn and braced spellings. uuid.Parse takes any
// two characters for braces, so those are checked here.
func parseUUID(s string) (uuid.UUID, bool) {
	if len(s) == 38 && !(strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}")) {
		return uuid.UUID{}, false
	}
	u, err := uuid.Parse(s)
	return u, err == nil
}

func (id pointID) proto() *qdrant.PointId {
	if id.uuid {
		return qdrant.NewIDUUID(id.String())
	}
	return qdrant.NewIDNum(id.lo)
}

// String is the decimal number or the lower-case hyphenated UUID.
func (id pointID) String() string {
	if !id.uuid {
		return strconv.FormatUint(id.lo, 10)
	}
	var u uuid.UUID
	binary.BigEndian.PutUint64(u[:8], id.hi)
	binary.BigEndian.PutUint64(u[8:], id.lo)
	return u.String()
}

func compareIDs(a, b pointID) int {
	if a.uuid != b.uuid {
		if b.uuid {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo))
}
