package io.stowline.examples.registrations;

import io.stowline.error.CircuitOpenException;
import io.stowline.error.ConflictException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.table.BufferFullException;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.GaveUpException;
import io.stowline.table.LeftoverException;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** The kinds of problems that the service reports, each with its own type and status (RFC 9457). */
enum ProblemType {
    INVALID_INPUT(HttpStatus.BAD_REQUEST, "A value is not allowed", "see errors for names, values and limits"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "It does not exist", "it was removed in between"),
    CONFLICT(HttpStatus.CONFLICT, "It exists already", "the race has a registration of this runner or this bib"),
    REGISTRATION_CLOSED(HttpStatus.CONFLICT, "Registration is closed", "the race takes no registrations now"),
    VERSION_CHANGED(HttpStatus.PRECONDITION_FAILED, "It has changed", "read it again, and repeat the change"),
    VERSION_REQUIRED(
            HttpStatus.PRECONDITION_REQUIRED,
            "If-Match is missing",
            "send the ETag of the registration that you have read as If-Match"),
    TOO_BUSY(HttpStatus.SERVICE_UNAVAILABLE, "Too many requests", "nothing was changed; repeat the request later"),
    STORAGE_UNAVAILABLE(
            HttpStatus.SERVICE_UNAVAILABLE,
            "The storage does not answer",
            "nothing was changed; repeat the request later"),
    OUTCOME_UNKNOWN(
            HttpStatus.GATEWAY_TIMEOUT,
            "The outcome is unknown",
            "the change may have been made, or may yet be; read the registration before you repeat it"),
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "The service has failed", "the log of the service has the reason");

    /** The wait before a repetition, unless the storage demands another one. */
    static final String RETRY_SECONDS = "5";

    private static final int SHOWN_CHARACTERS = 200;

    private final HttpStatus status;
    private final String title;
    private final String detail;

    ProblemType(HttpStatus status, String title, String detail) {
        this.status = status;
        this.title = title;
        this.detail = detail;
    }

    /** Returns the problem for a failure of the client or of a writer. */
    static ProblemType of(Throwable failure) {
        if (failure instanceof OutcomeUnknownException) {
            return OUTCOME_UNKNOWN;
        }
        if (failure instanceof LeftoverException leftover) {
            return leftover.sent() ? OUTCOME_UNKNOWN : STORAGE_UNAVAILABLE;
        }
        if (failure instanceof ConflictException) {
            return CONFLICT;
        }
        if (failure instanceof PreconditionFailedException) {
            return VERSION_CHANGED;
        }
        if (failure instanceof NotFoundException missing
                && !"TableNotFound".equals(missing.failure().errorCode())) {
            return NOT_FOUND;
        }
        if (failure instanceof ThrottledException || failure instanceof BufferFullException) {
            return TOO_BUSY;
        }
        return failure instanceof ServerErrorException
                        || failure instanceof UnreachableException
                        || failure instanceof DeadlineExceededException
                        || failure instanceof CircuitOpenException
                        || failure instanceof DeliveryTimeoutException
                        || failure instanceof GaveUpException
                ? STORAGE_UNAVAILABLE
                : INTERNAL;
    }

    HttpStatus status() {
        return status;
    }

    String detail() {
        return detail;
    }

    ProblemDetail problem(String text) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, text);
        problem.setType(
                URI.create("/problems/" + name().toLowerCase(Locale.ROOT).replace('_', '-')));
        problem.setTitle(title);
        return problem;
    }

    ErrorResponseException exception(String text, @Nullable Throwable cause) {
        ErrorResponseException exception = new ErrorResponseException(status, problem(text), cause);
        if (status == HttpStatus.SERVICE_UNAVAILABLE) {
            exception.getHeaders().set(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        }
        return exception;
    }

    /** Returns the problem of a value that is not allowed, with its limit. */
    static ErrorResponseException invalid(String name, Object value, String limit, @Nullable Throwable cause) {
        Object shown = value instanceof CharSequence ? shown(value) : value;
        ErrorResponseException exception =
                INVALID_INPUT.exception(name + " must be " + limit + ", not " + shown, cause);
        exception.getBody().setProperty("name", name);
        exception.getBody().setProperty("value", shown);
        exception.getBody().setProperty("limit", limit);
        return exception;
    }

    /** Returns a value for problems and reports: not longer than 200 characters. */
    static String shown(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "..";
    }

    static ErrorResponseException missing(String what, String name) {
        return NOT_FOUND.exception("there is no " + what + " " + name, null);
    }
}
