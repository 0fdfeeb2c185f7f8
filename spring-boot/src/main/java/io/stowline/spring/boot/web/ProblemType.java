package io.stowline.spring.boot.web;

import java.util.Locale;
import java.util.Objects;
import org.springframework.http.HttpStatus;

/**
 * The type of a problem (RFC 9457) by which an application reports a failure of the storage to its own clients. Its name in lower case, with hyphens, ends
 * the {@code type} of the problem: {@code /problems/outcome-unknown}.
 */
public enum ProblemType {

    /** A value of the request that is not allowed: a key, a page token, a page size, {@code If-Match}. */
    INVALID_INPUT(HttpStatus.BAD_REQUEST, "A value is not allowed", "A value of the request is not allowed."),

    /** A missing entity, message or blob. */
    NOT_FOUND(HttpStatus.NOT_FOUND, "It does not exist", "There is nothing of this name."),

    /** An entity or blob that exists already, or whose state does not allow the operation. */
    CONFLICT(HttpStatus.CONFLICT, "It exists already", "It exists already, or its state does not allow the operation."),

    /** An entity or blob that has changed since it was read. */
    VERSION_CHANGED(
            HttpStatus.PRECONDITION_FAILED,
            "It has changed",
            "It has changed since it was read: read it again, and repeat the change."),

    /** A change without the version that it is for. */
    VERSION_REQUIRED(
            HttpStatus.PRECONDITION_REQUIRED,
            "If-Match is missing",
            "Send the ETag of what you have read as If-Match."),

    /** Throttling, or a writer of the application without room. The operation was not carried out. */
    TOO_BUSY(
            HttpStatus.SERVICE_UNAVAILABLE, "Too many requests", "The operation was not carried out: repeat it later."),

    /** A storage out of reach, or a client that closes. The operation was not carried out. */
    STORAGE_UNAVAILABLE(
            HttpStatus.SERVICE_UNAVAILABLE,
            "The storage does not respond",
            "The operation was not carried out: repeat it later."),

    /** A write whose response was lost: nothing proves whether it was applied. */
    OUTCOME_UNKNOWN(
            HttpStatus.GATEWAY_TIMEOUT,
            "The outcome is unknown",
            "The change may have been made, or may yet be: read before you repeat it."),

    /** A refusal of the application itself, a missing table or container, or stored data that cannot be read. */
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "The service has failed", "The log of the service has the reason.");

    private final HttpStatus status;
    private final String title;
    private final String detail;

    ProblemType(HttpStatus status, String title, String detail) {
        this.status = status;
        this.title = title;
        this.detail = detail;
    }

    /**
     * Returns the type of a failure, by the first exception of Stowline in its chain of causes.
     *
     * @param failure a failure, such as that of a handler or of an item of a writer
     * @return its type; {@link #INTERNAL} if no exception of Stowline is among the causes
     */
    public static ProblemType of(Throwable failure) {
        return FailureTypes.of(Objects.requireNonNull(failure, "failure"));
    }

    /**
     * Returns the status of the response.
     *
     * @return 400 to 504
     */
    public HttpStatus status() {
        return status;
    }

    /**
     * Returns the title of the problem.
     *
     * @return a few words, the same for each problem of this type
     */
    public String title() {
        return title;
    }

    /**
     * Returns the detail of a problem of which no more is known.
     *
     * @return a sentence without names, keys and addresses
     */
    public String detail() {
        return detail;
    }

    /** Returns the end of the {@code type} of a problem. */
    String ending() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
