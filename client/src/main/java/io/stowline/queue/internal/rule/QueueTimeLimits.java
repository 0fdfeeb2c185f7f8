package io.stowline.queue.internal.rule;

import io.stowline.transport.StorageLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The service's limits of times (its pages "Put Message", "Get Messages" and "Update Message"). It counts in whole seconds: a
 * fraction is rounded up, so that nothing ends earlier than requested.
 */
public final class QueueTimeLimits {

    /** The default time for which a received message stays hidden; the service's default, too. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** The SDK's value for a message that never expires. */
    public static final Duration NEVER = Duration.ofSeconds(-1);

    private static final Duration MAX = Duration.ofDays(StorageLimits.VISIBILITY_MAX_DAYS);
    /** The time for which the service keeps a message unless the sender sets another. */
    public static final Duration DEFAULT_TIME_TO_LIVE = Duration.ofDays(7);

    private static final Duration MAX_TIME_TO_LIVE = Duration.ofSeconds(Integer.MAX_VALUE);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private QueueTimeLimits() {}

    /**
     * Checks the lease of a receive.
     *
     * @return it, in whole seconds
     */
    public static Duration receiveLease(Duration lease) {
        return between("lease", lease, SECOND, MAX);
    }

    /**
     * Checks the lease of an update; zero shows the message at once.
     *
     * @return it, in whole seconds
     */
    public static Duration updateLease(Duration lease) {
        return between("lease", lease, Duration.ZERO, MAX);
    }

    /**
     * Checks how long a message that is sent stays hidden.
     *
     * @return it, in whole seconds
     */
    public static Duration delay(Duration delay) {
        return between("delay", delay, Duration.ZERO, MAX);
    }

    /**
     * Checks how long a message that is sent is kept.
     *
     * @return it, in whole seconds
     */
    public static Duration timeToLive(Duration timeToLive) {
        return between("timeToLive", timeToLive, SECOND, MAX_TIME_TO_LIVE);
    }

    /** Returns the time to live of a sent message, which is kept between these times. */
    public static Duration timeToLive(Instant insertedAt, Instant expiresAt) {
        Duration lifetime = Duration.between(insertedAt, expiresAt);
        return lifetime.compareTo(MAX_TIME_TO_LIVE) > 0 ? NEVER : lifetime;
    }

    /**
     * Checks that a message can be seen before it expires.
     *
     * @param delay how long it stays hidden, or {@code null} for not at all
     * @param timeToLive how long it is kept, or {@code null} for the service's default
     */
    public static void delayWithin(@Nullable Duration delay, @Nullable Duration timeToLive) {
        if (delay == null || NEVER.equals(timeToLive)) {
            return;
        }
        Duration kept = timeToLive == null ? DEFAULT_TIME_TO_LIVE : timeToLive;
        if (delay.compareTo(kept) >= 0) {
            throw new IllegalArgumentException("delay is " + delay + " and must be less than timeToLive, which is "
                    + kept + (timeToLive == null ? " by default" : ""));
        }
    }

    private static Duration between(String name, Duration value, Duration min, Duration max) {
        Objects.requireNonNull(value, name);
        if (value.isNegative() || value.compareTo(max) > 0) {
            throw outside(name, value, min, max);
        }
        Duration whole = value.getNano() == 0 ? value : Duration.ofSeconds(value.getSeconds() + 1);
        if (whole.compareTo(min) < 0) {
            throw outside(name, value, min, max);
        }
        return whole;
    }

    private static IllegalArgumentException outside(String name, Duration value, Duration min, Duration max) {
        return new IllegalArgumentException(
                name + " is " + min.toSeconds() + " s to " + max.toSeconds() + " s, not " + value);
    }
}
