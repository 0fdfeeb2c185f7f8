package io.stowline.blob.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.rest.Response;
import io.stowline.error.Failure;
import io.stowline.transport.internal.Operation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a failure that the service did not tell, but that follows from what it answered. Immutable.
 *
 * @param operation what was asked
 * @param status the status that says the same, or 0
 * @param code the service's code for it, or {@code null}
 * @param tried how often and how long
 * @param ids the ids of the last request
 */
record LocalFailure(
        Operation operation, int status, @Nullable String code, Tried tried, Ids ids) {

    private static final HttpHeaderName CLIENT_REQUEST_ID = HttpHeaderName.fromString("x-ms-client-request-id");
    private static final HttpHeaderName REQUEST_ID = HttpHeaderName.fromString("x-ms-request-id");

    record Tried(int attempts, int unanswered, Duration elapsed) {}

    record Ids(String client, @Nullable String service) {

        static final Ids NONE = new Ids("none", null);

        static Ids of(Response<?> response) {
            return of(response.getRequest(), response.getHeaders());
        }

        static Ids of(HttpRequest request, HttpHeaders answer) {
            String client = request.getHeaders().getValue(CLIENT_REQUEST_ID);
            return new Ids(client == null ? NONE.client : client, answer.getValue(REQUEST_ID));
        }
    }

    static LocalFailure of(Operation operation, Response<?> answer) {
        return of(operation, Ids.of(answer));
    }

    static LocalFailure of(Operation operation, Ids ids) {
        return new LocalFailure(operation, 0, null, new Tried(1, 0, Duration.ZERO), ids);
    }

    LocalFailure status(int status, @Nullable String code) {
        return new LocalFailure(operation, status, code, tried, ids);
    }

    LocalFailure tried(int attempts, int unanswered, Duration elapsed) {
        return new LocalFailure(operation, status, code, new Tried(attempts, unanswered, elapsed), ids);
    }

    Failure because(String message, String ending) {
        return new Failure(
                operation.name(),
                operation.resource(),
                status,
                code,
                message,
                tried.attempts,
                tried.unanswered,
                tried.elapsed,
                null,
                ids.client,
                ids.service,
                ending);
    }
}
