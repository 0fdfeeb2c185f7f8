package io.stowline.retry.internal.gate;

import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.internal.gate.Permit.PermitSignal;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A gate that lets a limited number of attempts through at a time.
 *
 * <ul>
 *   <li>{@link PermitPriority#NORMAL} requests share {@code limit()} permits and wait in the order of their coming.
 *   <li>{@link PermitPriority#SETTLE} requests go before all normal ones and have one permit more, which no normal request
 *       can use: {@code inUse()} is at most {@code limit() + 1}, apart from what was granted before a cut of the limit.
 *   <li>The limit of an adaptive gate follows the verdicts about the service with which permits are given back.
 *   <li>{@link PermitPriority#BACKGROUND} requests have half of the limit, at least one permit, and go behind all others. Only where none of
 *       them has a permit, and the limit is above one, the first of them goes before the normal ones, so that none waits for ever.
 *   <li>A permit is for one attempt and is given back before the delay that follows it. Its holder must not wait
 *       for anything else that needs a permit.
 *   <li>A permit whose attempt has had no response for long can {@linkplain Permit#fallSilent fall silent}: it counts no longer, so that
 *       others go ahead of it. {@link PermitPriority#SILENT} requests, for what was silent before, take such permits from the beginning,
 *       and half of them at most. All of them are at most four for each permit of the highest limit, and {@value #MAX_SILENT}: what is
 *       in flight stays bounded though nothing responds.
 *   <li>Waiting ends at its deadline; a request whose deadline is over gets no permit.
 *   <li>When all is idle, {@code inUse()} and {@code waiting()} are zero.
 * </ul>
 *
 * <p>Safe for use by many threads. Permits are handed over outside the lock, on the thread that released one; a release
 * inside such a hand-over is served when the hand-over has returned, so that it must not block.
 */
public final class Gate {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
    private static final PermitRegistration NOT_WAITING = () -> false;

    /** Silent permits for each permit of the highest limit, and in all. */
    private static final int SILENT_FOR_EACH = 4;

    private static final int MAX_SILENT = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<PermitWaiter> settling = new LinkedHashSet<>();
    private final Set<PermitWaiter> ordinary = new LinkedHashSet<>();
    private final Set<PermitWaiter> patient = new LinkedHashSet<>();
    private final Set<PermitWaiter> background = new LinkedHashSet<>();
    private final int maxSilent;
    private final @Nullable AdaptiveLimit control;
    private final @Nullable Scheduler clock;
    private int limit;
    private int inUse;
    private int settlingInUse;
    private int backgroundInUse;
    private int silent;

    private Gate(int limit, int maxSilent, @Nullable AdaptiveLimit control, @Nullable Scheduler clock) {
        this.limit = limit;
        this.maxSilent = maxSilent;
        this.control = control;
        this.clock = clock;
    }

    /**
     * Returns a gate whose limit stays the same, and none of whose permits falls silent.
     *
     * @param permits the limit, 1 to 100,000
     * @throws IllegalArgumentException if the number is out of range
     */
    public static Gate fixed(int permits) {
        if (permits < 1 || permits > 100_000) {
            throw new IllegalArgumentException("permits must be between 1 and 100000 but was " + permits);
        }
        return new Gate(permits, 0, null, null);
    }

    /** Returns how many permits of a gate with these settings can be silent, beyond its limit. */
    public static int maxSilent(ParallelismSettings settings) {
        return Math.min(SILENT_FOR_EACH * Math.min(settings.max(), MAX_SILENT), MAX_SILENT);
    }

    /**
     * Returns a gate whose limit follows the service, within the settings; a fixed one where these are fixed.
     *
     * @param settings the bounds
     * @param clock gives the time; nothing is scheduled on it. Its wall clock should be that of the other clients
     */
    public static Gate adaptive(ParallelismSettings settings, Scheduler clock) {
        return within(settings, maxSilent(settings), clock);
    }

    private static Gate within(ParallelismSettings settings, int maxSilent, Scheduler clock) {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(clock, "clock");
        if (!settings.adapts()) {
            return new Gate(settings.max(), maxSilent, null, null);
        }
        long offset = TimeUnit.MILLISECONDS.toNanos(clock.now(TimeUnit.MILLISECONDS)) - clock.now(TimeUnit.NANOSECONDS);
        return new Gate(settings.start(), maxSilent, new AdaptiveLimit(settings, offset), clock);
    }

    /** Returns a gate for a partition that was throttled just now. */
    static Gate throttled(ParallelismSettings settings, Scheduler clock) {
        Gate gate = within(settings, 0, clock);
        if (gate.control != null) {
            gate.control.beginThrottled(gate.now());
        }
        return gate;
    }

    /**
     * Returns a Mono that requests a permit when its result is first requested. It emits the permit, whose receiver
     * must release it, or fails with {@link GateTimeoutException} at the deadline, on the timer's thread. A cancel leaves
     * the line. It also gives back a permit that was granted at the same time or before, as a cancelled receiver may
     * have dropped it: use the permit in the chain that acquires it.
     *
     * @param priority the class of the request
     * @param deadline when the waiting ends, such as {@link Attempt#startBy()}
     * @param timer runs the end of a wait; not used when a permit is free
     */
    public Mono<Permit> acquire(PermitPriority priority, Deadline deadline, Scheduler timer) {
        return PermitMono.of(null, this, priority, deadline, timer);
    }

    /**
     * Requests a permit, without a deadline. When one is free the callback is called before this returns.
     *
     * @param priority the class of the request
     * @param granted takes the permit, and must not block; when it throws, the permit is given back
     */
    public PermitRegistration request(PermitPriority priority, Consumer<Permit> granted) {
        PermitWaiter waiter = new PermitWaiter(Objects.requireNonNull(granted, "granted"));
        long now = now();
        lock.lock();
        try {
            Permit permit = enter(priority, now, false);
            if (permit == null) {
                line(priority).add(waiter);
                return () -> leaveLine(line(priority), waiter);
            }
            waiter.grant(permit);
        } finally {
            lock.unlock();
        }
        waiter.deliver();
        return NOT_WAITING;
    }

    /** Returns the number of permits for normal requests. */
    public int limit() {
        lock.lock();
        try {
            return limit;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of permits that are held and silent, which do not count against the limit. */
    public int silent() {
        lock.lock();
        try {
            return silent;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of permits that are held and not silent. */
    public int inUse() {
        lock.lock();
        try {
            return inUse;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of requests in the line. */
    public int waiting() {
        lock.lock();
        try {
            return settling.size() + ordinary.size() + patient.size() + background.size();
        } finally {
            lock.unlock();
        }
    }

    public @Nullable Permit tryAcquire(PermitPriority priority) {
        long now = now();
        lock.lock();
        try {
            return enter(priority, now, false);
        } finally {
            lock.unlock();
        }
    }

    void leave(Permit permit, PermitSignal outcome, @Nullable Object latencyClass) {
        long now = now();
        PermitWaiter next;
        int before;
        int after;
        lock.lock();
        try {
            before = limit;
            uncount(permit);
            learn(permit, outcome, latencyClass, now);
            after = limit;
            next = admit(now);
        } finally {
            lock.unlock();
        }
        if (before != after) {
            LOG.debug("limit {}, was {} ({})", after, before, outcome);
        }
        if (next != null) {
            next.deliverAll();
        }
    }

    private void uncount(Permit permit) {
        if (permit.silent()) {
            silent--;
        } else {
            inUse--;
            count(permit.priority(), -1);
        }
    }

    private void count(PermitPriority priority, int more) {
        settlingInUse += priority == PermitPriority.SETTLE ? more : 0;
        backgroundInUse += priority == PermitPriority.BACKGROUND ? more : 0;
    }

    /** Counts a permit as silent; false if it has ended or as many are silent as can be. */
    boolean silence(Permit permit) {
        long now = now();
        PermitWaiter next;
        lock.lock();
        try {
            if (permit.isDisposed() || permit.silent() || silent >= maxSilent) {
                return permit.silent();
            }
            uncount(permit);
            silent++;
            permit.markSilent();
            next = admit(now);
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.deliverAll();
        }
        return true;
    }

    /** Learns of throttling from a permit of another gate. */
    void throttled(Permit elsewhere) {
        long now = now();
        lock.lock();
        try {
            if (control != null) {
                control.throttled(elsewhere.granted(), now, limit);
                limit = control.limit();
            }
        } finally {
            lock.unlock();
        }
    }

    private long now() {
        return clock == null ? 0 : clock.now(TimeUnit.NANOSECONDS);
    }

    /** Called under the lock. */
    private void learn(Permit permit, PermitSignal outcome, @Nullable Object latencyClass, long now) {
        if (control == null || outcome == PermitSignal.UNKNOWN) {
            return;
        }
        int inFlight = Math.max(permit.inFlight(), inUse + 1);
        if (outcome == PermitSignal.THROTTLED) {
            control.throttled(permit.granted(), now, inFlight);
        } else {
            control.responded(permit.granted(), now, inFlight, permit.saturated(), latencyClass);
        }
        limit = control.limit();
    }

    /**
     * Called under the lock. A newcomer never overtakes: requests wait in its class or above only while nothing is
     * free.
     */
    private @Nullable Permit enter(PermitPriority priority, long now, boolean waited) {
        return priority == PermitPriority.SILENT && maxSilent > 0
                ? enterSilent(now)
                : enterCounted(priority, now, waited);
    }

    /** Called under the lock. The other half is for partitions that fall silent later. */
    private @Nullable Permit enterSilent(long now) {
        if (silent >= maxSilent / 2) {
            return null;
        }
        silent++;
        Permit permit = new Permit(this, PermitPriority.SILENT, false, inUse, now);
        permit.markSilent();
        return permit;
    }

    /** Called under the lock. */
    private @Nullable Permit enterCounted(PermitPriority priority, long now, boolean waited) {
        if (inUse == 0 && control != null) {
            control.wake(now);
            limit = control.limit();
        }
        if (!free(priority)) {
            return null;
        }
        inUse++;
        count(priority, 1);
        return new Permit(this, priority, waited || inUse >= limit, inUse, now);
    }

    /** Called under the lock. */
    private boolean free(PermitPriority priority) {
        return switch (priority) {
            case SETTLE -> inUse <= limit || settlingInUse == 0;
            case BACKGROUND -> inUse < limit && backgroundInUse < Math.max(1, limit / 2) && canFallSilent();
            case NORMAL, SILENT -> inUse < limit;
        };
    }

    /** Called under the lock. A permit in the background that could not fall silent would hold up the others for as long as it lasts. */
    private boolean canFallSilent() {
        return maxSilent == 0 || silent + backgroundInUse < maxSilent;
    }

    /** Called under the lock. Admits everyone whom a raised limit lets in, as a newcomer could overtake the rest. */
    private @Nullable PermitWaiter admit(long now) {
        PermitWaiter first = admitNext(now);
        for (PermitWaiter last = first; last != null; ) {
            PermitWaiter next = admitNext(now);
            if (next != null) {
                last.followedBy(next);
            }
            last = next;
        }
        return first;
    }

    /** Called under the lock. */
    private @Nullable PermitWaiter admitNext(long now) {
        boolean starved = backgroundInUse == 0 && limit > 1;
        PermitWaiter next = admitFrom(settling, PermitPriority.SETTLE, now);
        next = next == null && starved ? admitFrom(background, PermitPriority.BACKGROUND, now) : next;
        next = next == null ? admitFrom(ordinary, PermitPriority.NORMAL, now) : next;
        next = next == null ? admitFrom(patient, PermitPriority.SILENT, now) : next;
        return next == null ? admitFrom(background, PermitPriority.BACKGROUND, now) : next;
    }

    /** Called under the lock. */
    private @Nullable PermitWaiter admitFrom(Set<PermitWaiter> line, PermitPriority priority, long now) {
        Permit permit = line.isEmpty() ? null : enter(priority, now, true);
        if (permit == null) {
            return null;
        }
        PermitWaiter first = pollFirst(line);
        first.grant(permit);
        return first;
    }

    private Set<PermitWaiter> line(PermitPriority priority) {
        return switch (priority) {
            case SETTLE -> settling;
            case NORMAL -> ordinary;
            case SILENT -> maxSilent > 0 ? patient : ordinary;
            case BACKGROUND -> background;
        };
    }

    private boolean leaveLine(Set<PermitWaiter> line, PermitWaiter waiter) {
        lock.lock();
        try {
            return line.remove(waiter);
        } finally {
            lock.unlock();
        }
    }

    private static PermitWaiter pollFirst(Set<PermitWaiter> line) {
        Iterator<PermitWaiter> first = line.iterator();
        PermitWaiter waiter = first.next();
        first.remove();
        return waiter;
    }

    /** The class of a request at a {@link Gate}. */
    public enum PermitPriority {
        /** Ordinary work, first come, first served. */
        NORMAL,
        /**
         * Requests that settle or release earlier work: read-backs, lease renewals, deletes, releases, aborts. First in
         * line, and with an extra permit beyond the limit.
         */
        SETTLE,
        /** Attempts at what has not responded to the last one: they take no permit from others. */
        SILENT,
        /** Work without a waiting caller: last in line, and with half of the limit. */
        BACKGROUND
    }

    /** A place in a {@link Gate}'s line. Safe for use by many threads. */
    @FunctionalInterface
    public interface PermitRegistration {

        /**
         * Leaves the line.
         *
         * @return true when the place was given up: the callback is never called; false when it was left or granted before:
         *     the callback has been or will be called with a permit, which must be released
         */
        boolean cancel();
    }
}
