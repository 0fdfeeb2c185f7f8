package io.stowline.transport.internal.error;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.rest.Response;
import io.stowline.error.FailureDetails;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.StorageResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A builder of {@link FailureDetails}; without its facts no request was sent and no response came. */
public final class FailureFacts {

    /**
     * The ids of a request.
     *
     * @param client the id that its client gave it
     * @param service the service's id of the response, or {@code null} if there was none
     */
    public record Ids(String client, @Nullable String service) {

        public static final Ids NONE = new Ids("none", null);

        /** Returns the ids of a response that an SDK client has read. */
        public static Ids of(Response<?> response) {
            return of(response.getRequest(), response.getHeaders());
        }

        /** Returns the ids of a response to a request of the library. */
        public static Ids of(StorageResponse response) {
            StorageResponse.Trace request = response.request();
            String service = response.header(StorageResponse.REQUEST_ID);
            return new Ids(
                    request == null ? NONE.client : request.clientRequestId(),
                    service == null ? null : response.masked(service));
        }

        /** Returns the ids of a request and of the headers of its response. */
        public static Ids of(HttpRequest request, HttpHeaders response) {
            String client = DirectRequest.header(request, StorageResponse.CLIENT_REQUEST_ID);
            String service = response.getValue(StorageResponse.REQUEST_ID);
            return new Ids(
                    client == null ? NONE.client : client,
                    service == null ? null : RequestSecrets.of(request).maskedIn(service));
        }
    }

    private final String operation;
    private final String resource;
    private int status;
    private @Nullable String code;
    private int attempts;
    private int unanswered;
    private Duration elapsed = Duration.ZERO;
    private @Nullable Duration retryAfter;
    private Ids ids = Ids.NONE;

    private FailureFacts(String operation, String resource) {
        this.operation = operation;
        this.resource = resource;
    }

    /**
     * Returns the facts of a failed operation.
     *
     * @param operation the caller's verb
     * @param resource the resource that it concerns
     */
    public static FailureFacts of(String operation, String resource) {
        return new FailureFacts(operation, resource);
    }

    /** Sets the status of the last response, or 0, and the service's code for it. */
    public FailureFacts status(int given, @Nullable String errorCode) {
        status = given;
        code = errorCode;
        return this;
    }

    /** Sets the status, code, hint and id of a refusal, if there is one. */
    public FailureFacts refused(@Nullable ServiceError refusal) {
        if (refusal != null) {
            retryAfter = refusal.hint();
            ids = new Ids(ids.client, refusal.requestId());
            return status(refusal.status(), refusal.code());
        }
        return this;
    }

    /**
     * Sets the number of attempts, of those among them that may have been executed without a response, and their whole
     * time.
     */
    public FailureFacts tried(int sent, int withoutResponse, Duration time) {
        attempts = sent;
        unanswered = withoutResponse;
        elapsed = time;
        return this;
    }

    /** Sets the ids of the last request. */
    public FailureFacts ids(Ids given) {
        ids = given;
        return this;
    }

    /** Sets the ids of the last request. */
    public FailureFacts ids(String client, @Nullable String service) {
        return ids(new Ids(client, service));
    }

    /**
     * Returns the details.
     *
     * @param message the text of the service or of the transport
     * @param stopReason why no further attempt was made
     */
    public FailureDetails because(String message, String stopReason) {
        return new FailureDetails(
                operation,
                resource,
                status,
                code,
                message,
                attempts,
                unanswered,
                elapsed,
                retryAfter,
                ids.client,
                ids.service,
                stopReason);
    }

    /** Copies the details without the secrets of the request. */
    public static FailureDetails masked(FailureDetails details, RequestSecrets secrets) {
        String id = details.requestId();
        return new FailureDetails(
                details.operation(),
                details.resource(),
                details.status(),
                details.errorCode(),
                secrets.maskedIn(details.message()),
                details.attempts(),
                details.unansweredAttempts(),
                details.elapsed(),
                details.retryAfter(),
                details.clientRequestId(),
                id == null ? null : secrets.maskedIn(id),
                secrets.maskedIn(details.stopReason()));
    }
}
