package io.stowline.blob.internal.download;

import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.PinnedVersion;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.RangeSource.RangeTarget;
import io.stowline.blob.internal.transfer.TransferMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The ranges that a reader has requested and not come to. Each is twice as large as the one before, up to a bound, and counts as memory
 * from its request on; only the range that the reader waits for begins without memory, and is small then.
 *
 * <p>The lock of its reader guards it; its ranges arrive without that lock.
 */
final class PrefetchWindow {

    /** Bytes that a reader requests beside the memory once it has lost a piece. */
    private static final int LESS = 64 << 10;

    private final RangeSource source;
    private final PinnedVersion version;
    private final TransferMemory.Share share;
    private final ContextView context;
    private final Runnable giveUp;
    private final Deque<PrefetchedRange> ranges = new ArrayDeque<>();
    private final int depth;
    private final int largest;
    private final long end;
    private int size;
    private long next;
    private int uncounted = RangeSource.UNCOUNTED;

    /**
     * An empty window.
     *
     * @param share counts them
     * @param bounds which ranges there are
     * @param context the Reactor context of the requests
     * @param giveUp drops what others wait for, without the lock
     */
    PrefetchWindow(
            RangeSource source,
            PinnedVersion version,
            TransferMemory.Share share,
            PrefetchBounds bounds,
            ContextView context,
            Runnable giveUp) {
        this.source = source;
        this.version = version;
        this.share = share;
        this.context = context;
        this.giveUp = giveUp;
        this.next = bounds.from;
        this.end = bounds.end;
        this.size = bounds.smallest;
        this.largest = bounds.largest;
        this.depth = bounds.depth;
    }

    /**
     * The range of a read, and the sizes of its requests.
     *
     * @param from the first byte
     * @param end the position behind the last byte
     * @param smallest the bytes of the first range
     * @param largest the bytes of a range, to which they double
     * @param depth how many ranges may be in flight
     */
    record PrefetchBounds(long from, long end, int smallest, int largest, int depth) {}

    /** A range that was requested before the reader came to it. It arrives on any thread; its end is the business of the reader's lock. */
    final class PrefetchedRange {

        private final long offset;
        private final CompletableFuture<Optional<Throwable>> arrival = new CompletableFuture<>();
        private final Disposable.Swap running = Disposables.swap();
        private volatile @Nullable BlobPiece content;
        private long end;
        private long counted;

        private PrefetchedRange(long offset, int count, long counted) {
            this.offset = offset;
            this.end = offset + count;
            this.counted = counted;
        }

        void start() {
            running.update(source.read(offset, (int) (end - offset), version, RangeTarget.Choice.MEMORY)
                    .contextWrite(context)
                    .doOnNext(this::arrived)
                    // One that comes after the reader has given the range up would be logged as dropped.
                    .onErrorResume(error -> {
                        failed(error);
                        return Mono.empty();
                    })
                    .subscribe());
        }

        private void arrived(BlobPiece whole) {
            content = whole;
            share.free(take(RangeSource.DIRECT));
            arrival.complete(Optional.empty());
            // A transfer that began to wait before this could not get it.
            if (share.othersWait()) {
                giveUp.run();
            }
        }

        private void failed(Throwable error) {
            drop();
            fail(error);
        }

        /** Returns true on its arrival, or the error of its request. */
        Mono<Boolean> arrival() {
            // As a value: an error that comes after a cancel would be logged as dropped.
            return Mono.fromFuture(arrival, true)
                    .flatMap(error -> error.<Mono<Boolean>>map(Mono::error).orElse(Mono.just(true)));
        }

        /** Fails pending readers with this error. */
        void fail(Throwable error) {
            arrival.complete(Optional.of(error));
        }

        boolean hasArrived() {
            return content != null;
        }

        BlobPiece piece() {
            return Objects.requireNonNull(content, "the range has not arrived");
        }

        /** Returns the position behind it. */
        long end() {
            return end;
        }

        /** Transfers the memory accounting of this piece to the caller. */
        private synchronized long take(long max) {
            long taken = Math.min(counted, max);
            counted -= taken;
            return taken;
        }

        synchronized boolean counts() {
            return counted > 0;
        }

        /** Keeps the small piece from there on that does not count; what is free then. */
        long shrink(long from) {
            BlobPiece whole = content;
            if (whole == null) {
                return 0;
            }
            long free = take(Long.MAX_VALUE);
            if (free > 0) {
                end = Math.min(end, from + RangeSource.UNCOUNTED);
                content = whole.part(from, (int) (end - from));
            }
            return free;
        }

        void drop() {
            running.dispose();
            share.free(take(Long.MAX_VALUE));
        }
    }

    /** Returns the range that was read before its reader began; the others follow it. */
    PrefetchedRange begun(BlobPiece first) {
        PrefetchedRange there = new PrefetchedRange(first.offset(), first.bytes().length, share.reservedBytes());
        there.content = first;
        next = there.end;
        return there;
    }

    /** Returns the range that the reader comes to, begun if it has not been; nothing at the end. */
    @Nullable
    PrefetchedRange poll(List<PrefetchedRange> begun) {
        PrefetchedRange first = ranges.poll();
        if (first == null && next < end) {
            first = begin(true);
            begun.add(Objects.requireNonNull(first));
        }
        return first;
    }

    /** Begins ranges behind the one that the reader has, as far as there is memory. */
    void fill(List<PrefetchedRange> begun) {
        while (ranges.size() + 1 < depth && next < end) {
            PrefetchedRange one = begin(false);
            if (one == null) {
                return;
            }
            ranges.add(one);
            begun.add(one);
        }
    }

    private @Nullable PrefetchedRange begin(boolean needed) {
        int count = (int) Math.min(size, end - next);
        long taken = (long) count + RangeSource.DIRECT;
        if (!share.tryTake(taken)) {
            if (!needed) {
                return null;
            }
            count = Math.min(count, uncounted);
            taken = 0;
        }
        PrefetchedRange one = new PrefetchedRange(next, count, taken);
        next += count;
        size = Math.min(largest, 2 * size);
        return one;
    }

    /** Takes out all ranges, for their owner to drop; the first of them is the next that begins. */
    List<PrefetchedRange> clear() {
        List<PrefetchedRange> dropped = new ArrayList<>(ranges);
        ranges.clear();
        if (!dropped.isEmpty()) {
            next = dropped.get(0).offset;
        }
        return dropped;
    }

    /** Sets the beginning of the next range. */
    void goOnAt(long position) {
        next = position;
    }

    /** Makes the reader request less, after it has lost a piece. */
    void requestLess() {
        uncounted = LESS;
    }
}
