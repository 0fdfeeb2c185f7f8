package io.stowline.error;

import io.stowline.error.internal.PrintableText;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a failed operation: its verb and resource, its attempts and their time, and the response of the service. It never holds a
 * key, a signature or a token.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param operation the verb of the caller, such as {@code insert}
 * @param resource the resource, such as {@code registrations(partition, row)}
 * @param status the HTTP status of the last response, or 0 when there was none
 * @param errorCode the service's code, such as {@code EntityAlreadyExists}, or {@code null} when it gave none
 * @param message the message of the service or the transport, in one line
 * @param attempts how many requests were sent for this operation
 * @param unansweredAttempts how many of them the service may have executed although their response was lost; when this is not 0, a conflict
 *     can be the echo of our own write
 * @param elapsed the time from the call to this failure
 * @param retryAfter the wait that the service requested, or {@code null} when it gave no hint
 * @param clientRequestId the id that all attempts sent as {@code x-ms-client-request-id}
 * @param requestId the service's {@code x-ms-request-id} of the last response, or {@code null} when there was none
 * @param stopReason why no further attempt was made, in words
 */
public record FailureDetails(
        String operation,
        String resource,
        int status,
        @Nullable String errorCode,
        String message,
        int attempts,
        int unansweredAttempts,
        Duration elapsed,
        @Nullable Duration retryAfter,
        String clientRequestId,
        @Nullable String requestId,
        String stopReason) {

    /**
     * Checks that everything that is always known is there, and escapes what is not printable in the message.
     *
     * @param operation the verb of the caller, such as {@code insert}
     * @param resource the resource, such as {@code registrations(partition, row)}
     * @param status the HTTP status of the last response, or 0 when there was none
     * @param errorCode the service's code, such as {@code EntityAlreadyExists}, or {@code null} when it gave none
     * @param message the message of the service or the transport, in one line
     * @param attempts how many requests were sent for this operation
     * @param unansweredAttempts how many of them the service may have executed although their response was lost; when this is not 0, a
     *     conflict can be the echo of our own write
     * @param elapsed the time from the call to this failure
     * @param retryAfter the wait that the service requested, or {@code null} when it gave no hint
     * @param clientRequestId the id that all attempts sent as {@code x-ms-client-request-id}
     * @param requestId the service's {@code x-ms-request-id} of the last response, or {@code null} when there was none
     * @param stopReason why no further attempt was made, in words
     */
    public FailureDetails {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(resource, "resource");
        message = PrintableText.of(Objects.requireNonNull(message, "message"));
        Objects.requireNonNull(elapsed, "elapsed");
        Objects.requireNonNull(clientRequestId, "clientRequestId");
        Objects.requireNonNull(stopReason, "stopReason");
    }

    /**
     * Returns the same facts for one operation inside a batch.
     *
     * @param operation the verb of that operation
     * @param resource the resource
     * @return the facts with these two replaced
     */
    public FailureDetails of(String operation, String resource) {
        return with(operation, resource, message, unansweredAttempts, stopReason);
    }

    /**
     * Returns the same facts with an extended message.
     *
     * @param more what follows the message
     * @return the facts
     */
    public FailureDetails saying(String more) {
        return with(operation, resource, message + more, unansweredAttempts, stopReason);
    }

    /**
     * Returns the same facts once it is proved that no attempt was carried out, and none will be.
     *
     * @param how how it was proved
     * @return the facts, with nothing unanswered
     */
    public FailureDetails settled(String how) {
        return with(operation, resource, message, 0, stopReason + "; not carried out: " + how);
    }

    private FailureDetails with(String operation, String resource, String message, int unanswered, String ending) {
        return new FailureDetails(
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
     * Returns the facts in one line, as the exceptions show them.
     *
     * @return the line
     */
    public String describe() {
        StringBuilder line = new StringBuilder(200);
        line.append(operation).append(' ').append(resource).append(": ");
        boolean isSuccess = status >= 200 && status < 300;
        if (status != 0 && !isSuccess) {
            line.append(status).append(' ');
        }
        if (errorCode != null) {
            line.append(errorCode).append(' ');
        }
        line.append(message);
        line.append(" [").append(stopReason).append("; attempts ").append(attempts);
        if (unansweredAttempts > 0) {
            line.append(" (").append(unansweredAttempts).append(" may have been applied without a response)");
        }
        if (isSuccess) {
            line.append("; last response ").append(status);
        }
        line.append("; elapsed ").append(elapsed.toMillis()).append(" ms");
        if (retryAfter != null) {
            line.append("; the service requested a wait of ")
                    .append(retryAfter.toMillis())
                    .append(" ms");
        }
        line.append("; client-request-id ").append(clientRequestId);
        if (requestId != null) {
            line.append("; request-id ").append(requestId);
        }
        return PrintableText.of(line.append(']').toString());
    }

    /**
     * Returns the same line as {@link #describe}; text from outside is shown escaped.
     *
     * @return the line
     */
    @Override
    public String toString() {
        return describe();
    }
}
