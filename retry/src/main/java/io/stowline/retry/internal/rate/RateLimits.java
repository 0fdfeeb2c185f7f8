package io.stowline.retry.internal.rate;

import io.stowline.retry.internal.rate.RateLimit.TokenRate;
import io.stowline.retry.internal.timeout.Deadline;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * One {@link RateLimit} of the same rate for each key, made when the key is first used.
 *
 * <p>One that is full and for which no request waits is as good as a new one. Such limits are removed now and then: what is
 * held is those in use, at most as many again, and at most a thousand more. There is no timer but for keys that a request
 * waits for. Safe for use by many threads.
 *
 * @param <K> the type of the keys, with equals and hashCode
 */
public final class RateLimits<K> {

    private static final int MIN_SWEEP = 1_000;

    private final ConcurrentHashMap<K, TokenBucket> lines = new ConcurrentHashMap<>();
    private final AtomicInteger untilSweep = new AtomicInteger(MIN_SWEEP);
    private final TokenRate rate;
    private final Function<K, TokenBucket> opened;

    private RateLimits(TokenRate rate, RefillClock clock) {
        this.rate = rate;
        this.opened = key -> new TokenBucket(rate.capacity(), clock);
    }

    /**
     * Returns limits that hold no key yet.
     *
     * @param <K> the type of the keys
     * @param rate the weight per second of each key, 0.001 to 1,000,000,000
     * @param burst the weight of each key that may pass at once, zero to the weight of a day
     * @param clock gives the time and serves those who wait; limits may share it
     * @throws IllegalArgumentException if the rate or the burst is out of range
     */
    public static <K> RateLimits<K> perSecond(double rate, double burst, RefillClock clock) {
        return new RateLimits<>(new TokenRate(rate, burst), clock);
    }

    /**
     * Returns a Mono that takes tokens of this key, as {@link RateLimit#acquire} does.
     *
     * @param weight the tokens to take, zero to the weight of a day
     * @param deadline when the wait must be over
     * @throws IllegalArgumentException if the weight is out of range
     */
    public Mono<Void> acquire(K key, double weight, Deadline deadline) {
        Objects.requireNonNull(key, "key");
        long cost = rate.cost(weight);
        return RateMono.of(() -> new TokenRequest(() -> line(key), cost), rate, weight, deadline);
    }

    /**
     * Returns the claim of one request to tokens of this key, which has taken nothing yet.
     *
     * @param weight the tokens to take, zero to the weight of a day
     * @throws IllegalArgumentException if the weight is out of range
     */
    public RateClaim claim(K key, double weight) {
        Objects.requireNonNull(key, "key");
        return new RateClaim(() -> line(key), rate, weight);
    }

    /**
     * Gives back the tokens of a request that passed but was not sent.
     *
     * @throws IllegalArgumentException if the weight is out of range
     */
    public void refund(K key, double weight) {
        long cost = rate.cost(weight);
        TokenBucket line = lines.get(key);
        if (line != null) {
            line.give(cost);
        }
    }

    /** Returns the number of keys that are held. */
    public int size() {
        return lines.size();
    }

    /** Another thread may retire the line before it is entered: such a line is dropped, and a new one made. */
    private TokenBucket line(K key) {
        if (untilSweep.decrementAndGet() == 0) {
            sweep();
        }
        TokenBucket line = lines.computeIfAbsent(key, opened);
        while (line.retired()) {
            lines.remove(key, line);
            line = lines.computeIfAbsent(key, opened);
        }
        return line;
    }

    private void sweep() {
        lines.values().removeIf(TokenBucket::retireWhenIdle);
        untilSweep.set(Math.max(MIN_SWEEP, lines.size()));
    }

    @Override
    public String toString() {
        return "RateLimits[" + rate.perSecond() + " per second, burst " + rate.burst() + ", keys " + size() + "]";
    }
}
