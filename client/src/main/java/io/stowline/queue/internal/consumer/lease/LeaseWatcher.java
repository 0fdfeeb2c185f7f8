package io.stowline.queue.internal.consumer.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The listener to the end of a message, in the serial executor. */
public interface LeaseWatcher {

    /** The way in which a message ends. */
    enum LeaseEnding {
        /** Deleted after its handling. */
        COMPLETED,
        /** Hidden for a while, and received again. */
        RETRIED,
        /** Given back without a failure. */
        RELEASED,
        /** Copied to the poison queue, and deleted. */
        POISONED
    }

    /** Reports that half of the lease has passed before a handler has started. */
    void unstartedTooLong(LeaseKeeper keeper);

    /** Reports that the message may belong to another client from now on. */
    void lost(LeaseKeeper keeper, String why);

    /**
     * Reports that a copy of the message lies in the poison queue.
     *
     * @param reason why
     * @param failure the failure of the handling, or {@code null}
     */
    void copied(LeaseKeeper keeper, String reason, @Nullable Throwable failure);

    /** Reports the end of the ending; with an error the service may not have executed it. */
    void ended(LeaseKeeper keeper, LeaseEnding ending, @Nullable Throwable error);

    /** Returns the number of failed handlings of the message, as far as this process knows. */
    int failures(LeaseKeeper keeper);

    /** Returns the time for which the message stays hidden if its handler gives it back. */
    Duration returnDelay(LeaseKeeper keeper);

    /**
     * Returns the number of the message's deliveries that were given back without a failure, as far as this process
     * knows.
     */
    long releases(LeaseKeeper keeper);
}
