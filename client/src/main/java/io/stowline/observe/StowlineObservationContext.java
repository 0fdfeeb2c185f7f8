package io.stowline.observe;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The context of an observed operation; handlers and conventions read it, {@link MicrometerListener} creates it. Tracing sees a client's
 * span, or a producer's for {@code send}; its carrier takes the trace context for the envelope of a message.
 *
 * <p>The handling of a message is observed with a receiver's context, so that tracing sees a consumer's span. Its operation is
 * {@code context.get(StowlineObservationContext.class)}.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("exports") // Micrometer is optional: who uses this class requires it
public final class StowlineObservationContext extends SenderContext<Map<String, String>> {

    private final OperationInfo operation;
    private volatile @Nullable OperationEnd end;
    private volatile @Nullable String clientRequestId;
    private volatile @Nullable String requestId;
    private volatile int attempts;

    StowlineObservationContext(OperationInfo operation) {
        super(StowlineObservationContext::carry, operation.name().equals("send") ? Kind.PRODUCER : Kind.CLIENT);
        setCarrier(new HashMap<>());
        setRemoteServiceName("azure-storage-" + operation.service());
        this.operation = Objects.requireNonNull(operation, "operation");
    }

    private static void carry(@Nullable Map<String, String> carrier, String key, String value) {
        if (carrier != null) {
            carrier.put(key, value);
        }
    }

    /** Returns the entries that tracing put into the carrier at the beginning of the observation. */
    Map<String, String> carried() {
        Map<String, String> carrier = getCarrier();
        return carrier == null ? Map.of() : carrier;
    }

    /** Adds a request that has ended. Blocks of an upload and parts of a query end beside each other. */
    synchronized void add(RequestEnd request) {
        if (clientRequestId == null) {
            clientRequestId = request.clientRequestId();
        }
        if (request.requestId() != null) {
            requestId = request.requestId();
        }
        attempts += request.attempts().size();
    }

    void end(OperationEnd how) {
        end = how;
    }

    /**
     * Returns the observed operation.
     *
     * @return the operation
     */
    public OperationInfo operation() {
        return operation;
    }

    /**
     * Returns how it ended.
     *
     * @return the end, or {@code null} while it goes on
     */
    public @Nullable OperationEnd end() {
        return end;
    }

    /**
     * Returns the {@code x-ms-client-request-id} of its first request, which stands in the service's log.
     *
     * @return the id, or {@code null} as long as no request has ended
     */
    public @Nullable String clientRequestId() {
        return clientRequestId;
    }

    /**
     * Returns the {@code x-ms-request-id} that the service gave the last of its requests with a response.
     *
     * @return the id, or {@code null} as long as there is no response
     */
    public @Nullable String requestId() {
        return requestId;
    }

    /**
     * Returns how many attempts of its requests have ended.
     *
     * @return the number so far
     */
    public int attempts() {
        return attempts;
    }
}
