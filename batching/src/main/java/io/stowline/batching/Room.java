package io.stowline.batching;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bounded buffer of one writer and the FIFO line of the submits that wait for room in it; guarded by the engine's lock.
 *
 * <p>It holds the items that are accepted and not terminal, the results that wait for their callbacks, and the failures
 * that are kept for the close. Without items and results it admits, whatever the failures take.
 *
 * <p>A submit that waits for its lane's share is passed over by others; one that waits for the buffer is not.
 */
final class Room<K, I, R> {

    final int laneItems;
    final long laneBytes;
    private final int mostItems;
    private final long mostBytes;
    private int items;
    private long bytes;
    private int results;
    private long resultBytes;
    private long failureBytes;
    private @Nullable Node<K, I, R> first;
    private @Nullable Node<K, I, R> last;
    private int waiting;
    private boolean isShort;
    private long pass;

    Room(BatcherSettings settings, BatchLimits limits) {
        this.laneItems = settings.laneItems();
        this.laneBytes = settings.laneBytes(limits);
        this.mostItems = settings.bufferItems();
        this.mostBytes = settings.bufferBytes();
    }

    /** The number of items that are not terminal. */
    int items() {
        return items;
    }

    /** The bytes of the items that are not terminal. */
    long bytes() {
        return bytes;
    }

    /** The number of results that wait for their callbacks. */
    int results() {
        return results;
    }

    /** All bytes that the buffer holds. */
    long heldBytes() {
        return bytes + resultBytes + failureBytes;
    }

    /** The number of submits in line. */
    int waiting() {
        return waiting;
    }

    void add(int items, int bytes) {
        this.items += items;
        this.bytes += bytes;
    }

    /** Counts results whose callbacks have not run, or no longer. */
    void addResults(int items, long bytes) {
        this.results += items;
        this.resultBytes += bytes;
    }

    /** Sets the bytes of all failures that are kept. */
    void keepFailures(long bytes) {
        this.failureBytes = bytes;
    }

    /** Whether a new item may come in at once, without overtaking a waiter. */
    boolean admits(Share<K, I, R> share, int size) {
        return !isShort && share.waiting == 0 && share.fits(size) && fits(size);
    }

    /** Whether a queued item may stand for one more and grow by so many bytes. */
    boolean admitsMerge(Share<K, I, R> share, int growth) {
        return !isShort && share.waiting == 0 && share.fits(growth) && fits(growth);
    }

    /** Whether the whole buffer, and not a lane's share, keeps a submit waiting. */
    boolean isShort() {
        return isShort;
    }

    boolean hasWaiting() {
        return first != null;
    }

    void await(Entry<K, I, R> entry) {
        entry.prev = last;
        if (last == null) {
            first = entry;
        } else {
            last.next = entry;
        }
        last = entry;
        waiting++;
        entry.share().waiting++;
        isShort |=
                !fits(entry.size) && entry.share().waiting == 1 && entry.share().fits(entry.size);
    }

    void leave(Entry<K, I, R> entry) {
        unlink(entry);
        waiting--;
        entry.share().waiting--;
        if (first == null) {
            isShort = false;
        }
    }

    /** Lets in all waiters that have room now, in FIFO order. */
    void serve(Consumer<Entry<K, I, R>> accept) {
        pass++;
        isShort = false;
        Node<K, I, R> next;
        for (Node<K, I, R> node = first; node != null && !isShort; node = next) {
            next = node.next;
            Entry<K, I, R> entry = (Entry<K, I, R>) node;
            Share<K, I, R> share = entry.share();
            if (share.passed == pass) {
                continue;
            }
            if (!share.fits(entry.size)) {
                share.passed = pass;
            } else if (fits(entry.size)) {
                leave(entry);
                accept.accept(entry);
            } else {
                isShort = true;
            }
        }
    }

    /** Removes the next waiter that blocks a callback while the buffer holds nothing but results for callbacks. */
    @Nullable
    Entry<K, I, R> pollStuck() {
        for (Node<K, I, R> node = items == 0 ? first : null; node != null; node = node.next) {
            Entry<K, I, R> entry = (Entry<K, I, R>) node;
            if (entry.waiter != null && entry.waiter.isCallback()) {
                leave(entry);
                return entry;
            }
        }
        return null;
    }

    @Nullable
    Entry<K, I, R> pollAny() {
        Entry<K, I, R> entry = (Entry<K, I, R>) first;
        if (entry != null) {
            leave(entry);
        }
        return entry;
    }

    /** The error of a submit without room, with all figures that it was decided by. */
    BufferFullException full(String when) {
        return new BufferFullException("no room" + when + ": the buffer holds " + (items + results) + " of " + mostItems
                + " items and " + heldBytes() + " of " + mostBytes + " bytes, of which one lane may hold " + laneItems
                + " items and " + laneBytes + " bytes; " + results + " results wait for callbacks, " + waiting
                + " submits for room");
    }

    private boolean fits(int size) {
        return items + results == 0 || (items + results < mostItems && heldBytes() + size <= mostBytes);
    }

    private void unlink(Entry<K, I, R> entry) {
        if (entry.prev == null) {
            first = entry.next;
        } else {
            entry.prev.next = entry.next;
        }
        if (entry.next == null) {
            last = entry.prev;
        } else {
            entry.next.prev = entry.prev;
        }
        entry.prev = null;
        entry.next = null;
    }
}
