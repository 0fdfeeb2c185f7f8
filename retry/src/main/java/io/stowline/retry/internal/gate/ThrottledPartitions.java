package io.stowline.retry.internal.gate;

import io.stowline.retry.ParallelismSettings;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** The gates of the partitions that were throttled lately. Safe for use by many threads. */
final class ThrottledPartitions {

    private static final Object NO_PARTITION = new Object();
    private static final int SPREAD = 3;
    private static final int SWEPT = 2;
    private static final int QUIET_WINDOWS = 30;
    /** Beyond this number idle partitions are dropped, however lately they were throttled. */
    private static final int MANY = 10_000;

    private record Throttled(Object partition, long at) {}

    private static final class Limiter {

        private final Gate gate;
        private long throttled;

        Limiter(Gate gate) {
            this.gate = gate;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Limiter> limiters = new LinkedHashMap<>();
    private final Deque<Throttled> lately = new ArrayDeque<>();
    private final Gate account;
    private final ParallelismSettings settings;
    private final Scheduler clock;
    private final long window;
    private volatile int size;

    ThrottledPartitions(Gate account, ParallelismSettings settings, Scheduler clock) {
        this.account = account;
        this.settings = settings;
        this.clock = clock;
        this.window = settings.window().toNanos();
    }

    int size() {
        return size;
    }

    /** Returns the gate of a partition, or null when the partition has no limit. */
    @Nullable
    Gate gate(@Nullable Object partition) {
        if (size == 0) {
            return null;
        }
        long now = now();
        lock.lock();
        try {
            sweep(now);
            Limiter limiter = limiters.get(key(partition));
            return limiter == null ? null : limiter.gate;
        } finally {
            lock.unlock();
        }
    }

    /** Limits the partition and returns whether so many are throttled that it must be the account. */
    boolean throttled(@Nullable Object partition, Permit permit) {
        if (!settings.adapts()) {
            return false;
        }
        long now = now();
        lock.lock();
        try {
            limit(key(partition), permit, now);
            sweep(now);
            return spread(key(partition), now);
        } finally {
            lock.unlock();
        }
    }

    private void limit(Object partition, Permit permit, long now) {
        Limiter limiter = limiters.get(partition);
        if (limiter == null) {
            limiter = new Limiter(Gate.throttled(halfOfTheAccount(), clock));
            limiters.put(partition, limiter);
        } else if (!permit.holds(limiter.gate)) {
            limiter.gate.throttled(permit);
        }
        limiter.throttled = now;
    }

    private ParallelismSettings halfOfTheAccount() {
        return ParallelismSettings.builder()
                .max(settings.max())
                .start(Math.max(1, account.limit() / 2))
                .window(settings.window())
                .build();
    }

    /** Each call checks the two partitions that were checked longest ago. */
    private void sweep(long now) {
        for (int i = Math.min(SWEPT, limiters.size()); i > 0; i--) {
            Iterator<Map.Entry<Object, Limiter>> entries = limiters.entrySet().iterator();
            Map.Entry<Object, Limiter> eldest = entries.next();
            entries.remove();
            if (!isOver(eldest.getValue(), now)) {
                limiters.put(eldest.getKey(), eldest.getValue());
            }
        }
        size = limiters.size();
    }

    private boolean isOver(Limiter limiter, long now) {
        Gate gate = limiter.gate;
        long since = now - limiter.throttled;
        if (gate.waiting() > 0 || since < window) {
            return false;
        }
        boolean forgotten = gate.inUse() == 0 && (since >= QUIET_WINDOWS * window || limiters.size() >= MANY);
        return forgotten || gate.limit() >= account.limit();
    }

    private boolean spread(Object partition, long now) {
        lately.removeIf(each -> now - each.at() >= window || each.partition().equals(partition));
        lately.add(new Throttled(partition, now));
        if (lately.size() < SPREAD) {
            return false;
        }
        lately.clear();
        return true;
    }

    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }

    private static Object key(@Nullable Object partition) {
        return Objects.requireNonNullElse(partition, NO_PARTITION);
    }
}
