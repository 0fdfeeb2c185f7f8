package io.stowline.error;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts of an operation that failed: what was asked of which resource, how often and how long it was tried, and what the
 * service said. It never holds a key, a signature or a token.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param operation the verb of the caller, such as {@code insert}
 * @param resource what it was asked of, such as {@code registrations(partition, row)}
 * @param status the HTTP status of the last answer, or 0 when there was none
 * @param errorCode the service's code, such as {@code EntityAlreadyExists}, or {@code null} when it gave none
 * @param message what the service or the transport said, in one line
 * @param attempts how many requests were sent for this operation
 * @param unanswered how many of them may have been carried out although their answer was lost; when this is not 0, a
 *     conflict can be the echo of our own write
 * @param elapsed the time from the call to this failure
 * @param retryAfter how long the service asked to wait, or {@code null} when it gave no hint
 * @param clientRequestId the id that all attempts sent as {@code x-ms-client-request-id}
 * @param requestId the service's {@code x-ms-request-id} of the last answer, or {@code null} when there was none
 * @param ending why no further attempt was made, in words
 */
public record Failure(
        String operation,
        String resource,
        int status,
        @Nullable String errorCode,
        String message,
        int attempts,
        int unanswered,
        Duration elapsed,
        @Nullable Duration retryAfter,
        String clientRequestId,
        @Nullable String requestId,
        String ending) {

    /**
     * Checks that everything that is always known is there.
     *
     * @param operation the verb of the caller, such as {@code insert}
     * @param resource what it was asked of, such as {@code registrations(partition, row)}
     * @param status the HTTP status of the last answer, or 0 when there was none
     * @param errorCode the service's code, such as {@code EntityAlreadyExists}, or {@code null} when it gave none
     * @param message what the service or the transport said, in one line
     * @param attempts how many requests were sent for this operation
     * @param unanswered how many of them may have been carried out although their answer was lost; when this is not 0, a conflict can be the echo of our own write
     * @param elapsed the time from the call to this failure
     * @param retryAfter how long the service asked to wait, or {@code null} when it gave no hint
     * @param clientRequestId the id that all attempts sent as {@code x-ms-client-request-id}
     * @param requestId the service's {@code x-ms-request-id} of the last answer, or {@code null} when there was none
     * @param ending why no further attempt was made, in words
     */
    public Failure {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(elapsed, "elapsed");
        Objects.requireNonNull(clientRequestId, "clientRequestId");
        Objects.requireNonNull(ending, "ending");
    }

    /**
     * The same facts for one operation inside a batch.
     *
     * @param operation the verb of that operation
     * @param resource what it was asked of
     * @return the facts with these two replaced
     */
    public Failure of(String operation, String resource) {
        return with(operation, resource, message, unanswered, ending);
    }

    /**
     * The same facts with more to say.
     *
     * @param more what follows the message
     * @return the facts
     */
    public Failure saying(String more) {
        return with(operation, resource, message + more, unanswered, ending);
    }

    /**
     * The same facts once it is proved that no attempt was carried out, and none will be.
     *
     * @param how how it was proved
     * @return the facts, with nothing unanswered
     */
    public Failure settled(String how) {
        return with(operation, resource, message, 0, ending + "; not carried out: " + how);
    }

    private Failure with(String operation, String resource, String message, int unanswered, String ending) {
        return new Failure(
                operation,
                resource,
                status,
                errorCode,
                message,
                attempts,
                unanswered,
                elapsed,
                retryAfter,
                clientRequestId,
                requestId,
                ending);
    }

    /**
     * The facts in one line, as the exceptions show them.
     *
     * @return the line
     */
    public String describe() {
        StringBuilder line = new StringBuilder(200);
        line.append(operation).append(' ').append(resource).append(": ");
        if (status != 0) {
            line.append(status).append(' ');
        }
        if (errorCode != null) {
            line.append(errorCode).append(' ');
        }
        line.append(message);
        line.append(" [").append(ending).append("; attempts ").append(attempts);
        if (unanswered > 0) {
            line.append(" (").append(unanswered).append(" may have been applied without an answer)");
        }
        line.append("; elapsed ").append(elapsed.toMillis()).append(" ms");
        if (retryAfter != null) {
            line.append("; the service asked to wait ")
                    .append(retryAfter.toMillis())
                    .append(" ms");
        }
        line.append("; client-request-id ").append(clientRequestId);
        if (requestId != null) {
            line.append("; request-id ").append(requestId);
        }
        return Printable.of(line.append(']').toString());
    }

    /**
     * The same line: what came from outside is not shown as it came.
     *
     * @return the line
     */
    @Override
    public String toString() {
        return describe();
    }
}
