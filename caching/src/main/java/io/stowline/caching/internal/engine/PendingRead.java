package io.stowline.caching.internal.engine;

import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.load.CacheKey;
import java.time.Duration;

/**
 * A read that has begun, and how long it waits.
 *
 * @param read what is wanted
 * @param begun when it began
 * @param again whether another reader's load has failed it
 */
record PendingRead(CacheRead read, ClockReading begun, boolean again) {

    CacheKey key() {
        return read.key();
    }

    PendingRead onceMore() {
        return new PendingRead(read, begun, true);
    }

    /**
     * Returns the wait of a reader that leads a load: its loader keeps the time, unless some of that has passed before.
     */
    WaitLimit leading(ClockReading now) {
        return again ? new WaitLimit(left(now), SharedLoad.Terms.ENDLESS) : WaitLimit.NONE;
    }

    WaitLimit following(ClockReading now) {
        return new WaitLimit(left(now), read.loader().maxStandstill());
    }

    private Duration left(ClockReading now) {
        Duration longest = read.loader().maxWait();
        if (longest.equals(SharedLoad.Terms.ENDLESS)) {
            return longest;
        }
        Duration left = longest.minusNanos(now.nanos() - begun.nanos());
        return left.isNegative() ? Duration.ZERO : left;
    }

    SharedLoad.Terms terms(boolean once) {
        return new SharedLoad.Terms(read.loader().patience(), once, read.unavailable());
    }
}
