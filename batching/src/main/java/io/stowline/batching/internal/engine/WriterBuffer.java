package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.CallbackRunner;
import io.stowline.batching.internal.callback.IntrusiveList;
import io.stowline.batching.internal.callback.RankedQueue;
import io.stowline.batching.internal.callback.RankedQueue.QueuePlace;
import io.stowline.batching.internal.engine.LaneQuotas.LaneQuota;
import io.stowline.batching.internal.writer.BatcherSettings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The bounded buffer of one writer and the FIFO line of the submits that wait for room in it; guarded by the engine's lock.
 *
 * <p>It holds the items that are accepted and not terminal, the results that wait for their callbacks, and the failures
 * that are kept for the close. Without items and results it admits, whatever the failures take.
 *
 * <p>A submit that waits for its lane's share is passed over by others; one that waits for the buffer is not. Only the first waiter of
 * each lane is tried, and only once its lane has got room: those behind it cost nothing.
 *
 * <p>What a running callback requests does not wait for other callbacks, which it may keep from running. It takes room by the items, up to
 * twice the bounds with the results; and while there are no items, a reactive one at a time goes beyond that.
 */
final class WriterBuffer<K, I, R> {

    /** One lane may hold an eighth of the buffer, and these items in any case. */
    private static final int MIN_SHARE = 200;

    private static final int SHARE = 8;

    final int laneItems;
    final long laneBytes;
    private final int maxItems;
    private final long maxBytes;
    private int items;
    private long bytes;
    private int results;
    private long resultBytes;
    private long failureBytes;
    private final IntrusiveList<QueueNode<K, I, R>> waiters = new IntrusiveList<>();

    /** The lanes whose first waiters may have room in them, by the turns of those. */
    private final RankedQueue<LaneQuota<K, I, R>> candidates = new RankedQueue<>();

    /** Waiters that a callback has called, which may still run. */
    private final Set<BufferedItem<K, I, R>> requested = new LinkedHashSet<>(0);

    private final IntConsumer shortage;
    private long turns;
    private boolean isShort;

    /** Makes a buffer that calls {@code shortage} with 1 when it becomes short, and with -1 when it is so no longer. */
    WriterBuffer(BatcherSettings settings, int maxBytes, IntConsumer shortage) {
        this.shortage = shortage;
        this.laneItems = laneItems(settings);
        this.laneBytes = laneBytes(settings, maxBytes);
        this.maxItems = settings.bufferItems();
        this.maxBytes = settings.bufferBytes();
    }

    /** Returns the most items that one lane may hold. */
    static int laneItems(BatcherSettings settings) {
        return Math.max(MIN_SHARE, settings.bufferItems() / SHARE);
    }

    /** Returns the most bytes that one lane may hold; a full batch in any case. */
    static long laneBytes(BatcherSettings settings, int maxBytes) {
        return Math.max(maxBytes, settings.bufferBytes() / SHARE);
    }

    /** Returns the number of items that are not terminal. */
    int items() {
        return items;
    }

    /** Returns the bytes of the items that are not terminal. */
    long bytes() {
        return bytes;
    }

    /** Returns the number of results that wait for their callbacks. */
    int results() {
        return results;
    }

    /** Returns all bytes in the buffer. */
    long bufferedBytes() {
        return bytes + resultBytes + failureBytes;
    }

    /** Returns the number of submits in line. */
    int waiting() {
        return waiters.size();
    }

    void add(int items, int bytes) {
        this.items += items;
        this.bytes += bytes;
    }

    /** Adds to the results whose callbacks have not run, or if negative subtracts from them. */
    void addResults(int items, long bytes) {
        this.results += items;
        this.resultBytes += bytes;
    }

    /** Sets the bytes of all failures that are kept. */
    void keepFailures(long bytes) {
        this.failureBytes = bytes;
    }

    /** Returns whether a new item may come in at once, without overtaking a waiter. */
    boolean admits(LaneQuota<K, I, R> quota, int size) {
        return !isShort && quota.waiting() == 0 && quota.fits(size) && fits(size);
    }

    /** Returns whether a queued item may stand for one more submission and grow by so many bytes. */
    boolean admitsMerge(LaneQuota<K, I, R> quota, int growth) {
        return !isShort && quota.waiting() == 0 && quota.fits(growth) && fits(growth);
    }

    /** Returns whether the whole buffer, and not a lane's share, makes a submit wait. */
    boolean isShort() {
        return isShort;
    }

    boolean hasWaiting() {
        return waiters.size() > 0;
    }

    void await(BufferedItem<K, I, R> entry, BlockedSubmit waiter) {
        LaneQuota<K, I, R> quota = entry.quota();
        entry.waiter = waiter;
        waiter.entry = entry;
        waiter.turn = ++turns;
        waiters.add(entry);
        if (waiter.isRequested()) {
            requested.add(entry);
        }
        quota.await(waiter);
        review(quota);
        if (!fits(entry.size) && quota.waiting() == 1 && quota.fits(entry.size)) {
            setShort(true);
        }
    }

    void leave(BufferedItem<K, I, R> entry) {
        LaneQuota<K, I, R> quota = entry.quota();
        BlockedSubmit waiter = Objects.requireNonNull(entry.waiter, "a waiter");
        waiters.remove(entry);
        requested.remove(entry);
        candidates.remove(quota.candidate);
        quota.candidate = null;
        quota.leave(waiter);
        review(quota);
        if (waiters.size() == 0) {
            setShort(false);
        }
    }

    /** Notes that the first waiter of a lane may have room in it. */
    void review(LaneQuota<K, I, R> quota) {
        BlockedSubmit first = quota.waiters().first();
        if (first != null && quota.candidate == null) {
            quota.candidate = candidates.add(quota, first.turn);
        }
    }

    private void setShort(boolean is) {
        if (isShort != is) {
            isShort = is;
            shortage.accept(is ? 1 : -1);
        }
    }

    /** Lets in all waiters that have room now, in FIFO order. */
    void serve(Consumer<BufferedItem<K, I, R>> accept) {
        setShort(false);
        for (QueuePlace<LaneQuota<K, I, R>> next = candidates.first();
                next != null && !isShort;
                next = candidates.first()) {
            LaneQuota<K, I, R> quota = next.member();
            BufferedItem<K, I, R> entry = entryOf(quota.waiters().first());
            if (!quota.fits(entry.size)) {
                candidates.remove(next);
                quota.candidate = null;
            } else if (fits(entry.size)) {
                leave(entry);
                accept.accept(entry);
            } else {
                setShort(true);
            }
        }
    }

    /** Lets in what running callbacks request, each behind those that wait for the same entity. */
    void serveRequested(Consumer<BufferedItem<K, I, R>> accept) {
        if (requested.isEmpty() || !fitsRequested(0, items > 0)) {
            return;
        }
        for (BufferedItem<K, I, R> entry : new ArrayList<>(requested)) {
            if (!isRequested(entry)) {
                requested.remove(entry);
            }
            while (requested.contains(entry) && fitsRequested(0, isBlocked(entry))) {
                BufferedItem<K, I, R> let = earliest(entry);
                if (!let.quota().fits(let.size) || !fitsRequested(let.size, isBlocked(entry))) {
                    break;
                }
                leave(let);
                accept.accept(let);
            }
        }
    }

    private BufferedItem<K, I, R> earliest(BufferedItem<K, I, R> entry) {
        BlockedSubmit waiter = entry.quota().waiters().first();
        while (waiter != null && waiter.entry != entry && !sameEntity(entryOf(waiter), entry)) {
            waiter = waiter.next;
        }
        return waiter == null ? entry : entryOf(waiter);
    }

    @SuppressWarnings("unchecked")
    private BufferedItem<K, I, R> entryOf(@Nullable BlockedSubmit waiter) {
        return (BufferedItem<K, I, R>) Objects.requireNonNull(waiter == null ? null : waiter.entry, "a waiter");
    }

    private static boolean sameEntity(BufferedItem<?, ?, ?> one, BufferedItem<?, ?, ?> other) {
        return one.hash == other.hash && one.entity.equals(other.entity);
    }

    private static boolean isRequested(BufferedItem<?, ?, ?> entry) {
        return entry.waiter != null && entry.waiter.isRequested();
    }

    private static boolean isBlocked(BufferedItem<?, ?, ?> entry) {
        return entry.waiter != null && entry.waiter.isBlocked();
    }

    private boolean fitsRequested(int size, boolean blocked) {
        if (items == 0 && !blocked) {
            return true;
        }
        return items < maxItems
                && bytes + size <= maxBytes
                && (long) items + results < 2L * maxItems
                && bufferedBytes() + size <= 2 * maxBytes;
    }

    /** Removes the next waiter that blocks a callback while the buffer holds nothing but results for callbacks. */
    @Nullable
    BufferedItem<K, I, R> pollStuck() {
        if (items == 0) {
            for (BufferedItem<K, I, R> entry : requested) {
                if (isRequested(entry) && isBlocked(entry)) {
                    leave(entry);
                    return entry;
                }
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

    /** Returns the message of a submit without room, with all figures of the decision. */
    String full(String when) {
        return "no room" + when + ": the buffer holds " + (items + results) + " of " + maxItems
                + " items and " + bufferedBytes() + " of " + maxBytes + " bytes, of which one lane may hold "
                + laneItems
                + " items and " + laneBytes + " bytes; " + results + " results wait for callbacks, " + waiters.size()
                + " submits for room";
    }

    private boolean fits(int size) {
        return items + results == 0 || (items + results < maxItems && bufferedBytes() + size <= maxBytes);
    }

    /** A blocked submit; without a thread it stands for one that its result completes. */
    static final class BlockedSubmit extends IntrusiveList.Node<BlockedSubmit> {

        /** Guarded by the engine's lock: what waits, and since when in the order of all. */
        @Nullable
        BufferedItem<?, ?, ?> entry;

        long turn;

        private final @Nullable Thread thread;
        private final CallbackRunner callbacks;
        private final @Nullable Object requester;
        private volatile boolean over;
        private volatile @Nullable Throwable refusal;

        private BlockedSubmit(@Nullable Thread thread, CallbackRunner callbacks, @Nullable Object requester) {
            this.thread = thread;
            this.callbacks = callbacks;
            this.requester = requester;
        }

        /** Returns a submit that blocks the current thread, which may run a callback. */
        static BlockedSubmit blocked(CallbackRunner callbacks) {
            return new BlockedSubmit(Thread.currentThread(), callbacks, callbacks.current());
        }

        /** Returns a submit that waits without a thread, and perhaps with the callback that called it. */
        static BlockedSubmit reactive(CallbackRunner callbacks, @Nullable Object requester) {
            return new BlockedSubmit(null, callbacks, requester);
        }

        /**
         * Returns whether a callback that still runs has called it and may wait, so that it keeps others from running.
         */
        boolean isRequested() {
            return requester != null && !callbacks.isOver(requester);
        }

        /** Returns whether it blocks a thread. */
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
}
