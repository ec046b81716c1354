package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

type manifest struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct {
		Selector map[string]any
		Template struct {
			Spec struct {
				Containers []container
			}
		}
	}
}

type container struct {
	Name    string
	Command []string
	Ports   []struct {
		Name          string
		ContainerPort int `yaml:"containerPort"`
	}
	LivenessProbe  probe `yaml:"livenessProbe"`
	ReadinessProbe probe `yaml:"readinessProbe"`
}

type probe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

func manifests(t *testing.T) []manifest {
	t.Helper()
	const dir = "../../deploy/k8s"
	raw, err := os.ReadFile(filepath.Join(dir, "kustomization.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var k struct{ Resources []string }
	if err := yaml.Unmarshal(raw, &k); err != nil {
		t.Fatal(err)
	}
	var out []manifest
	for _, name := range k.Resources {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for doc := range strings.SplitSeq(string(raw), "\n---\n") {
			var m manifest
			if err := yaml.Unmarshal([]byte(doc), &m); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			out = append(out, m)
		}
	}
	return out
}

func TestManifestsFitTheCode(t *testing.T) {
	known := variables(t)
	deployed := map[string]bool{}
	for _, m := range manifests(t) {
		for name := range m.Data {
			if _, ok := known[name]; !ok {
				t.Errorf("ConfigMap %s sets %s, which nothing reads", m.Metadata.Name, name)
			}
		}
		if m.Kind != "Deployment" {
			continue
		}
		for _, c := range m.Spec.Template.Spec.Containers {
			deployed[c.Name] = true
			if len(c.Command) != 1 || filepath.Base(c.Command[0]) != c.Name {
				t.Errorf("deployment %s runs %q", m.Metadata.Name, c.Command)
			}
			if len(c.Ports) != 1 || c.Ports[0].ContainerPort != 7460 || c.Ports[0].Name != "http" {
				t.Errorf("deployment %s has the ports %+v", m.Metadata.Name, c.Ports)
			}
			if c.LivenessProbe.HTTPGet.Path != "/healthz" || c.ReadinessProbe.HTTPGet.Path != "/readyz" {
				t.Errorf("deployment %s has the probes %+v and %+v", m.Metadata.Name, c.LivenessProbe, c.ReadinessProbe)
			}
		}
	}
	for _, part := range []string{"ingest", "extractor", "recall", "reaper"} {
		if !deployed[part] {
			t.Errorf("no deployment runs %s", part)
		}
		if _, err := os.Stat("../../cmd/" + part + "/main.go"); err != nil {
			t.Errorf("%s: %v", part, err)
		}
	}
}
