package io.stowline.transport.internal;

import com.azure.core.http.HttpResponse;
import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ConflictException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.Failure;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.TransactionFailedException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.AttemptLog;
import io.stowline.retry.AttemptTimeoutException;
import io.stowline.retry.Ended;
import io.stowline.retry.GateTimeoutException;
import io.stowline.retry.RateTimeoutException;
import io.stowline.retry.RetryTimeoutException;
import io.stowline.retry.Stop;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the end of an operation that did not succeed into an exception with its facts. The caller has it and logs it; our log has it for debugging only. */
public final class Failures {

    private static final Logger LOG = LoggerFactory.getLogger("io.stowline.operations");

    private static final Map<Class<?>, BiFunction<Failure, @Nullable Throwable, StorageException>> SAME_AGAIN =
            Map.ofEntries(
                    Map.entry(AuthenticationException.class, AuthenticationException::new),
                    Map.entry(BadRequestException.class, BadRequestException::new),
                    Map.entry(CircuitOpenException.class, CircuitOpenException::new),
                    Map.entry(ConflictException.class, ConflictException::new),
                    Map.entry(DeadlineExceededException.class, DeadlineExceededException::new),
                    Map.entry(NotFoundException.class, NotFoundException::new),
                    Map.entry(PreconditionFailedException.class, PreconditionFailedException::new),
                    Map.entry(ProtocolException.class, ProtocolException::new),
                    Map.entry(ServerErrorException.class, ServerErrorException::new),
                    Map.entry(ThrottledException.class, ThrottledException::new),
                    Map.entry(UnreachableException.class, UnreachableException::new));

    private static final Set<String> UNSENT = Set.of(
            GateTimeoutException.class.getSimpleName(),
            TokenRequestException.class.getSimpleName(),
            BreakerOpenException.class.getSimpleName(),
            RateTimeoutException.class.getSimpleName());

    private Failures() {}

    static RuntimeException of(Call<?> call, Ended<HttpResponse> ended) {
        if (outOfTime(ended)) {
            call.endedByTime();
        }
        RuntimeException exception = exception(call, ended);
        if (exception instanceof StorageException known && known.failure().unanswered() > 0) {
            return unknown(known, "nothing was read back");
        }
        LOG.debug("{}", exception.getMessage());
        return exception;
    }

    private static boolean outOfTime(Ended<HttpResponse> ended) {
        return ended.stop() == Stop.DEADLINE
                || ended.stop() == Stop.HINT_BEYOND_DEADLINE
                || ended.error() instanceof GateTimeoutException
                || ended.error() instanceof RateTimeoutException;
    }

    private static RuntimeException exception(Call<?> call, Ended<HttpResponse> ended) {
        if (ended.error() instanceof TokenRequestException noToken) {
            return new AuthenticationException(
                    facts(call, ended, String.valueOf(noToken.getMessage())), noToken.getCause());
        }
        Said said = call.said(ended.error());
        ServiceError refusal = said.refusal();
        if (refusal != null) {
            return of(refusal, facts(call, ended, refusal.message()));
        }
        String unreadable = said.unreadable();
        if (unreadable != null) {
            return new ProtocolException(facts(call, ended, Redaction.of(unreadable)), null);
        }
        Throwable error = said.error() == null ? new IllegalStateException("no error") : said.error();
        return byError(error, facts(call, ended, Redaction.text(error)), said.written());
    }

    /**
     * The end of a write of which nobody can tell what became of it. Not logged yet: whoever reads back may still find out.
     *
     * @param last what its last attempt ended with
     * @param seen what was found out
     * @return the exception
     */
    static OutcomeUnknownException unknown(StorageException last, String seen) {
        return new OutcomeUnknownException(last.failure(), seen, last);
    }

    /**
     * The same end after somebody has looked in vain; logged, for nothing more will be found out.
     *
     * @param end the end so far
     * @param seen what was found out
     * @return the exception
     */
    public static OutcomeUnknownException stillUnknown(OutcomeUnknownException end, String seen) {
        OutcomeUnknownException last = new OutcomeUnknownException(end.failure(), seen, end.getCause());
        LOG.debug("{}", last.getMessage());
        return last;
    }

    /**
     * The same end of a write once it is proved that it was not carried out and will not be.
     *
     * @param end the end so far
     * @param how how it was proved
     * @return what its last attempt ended with
     */
    public static StorageException settled(OutcomeUnknownException end, String how) {
        StorageException last = (StorageException) Objects.requireNonNull(end.getCause());
        return Objects.requireNonNull(SAME_AGAIN.get(last.getClass()), "not a plain failure")
                .apply(last.failure().settled(how), last.getCause());
    }

    /**
     * The end of an operation whose deadline came before its turn: nothing was sent.
     *
     * @param operation the caller's verb
     * @param resource what it was asked of
     * @param deadline its time
     * @param cause where it waited
     * @return the exception
     */
    public static StorageException unsent(String operation, String resource, Duration deadline, Throwable cause) {
        Failure failure = new Failure(
                operation,
                resource,
                0,
                null,
                "nothing was sent",
                0,
                0,
                deadline,
                null,
                RequestIds.next(),
                null,
                "the deadline of " + deadline + " came while it waited for its turn in the partition");
        return new DeadlineExceededException(failure, cause);
    }

    /** The end of an operation that closing did not wait for any longer. */
    static StorageException closed(Call<?> call) {
        UnreachableException closed =
                new UnreachableException(soFar(call, "this Stowline was closed before the operation had ended"), null);
        return call.unanswered() > 0 ? unknown(closed, "nothing was read back") : closed;
    }

    /** The facts of an operation whose waiting thread was interrupted. */
    static Failure interrupted(Call<?> call) {
        return soFar(call, "the waiting thread was interrupted");
    }

    private static Failure soFar(Call<?> call, String ending) {
        ServiceError refusal = call.refusal();
        return new Failure(
                call.operation().name(),
                call.operation().resource(),
                refusal == null ? 0 : refusal.status(),
                refusal == null ? null : refusal.code(),
                refusal == null ? "no answer had come" : refusal.message(),
                call.sent(),
                call.unanswered(),
                call.elapsed(),
                refusal == null ? null : refusal.hint(),
                call.clientRequestId(),
                refusal == null ? null : refusal.requestId(),
                ending);
    }

    /** The same failure, made on the thread that waited for it. */
    static StorageException again(StorageException failed) {
        if (failed instanceof OutcomeUnknownException unknown) {
            return new OutcomeUnknownException(unknown.failure(), unknown.seen(), unknown.getCause());
        }
        if (failed instanceof TransactionFailedException refused && refused.getCause() instanceof StorageException of) {
            return new TransactionFailedException(refused.index(), of);
        }
        BiFunction<Failure, @Nullable Throwable, StorageException> same = SAME_AGAIN.get(failed.getClass());
        return same == null || failed.failure() == null ? failed : same.apply(failed.failure(), failed.getCause());
    }

    /** The end of an operation that closing ended between two of its requests: all of them have been answered. */
    static StorageException closed(String operation, String resource) {
        return new UnreachableException(
                new Failure(
                        operation,
                        resource,
                        0,
                        null,
                        "the operation had no request in flight",
                        0,
                        0,
                        Duration.ZERO,
                        null,
                        "none",
                        null,
                        "this Stowline was closed before the operation had ended"),
                null);
    }

    /**
     * The exception for what the service said.
     *
     * @param refusal what it said
     * @param failure the facts to carry
     * @return the exception, by meaning
     */
    public static StorageException of(ServiceError refusal, Failure failure) {
        return switch (refusal.status()) {
            case 401, 403 -> new AuthenticationException(failure, null);
            case 404 -> new NotFoundException(failure, null);
            case 409 -> new ConflictException(failure, null);
            case 304, 412 -> new PreconditionFailedException(failure, null);
            case 429, 503 -> new ThrottledException(failure, null);
            case 500 ->
                refusal.is("OperationTimedOut")
                        ? new ThrottledException(failure, null)
                        : new ServerErrorException(failure, null);
            case 408, 502, 504 -> new ServerErrorException(failure, null);
            case 501, 505 -> new BadRequestException(failure, null);
            default ->
                switch (refusal.status() / 100) {
                    case 4 -> new BadRequestException(failure, null);
                    case 5 -> new ServerErrorException(failure, null);
                    default -> new ProtocolException(failure, null);
                };
        };
    }

    private static RuntimeException byError(Throwable error, Failure failure, boolean written) {
        Throwable cause = Redaction.of(error);
        if (error instanceof BreakerOpenException) {
            return new CircuitOpenException(failure, cause);
        }
        boolean late = error instanceof GateTimeoutException
                || error instanceof RateTimeoutException
                || error instanceof RetryTimeoutException;
        if (late && failure.attempts() == 0) {
            return new DeadlineExceededException(failure, cause);
        }
        if (late || StorageClassifier.connection(error) || error instanceof AttemptTimeoutException) {
            return new UnreachableException(failure, cause);
        }
        if (written) {
            return new ProtocolException(failure, cause);
        }
        if (failure.unanswered() > 0 || error instanceof RejectedExecutionException) {
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

    private static Failure facts(Call<?> call, Ended<HttpResponse> ended, String message) {
        ServiceError refusal = call.said(ended.error()).refusal();
        AttemptLog log = ended.log();
        int unanswered = call.inherited()
                + (int) log.attempts().stream()
                        .filter(AttemptLog.Entry::ambiguous)
                        .count();
        Duration hint = refusal == null ? null : refusal.hint();
        return new Failure(
                call.operation().name(),
                call.operation().resource(),
                refusal == null ? 0 : refusal.status(),
                refusal == null ? null : refusal.code(),
                message,
                (int) log.attempts().stream().filter(Failures::sent).count(),
                unanswered,
                log.elapsed(),
                hint,
                call.clientRequestId(),
                refusal == null ? null : refusal.requestId(),
                ending(call, ended, hint) + call.remedies());
    }

    /** An attempt that waited in vain for its turn or for a token sent nothing. */
    private static boolean sent(AttemptLog.Entry attempt) {
        return !UNSENT.contains(Route.bare(attempt.reason()));
    }

    private static String ending(Call<?> call, Ended<HttpResponse> ended, @Nullable Duration hint) {
        if (ended.error() instanceof BreakerOpenException open) {
            return String.valueOf(open.getMessage());
        }
        return switch (ended.stop()) {
            case SUCCEEDED -> "succeeded";
            case NOT_RETRYABLE ->
                ended.error() instanceof GateTimeoutException || ended.error() instanceof RateTimeoutException
                        ? "the deadline of " + call.operation().time() + " came while it waited for its turn"
                        : "a retry cannot help";
            case RETRIES_EXHAUSTED -> call.operation().settings().retries() + " retries used up";
            case DEADLINE -> "the deadline of " + call.operation().time() + " leaves no time for another attempt";
            case HINT_BEYOND_DEADLINE ->
                "the wait that the service asked for (" + hint
                        + ") is longer than what is left of the deadline of "
                        + call.operation().time();
            case BODY_NOT_REPLAYABLE -> "the body was consumed and cannot be sent again";
            case QUOTA_EMPTY ->
                "this client refused to retry, for too many of its requests to this service have failed: its retry quota is empty";
        };
    }
}
