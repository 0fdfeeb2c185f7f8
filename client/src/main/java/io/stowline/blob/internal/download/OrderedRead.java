package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.download.PrefetchWindow.PrefetchBounds;
import io.stowline.blob.internal.download.PrefetchWindow.PrefetchedRange;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.PinnedVersion;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.RangeSource.RangeTarget;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.blob.internal.transfer.TransferMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A read of a blob in its order, at the pace of its reader and some ranges ahead of it. The first piece decides which version is read. What
 * the reader has not taken yet is dropped when other transfers wait for memory, and requested again later, but for a small piece that does
 * not count: readers that pause keep no transfer from its memory, and readers whose bytes go into other transfers never wait for each other
 * (TRANSFER-3). That piece is dropped, too, when many readers pause; a reader that waits for it has it in peace until it has taken something
 * of it.
 *
 * <p>One reader at a time; giving up and closing come from any thread.
 */
final class OrderedRead implements AutoCloseable {

    private final RangeSource source;
    private final ReadPlan plan;
    private final TransferMemory.Share share;
    private @Nullable PrefetchWindow window;
    private volatile long length;
    private volatile @Nullable BlobInfo info;
    private long position;
    private @Nullable PrefetchedRange head;
    private boolean awaited = true;
    private boolean keeps;
    private boolean closed;

    /** A read that has not begun. */
    OrderedRead(BlobContext context, String verb, String name, ReadPlan plan) {
        this(new RangeSource(context, name, verb), plan, context.service().memory());
    }

    private OrderedRead(RangeSource source, ReadPlan plan, TransferMemory memory) {
        this.source = source;
        this.plan = plan;
        this.position = plan.from();
        this.share = memory.share(this::giveUp, this::letGo);
    }

    /** Returns a read of a part of a known version. */
    static OrderedRead of(
            RangeSource source, ReadPlan plan, TransferMemory memory, PinnedVersion version, PrefetchBounds part) {
        OrderedRead read = new OrderedRead(source, plan, memory);
        read.begin(version, part, Context.empty());
        return read;
    }

    private synchronized PrefetchWindow begin(PinnedVersion version, PrefetchBounds part, ContextView context) {
        PrefetchWindow begun = new PrefetchWindow(source, version, share, part, context, this::giveUp);
        position = part.from();
        info = version.info();
        length = part.end() - part.from();
        window = begun;
        return begun;
    }

    private synchronized boolean hasBegun() {
        return window != null;
    }

    private synchronized PrefetchWindow window() {
        return Objects.requireNonNull(window, "no piece has been read");
    }

    /**
     * Returns the first piece, but not of the known version: it fails with an {@link
     * RangeSource.RangeRequest.UnchangedException} if that is the present one.
     */
    Mono<BlobPiece> first(@Nullable String known) {
        return begun(known).map(first -> slice());
    }

    private Mono<BlobPiece> begun(@Nullable String known) {
        return Mono.deferContextual(seen ->
                source.first(plan, share, known, RangeTarget.Choice.MEMORY).doOnNext(first -> begin(first, seen)));
    }

    private void begin(BlobPiece first, ContextView context) {
        long end = Math.max(plan.end(first.info().size()), plan.from());
        PrefetchBounds part = new PrefetchBounds(plan.from(), end, plan.rangeSize(), plan.rangeSize(), plan.depth());
        synchronized (this) {
            PrefetchedRange begun = begin(first.version(), part, context).begun(first);
            head = closed ? null : begun;
        }
        if (share.othersWait()) {
            giveUp();
        }
    }

    /** Returns the next piece, which belongs to its receiver, or nothing at the end. */
    Mono<BlobPiece> next() {
        return Mono.defer(() -> hasBegun() ? arrival().filter(more -> more).map(more -> slice()) : first(null));
    }

    /**
     * Waits for bytes at the position, with the first request if need be; after that one a reader may pause with all of them.
     *
     * @return true once they are there, false at the end; an {@link IllegalStateException} once it is closed
     */
    Mono<Boolean> ready() {
        return Mono.defer(() ->
                hasBegun() ? arrival() : begun(null).flatMap(first -> arrival().doOnNext(more -> pause())));
    }

    /** Returns the bytes of the whole read, once the first of them have arrived. */
    long length() {
        return length;
    }

    /** Returns the blob in the version that is read, once its first piece has arrived. */
    BlobInfo info() {
        return Objects.requireNonNull(info, "no piece has been read");
    }

    /** Returns the pieces after the last one. */
    Flux<BlobPiece> rest() {
        return next().map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .repeat()
                .takeWhile(Optional::isPresent)
                .map(Optional::orElseThrow);
    }

    private Mono<Boolean> arrival() {
        return Mono.defer(() -> {
            free();
            PrefetchWindow ahead = window();
            List<PrefetchedRange> begun = new ArrayList<>(2);
            PrefetchedRange wanted;
            boolean there;
            synchronized (this) {
                if (closed) {
                    return Mono.error(closedInBetween());
                }
                awaited = true;
                wanted = head == null ? ahead.poll(begun) : head;
                head = wanted;
                if (wanted == null) {
                    return Mono.just(false);
                }
                ahead.fill(begun);
                there = wanted.hasArrived();
            }
            begun.forEach(PrefetchedRange::start);
            return there ? Mono.just(true) : wanted.arrival().doOnError(error -> again());
        });
    }

    /**
     * Takes bytes that are there.
     *
     * @return how many, 0 if {@link #ready} has to be waited for
     */
    int read(byte[] target, int offset, int length) {
        int count;
        List<Runnable> drops;
        synchronized (this) {
            PrefetchedRange present = arrived();
            if (present == null) {
                return 0;
            }
            BlobPiece content = present.piece();
            count = (int) Math.min(length, present.end() - position);
            System.arraycopy(content.bytes(), (int) (position - content.offset()), target, offset, count);
            position += count;
            drops = pausing();
        }
        drops.forEach(Runnable::run);
        return count;
    }

    private void pause() {
        List<Runnable> drops;
        synchronized (this) {
            drops = pausing();
        }
        drops.forEach(Runnable::run);
    }

    /**
     * The reader has its next bytes, so that the rest may be dropped. Returns the drops of others, to be run without a
     * lock.
     */
    private List<Runnable> pausing() {
        awaited = false;
        PrefetchedRange present = arrived();
        if (keeps || present == null || present.counts() || position == present.end()) {
            return List.of();
        }
        keeps = true;
        return share.keep(present.piece().bytes().length);
    }

    private void unkeep() {
        if (keeps) {
            keeps = false;
            share.unkeep();
        }
    }

    /** Drops the piece in hand, which is requested again when the reader goes on. */
    private void letGo() {
        List<PrefetchedRange> dropped;
        synchronized (this) {
            keeps = false;
            PrefetchedRange present = arrived();
            if (awaited || present == null || present.counts()) {
                return;
            }
            PrefetchWindow ahead = window();
            ahead.requestLess();
            dropped = ahead.clear();
            ahead.goOnAt(position);
            head = null;
        }
        dropped.forEach(PrefetchedRange::drop);
    }

    /** Returns the number of bytes that have arrived. */
    synchronized int available() {
        PrefetchedRange present = arrived();
        return present == null ? 0 : (int) (present.end() - position);
    }

    private @Nullable PrefetchedRange arrived() {
        PrefetchedRange present = head;
        return closed || present == null || !present.hasArrived() ? null : present;
    }

    /** Goes to another position if its byte is there. */
    synchronized boolean seek(long to) {
        PrefetchedRange present = arrived();
        if (present == null || to < present.piece().offset() || to >= present.end()) {
            return false;
        }
        position = to;
        return true;
    }

    /** Returns the position of the next byte. */
    synchronized long position() {
        return position;
    }

    /** Returns the next small piece, which belongs to its receiver and does not count. */
    private BlobPiece slice() {
        BlobPiece slice;
        synchronized (this) {
            PrefetchedRange present = arrived();
            if (present == null) {
                throw closedInBetween();
            }
            int count = (int) Math.min(RangeSource.UNCOUNTED, present.end() - position);
            slice = present.piece().part(position, count);
            position += count;
            awaited = false;
        }
        free();
        return slice;
    }

    /** A range that the reader has taken whole is dropped. */
    private void free() {
        PrefetchedRange done;
        synchronized (this) {
            done = head;
            if (done == null || !done.hasArrived() || position < done.end()) {
                return;
            }
            head = null;
            unkeep();
        }
        done.drop();
    }

    /** A reader that continues after an error begins at its position. */
    private void again() {
        giveUp();
        synchronized (this) {
            head = null;
            window().goOnAt(position);
            unkeep();
        }
    }

    /** Drops what the reader has not come to. */
    private void giveUp() {
        List<PrefetchedRange> dropped;
        List<Runnable> drops = List.of();
        long spare = 0;
        synchronized (this) {
            PrefetchWindow ahead = window;
            if (ahead == null) {
                return;
            }
            dropped = ahead.clear();
            if (head != null) {
                spare = head.shrink(position);
                ahead.goOnAt(head.end());
                drops = awaited ? drops : pausing();
            }
        }
        dropped.forEach(PrefetchedRange::drop);
        share.free(spare);
        drops.forEach(Runnable::run);
    }

    private static IllegalStateException closedInBetween() {
        return new IllegalStateException("the content was closed while it was read");
    }

    /** Ends what is in flight and frees all. */
    @Override
    public void close() {
        PrefetchedRange present;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            present = head;
            head = null;
        }
        giveUp();
        if (present != null) {
            present.drop();
            present.fail(closedInBetween());
        }
        share.close();
    }
}
