package io.stowline.spring.boot.tracing;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import io.stowline.observe.StowlineObservationContext;

/** A handler that makes the spans of operations. Thread-safe. */
final class OperationSpans extends PropagatingSenderTracingObservationHandler<StowlineObservationContext> {

    OperationSpans(Tracer tracer, Propagator propagator) {
        super(tracer, propagator);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof StowlineObservationContext;
    }

    @Override
    public void tagSpan(StowlineObservationContext context, Span span) {
        SpanTags.put(context.getAllKeyValues(), span);
    }
}
