package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"text/template"
	"time"

	"github.com/mnemond/mnemond/pkg/app"
	"github.com/mnemond/mnemond/pkg/demo"
	"github.com/mnemond/mnemond/pkg/story"
)

type demoCmd struct {
	File string `help:"Play these lines instead: {\"at\",\"user\",\"thread\",\"role\",\"content\"} a line." type:"existingfile"`
	JSON bool   `help:"Print one summary object only."`
}

// Run plays the demo.
func (c *demoCmd) Run(e *env) error {
	script, err := c.script()
	if err != nil {
		return err
	}
	w := e.out
	if c.JSON {
		w = io.Discard
	} else if _, err := fmt.Fprintln(w, notice); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	summary, err := demo.Play(e.ctx, w, script)
	if err != nil || !c.JSON {
		return err
	}
	return printJSON(e.out, summary)
}

// notice says what stands in for a model.
const notice = `No model is used: built-in rules (English, Chinese) extract what is plainly stated, and a
lexical embedder, which knows spelling and not meaning, serves recall.`

func (c *demoCmd) script() (demo.Script, error) {
	if c.File == "" {
		return demo.Bundled()
	}
	f, err := os.Open(c.File)
	if err != nil {
		return demo.Script{}, fmt.Errorf("open conversation: %w", err)
	}
	lines, err := demo.Parse(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return demo.Script{}, fmt.Errorf("%s: %w", c.File, err)
	}
	return demo.Script{Lines: lines}, nil
}

type casesCmd struct {
	Paths     []string `arg:"" name:"path" help:"Story files, or folders of them." type:"existingpath"`
	Extractor string   `help:"Run the stories for this extractor." enum:"rules,llm" default:"rules"`
	JSON      bool     `help:"Print one object a story."`
}

// Run runs the stories for the extractor, and fails if one does.
func (c *casesCmd) Run(e *env) error {
	stories, err := story.Load(c.Paths)
	if err != nil {
		return err
	}
	if len(stories) == 0 {
		return usage("no story in %s", strings.Join(c.Paths, ", "))
	}
	real, err := c.model()
	if err != nil {
		return err
	}
	passed, failed := 0, 0
	for _, s := range stories {
		if !s.For(c.Extractor) {
			if !c.JSON {
				if _, err := fmt.Fprintf(e.out, "OTHER %s: for %v, not for %s\n", s.Name, s.Extractors, c.Extractor); err != nil {
					return fmt.Errorf("print: %w", err)
				}
			}
			continue
		}
		res := story.Run(e.ctx, s, c.Extractor, real)
		if len(res.Faults) == 0 {
			passed++
		} else {
			failed++
		}
		if err := c.print(e, res); err != nil {
			return err
		}
	}
	if !c.JSON {
		if _, err := fmt.Fprintf(e.out, "%d passed, %d failed\n", passed, failed); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	if failed > 0 {
		return ErrFailed
	}
	return nil
}

// model is the configuration of the environment's model, or nil where it names none.
func (c *casesCmd) model() (*app.Config, error) {
	cfg, err := app.LoadConfig()
	if err != nil || c.Extractor != story.ExtractorLLM || cfg.OpenAI == (app.OpenAIConfig{}) {
		return nil, err
	}
	return &cfg, nil
}

func (c *casesCmd) print(e *env, r story.Result) error {
	if c.JSON {
		return printJSON(e.out, r)
	}
	verdict := "PASS"
	if len(r.Faults) > 0 {
		verdict = "FAIL"
	}
	if _, err := fmt.Fprintf(e.out, "%s  %s (%s)\n", verdict, r.Name, r.Took.Round(time.Millisecond)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for _, f := range r.Faults {
		if _, err := fmt.Fprintf(e.out, "      %s\n", f); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

type devCmd struct {
	Dir    string        `help:"Folder of the data." default:"mnemond-data" type:"path"`
	Listen string        `help:"Loopback address of the HTTP API." default:"127.0.0.1:7460"`
	NATS   string        `name:"nats" help:"Loopback address of the embedded NATS server." default:"127.0.0.1:7461"`
	Qdrant string        `name:"qdrant" help:"Loopback address of the embedded engine's gRPC API." default:"127.0.0.1:7462"`
	Quiet  time.Duration `help:"How long a thread must be quiet before it is consolidated." default:"2s"`
}

// Run serves until it is interrupted.
func (c *devCmd) Run(e *env) error {
	cfg, err := app.LoadConfig()
	if err != nil {
		return err
	}
	cfg.HTTP.Listen, cfg.Timers.Quiet = c.Listen, c.Quiet
	if err := cfg.ValidateHTTP(); err != nil {
		return err
	}
	if err := app.WarnOfUnknown(e.ctx, e.log); err != nil {
		return err
	}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return fmt.Errorf("make data folder (--dir): %w", err)
	}
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return advised(fmt.Errorf("listen on %s: %w", c.Listen, err))
	}
	c.Listen = l.Addr().String() // the port, where it was 0
	embedded := app.EmbeddedConfig{Dir: filepath.Clean(c.Dir), NATSListen: c.NATS, QdrantListen: c.Qdrant}
	b, err := app.OpenEmbedded(e.ctx, embedded, e.log)
	if err != nil {
		return errors.Join(advised(err), l.Close())
	}
	c.NATS, c.Qdrant = b.NATSAddress, b.QdrantAddress
	s, err := app.NewStack(e.ctx, b, cfg, app.Options{Logger: e.log})
	if err != nil {
		return errors.Join(err, b.Close(), l.Close())
	}
	if err := c.welcome(e.out, s); err != nil {
		return errors.Join(err, b.Close(), l.Close())
	}
	return errors.Join(s.RunAll(e.ctx, l), b.Close())
}

// advised says beside an error of the start what to do about it.
func advised(err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w: is mnemond running already? Else choose other addresses with --listen, --nats and --qdrant (port 0 is any that is free)", err)
	case errors.Is(err, app.ErrInUse):
		return fmt.Errorf("%w: stop it, or choose another folder with --dir", err)
	default:
		return err
	}
}

var welcome = template.Must(template.New("welcome").Parse(`mnemond is listening on http://{{.Listen}}, with its data in {{.Dir}}.
{{.Notice}}

Say something (English or Chinese), wait {{.Quiet}}, and ask:

curl -s http://{{.Listen}}/v1/events -H 'Content-Type: application/json' -d '{
  "specversion": "1.0", "id": "1", "source": "/curl", "type": "mnemond.turn.v1",
  "user": "me", "thread": "t1",
  "data": {"messages": [{"role": "user", "content": "I live in Oslo and I have a dog named Rex."}]}}'

curl -s http://{{.Listen}}/v1/recall -H 'Content-Type: application/json' -d '{"user": "me", "query": "where do I live?"}'
curl -s 'http://{{.Listen}}/v1/memories?user=me'
curl -s 'http://{{.Listen}}/v1/history?user=me&key=user.city'

The operator's commands work on it as well:

export MNEMOND_STREAM_URL=nats://{{.NATS}} MNEMOND_QDRANTSTORE_ADDRESS=http://{{.Qdrant}}
go run ./cmd/mnemond ledger --user me
go run ./cmd/mnemond dlq list
`))

func (c *devCmd) welcome(w io.Writer, s *app.Stack) error {
	models := notice
	if s.WithModel() {
		models = "Models: " + s.Models() + "."
	}
	if err := welcome.Execute(w, struct {
		*devCmd
		Notice string
	}{c, models}); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// open connects to the installation that the environment names.
func open(ctx context.Context, e *env) (*app.Stack, func() error, error) {
	cfg, err := app.LoadConfig()
	if err != nil {
		return nil, nil, err
	}
	b, err := app.OpenExternal(cfg, "mnemond-cli", e.log)
	if err != nil {
		return nil, nil, err
	}
	s, err := app.NewEdge(ctx, b, cfg, app.Options{Logger: e.log})
	if err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	return s, b.Close, nil
}
