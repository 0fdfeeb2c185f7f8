package io.stowline.caching;

import java.time.Duration;
import java.util.Objects;

/**
 * The freshness rules of a read: for how long a cached response counts as current, and when a stale one may follow.
 *
 * <pre>{@code
 * Freshness freshness = Freshness.fresh(Duration.ofSeconds(30))
 *         .staleWhileRevalidating(Duration.ofMinutes(5))
 *         .staleIfError(Duration.ofHours(1));
 * }</pre>
 *
 * <p>All times count from the moment at which the service last confirmed the response. Readers who share a request
 * share what becomes of its response: whether an absence is remembered is decided by {@code negative} of the one who
 * began the request. Immutable.
 *
 * @param window for how long no request is made; with zero every read revalidates, which costs a request but no transfer
 * @param staleWhileRevalidating for how long after the window a stale response is given at once while a revalidation runs
 * @param staleIfError for how long after the window a stale response is given when the revalidation fails
 * @param negative for how long it is remembered that there is nothing; zero remembers no absence
 */
public record Freshness(Duration window, Duration staleWhileRevalidating, Duration staleIfError, Duration negative) {

    /**
     * Refuses negative times.
     *
     * @param window for how long no request is made
     * @param staleWhileRevalidating for how long a stale response is given while a revalidation runs
     * @param staleIfError for how long a stale response is given when the revalidation fails
     * @param negative for how long an absence is remembered
     * @throws IllegalArgumentException if one is negative
     */
    public Freshness {
        check("window", window);
        check("staleWhileRevalidating", staleWhileRevalidating);
        check("staleIfError", staleIfError);
        check("negative", negative);
    }

    /**
     * Returns a freshness under which every read revalidates.
     *
     * @return a freshness with no window and nothing stale
     */
    public static Freshness revalidated() {
        return fresh(Duration.ZERO);
    }

    /**
     * Returns a freshness under which a read revalidates a response older than this.
     *
     * @param window for how long no request is made
     * @return a freshness with this window and nothing stale
     */
    public static Freshness fresh(Duration window) {
        return new Freshness(window, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /**
     * Returns the same freshness, giving a stale response at once while a revalidation runs.
     *
     * @param bound for how long after the window
     * @return the freshness
     */
    public Freshness staleWhileRevalidating(Duration bound) {
        return new Freshness(window, bound, staleIfError, negative);
    }

    /**
     * Returns the same freshness, giving a stale response when the revalidation fails: the service is unreachable, too busy, or broken. A
     * refusal is no such failure. The first failed attempt is enough, and is remembered for 5 seconds, in which the stale response is given
     * without a request. (The policy for SDK clients stands before their retries, which it cannot shorten.)
     *
     * @param bound for how long after the window
     * @return the freshness
     */
    public Freshness staleIfError(Duration bound) {
        return new Freshness(window, staleWhileRevalidating, bound, negative);
    }

    /**
     * Returns the same freshness, caching absence too.
     *
     * @param bound for how long
     * @return the freshness
     */
    public Freshness negative(Duration bound) {
        return new Freshness(window, staleWhileRevalidating, staleIfError, bound);
    }

    private static void check(String name, Duration value) {
        if (Objects.requireNonNull(value, name).isNegative()) {
            throw new IllegalArgumentException(name + " is " + value + "; it is not negative");
        }
    }
}
