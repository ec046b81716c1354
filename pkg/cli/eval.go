package cli

import (
	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/eval"
)

type evalCmd struct {
	Dir       string `arg:"" help:"Folder of a conversation set: corpus.jsonl.gz, queries.jsonl.gz and, with gold memories, memories.jsonl.gz." type:"existingdir"`
	Extractor string `help:"Measure this extractor." enum:"rules" default:"rules"`
	Limit     int    `help:"Measure this many users of the set; 0 is all." default:"0"`
	JSON      bool   `help:"Print one object."`
}

// Run measures extraction on the set.
func (c *evalCmd) Run(e *env) error {
	set, err := eval.Load(c.Dir)
	if err != nil {
		return err
	}
	report, err := eval.Run(e.ctx, set, eval.Options{
		Name: c.Extractor, Config: app.DefaultConfig(), Limit: c.Limit, Logger: e.log,
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, report)
	}
	return report.Print(e.out)
}
