package event

import "github.com/mnemond/mnemond/pkg/guard"

// Clean cuts the secrets out of all text of the event, as whoever lets it in has to, and
// returns how many kinds were found, place by place. Turn, unless nil, may change the turn of
// a TypeTurn event on the way, and reports whether it did. Where there is nothing to change,
// the data stays byte for byte. It fails with an *Error when the data cannot be read.
func (e *Event) Clean(turn func(*Turn) bool) (secrets int, err error) {
	redact := func(text string) string {
		clean, found := guard.Redact(text)
		secrets += len(found)
		return clean
	}
	e.Source, e.Subject, e.DataSchema = redact(e.Source), redact(e.Subject), redact(e.DataSchema)
	if e.Type != TypeTurn {
		if len(e.Data) == 0 {
			return secrets, nil
		}
		clean, found, err := guard.RedactJSON(e.Data)
		if err != nil {
			return secrets, &Error{Field: "data", Reason: err.Error()}
		}
		e.Data = clean
		return secrets + len(found), nil
	}
	t, err := e.Turn()
	if err != nil {
		return secrets, err
	}
	before := secrets
	for i := range t.Messages {
		m := &t.Messages[i]
		m.Content, m.Name = redact(m.Content), redact(m.Name)
	}
	changed := turn != nil && turn(&t)
	if changed || secrets > before {
		return secrets, e.SetTurn(t)
	}
	return secrets, nil
}
