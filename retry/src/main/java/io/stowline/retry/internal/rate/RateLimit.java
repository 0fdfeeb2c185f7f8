package io.stowline.retry.internal.rate;

import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * A limit that lets weighted requests through at a rate: a bucket of tokens, full at first unless its clock ramps up.
 *
 * <ul>
 *   <li>In any span of t seconds at most {@code burst + rate * t} of weight passes that is not refunded.
 *   <li>A weight above the burst passes when the bucket is full, and those after it wait until it is paid.
 *   <li>Requests wait in FIFO order. The wait that is known when a request comes
 *       can only become shorter, by a refund or by one who leaves: if it fits the deadline, the deadline is met.
 *   <li>One timer serves all who wait.
 * </ul>
 *
 * <p>Weights are charged to the nanosecond at this rate, rounded up. Safe for use by many threads. A request that has
 * waited completes on the clock's threads.
 */
public final class RateLimit {

    private final TokenRate rate;
    private final TokenBucket line;
    private final Supplier<TokenBucket> lines;

    private RateLimit(TokenRate rate, RefillClock clock) {
        this.rate = rate;
        this.line = new TokenBucket(rate.capacity(), Objects.requireNonNull(clock, "clock"));
        this.lines = () -> line;
    }

    /**
     * Returns a limit whose bucket is as full as its clock lets it be.
     *
     * @param rate the weight per second, 0.001 to 1,000,000,000
     * @param burst the weight that may pass at once, zero to the weight of a day
     * @param clock gives the time and serves those who wait; limits may share it
     * @throws IllegalArgumentException if the rate or the burst is out of range
     */
    public static RateLimit perSecond(double rate, double burst, RefillClock clock) {
        return new RateLimit(new TokenRate(rate, burst), clock);
    }

    /**
     * Returns a Mono that takes the tokens when it is subscribed to, separately for each subscriber. It completes at once,
     * without a timer, when they are there; else when its turn has come. It fails at once with {@link
     * RateTimeoutException} when the wait would go beyond the deadline, and then takes nothing. A cancel while it waits
     * leaves the line and takes nothing.
     *
     * @param weight the tokens to take, zero to the weight of a day
     * @param deadline when the wait must be over
     * @throws IllegalArgumentException if the weight is out of range
     */
    public Mono<Void> acquire(double weight, Deadline deadline) {
        long cost = rate.cost(weight);
        return RateMono.of(() -> new TokenRequest(lines, cost), rate, weight, deadline);
    }

    /**
     * Returns the claim of one request, which has taken nothing yet.
     *
     * @param weight the tokens to take, zero to the weight of a day
     * @throws IllegalArgumentException if the weight is out of range
     */
    public RateClaim claim(double weight) {
        return new RateClaim(lines, rate, weight);
    }

    /**
     * Gives back the tokens of a request that passed but was not sent.
     *
     * @throws IllegalArgumentException if the weight is out of range
     */
    public void refund(double weight) {
        line.give(rate.cost(weight));
    }

    /**
     * Returns the weight that may pass now.
     *
     * @return the tokens, at most the burst; negative while a weight above the burst is being paid
     */
    public double available() {
        return Math.min(rate.burst(), line.level() * rate.perSecond() / 1e9);
    }

    /** Returns the number of requests that wait. */
    public int waiting() {
        return line.waiting();
    }

    @Override
    public String toString() {
        return "RateLimit[" + rate.perSecond() + " per second, burst " + rate.burst() + "]";
    }

    /** A rate and a burst, and what they mean in the nanoseconds of a {@link TokenBucket}. */
    record TokenRate(double perSecond, double burst) {

        private static final double NANOS = 1e9;
        private static final double MIN = 0.001;
        private static final double MAX = 1e12;

        TokenRate {
            between("rate", perSecond, MIN, MAX);
            between("burst", burst, 0, perSecond * Duration.ofDays(1).toSeconds());
        }

        long capacity() {
            return (long) Math.ceil(burst / perSecond * NANOS);
        }

        /**
         * Returns the nanoseconds of the rate that a request costs, rounded up, so that no sum of small weights exceeds
         * the rate.
         */
        long cost(double weight) {
            between("weight", weight, 0, perSecond * Duration.ofDays(1).toSeconds());
            return (long) Math.ceil(weight / perSecond * NANOS);
        }

        private static void between(String name, double value, double min, double max) {
            if (!(value >= min && value <= max)) {
                throw new IllegalArgumentException(
                        name + " must be between " + min + " and " + max + " but was " + value);
            }
        }
    }
}
