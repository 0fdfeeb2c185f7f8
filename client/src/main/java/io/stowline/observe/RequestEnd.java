package io.stowline.observe;

import io.stowline.retry.AttemptEnd;
import io.stowline.retry.StopReason;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The end of one request, all its attempts included: of an operation, or of an Azure SDK client with a {@link io.stowline.StorageRetryPolicy}.
 * Immutable.
 *
 * @param name the verb, such as {@code insert}; of an Azure SDK client the SDK's name of the request, such as {@code enqueue}
 * @param resource the resource; of an Azure SDK client the path of its address
 * @param clientRequestId the {@code x-ms-client-request-id} that all its attempts carried
 * @param requestId the service's {@code x-ms-request-id} of the last response, or {@code null} when there was none
 * @param attempts the ends of its attempts, in their order
 * @param elapsed the time since the first attempt began, waits included
 * @param stop the reason why no attempt followed the last one
 * @param existenceCheck whether it checks that a resource exists, as {@code exists} does: a missing table, queue or container is its result
 */
public record RequestEnd(
        String name,
        String resource,
        String clientRequestId,
        @Nullable String requestId,
        List<AttemptEnd> attempts,
        Duration elapsed,
        StopReason stop,
        boolean existenceCheck) {

    /**
     * Copies the list.
     *
     * @param name the verb, or the SDK's name of the request
     * @param resource the resource, or the path of its address
     * @param clientRequestId the {@code x-ms-client-request-id} that all its attempts carried
     * @param requestId the service's {@code x-ms-request-id}, or {@code null}
     * @param attempts the ends of its attempts, in their order
     * @param elapsed the time since the first attempt began, waits included
     * @param stop why the last attempt was the last
     * @param existenceCheck whether it checks that a resource exists
     */
    public RequestEnd {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(clientRequestId, "clientRequestId");
        attempts = List.copyOf(attempts);
        Objects.requireNonNull(elapsed, "elapsed");
        Objects.requireNonNull(stop, "stop");
    }

    /**
     * Returns whether any attempt may have been applied although its response was lost.
     *
     * @return whether one of them was ambiguous
     */
    public boolean anyAmbiguous() {
        return attempts.stream().anyMatch(AttemptEnd::ambiguous);
    }
}
