package io.stowline.table.internal.writer;

import io.stowline.error.StorageException;
import io.stowline.retry.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The pause of a writer with a journal. A refusal that none of its operations can pass begins it: from then on one
 * batch at a time probes, at growing intervals, and the first response about an operation ends the pause. Thread-safe.
 */
final class DeliveryPause {

    static final Backoff PAUSES = Backoff.of(Duration.ofMillis(500), Duration.ZERO, Duration.ofSeconds(30))
            .spreadAtCap();

    private @Nullable StorageException cause;
    private int probes;
    private long until;
    private boolean probing;

    /** Returns why it is paused, or {@code null} if it is not. */
    synchronized @Nullable StorageException cause() {
        return cause;
    }

    /** Returns the wait of a batch; zero if it may go, which makes it the probe of a paused writer. */
    synchronized Duration untilNext(long now, RandomGenerator random) {
        if (cause == null) {
            return Duration.ZERO;
        }
        if (probing) {
            return PAUSES.delay(probes + 1, random).plusMillis(1);
        }
        if (until - now > 0) {
            return Duration.ofNanos(until - now);
        }
        probing = true;
        return Duration.ZERO;
    }

    /**
     * Begins or prolongs the pause, after the service has refused all operations.
     *
     * @return whether it was not paused before
     */
    synchronized boolean refused(StorageException why, long now, RandomGenerator random) {
        boolean first = cause == null;
        cause = why;
        if (first || probing || until - now <= 0) {
            goOn(now, random);
        }
        return first;
    }

    /** Prolongs the pause if the batch was a probe, after an end without a conclusive response. */
    synchronized void unanswered(long now, RandomGenerator random) {
        if (cause != null && probing) {
            goOn(now, random);
        }
    }

    private void goOn(long now, RandomGenerator random) {
        probing = false;
        probes = Math.min(probes + 1, Short.MAX_VALUE);
        until = now + PAUSES.delay(probes, random).toNanos();
    }

    /**
     * Ends the pause, after a response about an operation.
     *
     * @return whether this ends a pause
     */
    synchronized boolean responded() {
        boolean was = cause != null;
        cause = null;
        probing = false;
        probes = 0;
        return was;
    }
}
