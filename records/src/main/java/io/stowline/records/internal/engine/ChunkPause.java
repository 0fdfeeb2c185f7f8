package io.stowline.records.internal.engine;

import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.error.StorageUnavailableException;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The waits of a delivery that fails. A refusal that another try does not change pauses the writer until a try has another response from the
 * service; an outage is logged once at its begin and at its end. Only {@link #cause} may be called by other threads than that of the delivery.
 */
final class ChunkPause {

    private static final Logger LOG = LoggerFactory.getLogger(ChunkPause.class);
    private static final Backoff WAITS = Backoff.of(Duration.ofMillis(500), Duration.ZERO, Duration.ofSeconds(30))
            .spreadAtCap();

    private final String writer;
    private final RandomGenerator random;
    private volatile @Nullable StorageException cause;
    private @Nullable Throwable last;
    private int failures;

    ChunkPause(String writer, RandomGenerator random) {
        this.writer = writer;
        this.random = random;
    }

    /** Returns why the writer is paused, or {@code null} if it is not. */
    @Nullable
    StorageException cause() {
        return cause;
    }

    /** Returns the error of the last try, or {@code null} if it had none. */
    @Nullable
    Throwable error() {
        return last;
    }

    /** Notes a failed try, and returns the wait before the next one. */
    Duration failed(Throwable error, String blob) {
        failures = Math.min(failures + 1, Short.MAX_VALUE);
        last = error;
        if (error instanceof StorageException refusal && pauses(refusal, failures)) {
            if (cause == null) {
                LOG.warn(
                        "the writer of {} is paused, and probes by itself until the cause is removed: {}",
                        writer,
                        message(refusal));
            }
            cause = refusal;
        } else if (failures == 1) {
            LOG.warn("the writer of {} cannot deliver {}, and tries again: {}", writer, blob, message(error));
        }
        return WAITS.delay(failures, random);
    }

    /** Returns the text of an error, without the client's word that it does not try again: the writer does. */
    static String message(Throwable error) {
        if (!(error instanceof StorageException refusal) || error instanceof StorageUnavailableException) {
            return error.toString();
        }
        FailureDetails failure = refusal.failure();
        return new FailureDetails(
                        failure.operation(),
                        failure.resource(),
                        failure.status(),
                        failure.errorCode(),
                        failure.message(),
                        failure.attempts(),
                        failure.unansweredAttempts(),
                        failure.elapsed(),
                        failure.retryAfter(),
                        failure.clientRequestId(),
                        failure.requestId(),
                        "refused")
                .describe();
    }

    /** Notes that the service has had a response about a chunk. */
    void responded() {
        if (failures > 0) {
            LOG.info("the writer of {} goes on", writer);
        }
        failures = 0;
        cause = null;
        last = null;
    }

    /**
     * Returns whether the service refuses what the writer sends until a person removes the cause. A conflict may be over at the next try, and
     * is such a refusal only when it comes again.
     */
    private static boolean pauses(StorageException refusal, int failures) {
        if (refusal.getCause() instanceof ProtocolException) {
            return false; // unread
        }
        return refusal instanceof AuthenticationException
                || refusal instanceof NotFoundException
                || refusal instanceof BadRequestException
                || (refusal instanceof ConflictException conflict && (conflict.isBeingDeleted() || failures > 1))
                || (refusal instanceof PreconditionFailedException && failures > 1);
    }
}
