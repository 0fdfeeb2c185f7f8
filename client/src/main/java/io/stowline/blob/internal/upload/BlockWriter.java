package io.stowline.blob.internal.upload;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.blob.internal.transfer.TransferMemory.Share;
import io.stowline.blob.internal.upload.BlockStager.Enlisted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A writer that makes a blob of bytes whose number and pace their owner decides. It collects them in slices until a block is full; blocks grow with their
 * number, so that content of any length fits. While other transfers wait for memory, what it has collected goes out as a shorter block
 * (TRANSFER-3). One caller appends and waits; nothing is made without a commit (TRANSFER-5).
 */
final class BlockWriter implements ContentWriter {

    /** The memory of one piece, the first of which is not counted: it keeps a transfer alive when all else is taken. */
    static final int SLICE = 64 << 10;

    /** The number of blocks after which their size doubles. */
    static final int GROWTH = 5_000;

    private final BlockOperations requests;
    private final BlockStager stager;
    private final Share share;
    private final ContextView context;
    private final IntFunction<ByteBuffer> allocation;
    private final int blockSize;
    private final long largest;
    private List<ByteBuffer> slices = new ArrayList<>();
    /** Slices of blocks that have arrived, whose memory is reserved. */
    private final Deque<ByteBuffer> spare = new ArrayDeque<>();

    private int size;
    private long reservedBytes;
    private long reserved;
    private boolean appending;
    /** True if others have requested memory during an append. */
    private boolean requested;
    /** True if it waits for memory, or is about to. */
    private boolean waiting;

    private boolean closed;

    /**
     * A writer without bytes.
     *
     * @param memory what all transfers share
     * @param allocation makes slices of so many bytes, each with an array
     * @param blockSize the size of the first blocks
     * @param parallelism the most blocks in flight
     * @param context the Reactor context of the caller
     */
    BlockWriter(
            BlockOperations requests,
            TransferMemory memory,
            IntFunction<ByteBuffer> allocation,
            int blockSize,
            int parallelism,
            ContextView context) {
        this.requests = requests;
        this.allocation = allocation;
        this.share = memory.share(this::giveUp);
        this.stager = new BlockStager(requests, share, this::reuse, parallelism, context);
        this.context = context;
        this.blockSize = blockSize;
        this.largest = Math.max(blockSize, memory.capacity() / 4);
    }

    /** Returns the size of the block at this place. */
    static long sizeAt(int index, int first, long largest) {
        return Math.min(largest, (long) first << Math.min(30, index / GROWTH));
    }

    @Override
    public @Nullable Throwable failure() {
        return stager.failure();
    }

    @Override
    public Mono<Void> append(ByteBuffer bytes) {
        return stager.room()
                .then(Mono.defer(() -> {
                    Step step = fill(bytes);
                    stager.send(step.block);
                    return step.next.get();
                }))
                .repeat(bytes::hasRemaining)
                .then()
                .onErrorMap(stager::cause);
    }

    /**
     * The step after bytes were taken.
     *
     * @param block a block to be sent first, outside of the lock, or {@code null}
     * @param next the wait after that
     */
    private record Step(@Nullable Enlisted block, Supplier<Mono<Void>> next) {}

    /** Takes as much as goes without a wait. */
    private synchronized Step fill(ByteBuffer bytes) {
        appending = true;
        waiting = false;
        while (bytes.hasRemaining()) {
            if (closed) {
                return new Step(null, () -> Mono.error(new IOException("the writer is closed")));
            }
            Throwable failed = stager.failure();
            if (failed != null) {
                return new Step(null, () -> Mono.error(failed));
            }
            if (size == target()) {
                return new Step(stager.enlist(block()), Mono::empty);
            }
            if ((slices.isEmpty() || !last().hasRemaining()) && !grown()) {
                return memory();
            }
            take(bytes);
        }
        appending = false;
        return requested && share.othersWait() ? given() : new Step(null, Mono::empty);
    }

    /** Memory that the writer gives up at the end of an append, since others have requested it. */
    private Step given() {
        Enlisted collected = collected();
        long unused = unused();
        return new Step(collected, () -> {
            share.free(unused);
            return Mono.empty();
        });
    }

    private @Nullable Enlisted collected() {
        return reservedBytes > 0 ? stager.enlist(block()) : null;
    }

    private long unused() {
        long bytes = reserved;
        requested = false;
        reserved = 0;
        spare.clear();
        return bytes;
    }

    /** Waits for memory without any: the collected bytes go out first. */
    private Step memory() {
        waiting = true;
        long bytes = quantum();
        Enlisted collected = collected();
        return new Step(collected, () -> stager.room()
                .then(share.take(bytes))
                .doOnNext(taken -> reserve(bytes))
                .then());
    }

    private synchronized void reserve(long bytes) {
        reserved += bytes;
    }

    /** Taken at a time: enough that blocks do not become too many while others wait. */
    private int quantum() {
        return Math.min(target(), Math.max(1 << 20, target() / 8));
    }

    private int target() {
        return (int) sizeAt(stager.blocks(), blockSize, largest);
    }

    private ByteBuffer last() {
        return slices.get(slices.size() - 1);
    }

    private boolean grown() {
        int length = Math.min(SLICE, target() - size);
        if (!slices.isEmpty()) {
            int bytes = Math.min(quantum(), target() - size);
            if (reserved < length && !share.tryTake(bytes)) {
                return false;
            }
            reserved += reserved < length ? bytes : 0;
            reserved -= length;
            reservedBytes += length;
        }
        slices.add(length == SLICE && !spare.isEmpty() ? spare.pop().clear() : allocation.apply(length));
        return true;
    }

    /**
     * The slices of a block that has arrived serve the next one, unless a transfer waits for their memory. An abandoned
     * attempt that still sends some of them is refused for its MD5.
     */
    private void reuse(UploadBlock block) {
        synchronized (this) {
            if (!closed && !waiting && !share.othersWait()) {
                block.pieces().stream()
                        .filter(piece -> piece.capacity() == SLICE)
                        .map(ByteBuffer::duplicate)
                        .forEach(spare::push);
                reserved += block.reservedBytes();
                return;
            }
        }
        share.free(block.reservedBytes());
    }

    private void take(ByteBuffer bytes) {
        ByteBuffer slice = last();
        int length = Math.min(slice.remaining(), bytes.remaining());
        slice.put(bytes.duplicate().limit(bytes.position() + length));
        bytes.position(bytes.position() + length);
        size += length;
    }

    private UploadBlock block() {
        List<ByteBuffer> full =
                slices.stream().map(slice -> slice.duplicate().flip()).toList();
        UploadBlock block = new UploadBlock(stager.blocks(), full, reservedBytes);
        slices = new ArrayList<>();
        size = 0;
        reservedBytes = 0;
        return block;
    }

    /**
     * Others wait for memory: the collected bytes go out, at the end of an append if its owner is about to add to them.
     */
    private void giveUp() {
        long unused;
        Enlisted collected;
        synchronized (this) {
            requested = appending;
            if (appending || closed) {
                return;
            }
            collected = collected();
            unused = unused();
        }
        stager.send(collected);
        share.free(unused);
    }

    @Override
    public Mono<BlobWriteResult> commit() {
        return commit(requests);
    }

    /** Makes the blob by other requests than those of its blocks. */
    Mono<BlobWriteResult> commit(BlockOperations last) {
        return Mono.defer(() -> {
                    UploadBlock rest;
                    long unused;
                    synchronized (this) {
                        if (closed) {
                            return Mono.error(new IOException("the writer is closed"));
                        }
                        closed = true;
                        rest = block();
                        unused = unused();
                    }
                    share.free(unused);
                    if (rest.index() == 0) {
                        return last.put(rest).doOnSuccess(put -> Upload.moved(context, rest.size()));
                    }
                    return (rest.size() > 0 ? stager.room().doOnSuccess(room -> stager.add(rest)) : Mono.empty())
                            .then(Mono.defer(() -> stager.commit(last)));
                })
                .contextWrite(context)
                .onErrorMap(stager::cause);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            slices = new ArrayList<>();
            spare.clear();
        }
        stager.close();
    }
}
