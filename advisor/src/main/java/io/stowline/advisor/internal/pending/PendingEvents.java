package io.stowline.advisor.internal.pending;

import io.stowline.observe.AttemptEvent;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.QueryPageEvent;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A bounded FIFO queue of events, which any thread adds without waiting and one thread at a time takes. An added attempt is copied into a
 * preallocated place.
 */
public final class PendingEvents {

    /** The number of places. */
    public static final int PLACES = 512;

    private static final int MASK = PLACES - 1;
    private static final long FULL = -1;

    private final PendingAttempt[] attempts = new PendingAttempt[PLACES];

    /** The attempt of the place, a page of a query, or a delivery; {@code null} if copying it failed. */
    private final @Nullable Object[] events = new Object[PLACES];

    private final long[] times = new long[PLACES];

    /** The number of the event that a place is free for, or the next number once it has that event. */
    private final AtomicLongArray turns = new AtomicLongArray(PLACES);

    private final AtomicLong tail = new AtomicLong();
    private volatile long head;

    /** A taker of events. */
    public interface Taker {

        /** Takes an attempt, which is valid in this call only, and the time of its end. */
        void take(AttemptEvent attempt, long millis);

        /** Takes a page of a query. */
        void take(QueryPageEvent page);

        /** Takes a delivery. */
        void take(ConsumerEvent delivery);
    }

    /** Makes an empty queue. */
    public PendingEvents() {
        Arrays.setAll(attempts, place -> new PendingAttempt());
        for (int place = 0; place < PLACES; place++) {
            turns.set(place, place);
        }
    }

    /**
     * Adds a copy of an attempt.
     *
     * @param millis the time of its end
     * @return whether there was a place
     */
    public boolean add(AttemptEvent attempt, long millis) {
        long number = claim();
        if (number == FULL) {
            return false;
        }
        int place = (int) number & MASK;
        try {
            attempts[place].set(attempt);
            times[place] = millis;
            events[place] = attempts[place];
        } finally {
            turns.set(place, number + 1);
        }
        return true;
    }

    /**
     * Adds a page of a query.
     *
     * @return whether there was a place
     */
    public boolean add(QueryPageEvent page) {
        return addRecord(page);
    }

    /**
     * Adds a delivery.
     *
     * @return whether there was a place
     */
    public boolean add(ConsumerEvent delivery) {
        return addRecord(delivery);
    }

    private boolean addRecord(Object event) {
        long number = claim();
        if (number == FULL) {
            return false;
        }
        int place = (int) number & MASK;
        events[place] = event;
        turns.set(place, number + 1);
        return true;
    }

    private long claim() {
        while (true) {
            long number = tail.get();
            long turn = turns.get((int) number & MASK);
            if (turn < number) {
                return FULL;
            }
            if (turn == number && tail.compareAndSet(number, number + 1)) {
                return number;
            }
        }
    }

    /** Returns whether the next event is there. */
    public boolean hasNext() {
        long next = head;
        return turns.get((int) next & MASK) == next + 1;
    }

    /** Hands the events over that are there, at most as many as there are places. One thread at a time may call it. */
    public void drainTo(Taker taker) {
        for (int taken = 0; taken < PLACES && hasNext(); taken++) {
            long next = head;
            int place = (int) next & MASK;
            Object event = events[place];
            try {
                hand(event, times[place], taker);
            } finally {
                events[place] = null;
                attempts[place].clear();
                turns.set(place, next + PLACES);
                head = next + 1;
            }
        }
    }

    private static void hand(@Nullable Object event, long millis, Taker taker) {
        if (event instanceof AttemptEvent attempt) {
            taker.take(attempt, millis);
        } else if (event instanceof QueryPageEvent page) {
            taker.take(page);
        } else if (event instanceof ConsumerEvent delivery) {
            taker.take(delivery);
        }
    }
}
