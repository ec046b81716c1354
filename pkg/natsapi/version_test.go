package natsapi

import "testing"

func TestVersionOf(t *testing.T) {
	t.Parallel()
	for module, want := range map[string]string{
		"":        "0.0.0",
		"(devel)": "0.0.0",
		"v1.2.3":  "1.2.3",
		"v0.0.0-20261130220000-0123456789ab+dirty": "0.0.0-20261130220000-0123456789ab+dirty",
		"v1.2.3-rc.1": "1.2.3-rc.1",
		"v1":          "0.0.0",
	} {
		if got := versionOf(module); got != want {
			t.Errorf("versionOf(%q) = %q, want %q", module, got, want)
		}
	}
}
