package io.stowline.retry.internal.timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * Timeouts, almost all of which end before their time: {@link Attempt#clientTimeout()}. One alarm of the timer serves them all. It stays set
 * for the earliest time that it was set for, and looks for the next one only when it rings, so that a short attempt wakes no thread. Thread-safe.
 */
public final class TimeoutQueue {

    private static final Logger LOG = LoggerFactory.getLogger(TimeoutQueue.class);
    /** Half of the range, so that differences of times stay positive. */
    private static final long MAX = Long.MAX_VALUE / 2;

    private final Scheduler timer;
    /** The ring's head, between the last timeout and the first; the others are in the order of their times. */
    private final Timeout ends = new Timeout(() -> {}, 0);

    private boolean isSet;
    private long alarm;

    /**
     * Timeouts of a timer.
     *
     * @param timer runs the tasks whose time is over
     */
    public TimeoutQueue(Scheduler timer) {
        this.timer = Objects.requireNonNull(timer, "timer");
        ends.previous = ends;
        ends.next = ends;
    }

    /** Returns the clock of its times. */
    Scheduler clock() {
        return timer;
    }

    /** Returns the timer's time in nanoseconds. */
    long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }

    /**
     * Runs a task on the timer after a time, unless it is disposed of before.
     *
     * @param task must not wait
     * @throws RejectedExecutionException if the timer takes no more tasks
     */
    public Disposable schedule(Runnable task, long nanos) {
        return schedule(task, nanos, now());
    }

    /** Runs a task on the timer after a time from this reading of its clock; see {@link #schedule(Runnable, long)}. */
    Disposable schedule(Runnable task, long nanos, long now) {
        if (timer.isDisposed()) {
            throw new RejectedExecutionException("the timer is stopped");
        }
        Timeout timeout = new Timeout(task, now + Math.min(nanos, MAX));
        boolean next;
        synchronized (this) {
            timeout.insert(ends.previous);
            next = wantsAlarm();
        }
        if (next) {
            try {
                setAlarm(timeout.at, now);
            } catch (RejectedExecutionException stopped) {
                timeout.dispose();
                throw stopped;
            }
        }
        return timeout;
    }

    /** True means that an alarm has to be set for the first timeout, which then counts as set. */
    private boolean wantsAlarm() {
        if (ends.next == ends || (isSet && ends.next.at - alarm >= 0)) {
            return false;
        }
        isSet = true;
        alarm = ends.next.at;
        return true;
    }

    private void unset(long at) {
        isSet &= alarm != at;
    }

    private void setAlarm(long at, long now) {
        try {
            timer.schedule(() -> ring(at), Math.max(0, at - now), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopped) {
            synchronized (this) {
                unset(at);
            }
            throw stopped;
        }
    }

    /** A replaced alarm rings too, and finds nothing to do. */
    private void ring(long at) {
        List<Runnable> due = new ArrayList<>();
        long now = now();
        long first;
        boolean next;
        synchronized (this) {
            unset(at);
            for (Timeout one = ends.next; one != ends && one.at - now <= 0; one = ends.next) {
                due.add(one.task);
                one.remove();
            }
            first = ends.next.at;
            next = wantsAlarm();
        }
        if (next) {
            setNextAlarm(first, now);
        }
        due.forEach(TimeoutQueue::run);
    }

    private void setNextAlarm(long at, long now) {
        try {
            setAlarm(at, now);
        } catch (RejectedExecutionException stopped) {
            LOG.debug("the timer has stopped before the attempts that it limits", stopped);
        }
    }

    /** Returns whether no timeout runs. */
    synchronized boolean isEmpty() {
        return ends.next == ends;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("the end of an attempt's time failed", e);
        }
    }

    /** One timeout in the ring of all; guarded by the queue. */
    private final class Timeout implements Disposable {

        private final Runnable task;
        private final long at;
        private Timeout previous = this;
        private Timeout next = this;

        Timeout(Runnable task, long at) {
            this.task = task;
            this.at = at;
        }

        /** Searches from the end: most timeouts are equally long, so that few are later. */
        void insert(Timeout last) {
            Timeout before = last;
            while (before != ends && before.at - at > 0) {
                before = before.previous;
            }
            previous = before;
            next = before.next;
            next.previous = this;
            before.next = this;
        }

        /** Does nothing if it is in no queue. */
        void remove() {
            previous.next = next;
            next.previous = previous;
            previous = this;
            next = this;
        }

        @Override
        public void dispose() {
            synchronized (TimeoutQueue.this) {
                remove();
            }
        }
    }
}
