package llm_test

import (
	"fmt"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/mnemond/mnemond/pkg/llm"
	"github.com/mnemond/mnemond/pkg/llm/llmtest"
	"github.com/mnemond/mnemond/pkg/memory"
)

// counted are the counters that a reader has seen, as "name{attributes}".
func counted(t *testing.T, r *metric.ManualReader) map[string]int64 {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := r.Collect(testContext(t), &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			for _, p := range m.Data.(metricdata.Sum[int64]).DataPoints {
				name := m.Name
				for _, a := range p.Attributes.ToSlice() {
					name += fmt.Sprintf(" %s=%s", a.Key, a.Value.AsString())
				}
				out[name] = p.Value
			}
		}
	}
	return out
}

func TestUsageIsCountedByTenant(t *testing.T) {
	s := serve(t, llmtest.Options{})
	reader := metric.NewManualReader()
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	x := extractor(t, s, func(o *llm.Options) { o.Meter = provider.Meter("test") })
	expectBoston(t, x)
	thanks := told("thanks!")
	if _, _, err := x.Extract(testContext(t), thanks); err != nil {
		t.Fatal(err)
	}
	s.SetQuirk(llmtest.QuirkErrorInside)
	expectOutage(t, x, boston())
	s.SetQuirk(llmtest.QuirkGarbled)
	_ = expectReason(t, x, boston(), llm.ReasonGarbled)
	got := counted(t, reader)
	for name, want := range map[string]int64{
		"mnemond.llm.calls endpoint=chat outcome=ok tenant=acme":        1,
		"mnemond.llm.calls endpoint=chat outcome=outage tenant=acme":    1,
		"mnemond.llm.calls endpoint=chat outcome=bad_reply tenant=acme": 1,
		"mnemond.llm.calls.saved endpoint=chat tenant=acme":             1,
	} {
		if got[name] != want {
			t.Errorf("%s is %d, want %d", name, got[name], want)
		}
	}
	if n := got["mnemond.llm.tokens direction=prompt endpoint=chat tenant=acme"]; n < 1000 || n > 8000 {
		t.Errorf("%d prompt tokens", n)
	}
	if n := got["mnemond.llm.tokens direction=completion endpoint=chat tenant=acme"]; n < 50 || n > 500 {
		t.Errorf("%d completion tokens", n)
	}
}

// The cap is hard: a call whose prompt and longest reply are not covered is not made.
func TestBudget(t *testing.T) {
	s := serve(t, llmtest.Options{})
	budget := &llmtest.Budget{Cap: 12000}
	x := extractor(t, s, func(o *llm.Options) { o.Budget = budget })
	expectBoston(t, x)
	used := budget.Taken("acme")
	if used < 1000 || used > 8000 {
		t.Fatalf("%d tokens are taken after one call", used)
	}
	for budget.Taken("acme")+used+4096 < budget.Cap {
		expectBoston(t, x)
	}
	calls := s.Calls()
	if after := expectOutage(t, x, boston()); after <= 0 || after > 24*time.Hour {
		t.Errorf("the wait is %s, want until midnight", after)
	}
	expectCalls(t, s, calls)
	if taken := budget.Taken("acme"); taken > budget.Cap {
		t.Errorf("%d of %d tokens are taken", taken, budget.Cap)
	}
	other := boston()
	other.Scope = memory.UserScope("globex", "bob")
	if c, _, err := x.Extract(testContext(t), other); err != nil || len(c) != 1 {
		t.Errorf("another tenant gets %v, %v", c, err)
	}
}

// What a server answers that it did not do costs nothing.
func TestFailedCallsAreSettled(t *testing.T) {
	s := serve(t, llmtest.Options{})
	budget := &llmtest.Budget{Cap: 1 << 20}
	x := extractor(t, s, func(o *llm.Options) { o.Budget = budget })
	s.SetQuirk(llmtest.QuirkErrorInside)
	expectOutage(t, x, boston())
	if taken := budget.Taken("acme"); taken != 0 {
		t.Errorf("%d tokens are taken", taken)
	}
}
