package io.stowline.batching.internal.engine;

import io.stowline.batching.BatcherSettings;
import io.stowline.batching.BufferFullException;
import io.stowline.batching.internal.callback.Callbacks;
import io.stowline.batching.internal.callback.IntrusiveList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bounded buffer of one writer and the FIFO line of the submits that wait for room in it; guarded by the engine's lock.
 *
 * <p>It holds the items that are accepted and not terminal, the results that wait for their callbacks, and the failures
 * that are kept for the close. Without items and results it admits, whatever the failures take.
 *
 * <p>A submit that waits for its lane's share is passed over by others; one that waits for the buffer is not.
 *
 * <p>What a running callback asks for does not wait for other callbacks, which it may keep from running. It takes room by the items, up to
 * twice the bounds with the results; and while there are no items, a reactive one at a time goes beyond that.
 */
final class WriterBuffer<K, I, R> {

    /** One lane may hold an eighth of the buffer, and these items in any case. */
    private static final int LEAST_SHARE = 200;

    private static final int SHARE = 8;

    final int laneItems;
    final long laneBytes;
    private final int mostItems;
    private final long mostBytes;
    private int items;
    private long bytes;
    private int results;
    private long resultBytes;
    private long failureBytes;
    private final IntrusiveList<QueueNode<K, I, R>> waiters = new IntrusiveList<>();
    private int asked;
    private boolean isShort;
    private long pass;

    WriterBuffer(BatcherSettings settings, int maxBytes) {
        this.laneItems = laneItems(settings);
        this.laneBytes = laneBytes(settings, maxBytes);
        this.mostItems = settings.bufferItems();
        this.mostBytes = settings.bufferBytes();
    }

    /** The most items that one lane may hold. */
    static int laneItems(BatcherSettings settings) {
        return Math.max(LEAST_SHARE, settings.bufferItems() / SHARE);
    }

    /** The most bytes that one lane may hold; a full batch in any case. */
    static long laneBytes(BatcherSettings settings, int maxBytes) {
        return Math.max(maxBytes, settings.bufferBytes() / SHARE);
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
        return waiters.size();
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
    boolean admits(LaneQuota<K, I, R> quota, int size) {
        return !isShort && quota.waiting == 0 && quota.fits(size) && fits(size);
    }

    /** Whether a queued item may stand for one more and grow by so many bytes. */
    boolean admitsMerge(LaneQuota<K, I, R> quota, int growth) {
        return !isShort && quota.waiting == 0 && quota.fits(growth) && fits(growth);
    }

    /** Whether the whole buffer, and not a lane's share, keeps a submit waiting. */
    boolean isShort() {
        return isShort;
    }

    boolean hasWaiting() {
        return waiters.size() > 0;
    }

    void await(BufferedItem<K, I, R> entry) {
        waiters.add(entry);
        asked += isAsked(entry) ? 1 : 0;
        entry.quota().waiting++;
        isShort |=
                !fits(entry.size) && entry.quota().waiting == 1 && entry.quota().fits(entry.size);
    }

    void leave(BufferedItem<K, I, R> entry) {
        waiters.remove(entry);
        entry.quota().waiting--;
        if (waiters.size() == 0) {
            isShort = false;
            asked = 0;
        }
    }

    /** Lets in all waiters that have room now, in FIFO order. */
    void serve(Consumer<BufferedItem<K, I, R>> accept) {
        pass++;
        isShort = false;
        QueueNode<K, I, R> next;
        for (QueueNode<K, I, R> node = waiters.first(); node != null && !isShort; node = next) {
            next = node.next;
            BufferedItem<K, I, R> entry = (BufferedItem<K, I, R>) node;
            LaneQuota<K, I, R> quota = entry.quota();
            if (quota.passed == pass) {
                continue;
            }
            if (!quota.fits(entry.size)) {
                quota.passed = pass;
            } else if (fits(entry.size)) {
                leave(entry);
                accept.accept(entry);
            } else {
                isShort = true;
            }
        }
    }

    /** Lets in what running callbacks ask for, each behind those that wait for the same entity. */
    void serveAsked(Consumer<BufferedItem<K, I, R>> accept) {
        QueueNode<K, I, R> node = asked > 0 ? waiters.first() : null;
        asked = 0;
        while (node != null) {
            BufferedItem<K, I, R> entry = (BufferedItem<K, I, R>) node;
            QueueNode<K, I, R> next = node.next;
            BufferedItem<K, I, R> let = isAsked(entry) && fitsAsked(0, isBlocked(entry)) ? earliest(entry) : null;
            if (let != null && let.quota().fits(let.size) && fitsAsked(let.size, isBlocked(entry))) {
                leave(let);
                accept.accept(let);
                node = let == entry ? next : node;
            } else {
                asked += isAsked(entry) ? 1 : 0;
                node = next;
            }
        }
    }

    private BufferedItem<K, I, R> earliest(BufferedItem<K, I, R> entry) {
        QueueNode<K, I, R> node = waiters.first();
        while (node != null && node != entry && !sameEntity((BufferedItem<K, I, R>) node, entry)) {
            node = node.next;
        }
        return node == null ? entry : (BufferedItem<K, I, R>) node;
    }

    private static boolean sameEntity(BufferedItem<?, ?, ?> one, BufferedItem<?, ?, ?> other) {
        return one.lane() == other.lane() && one.hash == other.hash && one.entity.equals(other.entity);
    }

    private static boolean isAsked(BufferedItem<?, ?, ?> entry) {
        return entry.waiter != null && entry.waiter.isAsked();
    }

    private static boolean isBlocked(BufferedItem<?, ?, ?> entry) {
        return entry.waiter != null && entry.waiter.isBlocked();
    }

    private boolean fitsAsked(int size, boolean blocked) {
        if (items == 0 && !blocked) {
            return true;
        }
        return items < mostItems
                && bytes + size <= mostBytes
                && (long) items + results < 2L * mostItems
                && heldBytes() + size <= 2 * mostBytes;
    }

    /** Removes the next waiter that blocks a callback while the buffer holds nothing but results for callbacks. */
    @Nullable
    BufferedItem<K, I, R> pollStuck() {
        for (QueueNode<K, I, R> node = items == 0 ? waiters.first() : null; node != null; node = node.next) {
            BufferedItem<K, I, R> entry = (BufferedItem<K, I, R>) node;
            if (isAsked(entry) && isBlocked(entry)) {
                leave(entry);
                return entry;
            }
        }
        return null;
    }

    @Nullable
    BufferedItem<K, I, R> pollAny() {
        BufferedItem<K, I, R> entry = (BufferedItem<K, I, R>) waiters.first();
        if (entry != null) {
            leave(entry);
        }
        return entry;
    }

    /** The error of a submit without room, with all figures that it was decided by. */
    BufferFullException full(String when) {
        return new BufferFullException("no room" + when + ": the buffer holds " + (items + results) + " of " + mostItems
                + " items and " + heldBytes() + " of " + mostBytes + " bytes, of which one lane may hold " + laneItems
                + " items and " + laneBytes + " bytes; " + results + " results wait for callbacks, " + waiters.size()
                + " submits for room");
    }

    private boolean fits(int size) {
        return items + results == 0 || (items + results < mostItems && heldBytes() + size <= mostBytes);
    }

    /** A blocked submit; without a thread it stands for one that its result completes. */
    static final class BlockedSubmit {

        private final @Nullable Thread thread;
        private final Callbacks.@Nullable Call asker;
        private volatile boolean over;
        private volatile @Nullable Throwable refusal;

        private BlockedSubmit(@Nullable Thread thread, Callbacks.@Nullable Call asker) {
            this.thread = thread;
            this.asker = asker;
        }

        /** The current thread, which may run a callback. */
        static BlockedSubmit blocked() {
            return new BlockedSubmit(Thread.currentThread(), Callbacks.current());
        }

        /** A submit that waits without a thread, and perhaps with the callback that called it. */
        static BlockedSubmit reactive(Callbacks.@Nullable Call asker) {
            return new BlockedSubmit(null, asker);
        }

        /** Whether a callback that still runs has called it and may wait, so that it keeps others from running. */
        boolean isAsked() {
            return asker != null && !asker.isOver();
        }

        /** Whether it keeps a thread from going on. */
        boolean isBlocked() {
            return thread != null;
        }

        boolean isOver() {
            return over;
        }

        @Nullable
        Throwable refusal() {
            return refusal;
        }

        void end(@Nullable Throwable refusal) {
            this.refusal = refusal;
            this.over = true;
        }

        void wake() {
            LockSupport.unpark(thread);
        }
    }

    /** What one writer holds in one lane; guarded by the engine's lock. */
    static final class LaneQuota<K, I, R> {

        final Lane<K, I, R> lane;
        final EngineBatcher<K, I, R> batcher;

        @Nullable
        LaneQuota<K, I, R> next;

        int waiting;

        /** The pass over the waiters in which one of this lane had to stay: those behind it stay too. */
        long passed;

        private int items;
        private long bytes;

        LaneQuota(Lane<K, I, R> lane, EngineBatcher<K, I, R> batcher) {
            this.lane = lane;
            this.batcher = batcher;
        }

        boolean fits(int size) {
            WriterBuffer<K, I, R> buffer = batcher.buffer();
            return items < buffer.laneItems && bytes + size <= buffer.laneBytes;
        }

        /** Counts one more item; when it is merged into another one it takes what that one grows by. */
        void add(int size) {
            items++;
            bytes += size;
            batcher.buffer().add(1, size);
        }

        void release(int count, int size) {
            items -= count;
            bytes -= size;
            batcher.buffer().add(-count, -size);
            if (items == 0 && waiting == 0) {
                lane.forget(this);
            }
        }

        boolean isEmpty() {
            return items == 0 && waiting == 0;
        }
    }
}
