package io.stowline.spring.boot.tracing;

import io.micrometer.observation.Observation;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import io.stowline.observe.OperationInfo.HandledMessage;
import io.stowline.observe.StowlineObservationContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A handler that makes the spans of handlings, each with a link to the sender of each message. That of a single message is a child of its
 * sender's, too. Thread-safe.
 */
final class HandlingSpans extends PropagatingReceiverTracingObservationHandler<ReceiverContext<?>> {

    private static final String PARENT = "traceparent";

    private final Tracer tracer;

    HandlingSpans(Tracer tracer, Propagator propagator) {
        super(tracer, propagator);
        this.tracer = tracer;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ReceiverContext<?> && handling(context) != null;
    }

    @Override
    public Span.Builder customizeExtractedSpan(ReceiverContext<?> context, Span.Builder span) {
        for (HandledMessage message : messages(context)) {
            String parent = message.headers().get(PARENT);
            if (parent != null) {
                span.addLink(new Link(sender(parent), Map.of("messaging.message.id", message.id())));
            }
        }
        return span;
    }

    @Override
    public void tagSpan(ReceiverContext<?> context, Span span) {
        SpanTags.put(context.getAllKeyValues(), span);
    }

    private static @Nullable StowlineObservationContext handling(Observation.Context context) {
        return context.get(StowlineObservationContext.class);
    }

    private static List<HandledMessage> messages(Observation.Context context) {
        return Objects.requireNonNull(handling(context), "handling").operation().messages();
    }

    /** The client gives well-formed contexts only: version, trace, span and flags. */
    private TraceContext sender(String parent) {
        String[] parts = parent.split("-", 4);
        return tracer.traceContextBuilder()
                .traceId(parts[1])
                .spanId(parts[2])
                .sampled((Integer.parseInt(parts[3], 16) & 1) == 1)
                .build();
    }
}
