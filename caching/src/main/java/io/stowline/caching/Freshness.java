package io.stowline.caching;

import java.time.Duration;
import java.util.Objects;

/**
 * For how long what was read counts as the present state, and what may be given instead of it after that.
 *
 * <pre>{@code
 * Freshness freshness = Freshness.fresh(Duration.ofSeconds(30))
 *         .staleWhileRevalidating(Duration.ofMinutes(5))
 *         .staleIfError(Duration.ofHours(1));
 * }</pre>
 *
 * <p>All times count from the moment at which the service last said that the answer holds. Readers who share a request share what becomes of
 * its answer: whether an absence is remembered is decided by {@code negative} of the one who began the request. Immutable.
 *
 * @param window for how long no request is made; zero asks the service at every read, which costs a request but no transfer
 * @param staleWhileRevalidating for how long after the window an old answer is given at once while the service is asked behind it
 * @param staleIfError for how long after the window an old answer is given when the service cannot be asked
 * @param negative for how long it is remembered that there is nothing; zero remembers no absence
 */
public record Freshness(Duration window, Duration staleWhileRevalidating, Duration staleIfError, Duration negative) {

    /**
     * Refuses negative times.
     *
     * @param window for how long no request is made
     * @param staleWhileRevalidating for how long an old answer is given while the service is asked
     * @param staleIfError for how long an old answer is given when the service cannot be asked
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
     * The service is asked at every read.
     *
     * @return a freshness with no window and nothing stale
     */
    public static Freshness revalidated() {
        return fresh(Duration.ZERO);
    }

    /**
     * The service is asked when what is there is older than this.
     *
     * @param window for how long no request is made
     * @return a freshness with this window and nothing stale
     */
    public static Freshness fresh(Duration window) {
        return new Freshness(window, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /**
     * The same, giving an old answer at once while the service is asked behind it.
     *
     * @param bound for how long after the window
     * @return the freshness
     */
    public Freshness staleWhileRevalidating(Duration bound) {
        return new Freshness(window, bound, staleIfError, negative);
    }

    /**
     * The same, giving an old answer when the service cannot be asked: it is not reached, is too busy, or fails. A refusal is no such
     * failure. The first failed attempt is enough, and is remembered for 5 seconds, in which the old answer is given without asking. (The
     * policy for SDK clients stands before their retries, which it cannot shorten.)
     *
     * @param bound for how long after the window
     * @return the freshness
     */
    public Freshness staleIfError(Duration bound) {
        return new Freshness(window, staleWhileRevalidating, bound, negative);
    }

    /**
     * The same, remembering that there is nothing.
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
