package qdrantmem

import (
	"slices"

	"github.com/qdrant/go-client/qdrant"
)

// selector names the points that a write concerns: by ids or by a filter.
type selector struct {
	ids    []pointID
	filter *qdrant.Filter // nil selects by ids
}

func newSelector(s *qdrant.PointsSelector) (selector, error) {
	switch kind := s.GetPointsSelectorOneOf().(type) {
	case *qdrant.PointsSelector_Points:
		ids, err := parseIDs(kind.Points.GetIds())
		return selector{ids: ids}, err
	case *qdrant.PointsSelector_Filter:
		if kind.Filter == nil {
			return selector{filter: &qdrant.Filter{}}, nil
		}
		return selector{filter: kind.Filter}, nil
	default:
		return selector{}, malformed("PointSelector is missing")
	}
}

// resolve is the points that s names and the first id that is not there, if any.
func (s selector) resolve(c *collection) (points []*point, missing *pointID, err error) {
	if s.filter != nil {
		if err := c.checkUpdateFilter(s.filter); err != nil {
			return nil, nil, err
		}
		f, err := c.compile(s.filter)
		if err != nil {
			return nil, nil, err
		}
		return slices.Collect(c.matching(f)), nil, nil
	}
	for _, id := range s.ids {
		if p := c.ids[id]; p != nil {
			points = append(points, p)
		} else if missing == nil {
			missing = &id
		}
	}
	return points, missing, nil
}

func newDelete(points *qdrant.PointsSelector) (write, error) {
	s, err := newSelector(points)
	return func(c *collection) error {
		points, _, err := s.resolve(c)
		for _, p := range points {
			if c.ids[p.id] != nil {
				c.remove(p)
			}
		}
		return err
	}, err
}

// newPayloadChange gives each selected point the payload that change makes of its own. A
// missing id is an error after the other points were changed.
func newPayloadChange(points *qdrant.PointsSelector, change func(object) object) (write, error) {
	s, err := newSelector(points)
	return func(c *collection) error {
		points, missing, err := s.resolve(c)
		if err != nil {
			return err
		}
		for _, p := range points {
			changed := *p
			changed.payload = change(c.ids[p.id].payload)
			c.put(&changed)
		}
		if missing != nil {
			return whileApplying(noPoint(*missing))
		}
		return nil
	}, err
}

func newSetPayload(req *qdrant.SetPayloadPoints) (write, error) {
	payload, err := objectFrom(req.GetPayload())
	if err != nil {
		return nil, err
	}
	if req.Key != nil {
		at, err := parsePath(req.GetKey())
		if err != nil {
			return nil, err
		}
		return newPayloadChange(req.GetPointsSelector(), func(o object) object { return at.set(o, payload) })
	}
	return newPayloadChange(req.GetPointsSelector(), func(o object) object {
		if len(o) == 0 {
			return payload // The real server stores it as it is, nulls included.
		}
		return o.merged(payload)
	})
}

func newOverwritePayload(req *qdrant.SetPayloadPoints) (write, error) {
	payload, err := objectFrom(req.GetPayload())
	if err != nil {
		return nil, err
	}
	return newPayloadChange(req.GetPointsSelector(), func(object) object { return payload })
}

func newDeletePayload(req *qdrant.DeletePayloadPoints) (write, error) {
	paths, err := parsePaths(req.GetKeys())
	if err != nil {
		return nil, err
	}
	return newPayloadChange(req.GetPointsSelector(), func(o object) object {
		for _, p := range paths {
			o = p.remove(o)
		}
		return o
	})
}

func newClearPayload(points *qdrant.PointsSelector) (write, error) {
	return newPayloadChange(points, func(object) object { return nil })
}
