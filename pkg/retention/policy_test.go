package retention_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mnemond/mnemond/pkg/memory"
	"github.com/mnemond/mnemond/pkg/retention"
)

func TestLimits(t *testing.T) {
	type limit struct {
		name string
		of   func(retention.Policy) (time.Duration, bool)
		set  func(*retention.Policy, time.Duration)
		// standard is the default, negative for none.
		standard time.Duration
	}
	for _, l := range []limit{
		{"warm", retention.Policy.Warm, func(p *retention.Policy, d time.Duration) { p.WarmAfter = d }, 30 * day},
		{"cold", retention.Policy.Cold, func(p *retention.Policy, d time.Duration) { p.ColdAfter = d }, 90 * day},
		{"grace", retention.Policy.Grace, func(p *retention.Policy, d time.Duration) { p.ExpiryGrace = d }, 0},
		{"archive", retention.Policy.Archive, func(p *retention.Policy, d time.Duration) { p.ArchiveFor = d }, -1},
		{"undo", retention.Policy.Undo, func(p *retention.Policy, d time.Duration) { p.UndoFor = d }, 7 * day},
		{"tombstone", retention.Policy.Tombstone, func(p *retention.Policy, d time.Duration) { p.TombstoneFor = d }, 400 * day},
		{"question", retention.Policy.QuestionTimeout, func(p *retention.Policy, d time.Duration) { p.QuestionFor = d }, 14 * day},
		{"cooldown", func(p retention.Policy) (time.Duration, bool) {
			d := p.AskCooldown()
			return d, d > 0
		}, func(p *retention.Policy, d time.Duration) { p.Cooldown = d }, 30 * day},
	} {
		p := retention.Policy{}
		if got, ok := l.of(p); ok != (l.standard >= 0) || got != max(l.standard, 0) {
			t.Errorf("%s: the default is %v, %v", l.name, got, ok)
		}
		l.set(&p, 5*time.Hour)
		if got, ok := l.of(p); !ok || got != 5*time.Hour {
			t.Errorf("%s: 5h gives %v, %v", l.name, got, ok)
		}
		l.set(&p, retention.Never)
		if got, ok := l.of(p); ok || got != 0 {
			t.Errorf("%s: never gives %v, %v", l.name, got, ok)
		}
	}
}

func TestPolicyOfATenant(t *testing.T) {
	p := retention.Policies{
		Default: retention.Policy{ColdAfter: 60 * day, UndoFor: day},
		Tenants: map[memory.Tenant]retention.Policy{"acme": {ColdAfter: retention.Never, ArchiveFor: 365 * day}},
	}
	if got := p.For("other"); got != p.Default {
		t.Errorf("another tenant has %+v", got)
	}
	want := retention.Policy{ColdAfter: retention.Never, UndoFor: day, ArchiveFor: 365 * day}
	if got := p.For("acme"); got != want {
		t.Errorf("acme has %+v, want %+v", got, want)
	}
	if got := (retention.Policies{}).For("acme"); got != (retention.Policy{}) {
		t.Errorf("without policies acme has %+v", got)
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		name   string
		policy retention.Policy
		want   string // part of the error, empty for none
	}{
		{"defaults", retention.Policy{}, ""},
		{"never anything", retention.Policy{
			WarmAfter: -1, ColdAfter: -1, ExpiryGrace: -1, ArchiveFor: -1, UndoFor: -1, TombstoneFor: -1, QuestionFor: -1, Cooldown: -1,
		}, ""},
		{"negative", retention.Policy{UndoFor: -time.Hour}, "undo_for: must not be negative, is -1h0m0s"},
		{"cold before warm", retention.Policy{ColdAfter: 20 * day}, "cold_after: must not be less than warm_after"},
		{"cold, never warm", retention.Policy{WarmAfter: retention.Never, ColdAfter: day}, ""},
		{"warm, never cold", retention.Policy{WarmAfter: 400 * day, ColdAfter: retention.Never}, ""},
		{"tombstones shorter than events", retention.Policy{TombstoneFor: 30*day - 1}, "tombstone_for: must not be less than events are kept"},
		{"tombstones as long as events", retention.Policy{TombstoneFor: 30 * day}, ""},
	}
	for _, tt := range tests {
		err := tt.policy.Validate(30 * day)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestValidatePolicies(t *testing.T) {
	tests := []struct {
		name     string
		policies retention.Policies
		want     string
	}{
		{"none", retention.Policies{}, ""},
		{"the default", retention.Policies{Default: retention.Policy{Cooldown: -5}}, "default: cooldown:"},
		{"a tenant", retention.Policies{Tenants: map[memory.Tenant]retention.Policy{"acme": {Cooldown: -5}}}, `tenants: "acme": cooldown:`},
		{"a tenant's name", retention.Policies{Tenants: map[memory.Tenant]retention.Policy{"": {}}}, `tenants: "": must not be empty`},
		{"a tenant beside the default", retention.Policies{
			Default: retention.Policy{WarmAfter: 60 * day},
			Tenants: map[memory.Tenant]retention.Policy{"acme": {ColdAfter: 50 * day}},
		}, `tenants: "acme": cold_after: must not be less than warm_after (1440h0m0s)`},
	}
	for _, tt := range tests {
		err := tt.policies.Validate(30 * day)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestDecodePolicies(t *testing.T) {
	var got retention.Policies
	err := got.UnmarshalText([]byte(`{
		"default": {"warm_after": "240h", "archive_for": "8760h"},
		"tenants": {"acme": {"archive_for": "never", "cooldown": "0s"}}
	}`))
	want := retention.Policies{
		Default: retention.Policy{WarmAfter: 10 * day, ArchiveFor: 365 * day},
		Tenants: map[memory.Tenant]retention.Policy{"acme": {ArchiveFor: retention.Never}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v", got, err)
	}
	if err := got.UnmarshalText(nil); err != nil || !reflect.DeepEqual(got, retention.Policies{}) {
		t.Errorf("nothing is read as %+v, %v", got, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := map[string]struct{ raw, want string }{
		"a number":            {`{"default": {"warm_after": 30}}`, "warm_after: must be a duration"},
		"minus one":           {`{"default": {"warm_after": "-1"}}`, "warm_after: must be a duration"},
		"a negative duration": {`{"default": {"warm_after": "-1h"}}`, "warm_after: must be a duration"},
		"days":                {`{"default": {"warm_after": "30d"}}`, "warm_after: must be a duration"},
		"an empty string":     {`{"default": {"warm_after": ""}}`, "warm_after: must be a duration"},
		"an unknown limit":    {`{"tenants": {"acme": {"warm": "1h"}}}`, "warm: unknown field"},
		"an unknown field":    {`{"tenant": {}}`, `unknown field "tenant"`},
		"a list":              {`{"default": []}`, "cannot unmarshal array"},
		"two values":          {`{} {}`, "more than one JSON value"},
		"no JSON":             {`warm_after=1h`, "invalid character"},
	}
	for name, tt := range tests {
		before := retention.Policies{Default: retention.Policy{WarmAfter: time.Hour}}
		got := before
		if err := got.UnmarshalText([]byte(tt.raw)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if !reflect.DeepEqual(got, before) {
			t.Errorf("%s: left %+v behind", name, got)
		}
	}
}

func TestPolicyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := retention.Policies{
			Default: drawnPolicy(t, "default"),
			Tenants: map[memory.Tenant]retention.Policy{"acme": drawnPolicy(t, "acme")},
		}
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got retention.Policies
		if err := got.UnmarshalText(raw); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s was read as %+v, %v", raw, got, err)
		}
	})
}

func FuzzDecodePolicies(f *testing.F) {
	f.Add([]byte(`{"default": {"warm_after": "240h"}, "tenants": {"acme": {"archive_for": "never"}}}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var got, again retention.Policies
		if got.UnmarshalText(raw) != nil {
			return
		}
		out, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalText(out); err != nil || again.Default != got.Default || len(again.Tenants) != len(got.Tenants) {
			t.Errorf("%s became %s, %v", raw, out, err)
		}
	})
}
