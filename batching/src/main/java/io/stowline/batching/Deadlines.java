package io.stowline.batching;

import java.util.ArrayList;
import java.util.List;

/** Fails the items that were not sent in time; under the engine's lock. */
final class Deadlines<K, I, R> {

    private final Engine<K, I, R> engine;
    private final Successors<K, I, R> successors;

    /** Of the writers with items that have a deadline. */
    private final List<Expiries<K, I, R>> open = new ArrayList<>();

    Deadlines(Engine<K, I, R> engine, Successors<K, I, R> successors) {
        this.engine = engine;
        this.successors = successors;
    }

    /** Has the time of an item begin, the first time. */
    void begin(Entry<K, I, R> entry) {
        Expiries<K, I, R> all = entry.batcher().expiries();
        if (all != null && entry.expiry == null) {
            if (all.first() == null && !open.contains(all)) {
                open.add(all);
            }
            all.add(entry, engine.now());
        }
    }

    /** When the next time is over. */
    long due() {
        long due = Lane.NEVER;
        for (int i = open.size() - 1; i >= 0; i--) {
            Expiry<K, I, R> first = open.get(i).first();
            if (first == null) {
                open.remove(i);
            } else {
                due = Math.min(due, first.due);
            }
        }
        return due;
    }

    void timeOver(long now) {
        for (Expiries<K, I, R> all : open) {
            for (Expiry<K, I, R> first = all.first(); first != null && first.due <= now; first = all.first()) {
                first.end();
                if (first.entry.state != Node.State.IN_FLIGHT) {
                    fail(first);
                }
            }
        }
    }

    /** Fails an item that would be sent again, when its time is over. */
    void review(Entry<K, I, R> entry) {
        if (entry.expiry != null && entry.expiry.due <= engine.now()) {
            fail(entry.expiry);
        }
    }

    private void fail(Expiry<K, I, R> expiry) {
        Entry<K, I, R> entry = expiry.entry;
        if (entry.state == Node.State.WAITING) {
            entry.batcher().room().leave(entry);
            engine.ledger().leftLine(entry, expiry.failure());
        } else {
            successors.fail(entry, expiry.failure());
        }
    }
}
