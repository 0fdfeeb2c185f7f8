package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ConflictException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.StopReason;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.retry.internal.gate.GateTimeoutException;
import io.stowline.retry.internal.rate.RateTimeoutException;
import io.stowline.retry.internal.timeout.AttemptLog;
import io.stowline.retry.internal.timeout.AttemptTimeoutException;
import io.stowline.transport.internal.account.TokenRequestException;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.error.ExceptionCopier;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.error.Redaction;
import io.stowline.transport.internal.error.Redaction.RedactedException;
import io.stowline.transport.internal.error.RefusalAdvice;
import io.stowline.transport.internal.error.RequestSecrets;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.BodySlices.UnreadableBodyException;
import io.stowline.transport.internal.http.LocalBodyException;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.limits.CircuitBreakerGuard.BreakerOpenException;
import io.stowline.transport.internal.limits.UnwantedAttemptException;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.pipeline.ResponseJudge.AttemptFailure;
import io.stowline.transport.internal.pipeline.ResponseJudge.UndecodableResponse;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.RequestIds;
import io.stowline.transport.internal.request.ServiceVersion;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mapper that turns the end of an operation that did not succeed into an exception with its facts. The caller has it and logs it; our log has it for debugging only. */
public final class ErrorMapper {

    private static final Logger LOG = LoggerFactory.getLogger("io.stowline.operations");

    private static final Set<String> UNSENT = Set.of(
            GateTimeoutException.class.getSimpleName(),
            TokenRequestException.class.getSimpleName(),
            BreakerOpenException.class.getSimpleName(),
            RateTimeoutException.class.getSimpleName(),
            ResponseJudge.UNWANTED);

    /** The proof that a staged write has changed nothing. */
    public static final String UNCOMMITTED = "nothing was committed";

    private ErrorMapper() {}

    static RuntimeException of(Exchange<?> exchange, RetryResult<HttpResponse> ended) {
        RuntimeException exception = exception(exchange, ended);
        if (exception instanceof StorageException known && known.failure().unansweredAttempts() > 0) {
            return unknown(known, "nothing was read back");
        }
        LOG.debug("{}", exception.getMessage());
        return exception;
    }

    private static String remedy(Exchange<?> exchange, ServiceError refusal) {
        String version = exchange.attempt().version();
        return version != null && refusal.refusesVersion() ? "; " + new ServiceVersion(version).remedy() : "";
    }

    /** Returns whether the end is that the deadline left no time for another attempt. */
    static boolean outOfTime(RetryResult<?> ended) {
        return ended.stop() == StopReason.DEADLINE
                || ended.stop() == StopReason.HINT_BEYOND_DEADLINE
                || ended.error() instanceof GateTimeoutException
                || ended.error() instanceof RateTimeoutException;
    }

    private static RuntimeException exception(Exchange<?> exchange, RetryResult<HttpResponse> ended) {
        if (ended.error() instanceof TokenRequestException noToken) {
            return new AuthenticationException(
                    details(exchange, ended, String.valueOf(noToken.getMessage())), noToken.getCause());
        }
        if (ended.error() instanceof LocalBodyException local) {
            RuntimeException thrown = masked(local.thrown(), exchange.secrets());
            FailureDetails details = details(exchange, ended, Redaction.text(thrown, exchange.secrets()));
            // An attempt before may have been carried out, and its body may have been read.
            return local instanceof UnreadableBodyException && details.unansweredAttempts() > 0
                    ? new UnreachableException(details, thrown)
                    : thrown;
        }
        AttemptFailure failure = exchange.failure(ended.error());
        ServiceError refusal = failure.refusal();
        if (refusal != null) {
            FailureDetails details =
                    details(exchange, ended, refusal.message() + remedy(exchange, refusal) + RefusalAdvice.of(refusal));
            // a 304 to a write is no response of the service: a later proof that the write was not carried out shows
            // nothing of a condition.
            return refusal.status() == 304 && exchange.request().type() != OperationType.READ
                    ? new ProtocolException(details, null)
                    : of(refusal, details);
        }
        UndecodableResponse unreadable = failure.unreadable();
        if (unreadable != null) {
            return new ProtocolException(details(exchange, ended, Redaction.of(unreadable.why())), null);
        }
        Throwable error = failure.error() == null ? new IllegalStateException("no error") : failure.error();
        return byError(error, details(exchange, ended, text(error, failure)), failure);
    }

    /** The classes of attempts that waited in vain are no part of the API, so that their texts stand alone. */
    private static String text(Throwable error, AttemptFailure failure) {
        String message = error.getMessage();
        return message != null && (isUnsent(error) || error instanceof AttemptTimeoutException)
                ? Redaction.of(message)
                : Redaction.text(error, failure.secrets());
    }

    /** A receiver of a body names headers of the response, which may repeat the proof of the request. */
    private static RuntimeException masked(RuntimeException thrown, RequestSecrets secrets) {
        String text = String.valueOf(thrown.getMessage());
        if (!(thrown instanceof StorageException known)
                || secrets.maskedIn(text).equals(text)) {
            return thrown;
        }
        StorageException clean = ExceptionCopier.with(known, FailureFacts.masked(known.failure(), secrets));
        clean.setStackTrace(known.getStackTrace());
        return clean;
    }

    /**
     * Returns the end of a write whose outcome is unknown. Not logged yet: the read-back may still find it.
     *
     * @param last the end of its last attempt
     * @param seen the finding so far
     */
    public static OutcomeUnknownException unknown(StorageException last, String seen) {
        return new OutcomeUnknownException(last.failure(), seen, last);
    }

    /**
     * Returns the end after a read-back in vain; logged, as no other one follows.
     *
     * @param end the end so far
     */
    public static OutcomeUnknownException stillUnknown(OutcomeUnknownException end, String seen) {
        return stillUnknown(end, new ReadBackResult.Unproven<>(seen));
    }

    static OutcomeUnknownException stillUnknown(OutcomeUnknownException end, ReadBackResult.Unproven<?> finding) {
        OutcomeUnknownException last =
                new OutcomeUnknownException(end.failure(), finding.seen(), end.getCause(), finding.passing());
        LOG.debug("{}", last.getMessage());
        return last;
    }

    /**
     * Returns the end of a write with the proof that it was not carried out and will not be.
     *
     * @param end the end so far
     * @return the end of its last attempt
     */
    public static StorageException settled(OutcomeUnknownException end, String how) {
        StorageException last = (StorageException) Objects.requireNonNull(end.getCause());
        return ExceptionCopier.with(last, Objects.requireNonNull(last.failure()).settled(how));
    }

    /**
     * Returns the end of an operation whose deadline came before its turn: nothing was sent.
     *
     * @param operation the caller's verb
     * @param resource the resource of the request
     * @param deadline its time
     * @param turn the turn that it waited for
     * @param cause the failure of its wait, or {@code null}
     */
    public static StorageException unsent(
            String operation, String resource, Duration deadline, String turn, @Nullable Throwable cause) {
        FailureDetails failure = FailureFacts.of(operation, resource)
                .tried(0, 0, deadline)
                .ids(RequestIds.next(), null)
                .because(
                        "nothing was sent",
                        "the deadline of " + deadline + " came while it waited for its turn " + turn);
        return new DeadlineExceededException(failure, cause);
    }

    /** Returns the end of a transaction that closing has stopped waiting for. */
    public static StorageException closed(FailureDetails details, @Nullable Throwable cause) {
        UnreachableException closed = new UnreachableException(details, cause);
        return details.unansweredAttempts() > 0 ? unknown(closed, "nothing was read back") : closed;
    }

    /** Returns the end of an operation that closing has stopped waiting for. */
    static StorageException closed(Exchange<?> exchange) {
        return closed(soFar(exchange, OperationScope.CLOSED), null);
    }

    /** Returns the facts of an operation whose waiting thread was interrupted. */
    static FailureDetails interrupted(Exchange<?> exchange) {
        return soFar(exchange, OperationScope.INTERRUPTED);
    }

    static FailureDetails soFar(Exchange<?> exchange, String ending) {
        FailureDetails details = EndedWrite.of(exchange).soFar(ending);
        String proof = exchange.withoutEffect();
        return proof == null ? details : details.settled(proof);
    }

    /**
     * Returns the failure of a read whose response proves to be something else after the end of its exchange.
     *
     * @param operation the caller's verb, where the response does not know its request
     * @param resource the resource of the request, likewise
     * @param why the fault of the response
     * @param cause the error that showed it, or {@code null}
     */
    public static ProtocolException undecodable(
            StorageResponse response, String operation, String resource, String why, @Nullable Throwable cause) {
        StorageResponse.Trace request = response.request();
        String echo = response.header(StorageResponse.CLIENT_REQUEST_ID);
        return new ProtocolException(
                FailureFacts.of(
                                request == null ? operation : request.operationName(),
                                request == null ? resource : request.resource())
                        .status(response.status(), null)
                        .tried(
                                request == null ? 1 : request.attempts(),
                                0,
                                request == null ? Duration.ZERO : request.elapsed())
                        .ids(
                                request != null ? request.clientRequestId() : echo != null ? echo : "unknown",
                                response.header(StorageResponse.REQUEST_ID))
                        .because(
                                response.masked(why) + " (a response of " + response.body().length + " bytes)",
                                "read after the exchange had ended"),
                cause);
    }

    /**
     * Returns the exception for a refusal of the service.
     *
     * @param failure the facts to carry
     * @return the exception, by meaning
     */
    public static StorageException of(ServiceError refusal, FailureDetails failure) {
        return switch (refusal.meaning().exception()) {
            case BAD_REQUEST -> new BadRequestException(failure, null);
            case AUTHENTICATION -> new AuthenticationException(failure, null);
            case NOT_FOUND -> new NotFoundException(failure, null);
            case CONFLICT -> new ConflictException(failure, null);
            case PRECONDITION -> new PreconditionFailedException(failure, null);
            case THROTTLED -> new ThrottledException(failure, null);
            case SERVER_ERROR -> new ServerErrorException(failure, null);
            case PROTOCOL -> new ProtocolException(failure, null);
        };
    }

    private static RuntimeException byError(Throwable error, FailureDetails failure, AttemptFailure attemptFailure) {
        Throwable cause = Redaction.of(error, attemptFailure.secrets());
        if (error instanceof BreakerOpenException) {
            return new CircuitOpenException(failure, cause);
        }
        boolean late = error instanceof GateTimeoutException
                || error instanceof RateTimeoutException
                || (error instanceof AttemptTimeoutException attempt && !attempt.started());
        if (late && failure.attempts() == 0) {
            return new DeadlineExceededException(failure, cause);
        }
        if (late || StorageClassifier.connection(error) || error instanceof AttemptTimeoutException) {
            return new UnreachableException(failure, cause);
        }
        if (attemptFailure.written()) {
            return new ProtocolException(failure, cause);
        }
        if (failure.unansweredAttempts() > 0 || error instanceof RejectedExecutionException) {
            return new UnreachableException(failure, cause);
        }
        if (cause instanceof RuntimeException unchecked && !(cause instanceof RedactedException)) {
            return unchecked;
        }
        if (cause instanceof Error fatal) {
            throw fatal;
        }
        return new IllegalStateException("the request could not be made: " + cause.getMessage(), cause);
    }

    private static FailureDetails details(Exchange<?> exchange, RetryResult<HttpResponse> ended, String message) {
        AttemptFailure failure = exchange.failure(ended.error());
        ServiceError refusal = failure.refusal();
        UndecodableResponse unreadable = failure.unreadable();
        AttemptLog log = ended.log();
        int unanswered = exchange.unansweredAttempts().inherited()
                + (int) log.attempts().stream().filter(AttemptEnd::ambiguous).count();
        Duration hint = refusal == null ? null : refusal.hint();
        return FailureFacts.of(exchange.request().name(), exchange.request().resource())
                .status(unreadable == null ? 0 : unreadable.status(), null)
                .tried(
                        (int) log.attempts().stream().filter(ErrorMapper::sent).count(),
                        unanswered,
                        exchange.options().elapsed(log.elapsed()))
                .ids(exchange.clientRequestId(), unreadable == null ? null : unreadable.requestId())
                .refused(refusal)
                .because(message, ending(exchange, ended, hint) + exchange.remedies());
    }

    /** Returns whether the attempt that ended with this error was not sent: it was held back, or was no longer wanted. */
    static boolean isUnsent(Throwable error) {
        return error instanceof UnwantedAttemptException
                || UNSENT.contains(error.getClass().getSimpleName());
    }

    /** An attempt that waited in vain for its turn or for a token sent nothing. */
    private static boolean sent(AttemptEnd attempt) {
        return !UNSENT.contains(ReadFailover.bare(attempt.reason()));
    }

    private static String ending(Exchange<?> exchange, RetryResult<HttpResponse> ended, @Nullable Duration hint) {
        if (ended.error() instanceof BreakerOpenException open) {
            return String.valueOf(open.getMessage());
        }
        return switch (ended.stop()) {
            case SUCCEEDED -> "succeeded";
            case NOT_RETRYABLE -> last(exchange, ended.error());
            case RETRIES_EXHAUSTED -> exchange.options().settings().retries() + " retries used up";
            case DEADLINE -> "the deadline of " + exchange.options().time() + " leaves no time for another attempt";
            case HINT_BEYOND_DEADLINE ->
                "the wait that the service requested (" + hint
                        + ") is longer than what is left of the deadline of "
                        + exchange.options().time();
            case BODY_NOT_REPLAYABLE -> "the body was consumed and cannot be sent again";
            case QUOTA_EMPTY ->
                "this client refused to retry, for too many of its requests to this service have failed: its retry"
                        + " quota is empty";
        };
    }

    private static String last(Exchange<?> exchange, @Nullable Throwable error) {
        if (error instanceof RateTimeoutException) {
            return "a rate target lets it through only after the deadline of "
                    + exchange.options().time();
        }
        if (error instanceof GateTimeoutException) {
            return "the deadline of " + exchange.options().time() + " came while it waited for its turn";
        }
        return error instanceof UnwantedAttemptException || exchange.attempt().unwanted()
                ? "its writer or its caller wanted no further attempt"
                : "a retry cannot help";
    }
}
