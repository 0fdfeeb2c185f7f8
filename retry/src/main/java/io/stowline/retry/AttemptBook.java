package io.stowline.retry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** Writes the log of one operation. Used by one thread at a time. */
final class AttemptBook {

    private final Scheduler clock;
    private final List<AttemptLog.Entry> entries = new ArrayList<>(1);
    private long began;
    private long attemptBegan;
    private long attemptEnded;

    AttemptBook(Scheduler clock) {
        this.clock = clock;
    }

    void begin() {
        began = now();
        attemptEnded = began;
    }

    void beginAttempt() {
        attemptBegan = now();
    }

    void endAttempt(Verdict verdict) {
        Duration waited = Duration.ofNanos(attemptBegan - attemptEnded);
        attemptEnded = now();
        Duration took = Duration.ofNanos(attemptEnded - attemptBegan);
        entries.add(new AttemptLog.Entry(nextNumber(), verdict, took, waited));
    }

    int nextNumber() {
        return entries.size() + 1;
    }

    AttemptLog log() {
        return entries.isEmpty() ? AttemptLog.EMPTY : new AttemptLog(entries, Duration.ofNanos(now() - began));
    }

    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }
}
