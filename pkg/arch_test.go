// Package pkg_test checks what holds across packages: who may import whom, and that the
// documents in schemas/ say what the code does.
package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/mnemond/mnemond/"

// source is one Go file of the repository, other than a test.
type source struct {
	path string
	// dir is its package's folder, such as "pkg/memory".
	dir     string
	file    *ast.File
	imports []string
}

// sources are all Go files of pkg, cmd and schemas that are no tests.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	root := os.DirFS("..")
	files := token.NewFileSet()
	for _, top := range []string{"pkg", "cmd", "schemas"} {
		err := fs.WalkDir(root, top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			raw, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			f, err := parser.ParseFile(files, name, raw, parser.ParseComments)
			if err != nil {
				return err
			}
			s := source{path: name, dir: path.Dir(name), file: f}
			for _, i := range f.Imports {
				p, err := strconv.Unquote(i.Path.Value)
				if err != nil {
					return err
				}
				s.imports = append(s.imports, strings.TrimPrefix(p, module))
			}
			out = append(out, s)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// within reports whether p is one of the paths or lies below one.
func within(p string, paths ...string) bool {
	return slices.ContainsFunc(paths, func(q string) bool { return p == q || strings.HasPrefix(p, q+"/") })
}

// The layers, by folder. A folder that does not exist yet is bound from its first file on.
var (
	// pure packages decide: the same input gives the same output, in a test, a replay and a
	// simulation of months.
	pure = []string{
		"pkg/memory", "pkg/event", "pkg/ledger", "pkg/fault", "pkg/reconcile", "pkg/retention", "pkg/rank", "pkg/temporal",
		"pkg/verify", "pkg/guard", "pkg/answer", "pkg/wording", "pkg/purge", "pkg/sign", "pkg/canon", "pkg/profile", "pkg/terms", "pkg/index", "pkg/document", "pkg/subject", "schemas",
		"pkg/rules/chinese", "pkg/rules/english", "pkg/rules/sentence",
	}
	services = []string{"pkg/ingest", "pkg/consolidate", "pkg/project", "pkg/recall", "pkg/curate", "pkg/reap", "pkg/shelve"}
	edges    = []string{"pkg/door", "pkg/httpapi", "pkg/natsapi", "pkg/mcpapi"}
	adapters = []string{"pkg/stream", "pkg/qdrantstore", "pkg/qdrantmem", "pkg/llm", "pkg/embed"}
	// composition is where adapters meet: the app, and the simulation that plays the app's
	// broker and clock.
	composition = []string{"pkg/app", "pkg/sim"}
)

const (
	natsModules   = "github.com/nats-io"
	natsExtension = "github.com/synadia-io"
	qdrantClient  = "github.com/qdrant/go-client"
	grpcModule    = "google.golang.org/grpc"
	otelModule    = "go.opentelemetry.io/otel"
)

// ban forbids imports, with the reason.
type ban struct {
	reason string
	// from are the folders that it binds; except takes folders out again.
	from, except []string
	// imports are the paths that may not be imported, nor anything below them.
	imports []string
	// own lets a package import what lies in its own folder.
	own bool
}

var bans = []ban{
	{
		reason: "a decision depends on its arguments alone: no context to be cancelled by, nothing to wait for or to write to",
		from:   pure,
		imports: []string{
			"context", "net", "os", "io/ioutil", "log", "database", "testing", "math/rand", "runtime", "syscall", "os/exec",
			natsModules, natsExtension, qdrantClient, grpcModule, otelModule,
		},
	},
	{
		reason:  "what is pure knows nothing of who calls it",
		from:    pure,
		imports: slices.Concat(services, edges, adapters, composition, []string{"pkg/cli", "cmd"}),
	},
	{
		reason:  "the nouns stand at the bottom: memory imports nothing of mnemond",
		from:    []string{"pkg/memory", "pkg/fault", "schemas"},
		imports: []string{"pkg"},
		own:     true,
	},
	{
		reason: "a service calls ports that it declares; which database or broker is behind them is composed in pkg/app",
		from:   services,
		imports: slices.Concat(adapters, edges, composition,
			[]string{natsModules, natsExtension, qdrantClient, grpcModule, "net/http"}),
	},
	{
		reason:  "services do not call one another: what one decides reaches the next by the ledger",
		from:    services,
		imports: services,
		own:     true,
	},
	{
		reason:  "adapters do not meet, and do not know what they are used for",
		from:    adapters,
		imports: slices.Concat(adapters, services, edges, composition),
		own:     true,
	},
	{
		reason:  "an edge knows its transport and services, never what is behind them",
		from:    edges,
		imports: slices.Concat(adapters, composition, []string{natsExtension, qdrantClient, grpcModule}),
	},
	{
		reason:  "of the edges, one speaks NATS",
		from:    edges,
		except:  []string{"pkg/natsapi"},
		imports: []string{natsModules},
	},
	{
		reason:  "only the composition knows adapters",
		from:    []string{"pkg", "cmd", "schemas"},
		except:  slices.Concat(composition, adapters),
		imports: adapters,
	},
	{
		reason:  "one package speaks JetStream, so that every subject, header and retry class is in one place",
		from:    []string{"pkg", "cmd"},
		except:  slices.Concat([]string{"pkg/stream", "pkg/natsapi", "pkg/client"}, composition),
		imports: []string{natsModules, natsExtension},
	},
	{
		reason:  "one package speaks Qdrant, so that the owner's filter is made in one place; the embedded engine serves it",
		from:    []string{"pkg", "cmd"},
		except:  []string{"pkg/qdrantstore", "pkg/qdrantmem", "pkg/app"},
		imports: []string{qdrantClient},
	},
	{
		reason:  "what a backend builds in is small: the client brings the nouns, the wire form and the guard, and no service",
		from:    []string{"pkg/client"},
		imports: slices.Concat(services, edges, adapters, composition, []string{"pkg/cli", "pkg/access", natsExtension, qdrantClient, grpcModule}),
	},
	{
		reason:  "test code is not part of the product",
		from:    []string{"pkg", "cmd", "schemas"},
		except:  []string{"pkg/qdrantmem/conformance"}, // a suite that runs against the embedded engine and a real server
		imports: []string{"testing"},
	},
}

func TestImports(t *testing.T) {
	all := sources(t)
	if len(all) < 50 {
		t.Fatalf("only %d files were found", len(all))
	}
	for _, s := range all {
		for _, b := range bans {
			if !within(s.dir, b.from...) || within(s.dir, b.except...) {
				continue
			}
			for _, i := range s.imports {
				if within(i, b.imports...) && !(b.own && sameRoot(i, s.dir)) {
					t.Errorf("%s imports %s: %s", s.path, i, b.reason)
				}
			}
		}
	}
}

// sameRoot reports whether both lie in one folder directly under pkg.
func sameRoot(a, b string) bool {
	root := func(p string) string {
		parts := strings.SplitN(p, "/", 3)
		return strings.Join(parts[:min(len(parts), 2)], "/")
	}
	return root(a) == root(b)
}

// Programs only choose what to run, and whether it is watched: the exporters are not built
// into the program that runs on a laptop.
func TestCommandsImportOnlyTheComposition(t *testing.T) {
	for _, s := range sources(t) {
		if !within(s.dir, "cmd") {
			continue
		}
		for _, i := range s.imports {
			if within(i, "pkg", "schemas") && !within(i, "pkg/app", "pkg/cli", "pkg/telemetry") {
				t.Errorf("%s imports %s: a command starts pkg/app or pkg/cli, with pkg/telemetry, and nothing else", s.path, i)
			}
		}
	}
}

// clock are the functions of time that ask the machine's clock or wait for it.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// Pure packages are given the time, and start nothing.
func TestPurePackagesHaveNoClockAndNoGoroutine(t *testing.T) {
	for _, s := range sources(t) {
		if !within(s.dir, pure...) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s starts a goroutine: a decision is made before it returns", s.path)
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(clock, n.Sel.Name) {
					t.Errorf("%s calls time.%s: now is an argument", s.path, n.Sel.Name)
				}
			}
			return true
		})
	}
}

// Whoever reads a call of a port sees all that it can do.
func TestPortsAreSmall(t *testing.T) {
	const most = 3
	for _, s := range sources(t) {
		if !within(s.dir, slices.Concat(services, edges)...) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if i, ok := spec.Type.(*ast.InterfaceType); ok && methods(i) > most {
				t.Errorf("%s: %s has %d methods, a port has at most %d", s.path, spec.Name, methods(i), most)
			}
			return true
		})
	}
}

func methods(i *ast.InterfaceType) int {
	n := 0
	for _, f := range i.Methods.List {
		n += max(len(f.Names), 1) // an embedded interface counts as one
	}
	return n
}

// A package comment says what the package owns and what it never does.
func TestPackagesHaveAComment(t *testing.T) {
	comments := map[string]int{}
	for _, s := range sources(t) {
		comments[s.dir] += 0
		if s.file.Doc == nil {
			continue
		}
		comments[s.dir]++
		want := "Package " + s.file.Name.Name + " "
		if s.file.Name.Name == "main" {
			want = "Command " + path.Base(s.dir) + " "
		}
		if text := strings.ReplaceAll(s.file.Doc.Text(), "\n", " "); !strings.HasPrefix(text, want) {
			t.Errorf("%s: the package comment does not begin with %q", s.path, want)
		}
	}
	for dir, n := range comments {
		if n != 1 {
			t.Errorf("%s has %d package comments, want 1", dir, n)
		}
	}
}

// A package is named for what it is for.
func TestPackageNames(t *testing.T) {
	empty := []string{"util", "utils", "common", "helper", "helpers", "type", "types", "model", "models", "manager", "managers", "misc", "base", "shared", "lib", "core"}
	for _, s := range sources(t) {
		if slices.Contains(empty, s.file.Name.Name) || slices.Contains(empty, path.Base(s.dir)) {
			t.Errorf("%s: %q says nothing of what the package is for", s.path, s.file.Name.Name)
		}
		if s.file.Name.Name != "main" && s.file.Name.Name != path.Base(s.dir) {
			t.Errorf("%s: the package %s is in the folder %s", s.path, s.file.Name.Name, s.dir)
		}
	}
}
