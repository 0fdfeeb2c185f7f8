package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import java.time.Duration;
import reactor.util.context.ContextView;

/**
 * A read that has begun.
 *
 * @param read what is wanted
 * @param begun when it began
 * @param again whether another reader's load has failed it
 * @param context the reader's context
 */
record Wish(Read read, Moment begun, boolean again, ContextView context) {

    CacheKey key() {
        return read.key();
    }

    Wish onceMore() {
        return new Wish(read, begun, true, context);
    }

    /** A loader keeps its own time, unless some of that has passed before it begins. */
    Duration leading(Moment now) {
        return again ? following(now) : Flight.Terms.ENDLESS;
    }

    /** What is left of the longest wait. */
    Duration following(Moment now) {
        Duration longest = read.loader().longestWait();
        if (longest.equals(Flight.Terms.ENDLESS)) {
            return longest;
        }
        Duration left = longest.minusNanos(now.nanos() - begun.nanos());
        return left.isNegative() ? Duration.ZERO : left;
    }

    Flight.Terms terms(boolean once) {
        return new Flight.Terms(read.loader().patience(), once, read.unavailable());
    }
}
