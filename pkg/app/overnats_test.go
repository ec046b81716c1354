package app

import (
	"testing"

	"github.com/mnemond/mnemond/pkg/access"
)

// TestWhereNATSIsAnswered: by itself only where the server is mnemond's own.
func TestWhereNATSIsAnswered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		service  string
		embedded bool
		doors    doors
		want     int
	}{
		{"embedded", true, doors{read: true}, 1},
		{"embedded", true, doors{ingest: true}, 1},
		{"embedded", true, doors{}, 0},
		{"embedded", false, doors{read: true}, 0},
		{"on", false, doors{read: true}, 1},
		{"off", true, doors{read: true}, 0},
	} {
		s := &Stack{Config: DefaultConfig(), Backend: &Backend{embedded: c.embedded}}
		s.Config.NATS.Service = c.service
		for _, who := range []*access.Authenticator{nil, {}} {
			if got := s.overNATS(c.doors, who); len(got) != c.want {
				t.Errorf("%s, embedded %t, %+v: %d services, want %d", c.service, c.embedded, c.doors, len(got), c.want)
			}
		}
	}
	if err := (NATSConfig{Service: "yes"}).validate(); err == nil {
		t.Error("MNEMOND_NATS_SERVICE=yes is taken")
	}
}
