package io.stowline.transport;

import io.stowline.retry.AttemptLog;
import io.stowline.retry.StopReason;
import java.util.Objects;

/**
 * The facts of one request of an Azure SDK client, all its attempts included. Immutable.
 *
 * @param operation the SDK's name of the request, such as {@code enqueue}
 * @param resource the path of its address
 * @param clientRequestId the {@code x-ms-client-request-id} that all its attempts carried
 * @param attempts the facts of its attempts
 * @param stop why the last attempt was the last
 */
public record RequestFacts(
        String operation, String resource, String clientRequestId, AttemptLog attempts, StopReason stop) {

    /**
     * Takes the parts.
     *
     * @param operation the SDK's name of the request, such as {@code enqueue}
     * @param resource the path of its address
     * @param clientRequestId the {@code x-ms-client-request-id} that all its attempts carried
     * @param attempts the facts of its attempts
     * @param stop why the last attempt was the last
     */
    public RequestFacts {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(clientRequestId, "clientRequestId");
        Objects.requireNonNull(attempts, "attempts");
        Objects.requireNonNull(stop, "stop");
    }
}
