package io.stowline.batching;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fails the items and groups that are not delivered in time, as long as they are not in flight; under the engine's lock. */
final class Deadlines<K, I, R> {

    private final Engine<K, I, R> engine;
    private final Successors<K, I, R> successors;

    /** Of the writers with items that have a deadline, and of groups. */
    private final List<Expiries<K, I, R>> open = new ArrayList<>();

    /** Of the groups, by their time. */
    private final Map<Duration, Expiries<K, I, R>> groups = new HashMap<>();

    Deadlines(Engine<K, I, R> engine, Successors<K, I, R> successors) {
        this.engine = engine;
        this.successors = successors;
    }

    /** Has the time of an accepted item begin. */
    void begin(Entry<K, I, R> entry) {
        Expiries<K, I, R> all = entry.batcher().expiries();
        if (all != null) {
            begin(entry, all);
        }
    }

    /** Has the time of an accepted group begin. */
    void begin(Group<K, I, R> group, @Nullable Duration timeout) {
        if (timeout != null) {
            begin(group, groups.computeIfAbsent(timeout, Expiries::new));
        }
    }

    private void begin(Node<K, I, R> node, Expiries<K, I, R> all) {
        if (all.first() == null && !open.contains(all)) {
            open.add(all);
        }
        all.add(node, engine.now());
    }

    long now() {
        return engine.now();
    }

    /** When the next time is over. */
    long due() {
        long due = Lane.NEVER;
        for (int i = open.size() - 1; i >= 0; i--) {
            Expiries<K, I, R> all = open.get(i);
            Expiry<K, I, R> first = all.first();
            if (first == null) {
                open.remove(i);
                groups.remove(all.timeout(), all);
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
                if (first.node.state != Node.State.IN_FLIGHT && !isInDoubt(first)) {
                    fail(first);
                }
            }
        }
    }

    /** What may have been applied is sent once more, so that its sender can say what became of it. */
    private boolean isInDoubt(Expiry<K, I, R> expiry) {
        return expiry.node instanceof Entry<K, I, R> entry && entry.inDoubt;
    }

    /** Fails an item that would be sent again at a time when its own is over. */
    void review(Entry<K, I, R> entry, long then) {
        if (entry.expiry != null && entry.expiry.due <= then && !entry.inDoubt) {
            fail(entry.expiry);
        }
    }

    /** Notes what an attempt on an item ended with. */
    void tried(Entry<K, I, R> entry, Throwable end) {
        if (entry.expiry != null) {
            entry.expiry.last = end;
        }
    }

    private void fail(Expiry<K, I, R> expiry) {
        if (expiry.node instanceof Entry<K, I, R> entry) {
            successors.fail(entry, expiry.failure());
        } else if (expiry.node instanceof Group<K, I, R> group) {
            engine.ledger().fail(group, expiry.failure());
        }
    }
}
