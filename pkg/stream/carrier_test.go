package stream

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

func TestHeaderCarrierReadsAnyCase(t *testing.T) {
	for _, key := range []string{"traceparent", "Traceparent", "TRACEPARENT"} {
		ctx := propagation.TraceContext{}.Extract(context.Background(), HeaderCarrier(nats.Header{key: {traceparent}}))
		if got := trace.SpanContextFromContext(ctx).TraceID().String(); got != "0af7651916cd43dd8448eb211c80319c" {
			t.Errorf("%s: trace id %s", key, got)
		}
	}
}

func TestHeaderCarrierWritesLowerCaseOnce(t *testing.T) {
	ctx := propagation.TraceContext{}.Extract(context.Background(), HeaderCarrier(nats.Header{"traceparent": {traceparent}}))
	h := nats.Header{"Traceparent": {"old"}, "Other": {"x"}}
	propagation.TraceContext{}.Inject(ctx, HeaderCarrier(h))
	if len(h) != 2 || h["traceparent"][0] != traceparent || h["Other"][0] != "x" {
		t.Errorf("header %v", h)
	}
	if keys := HeaderCarrier(h).Keys(); len(keys) != 2 {
		t.Errorf("keys %v", keys)
	}
	if v := HeaderCarrier(h).Get("absent"); v != "" {
		t.Errorf("absent key is %q", v)
	}
}
