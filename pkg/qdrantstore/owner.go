package qdrantstore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/memory"
)

// ownerOf names a scope in one keyword. The length in front keeps the fields apart,
// whatever they contain.
func ownerOf(s memory.Scope) string {
	return fmt.Sprintf("%d:%s/%s/%s", len(s.Tenant), s.Tenant, s.Owner.Kind, s.Owner.ID)
}

// parseOwner is the scope that ownerOf names so. It takes nothing that ownerOf does not
// make of a valid scope; its errors are permanent.
func parseOwner(keyword string) (memory.Scope, error) {
	s, ok := cutOwner(keyword)
	if !ok || s.Validate() != nil || ownerOf(s) != keyword {
		return memory.Scope{}, fault.Permanent(fmt.Errorf("%.80q is no owner", keyword))
	}
	return s, nil
}

func cutOwner(keyword string) (s memory.Scope, ok bool) {
	length, rest, _ := strings.Cut(keyword, ":")
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 || n > len(rest) {
		return s, false
	}
	tenant, owner := rest[:n], strings.SplitN(rest[n:], "/", 3)
	if len(owner) != 3 || owner[0] != "" {
		return s, false
	}
	s.Tenant = memory.Tenant(tenant)
	s.Owner = memory.Owner{Kind: memory.OwnerKind(owner[1]), ID: owner[2]}
	return s, true
}
