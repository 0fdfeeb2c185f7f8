package io.stowline.advisor.internal.evidence;

import io.stowline.observe.AttemptEvent;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.QueryPageEvent;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The evidence of a window: a ring of parts, of which an event or a report begins the next one. One thread at a time adds an event; a
 * thread that finds another one there for longer than a moment drops its event and counts it as missed, so that no I/O thread waits.
 */
public final class EvidenceStore {

    /** The number of parts of a window. */
    public static final int PARTS = 10;

    private static final int SPINS = 200;
    private static final long PARK_NANOS = 10_000;

    private final Clock clock;
    private final long partMillis;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final LongAdder missed = new LongAdder();
    private final EvidencePart[] parts = new EvidencePart[PARTS];
    private final TrafficRecorder traffic;
    private long part;
    private long firstMillis = Long.MAX_VALUE;

    /**
     * Makes an empty store.
     *
     * @param window the time that a snapshot covers
     * @param clock the clock
     * @param keys the texts of keys for reports
     */
    public EvidenceStore(Duration window, Clock clock, KeyTexts keys) {
        this.clock = clock;
        this.partMillis = Math.max(1, window.toMillis() / PARTS);
        this.traffic = new TrafficRecorder(keys);
        Arrays.setAll(parts, number -> new EvidencePart());
        this.part = clock.millis() / partMillis;
        current().begin(clock.millis());
    }

    /**
     * Adds an attempt.
     *
     * @param event the attempt that has ended
     * @return whether it began a part of the window
     */
    public boolean add(AttemptEvent event) {
        if (!enter()) {
            return false;
        }
        try {
            long now = clock.millis();
            boolean begun = advance(now);
            firstMillis = Math.min(firstMillis, now);
            traffic.add(event, current(), now, part, part - PARTS + 1);
            return begun;
        } finally {
            busy.set(false);
        }
    }

    /**
     * Adds a page of a query.
     *
     * @param page the page
     */
    public void add(QueryPageEvent page) {
        if (enter()) {
            try {
                advance(clock.millis());
                traffic.add(page, current(), part, part - PARTS + 1);
            } finally {
                busy.set(false);
            }
        }
    }

    /**
     * Adds a delivery to a consumer.
     *
     * @param delivery the delivery that has ended
     */
    public void add(ConsumerEvent delivery) {
        if (enter()) {
            try {
                advance(clock.millis());
                EvidencePart current = current();
                current.add(Tally.DELIVERIES);
                switch (delivery.result()) {
                    case LOST -> current.add(Tally.LOST_DELIVERIES);
                    case POISONED, POISON_FAILED -> current.add(Tally.POISONED);
                    default -> {}
                }
            } finally {
                busy.set(false);
            }
        }
    }

    /**
     * Returns the evidence of the window that ends now. Waits for the event that is being added.
     *
     * @param clients the facts of the open clients
     */
    public Snapshot snapshot(ClientFacts clients) {
        while (!busy.compareAndSet(false, true)) {
            LockSupport.parkNanos(PARK_NANOS);
        }
        try {
            long now = clock.millis();
            advance(now);
            List<EvidencePart> window = new ArrayList<>();
            for (long number = part - PARTS + 1; number <= part; number++) {
                EvidencePart one = parts[index(number)];
                if (one.startMillis() > 0 && one.startMillis() / partMillis == number) {
                    window.add(one);
                }
            }
            long start = Math.max((part - PARTS + 1) * partMillis, Math.min(firstMillis, now));
            return Snapshot.of(window, traffic, clients, start, now, partMillis, missed.sum());
        } finally {
            busy.set(false);
        }
    }

    private boolean enter() {
        for (int i = 0; i < SPINS; i++) {
            if (busy.compareAndSet(false, true)) {
                return true;
            }
            Thread.onSpinWait();
        }
        missed.increment();
        return false;
    }

    /** Begins the parts up to the present one. A clock that goes back changes nothing. */
    private boolean advance(long now) {
        long present = now / partMillis;
        if (present <= part) {
            return false;
        }
        for (long number = Math.max(part + 1, present - PARTS + 1); number <= present; number++) {
            parts[index(number)].begin(number * partMillis);
            traffic.advance();
        }
        part = present;
        return true;
    }

    private EvidencePart current() {
        return parts[index(part)];
    }

    private static int index(long number) {
        return (int) Math.floorMod(number, (long) PARTS);
    }
}
