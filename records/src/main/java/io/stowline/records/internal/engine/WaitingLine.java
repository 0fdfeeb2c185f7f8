package io.stowline.records.internal.engine;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The records that wait for room, in FIFO order. Those of callbacks go before the others, which may wait for the callback that has written
 * them. Called under the writer's lock.
 */
final class WaitingLine {

    private final WriterTally tally;
    private final Set<LineWaiter> callbacks = new LinkedHashSet<>();
    private final Set<LineWaiter> others = new LinkedHashSet<>();

    WaitingLine(WriterTally tally) {
        this.tally = tally;
    }

    private Set<LineWaiter> of(boolean callback) {
        return callback ? callbacks : others;
    }

    /** Returns whether a record need not wait: there is room for it, and none waits before it. */
    boolean isFree(int length, boolean callback) {
        return of(callback).isEmpty() && tally.hasRoom(length, callback);
    }

    void add(LineWaiter waiter) {
        of(waiter.isCallback()).add(waiter);
    }

    /** Removes a record; false if it does not wait. */
    boolean remove(LineWaiter waiter) {
        return of(waiter.isCallback()).remove(waiter);
    }

    boolean isEmpty() {
        return callbacks.isEmpty() && others.isEmpty();
    }

    int size() {
        return callbacks.size() + others.size();
    }

    /** Gives room that is free to the first ones. */
    void serve() {
        serve(callbacks);
        serve(others);
    }

    private void serve(Set<LineWaiter> waiters) {
        while (!waiters.isEmpty()) {
            LineWaiter first = waiters.iterator().next();
            int length = first.record().length;
            if (!tally.hasRoom(length, first.isCallback())) {
                return;
            }
            waiters.remove(first);
            tally.take(length);
            first.granted();
        }
    }

    /** Refuses all. */
    void refuse(RuntimeException why) {
        callbacks.forEach(waiter -> waiter.refused(why));
        callbacks.clear();
        others.forEach(waiter -> waiter.refused(why));
        others.clear();
    }

    /** Returns whether a first one has room all the same. */
    boolean isBlocked() {
        return isBlocked(callbacks) || isBlocked(others);
    }

    private boolean isBlocked(Set<LineWaiter> waiters) {
        return waiters.stream().limit(1).anyMatch(first -> tally.hasRoom(first.record().length, first.isCallback()));
    }
}
