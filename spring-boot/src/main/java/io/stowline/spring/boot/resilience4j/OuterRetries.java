package io.stowline.spring.boot.resilience4j;

import io.stowline.error.DeadlineExceededException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.resilience.retry.MethodRetryPredicate;

/**
 * A rule for retries around calls of a client, such as those of a {@code RetryTemplate} of Spring or a {@code Retry} of Resilience4j: which failures they may
 * repeat.
 *
 * <p>A client repeats its requests itself, within their deadline and its retry quota. A second layer multiplies the attempts just when the service is in trouble,
 * and may carry out a write twice. A failure after which the client has used up its retries therefore ends the call, and so does
 * {@link OutcomeUnknownException}. A repeated call may help after other failures: after {@code PreconditionFailedException} a method that reads
 * again, for instance. It may also help where the client's retries are off, by {@code retries(0)} or {@code stowline.retry.retries=0}.
 *
 * <pre>{@code
 * @Retryable(maxRetries = 2, predicate = OuterRetries.class)
 * void deliver(Order order) {}
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class OuterRetries implements MethodRetryPredicate {

    /** Far more than the layers of an application wrap. */
    private static final int MAX_CAUSES = 20;

    /** The words of the client for the end of a request without any retry. */
    private static final String RETRIES_OFF = "0 retries used up";

    /** Makes the rule for {@code @Retryable(predicate = OuterRetries.class)} of Spring. */
    public OuterRetries() {}

    @Override
    public boolean shouldRetry(Method method, Throwable failure) {
        return mayHelp(failure);
    }

    /**
     * Returns whether a retry around the call may repeat it after a failure.
     *
     * @param failure the failure of the call, or an exception that has it among its causes
     * @return false if the client has used up its own retries or its deadline, or the outcome of a write is unknown
     */
    public static boolean mayHelp(Throwable failure) {
        return usedUp(failure).isEmpty();
    }

    /** Finds the failure after which no retry may help. */
    static Optional<StorageException> usedUp(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof StorageException storage && isUsedUp(storage)) {
                return Optional.of(storage);
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    private static boolean isUsedUp(StorageException failure) {
        if (failure instanceof OutcomeUnknownException || failure instanceof DeadlineExceededException) {
            return true;
        }
        return (failure instanceof ThrottledException
                        || failure instanceof ServerErrorException
                        || failure instanceof UnreachableException)
                && !isWithoutRetries(failure);
    }

    private static boolean isWithoutRetries(StorageException failure) {
        @Nullable FailureDetails details = failure.failure();
        return details != null && details.stopReason().startsWith(RETRIES_OFF);
    }
}
