package io.stowline.logback;

import ch.qos.logback.core.Appender;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log events that an appender has discarded: their number, and the messages about them in Logback's status. For each reason there is one
 * message a minute, so that an outage does not fill it. Thread-safe.
 */
final class DiscardedEvents {

    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private final Appender<?> appender;
    private final LongSupplier nanoTime;
    private final LongAdder total = new LongAdder();
    private final AtomicLong reported = new AtomicLong();
    /** The earliest times of the next message, by reason. */
    private final Map<DiscardReason, AtomicLong> next = new EnumMap<>(DiscardReason.class);

    private volatile boolean vain;

    /** The reasons to discard an event. */
    enum DiscardReason {
        FULL("the writer has no room for them"),
        REFUSED("the writer refuses them"),
        UNENCODED("they cannot be encoded"),
        NESTED("they were logged by the appending of another event");

        private final String clause;

        DiscardReason(String clause) {
            this.clause = clause;
        }
    }

    DiscardedEvents(Appender<?> appender, LongSupplier nanoTime) {
        this.appender = appender;
        this.nanoTime = nanoTime;
        long now = nanoTime.getAsLong();
        for (DiscardReason reason : DiscardReason.values()) {
            next.put(reason, new AtomicLong(now));
        }
    }

    /** Counts an event. */
    void add(DiscardReason reason, @Nullable Throwable cause) {
        total.increment();
        AtomicLong due = Objects.requireNonNull(next.get(reason));
        long time = due.get();
        long now = nanoTime.getAsLong();
        if (now - time >= 0 && due.compareAndSet(time, now + PAUSE)) {
            String detail = cause == null ? "" : ": " + cause.getMessage();
            warn("Log events are discarded, since " + reason.clause + detail + "; " + reportedTotal() + " so far");
        }
    }

    /** Notes that an event has waited for room and found none: until one finds some, others do not wait. */
    void waitedInVain() {
        vain = true;
    }

    /** Notes that an event has found room. */
    void roomFound() {
        if (vain) {
            vain = false;
        }
    }

    boolean hasWaitedInVain() {
        return vain;
    }

    long total() {
        return total.sum();
    }

    /** Reports what no message has counted. */
    void reportRest() {
        long before = reported.get();
        long all = reportedTotal();
        if (all > before) {
            warn(all + " log events were discarded since the start");
        }
    }

    private long reportedTotal() {
        long all = total.sum();
        reported.accumulateAndGet(all, Math::max);
        return all;
    }

    private void warn(String message) {
        appender.addWarn("Appender [" + appender.getName() + "]: " + message);
    }
}
