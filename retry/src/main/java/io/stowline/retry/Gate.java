package io.stowline.retry;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Lets a limited number of attempts through at a time.
 *
 * <ul>
 *   <li>{@link Priority#NORMAL} requests share {@code limit()} permits and wait in the order of their coming.
 *   <li>{@link Priority#SETTLE} requests go before all normal ones and have one permit more, which no normal request
 *       can use: {@code inUse()} is at most {@code limit() + 1}.
 *   <li>A permit is for one attempt and is given back before the delay that follows it. Whoever holds one must not wait
 *       for anything else that needs a permit.
 *   <li>Waiting ends at its deadline; a request whose deadline is over gets no permit.
 *   <li>When all is idle, {@code inUse()} and {@code waiting()} are zero.
 * </ul>
 *
 * <p>Safe for use by many threads. Permits are handed over outside the lock, on the thread that released one; a release
 * inside such a hand-over is served when the hand-over has returned, so that it must not block.
 */
public final class Gate {

    private static final Waiting NOT_WAITING = () -> false;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Waiter> settling = new LinkedHashSet<>();
    private final Set<Waiter> ordinary = new LinkedHashSet<>();
    private int limit;
    private int inUse;

    private Gate(int limit) {
        this.limit = limit;
    }

    /**
     * Returns a gate whose limit stays the same.
     *
     * @param permits the limit, 1 to 100,000
     * @return a new gate
     * @throws IllegalArgumentException if the number is out of range
     */
    public static Gate fixed(int permits) {
        return new Gate(Bounds.between("permits", permits, 1, 100_000));
    }

    /**
     * Returns a Mono that asks for a permit when its result is first requested. It emits the permit, whose receiver
     * must release it, or fails with {@link GateTimeoutException} at the deadline, on the timer's thread. A cancel leaves
     * the line. It also gives back a permit that was granted at the same time or before, as a cancelled receiver may
     * have dropped it: use the permit in the chain that acquires it.
     *
     * @param priority the class of the request
     * @param deadline when the waiting ends, such as {@link Attempt#startBy()}
     * @param timer runs the end of a wait; not used when a permit is free
     * @return the permit
     */
    public Mono<Permit> acquire(Priority priority, Deadline deadline, Scheduler timer) {
        return PermitMono.of(this, priority, deadline, timer);
    }

    /**
     * Asks for a permit, without a deadline. When one is free the callback is called before this returns.
     *
     * @param priority the class of the request
     * @param granted takes the permit, and must not block; when it throws, the permit is given back
     * @return the place in the line
     */
    public Waiting request(Priority priority, Consumer<Permit> granted) {
        Waiter waiter = new Waiter(this, Objects.requireNonNull(granted, "granted"));
        lock.lock();
        try {
            if (!enter(priority)) {
                line(priority).add(waiter);
                return () -> leaveLine(line(priority), waiter);
            }
        } finally {
            lock.unlock();
        }
        waiter.deliver();
        return NOT_WAITING;
    }

    /**
     * Returns the number of permits for normal requests.
     *
     * @return the limit
     */
    public int limit() {
        lock.lock();
        try {
            return limit;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the number of permits that are held.
     *
     * @return the number, at most {@code limit() + 1}
     */
    public int inUse() {
        lock.lock();
        try {
            return inUse;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the number of requests in the line.
     *
     * @return the number of both classes
     */
    public int waiting() {
        lock.lock();
        try {
            return settling.size() + ordinary.size();
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    Permit tryAcquire(Priority priority) {
        lock.lock();
        try {
            return enter(priority) ? new Permit(this) : null;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        Waiter next;
        lock.lock();
        try {
            inUse--;
            next = admitNext();
        } finally {
            lock.unlock();
        }
        if (next != null) {
            HandOver.run(next);
        }
    }

    /** Under the lock. A newcomer never overtakes: who waits in its class or above waits because nothing is free. */
    private boolean enter(Priority priority) {
        if (inUse >= (priority == Priority.SETTLE ? limit + 1 : limit)) {
            return false;
        }
        inUse++;
        return true;
    }

    /** Under the lock. */
    private @Nullable Waiter admitNext() {
        if (!settling.isEmpty() && enter(Priority.SETTLE)) {
            return pollFirst(settling);
        }
        return !ordinary.isEmpty() && enter(Priority.NORMAL) ? pollFirst(ordinary) : null;
    }

    private Set<Waiter> line(Priority priority) {
        return priority == Priority.SETTLE ? settling : ordinary;
    }

    private boolean leaveLine(Set<Waiter> line, Waiter waiter) {
        lock.lock();
        try {
            return line.remove(waiter);
        } finally {
            lock.unlock();
        }
    }

    private static Waiter pollFirst(Set<Waiter> line) {
        Iterator<Waiter> first = line.iterator();
        Waiter waiter = first.next();
        first.remove();
        return waiter;
    }
}
