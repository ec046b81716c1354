package app

import (
	"fmt"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/natsapi"
	"github.com/mnemond/mnemond/pkg/stream"
)

// NATSConfig says what is answered over NATS.
type NATSConfig struct {
	// Service is whether operations are answered on mnemond.api.> as well as over HTTP: on,
	// off, or embedded, which is on where the NATS server is mnemond's own. Default embedded.
	Service string `env:"SERVICE" envDefault:"embedded"`
}

func (n NATSConfig) validate() error {
	switch n.Service {
	case "on", "off", "embedded":
		return nil
	}
	return fmt.Errorf("MNEMOND_NATS_SERVICE: must be on, off or embedded, is %q", n.Service)
}

// overNATS answers the operations that a process opens over NATS, where that is asked for; who
// is nil where nobody has to authenticate.
func (s *Stack) overNATS(d doors, who *access.Authenticator) group {
	on := s.Config.NATS.Service == "on" || s.Config.NATS.Service == "embedded" && s.Backend.embedded
	if !on || d == (doors{}) {
		return nil
	}
	c := natsapi.Config{
		Conn: s.Backend.NATS, Table: s.table(d), Replies: stream.NewReplies(s.js, s.names, s.options.Now), Logger: s.options.Logger,
	}
	if who != nil {
		c.Access = who
	}
	return group{{"nats service", natsapi.New(c).Run}}
}
