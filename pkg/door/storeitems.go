package door

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/mnemond/mnemond/pkg/fault"
	"github.com/mnemond/mnemond/pkg/shelve"
)

// items are the documents to put: the one that the request is itself, or its list.
func (r *PutDocumentsRequest) items() ([]shelve.Item, error) {
	if r.Items == nil {
		item, err := r.item()
		return []shelve.Item{item}, err
	}
	if !reflect.ValueOf(r.PutDocument).IsZero() {
		return nil, BadField("items", "give the fields of one document, or a list of documents, not both")
	}
	out := make([]shelve.Item, len(r.Items))
	for i := range r.Items {
		var err error
		if out[i], err = r.Items[i].item(); err != nil {
			var p *Problem
			if errors.As(err, &p) {
				return nil, BadField(fmt.Sprintf("items[%d].%s", i, p.Field), "%s", strings.TrimPrefix(p.Detail, p.Field+": "))
			}
			return nil, err
		}
	}
	return out, nil
}

// ofOne takes the place in the list out of an error about a request that has no list.
func (r *PutDocumentsRequest) ofOne(err error) error {
	var f *fault.FieldError
	if r.Items == nil && errors.As(err, &f) {
		if name, ok := strings.CutPrefix(f.Field, "items[0]."); ok {
			return fault.BadField(name, f.Reason)
		}
	}
	return err
}
