package io.stowline.retry.engine;

import io.stowline.retry.AttemptLog;
import io.stowline.retry.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** Writes the log of one operation. Used by one thread at a time. */
final class AttemptRecorder {

    private final Scheduler clock;
    private List<AttemptLog.Entry> entries = List.of();
    private long began;
    private long attemptBegan;
    private long attemptEnded;

    AttemptRecorder(Scheduler clock) {
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
        AttemptLog.Entry entry = new AttemptLog.Entry(nextNumber(), verdict, took, waited);
        if (entries.isEmpty()) {
            // As an immutable list, which the log takes without a copy: most operations have one attempt.
            entries = List.of(entry);
        } else {
            entries = new ArrayList<>(entries);
            entries.add(entry);
        }
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
