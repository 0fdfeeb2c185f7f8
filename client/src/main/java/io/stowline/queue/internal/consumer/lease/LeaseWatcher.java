package io.stowline.queue.internal.consumer.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Hears what becomes of a message, in the serial executor. */
public interface LeaseWatcher {

    /** Half of the lease has passed, and no handler has started. */
    void unstartedTooLong(LeaseKeeper keeper);

    /** The message may belong to another client from now on. */
    void lost(LeaseKeeper keeper, String why);

    /** A copy of the message lies in the poison queue. */
    void copied(LeaseKeeper keeper);

    /** The ending is over; with an error the service may not have executed it. */
    void ended(LeaseKeeper keeper, LeaseKeeper.Ending ending, @Nullable Throwable error);

    /** How many handlings of the message have failed, as far as this process knows. */
    int failures(LeaseKeeper keeper);

    /** How long the message stays hidden if its handler gives it back. */
    Duration returnDelay(LeaseKeeper keeper);

    /** How many deliveries of the message were given back without a failure, as far as this process knows. */
    long releases(LeaseKeeper keeper);
}
