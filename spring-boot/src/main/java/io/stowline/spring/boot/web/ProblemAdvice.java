package io.stowline.spring.boot.web;

import io.stowline.blob.TransferFailedException;
import io.stowline.error.ClosedException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.projection.InvalidValueException;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.UndecodableMessageException;
import io.stowline.table.BufferFullException;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.GaveUpException;
import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.LeftoverException;
import io.stowline.table.PredecessorFailedException;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.UnreadableEntityException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * An advice that turns exceptions of the client into problem details. The response of the service, names and keys stay in the log; the problem has the
 * client request id, under which the log has them. Advices of the application take precedence. Immutable and thread-safe.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class ProblemAdvice {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final String typePrefix;

    ProblemAdvice(String typePrefix) {
        this.typePrefix = typePrefix;
    }

    @ExceptionHandler({
        BufferFullException.class,
        ClosedException.class,
        DeliveryTimeoutException.class,
        GaveUpException.class,
        InvalidPageTokenException.class,
        InvalidValueException.class,
        LeftoverException.class,
        MessageLease.LeaseLostException.class,
        PredecessorFailedException.class,
        PredecessorUnknownException.class,
        ProblemException.class,
        PropertyConversionException.class,
        StorageException.class,
        TransferFailedException.class,
        UncollectedFailuresException.class,
        UndecodableMessageException.class,
        UnmappableTypeException.class,
        UnreadableEntityException.class,
        WaitInterruptedException.class,
        io.stowline.blob.LeaseLostException.class
    })
    ResponseEntity<ProblemDetail> problem(Throwable failure) throws Throwable {
        Throwable known = FailureTypes.known(failure).orElse(failure);
        if (hasResponse(failure, known)) {
            // Spring goes on with the exception that it gave to an advice, if the advice throws it.
            throw failure;
        }
        ProblemType type = ProblemType.of(known);
        log(type, failure);
        ResponseEntity.BodyBuilder response = ResponseEntity.status(type.status());
        if (type.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            response.header(HttpHeaders.RETRY_AFTER, String.valueOf(retryAfter(FailureTypes.details(known))));
        }
        return response.body(detail(type, known));
    }

    /** Returns whether the application has wrapped a failure into an exception that states its response. */
    private static boolean hasResponse(Throwable failure, Throwable known) {
        for (Throwable next = failure; next != known && next != null; next = next.getCause()) {
            if (next instanceof ErrorResponse
                    || AnnotatedElementUtils.hasAnnotation(next.getClass(), ResponseStatus.class)) {
                return true;
            }
        }
        return false;
    }

    private ProblemDetail detail(ProblemType type, Throwable known) {
        ProblemDetail problem;
        if (known instanceof ProblemException own) {
            problem = own.getBody();
        } else {
            problem = ProblemDetail.forStatusAndDetail(type.status(), text(type, known));
            problem.setTitle(type.title());
        }
        problem.setType(URI.create(typePrefix + type.ending()));
        FailureDetails details = FailureTypes.details(known);
        if (details != null) {
            problem.setProperty("operation", details.operation());
            problem.setProperty("clientRequestId", details.clientRequestId());
            if (type == ProblemType.OUTCOME_UNKNOWN) {
                problem.setProperty("attempts", details.attempts());
                problem.setProperty("unansweredAttempts", details.unansweredAttempts());
            }
        }
        if (known instanceof OutcomeUnknownException unknown) {
            problem.setProperty("readBack", withoutQuotation(unknown.readBackDetail()));
            problem.setProperty("mayBecomeKnown", unknown.mayBecomeKnown());
        }
        return problem;
    }

    private static String text(ProblemType type, Throwable known) {
        if (known instanceof InvalidValueException) {
            return String.valueOf(known.getMessage());
        }
        return known instanceof InvalidPageTokenException
                ? "The page token is not one of this list, or not a whole one."
                : type.detail();
    }

    /** A failure of the read-back, which names resources and quotes the service, follows a colon. */
    private static String withoutQuotation(String readBack) {
        int colon = readBack.indexOf(':');
        return colon < 0 ? readBack : readBack.substring(0, colon);
    }

    private static long retryAfter(@Nullable FailureDetails details) {
        Duration requested = details == null ? null : details.retryAfter();
        return Math.max(
                1, (requested == null ? RETRY_AFTER : requested).plusMillis(999).toSeconds());
    }

    private static void log(ProblemType type, Throwable failure) {
        Level level = type == ProblemType.INTERNAL
                ? Level.ERROR
                : type.status().is5xxServerError() ? Level.WARN : Level.DEBUG;
        LOG.atLevel(level).setCause(failure).log("A request ends with the problem {}", type.ending());
    }
}
