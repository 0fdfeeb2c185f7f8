package io.stowline.observe;

import io.micrometer.observation.transport.ReceiverContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The context of an observed handling of a message. Tracing sees a consumer's span: a message in
 * an envelope carries the trace context of its sender, and the handling goes on with that trace. Thread-safe.
 */
final class HandlingContext extends ReceiverContext<Map<String, String>> {

    private final StowlineObservationContext handling;

    HandlingContext(StowlineObservationContext handling) {
        super(HandlingContext::header);
        setCarrier(handling.operation().headers());
        setRemoteServiceName("azure-storage-" + handling.operation().service());
        put(StowlineObservationContext.class, handling);
        this.handling = handling;
    }

    private static @Nullable String header(@Nullable Map<String, String> carrier, String key) {
        return carrier == null ? null : carrier.get(key);
    }

    /** Returns the handling as an operation, which names and tags it like all others. */
    StowlineObservationContext handling() {
        return handling;
    }
}
