package io.stowline.observe;

import io.micrometer.observation.transport.ReceiverContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The context of an observed handling of a message, which {@link MicrometerListener} creates. Tracing sees a consumer's span: a message in
 * an envelope carries the trace context of its sender, and the handling goes on with that trace. Thread-safe.
 */
@SuppressWarnings("exports") // Micrometer is optional: who uses this class requires it
public final class StowlineHandlingContext extends ReceiverContext<Map<String, String>> {

    private final StowlineObservationContext handling;

    StowlineHandlingContext(StowlineObservationContext handling) {
        super(StowlineHandlingContext::header);
        setCarrier(handling.operation().headers());
        setRemoteServiceName("azure-storage-" + handling.operation().service());
        this.handling = handling;
    }

    private static @Nullable String header(@Nullable Map<String, String> carrier, String key) {
        return carrier == null ? null : carrier.get(key);
    }

    /**
     * Returns the handling as an operation, which names and tags it like all others.
     *
     * @return the operation {@code handle}
     */
    public StowlineObservationContext handling() {
        return handling;
    }
}
