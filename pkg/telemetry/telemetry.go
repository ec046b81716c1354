// Package telemetry sends a process's traces and metrics to a collector. What is recorded is
// each package's own business; here is only where it goes.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// envOTLP is OpenTelemetry's own variable: where traces and metrics go, by OTLP over HTTP.
// Without it, nothing is collected. The other OTEL_ variables count as well.
const envOTLP = "OTEL_EXPORTER_OTLP_ENDPOINT"

// Start sends the process's traces and metrics to where the environment says. What it
// returns sends the rest and ends it.
func Start(ctx context.Context, part string, log *slog.Logger) (func(context.Context) error, error) {
	if os.Getenv(envOTLP) == "" {
		return func(context.Context) error { return nil }, nil
	}
	spans, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", envOTLP, err)
	}
	metrics, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", envOTLP, err)
	}
	res, err := resource.Merge(resource.Default(), resource.NewSchemaless(
		attribute.String("service.namespace", "mnemond"), attribute.String("service.name", part),
	))
	if err != nil {
		return nil, fmt.Errorf("describe the process: %w", err)
	}
	tp := trace.NewTracerProvider(trace.WithBatcher(spans), trace.WithResource(res))
	mp := metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(metrics)), metric.WithResource(res))
	otel.SetTracerProvider(tp)
	otel.SetMeterProvider(mp)
	otel.SetTextMapPropagator(propagation.TraceContext{})
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("telemetry", "error", err) }))
	return func(ctx context.Context) error { return errors.Join(tp.Shutdown(ctx), mp.Shutdown(ctx)) }, nil
}
