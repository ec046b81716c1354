package app

import (
	"net/http"

	"github.com/mnemond/mnemond/pkg/access"
	"github.com/mnemond/mnemond/pkg/door"
	"github.com/mnemond/mnemond/pkg/mcpapi"
	"github.com/mnemond/mnemond/pkg/natsapi"
)

// overMCP answers models over HTTP; who is nil where nobody has to authenticate.
func (s *Stack) overMCP(t *door.Table, who *access.Authenticator) http.Handler {
	c := mcpapi.Config{Table: t, Version: natsapi.Version(), Logger: s.options.Logger}
	if who != nil {
		c.Access = who
	}
	return mcpapi.Handler(c)
}

// Operations are those that a process with the read side opens, for who describes them; none
// of them can be called.
func Operations() *door.Table { return (&Stack{}).table(doors{read: true}) }

// Version is the program's by its build information, without the v.
func Version() string { return natsapi.Version() }
