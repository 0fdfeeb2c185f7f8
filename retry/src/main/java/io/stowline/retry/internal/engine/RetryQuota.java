package io.stowline.retry.internal.engine;

import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.internal.rate.TokenBucket;
import io.stowline.retry.internal.rate.TokenRequest;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A quota that bounds what the retries of all operations together can cost a service that is in trouble: a bucket of tokens, one for
 * each account and service, full at first.
 *
 * <ul>
 *   <li>Every retry takes tokens before its delay begins, more after a transient failure than after throttling; only
 *       one that follows {@link Verdict.VerdictKind#REMEDIED} is free.
 *   <li>They go back when that retry succeeds, or when it never starts. The success of an operation that took none
 *       gives one token back. Tokens also come with time. There are never more than the capacity.
 *   <li>A retry that meets an empty quota is refused or waits, by its {@link ExhaustedPolicy}. Waiting retries are served in FIFO
 *       order, on the clock's threads; while one waits, the quota is empty for all others.
 * </ul>
 *
 * <p>{@link QuotaSettings} gives the figures and their reasons. Safe for use by many threads.
 */
public final class RetryQuota {

    private static final RetryQuota UNLIMITED = new RetryQuota(null, Schedulers.immediate());

    private final @Nullable QuotaSettings settings;
    private final long refill;
    private final TokenBucket line;

    private RetryQuota(@Nullable QuotaSettings settings, Scheduler clock) {
        this.settings = settings;
        this.refill = settings == null ? 0 : TimeUnit.SECONDS.toNanos(1) / settings.refillPerSecond();
        this.line = new TokenBucket(settings == null ? 0 : settings.capacity() * refill, clock);
    }

    /**
     * Returns a full quota.
     *
     * @param settings the figures
     * @param clock the scheduler that gives the time and serves the waiters; it must live as long as they do, and is not disposed
     * @return a new quota
     */
    public static RetryQuota of(QuotaSettings settings, Scheduler clock) {
        return new RetryQuota(Objects.requireNonNull(settings, "settings"), Objects.requireNonNull(clock, "clock"));
    }

    /**
     * Returns the quota from which every retry is free.
     *
     * @return the quota
     */
    public static RetryQuota unlimited() {
        return UNLIMITED;
    }

    /**
     * Returns the number of whole tokens that are there now.
     *
     * @return the number, zero to the capacity
     */
    public int available() {
        return settings == null ? Integer.MAX_VALUE : (int) (line.level() / refill);
    }

    /**
     * Returns the number of tokens of a full quota.
     *
     * @return the capacity, {@link Integer#MAX_VALUE} when it is unlimited
     */
    public int capacity() {
        return settings == null ? Integer.MAX_VALUE : settings.capacity();
    }

    /**
     * Returns the number of retries that wait for tokens.
     *
     * @return the number
     */
    public int waiting() {
        return line.waiting();
    }

    /** Returns the claim of the retry after this verdict. */
    TokenRequest claim(Verdict verdict) {
        return new TokenRequest(() -> line, cost(verdict) * refill);
    }

    /** Refills the quota after a success; the claim is that of the last attempt, or null for a first one. */
    void succeeded(@Nullable TokenRequest last) {
        if (last == null || last.cost() == 0) {
            line.give(refill);
        } else {
            last.giveBack();
        }
    }

    private int cost(Verdict verdict) {
        if (settings == null || verdict.kind() == Verdict.VerdictKind.REMEDIED) {
            return 0;
        }
        return verdict.throttling() == ThrottleScope.NONE ? settings.transientCost() : settings.throttledCost();
    }

    @Override
    public String toString() {
        return settings == null
                ? "RetryQuota[unlimited]"
                : "RetryQuota[" + available() + " of " + capacity() + ", waiting " + waiting() + "]";
    }

    /** The policy for an operation whose retry meets an empty {@link RetryQuota}. */
    public enum ExhaustedPolicy {
        /**
         * Ends the operation at once with {@link io.stowline.retry.StopReason#QUOTA_EMPTY} and its last
         * result or error: for direct calls.
         */
        REFUSE,
        /**
         * Waits in line for tokens until the operation's deadline: for writers and consumers, which lose no operation.
         */
        PACE
    }
}
