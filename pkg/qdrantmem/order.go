package qdrantmem

import (
	"cmp"
	"iter"

	"github.com/qdrant/go-client/qdrant"
)

// ordering is an order_by: by the values of a numeric index, then by id in the same direction.
type ordering struct {
	index *index
	desc  bool
	from  *float64 // inclusive
}

// orderValue is one value of a point: an integer (a datetime is microseconds) or a float.
type orderValue struct {
	whole   int64
	float   float64
	isFloat bool
}

func (c *collection) ordering(o *qdrant.OrderBy) (*ordering, error) {
	at, err := parsePath(o.GetKey())
	if err != nil {
		return nil, err
	}
	ix := c.indexes[at.String()]
	if ix == nil || !ix.isNumeric() {
		return nil, badRequest("No range index for `order_by` key: `%s`. Please create one to use `order_by`. Check https://qdrant.tech/documentation/concepts/indexing/#payload-index to see which payload schemas support Range conditions", at)
	}
	from, err := startFrom(o.GetStartFrom())
	return &ordering{index: ix, desc: o.GetDirection() == qdrant.Direction_Desc, from: from}, err
}

func (ix *index) isNumeric() bool {
	return ix.schema == qdrant.PayloadSchemaType_Float || ix.schema == qdrant.PayloadSchemaType_Datetime ||
		ix.serves(access{schema: qdrant.PayloadSchemaType_Integer, ranged: true})
}

func startFrom(s *qdrant.StartFrom) (*float64, error) {
	var from float64
	switch kind := s.GetValue().(type) {
	case nil:
		return nil, nil
	case *qdrant.StartFrom_Float:
		from = kind.Float
	case *qdrant.StartFrom_Integer:
		from = float64(kind.Integer)
	case *qdrant.StartFrom_Timestamp:
		if err := kind.Timestamp.CheckValid(); err != nil {
			return nil, invalidField("start_from", "timestamp is out of range")
		}
		from = float64(kind.Timestamp.AsTime().UnixMicro())
	case *qdrant.StartFrom_Datetime:
		t, ok := parseDatetime(kind.Datetime)
		if !ok {
			return nil, malformed("Malformed start_from datetime")
		}
		from = float64(t.UnixMicro())
	}
	return &from, nil
}

func (v orderValue) number() float64 {
	if v.isFloat {
		return v.float
	}
	return float64(v.whole)
}

func (v orderValue) proto() *qdrant.OrderValue {
	if v.isFloat {
		return qdrant.NewOrderValueFloat(v.float)
	}
	return qdrant.NewOrderValueInt(v.whole)
}

func (o *ordering) compare(a, b hit) int {
	byValue := cmp.Compare(a.order.whole, b.order.whole)
	if a.order.isFloat {
		byValue = cmp.Compare(a.order.float, b.order.float)
	}
	order := cmp.Or(byValue, compareIDs(a.point.id, b.point.id))
	if o.desc {
		return -order
	}
	return order
}

// first are the first limit hits among points; a point without the field is left out, one
// with several values appears once for each.
func (o *ordering) first(points iter.Seq[*point], limit int) []hit {
	found := best[hit]{k: limit, compare: o.compare}
	for p := range points {
		o.index.values(p.payload, func(v any) {
			value := orderValueOf(v, o.index.schema)
			if !o.startsAfter(value) {
				found.add(hit{point: p, score: 1, order: &value})
			}
		})
	}
	return found.ordered()
}

func (o *ordering) startsAfter(v orderValue) bool {
	if o.from == nil {
		return false
	}
	if o.desc {
		return v.number() > *o.from
	}
	return v.number() < *o.from
}

func orderValueOf(v any, schema qdrant.PayloadSchemaType) orderValue {
	switch schema {
	case qdrant.PayloadSchemaType_Datetime:
		return orderValue{whole: microseconds(v)}
	case qdrant.PayloadSchemaType_Float:
		n, _ := number(v)
		return orderValue{float: n, isFloat: true}
	default:
		n, _ := v.(int64)
		return orderValue{whole: n}
	}
}
