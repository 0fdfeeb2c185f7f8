package io.stowline.observe;

import io.stowline.retry.AttemptLog;
import io.stowline.retry.StopReason;
import java.util.Objects;

/**
 * The end of one request of an operation, all its attempts included. Immutable.
 *
 * @param clientRequestId the {@code x-ms-client-request-id} that all its attempts carried
 * @param attempts the facts of its attempts
 * @param stop the reason why no attempt followed the last one
 * @param existenceCheck whether it checks that a resource exists, as {@code exists} does: a missing table, queue or container is its result
 */
public record RequestEnd(String clientRequestId, AttemptLog attempts, StopReason stop, boolean existenceCheck) {

    /**
     * Checks that everything is there.
     *
     * @param clientRequestId the {@code x-ms-client-request-id} that all its attempts carried
     * @param attempts the facts of its attempts
     * @param stop why the last attempt was the last
     * @param existenceCheck whether it checks that a resource exists
     */
    public RequestEnd {
        Objects.requireNonNull(clientRequestId, "clientRequestId");
        Objects.requireNonNull(attempts, "attempts");
        Objects.requireNonNull(stop, "stop");
    }
}
