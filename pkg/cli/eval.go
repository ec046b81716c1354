package cli

import (
	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/eval"
)

type evalCmd struct {
	Dir       string `arg:"" help:"Folder of a conversation set: corpus.jsonl.gz, queries.jsonl.gz and, with gold memories, memories.jsonl.gz." type:"existingdir"`
	Extractor string `help:"Measure this extractor." enum:"rules,llm" default:"rules"`
	Limit     int    `help:"Measure this many users of the set; 0 is all." default:"0"`
	JSON      bool   `help:"Print one object."`
}

// Run measures extraction on the set.
func (c *evalCmd) Run(e *env) error {
	set, err := eval.Load(c.Dir)
	if err != nil {
		return err
	}
	cfg := app.DefaultConfig()
	if c.Extractor == "llm" {
		// The model of the environment; its days are those of the conversations.
		if cfg, err = app.LoadConfig(); err != nil {
			return err
		}
		if cfg.OpenAI == (app.OpenAIConfig{}) {
			return usage("--extractor llm: set OPENAI_BASE_URL or OPENAI_API_KEY")
		}
		cfg.LLM.DailyTokens = 0
	}
	report, err := eval.Run(e.ctx, set, eval.Options{Name: c.Extractor, Config: cfg, Limit: c.Limit, Logger: e.log})
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.out, report)
	}
	return report.Print(e.out)
}
