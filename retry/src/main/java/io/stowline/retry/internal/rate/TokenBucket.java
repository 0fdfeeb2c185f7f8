package io.stowline.retry.internal.rate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * A token bucket with a line of claims before it, served in the order of their coming. Tokens are counted in the
 * nanoseconds that it takes to refill them, so that the bucket is one number: the moment at which it will be full.
 *
 * <p>A claim above the capacity is granted by a full bucket, whose level is negative afterwards. One timer serves the
 * whole line; claims are granted on its thread, outside the lock. Safe for use by many threads.
 *
 * <p>While the rate ramps up, an idle bucket holds less than its capacity. A claim that waits still finds all tokens that have come since.
 */
public final class TokenBucket {

    static final long RETIRED = -1;

    private static final Logger LOG = LoggerFactory.getLogger(TokenBucket.class);

    private final RefillClock clock;
    private final long capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<TokenRequest> line = new LinkedHashSet<>();
    private volatile long fullAt;
    private volatile boolean retired;
    private long queued;
    private long turn;
    private @Nullable Disposable alarm;

    public TokenBucket(long capacity, Scheduler clock) {
        this(capacity, RefillClock.steady(clock));
    }

    TokenBucket(long capacity, RefillClock clock) {
        this.capacity = capacity;
        this.clock = clock;
        this.fullAt = clock.now();
    }

    /** Takes tokens that are there, unless requests wait. */
    boolean tryTake(long cost) {
        lock.lock();
        try {
            clock.requested();
            return !retired && line.isEmpty() && taken(cost);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes tokens, or joins the line when they will be there in time. Returns how long that takes: zero when they were
     * taken, more than the patience when it did not join, else the longest wait, which others may shorten.
     */
    long enter(TokenRequest claim, long patience) {
        lock.lock();
        try {
            if (retired) {
                return RETIRED;
            }
            clock.requested();
            if (line.isEmpty() && taken(claim.cost())) {
                return 0;
            }
            long wait = clock.delay(Math.max(1, missing(claim.cost()) + queued));
            if (wait <= patience) {
                join(claim);
            }
            return wait;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the claim was in the line; if not, it was granted, or will never be. */
    boolean leave(TokenRequest claim) {
        lock.lock();
        try {
            boolean first = head() == claim;
            if (!removed(claim)) {
                return false;
            }
            if (first) {
                rearm();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    public void give(long amount) {
        if (amount == 0 || fullAt - clock.now() <= 0) {
            return;
        }
        lock.lock();
        try {
            long now = clock.now();
            fullAt = now + Math.max(0, fullAt - now - amount);
            if (!line.isEmpty()) {
                rearm();
            }
        } finally {
            lock.unlock();
        }
    }

    public long level() {
        lock.lock();
        try {
            return capacity - used(clock.now());
        } finally {
            lock.unlock();
        }
    }

    double speed() {
        return clock.speed();
    }

    public int waiting() {
        lock.lock();
        try {
            return line.size();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses every request from now on if it is full and none waits: then a new one is as good. */
    boolean retireWhenIdle() {
        lock.lock();
        try {
            retired = retired || (line.isEmpty() && fullAt - clock.now() <= 0);
            return retired;
        } finally {
            lock.unlock();
        }
    }

    boolean retired() {
        return retired;
    }

    private boolean taken(long cost) {
        long now = clock.now();
        long used = used(now);
        if (Math.min(cost, capacity) > capacity - used) {
            return false;
        }
        fullAt = now + used + cost;
        return true;
    }

    /** The bound of an idle bucket does not hold for claims that wait: one of them may need more than it. */
    private long used(long now) {
        long used = Math.max(0, fullAt - now);
        return line.isEmpty() ? Math.max(used, clock.lacking(capacity)) : used;
    }

    private long missing(long cost) {
        return Math.min(cost, capacity) - capacity + used(clock.now());
    }

    private void join(TokenRequest claim) {
        if (line.isEmpty()) {
            long now = clock.now();
            fullAt = now + used(now);
            arm(claim);
        }
        line.add(claim);
        queued += claim.cost();
        clock.waits();
    }

    private boolean removed(TokenRequest claim) {
        if (!line.remove(claim)) {
            return false;
        }
        queued -= claim.cost();
        clock.waited();
        return true;
    }

    private @Nullable TokenRequest head() {
        Iterator<TokenRequest> first = line.iterator();
        return first.hasNext() ? first.next() : null;
    }

    private void arm(TokenRequest head) {
        long mine = ++turn;
        long delay = clock.delay(Math.max(0, missing(head.cost())));
        alarm = clock.timer().schedule(() -> ring(mine), delay, TimeUnit.NANOSECONDS);
    }

    private void rearm() {
        turn++;
        if (alarm != null) {
            alarm.dispose();
            alarm = null;
        }
        TokenRequest head = head();
        if (head == null) {
            return;
        }
        try {
            arm(head);
        } catch (RejectedExecutionException shutDown) {
            LOG.debug("the scheduler is shut down: waiters of this bucket will not be served", shutDown);
        }
    }

    private void ring(long mine) {
        List<TokenRequest> granted;
        lock.lock();
        try {
            // Replaced while it waited for the lock; its thread may be interrupted, so it must not grant anything.
            if (mine != turn) {
                return;
            }
            // No caller may dispose, and so interrupt, the task that is about to grant.
            alarm = null;
            granted = served();
            rearm();
        } finally {
            lock.unlock();
        }
        granted.forEach(TokenBucket::grant);
    }

    private List<TokenRequest> served() {
        List<TokenRequest> granted = new ArrayList<>();
        for (TokenRequest head = head(); head != null && taken(head.cost()); head = head()) {
            removed(head);
            granted.add(head);
        }
        return granted;
    }

    private static void grant(TokenRequest claim) {
        try {
            claim.grant();
        } catch (Throwable thrown) {
            LOG.error("the receiver of tokens failed", thrown);
        }
    }
}
