package door

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// Bounds of lists.
const (
	// MaxPage is the largest page that may be asked for.
	MaxPage = 1000
	// MaxList is how much of a list is returned when no limit is given.
	MaxList = 10_000
)

// Page is which part of a list is asked for.
type Page struct {
	Limit  int    `json:"limit,omitempty" minimum:"1" maximum:"1000" doc:"How many to return at most; without it all, up to 10000."`
	Cursor string `json:"cursor,omitempty" maxLength:"1024" doc:"The next_cursor of the page before; without it the list begins."`
}

// Next is where a list goes on.
type Next struct {
	Cursor string `json:"next_cursor,omitempty" doc:"Give it as the cursor to get what follows; absent at the end."`
}

// cursorVersion begins every cursor, so that the form of cursors may change.
const cursorVersion = "1:"

// cut is the page that is asked for. Key gives each element its place in the list: the list is
// ordered by it, upwards or, if latest, downwards, and no two are equal. A cursor is the key of
// the last element that was returned, so that what is added or removed meanwhile neither
// repeats nor hides anything else.
func cut[T any](all []T, p Page, latest bool, key func(i int) string) ([]T, Next, error) {
	from := 0
	after, err := p.after()
	if err != nil {
		return nil, Next{}, err
	}
	if p.Cursor != "" {
		for from < len(all) {
			if c := cmp.Compare(key(from), after); c > 0 && !latest || c < 0 && latest {
				break
			}
			from++
		}
	}
	limit := cmp.Or(p.Limit, MaxList)
	out := slices.Clip(all[from:min(len(all), from+limit)])
	if out == nil {
		out = []T{}
	}
	if to := from + len(out); to < len(all) && len(out) > 0 {
		return out, Next{base64.RawURLEncoding.EncodeToString([]byte(cursorVersion + key(to-1)))}, nil
	}
	return out, Next{}, nil
}

// after is the key of the last element of the page before; empty where the list begins.
func (p Page) after() (string, error) {
	if p.Cursor == "" {
		return "", nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(p.Cursor)
	key, ok := strings.CutPrefix(string(raw), cursorVersion)
	if err != nil || !ok {
		return "", BadField("cursor", "is not a cursor of this list")
	}
	return key, nil
}

// places gives each element of a list a key from what it is ordered by, downwards if latest;
// equal ones are counted in the list's direction.
func places[T any](all []T, latest bool, by func(*T) string) []string {
	const most = 999_999
	out := make([]string, len(all))
	n, last := 0, ""
	for i := range all {
		at := by(&all[i])
		if n++; i == 0 || at != last {
			n = 0
		}
		last = at
		if latest {
			out[i] = fmt.Sprintf("%s/%06d", at, most-n)
		} else {
			out[i] = fmt.Sprintf("%s/%06d", at, n)
		}
	}
	return out
}

// fixed is an instant as text that is ordered as instants are.
const fixed = "2006-01-02T15:04:05.000000000Z"
