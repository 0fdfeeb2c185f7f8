package io.stowline.batching;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bounded buffer of one writer and the line of those who wait for room in it; guarded by the engine's lock.
 *
 * <p>Who waits for its lane's share is passed over by others; who waits for the buffer is not.
 */
final class Room<K, I, R> {

    final int laneItems;
    final long laneBytes;
    private final int mostItems;
    private final long mostBytes;
    private int items;
    private long bytes;
    private @Nullable Node<K, I, R> first;
    private @Nullable Node<K, I, R> last;
    private boolean isShort;
    private long pass;

    Room(BatcherSettings settings, BatchLimits limits) {
        this.laneItems = settings.laneItems();
        this.laneBytes = settings.laneBytes(limits);
        this.mostItems = settings.bufferItems();
        this.mostBytes = settings.bufferBytes();
    }

    int items() {
        return items;
    }

    long bytes() {
        return bytes;
    }

    void add(int items, int bytes) {
        this.items += items;
        this.bytes += bytes;
    }

    /** Whether a new item may come in at once, without going before somebody who waits. */
    boolean admits(Share<K, I, R> share, int size) {
        return !isShort && share.waiting == 0 && share.fits(size) && fits(size);
    }

    boolean admitsGrowth(Share<K, I, R> share, long growth) {
        return share.waiting == 0 && share.fitsGrowth(growth) && bytes + growth <= mostBytes;
    }

    /** Whether the whole buffer, and not a lane's share, keeps somebody waiting. */
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
        entry.share().waiting++;
        isShort |=
                !fits(entry.size) && entry.share().waiting == 1 && entry.share().fits(entry.size);
    }

    void leave(Entry<K, I, R> entry) {
        unlink(entry);
        entry.share().waiting--;
    }

    /** Lets in all who have room now, in the order of their coming. */
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

    @Nullable
    Entry<K, I, R> pollAny() {
        Entry<K, I, R> entry = (Entry<K, I, R>) first;
        if (entry != null) {
            leave(entry);
        }
        isShort = false;
        return entry;
    }

    private boolean fits(int size) {
        return items < mostItems && bytes + size <= mostBytes;
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
