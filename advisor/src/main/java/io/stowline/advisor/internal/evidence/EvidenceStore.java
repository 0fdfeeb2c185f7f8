package io.stowline.advisor.internal.evidence;

import io.stowline.advisor.internal.pending.PendingEvents;
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
 * The evidence of a window: a ring of parts, of which an event or a report begins the next one. One thread at a time records
 * events; a thread that finds another one there leaves its event in a bounded queue, which the other one or a later one empties. An event
 * is missed only if the queue stays full while its thread yields the processor a few times.
 */
public final class EvidenceStore {

    /** The number of parts of a window. */
    public static final int PARTS = 10;

    /** A full queue means that the thread that records has no processor, or more work than one thread can do. */
    private static final int MAX_YIELDS = 16;

    private static final long PARK_NANOS = 10_000;

    private final Clock clock;
    private final long partMillis;
    private final AtomicBoolean busy = new AtomicBoolean();
    private final LongAdder missed = new LongAdder();
    private final PendingEvents pending = new PendingEvents();
    private final EventRecorder recorder = new EventRecorder();
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
     * @return whether it, or one that waited, began a part of the window
     */
    @SuppressWarnings(
            "ThreadPriorityCheck") // the processor that it yields may be the one that the recording thread lacks
    public boolean add(AttemptEvent event) {
        for (int yields = 0; !enter(); yields++) {
            if (pending.add(event, clock.millis())) {
                return recordLeft();
            }
            if (yields == MAX_YIELDS) {
                missed.increment();
                return false;
            }
            Thread.yield();
        }
        boolean begun;
        try {
            begun = recordPending();
            recorder.take(event, clock.millis());
        } finally {
            leave();
        }
        return recordLeft() || begun;
    }

    /**
     * Adds a page of a query.
     *
     * @param page the page
     */
    public void add(QueryPageEvent page) {
        if (!pending.add(page)) {
            missed.increment();
        }
        recordLeft();
    }

    /**
     * Adds a delivery to a consumer.
     *
     * @param delivery the delivery that has ended
     */
    public void add(ConsumerEvent delivery) {
        if (!pending.add(delivery)) {
            missed.increment();
        }
        recordLeft();
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
            recordPending();
            long now = clock.millis();
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
        return busy.compareAndSet(false, true);
    }

    private void leave() {
        busy.set(false);
    }

    /** Records the events that other threads have added, and returns whether a part of the window began. */
    private boolean recordPending() {
        boolean begun = advance(clock.millis());
        pending.drainTo(recorder);
        return begun;
    }

    /** A thread that found another one here has added its event after that one took the last. */
    private boolean recordLeft() {
        boolean begun = false;
        while (pending.hasNext() && enter()) {
            try {
                begun |= recordPending();
            } finally {
                leave();
            }
        }
        return begun;
    }

    /** Begins the parts up to the present one. Of a clock that goes back by a window or more the parts go back, too. */
    private boolean advance(long now) {
        long present = now / partMillis;
        if (present <= part) {
            goBack((part - present) / PARTS * PARTS);
            return false;
        }
        for (long number = Math.max(part + 1, present - PARTS + 1); number <= present; number++) {
            parts[index(number)].begin(number * partMillis);
            traffic.advance();
        }
        part = present;
        return true;
    }

    /** Whole windows, so that each part keeps its place. */
    private void goBack(long number) {
        if (number > 0) {
            part -= number;
            firstMillis -= number * partMillis;
            for (EvidencePart one : parts) {
                one.goBack(number * partMillis);
            }
        }
    }

    private EvidencePart current() {
        return parts[index(part)];
    }

    private static int index(long number) {
        return (int) Math.floorMod(number, (long) PARTS);
    }

    /** The recorder of events into the present part. Used by the thread that has entered. */
    private final class EventRecorder implements PendingEvents.Taker {

        @Override
        public void take(AttemptEvent attempt, long millis) {
            firstMillis = Math.min(firstMillis, millis);
            traffic.add(attempt, current(), millis, part, part - PARTS + 1);
        }

        @Override
        public void take(QueryPageEvent page) {
            traffic.add(page, current(), part, part - PARTS + 1);
        }

        @Override
        public void take(ConsumerEvent delivery) {
            EvidencePart current = current();
            current.add(Tally.DELIVERIES);
            switch (delivery.result()) {
                case LOST -> current.add(Tally.LOST_DELIVERIES);
                case POISONED, POISON_FAILED -> current.add(Tally.POISONED);
                default -> {}
            }
        }
    }
}
