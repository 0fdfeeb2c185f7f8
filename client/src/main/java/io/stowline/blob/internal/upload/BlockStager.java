package io.stowline.blob.internal.upload;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.internal.base.ComputeThreads;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.transfer.TransferMemory.Share;
import io.stowline.transport.internal.concurrent.FatalErrors;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * A stager that sends the blocks of one upload, a bounded number at a time, and makes the blob of them (decision 97). A block that an upload before this one left is not
 * sent again. One caller adds blocks and waits. Thread-safe; closing it ends what is on its way.
 */
final class BlockStager implements AutoCloseable {

    private final BlockOperations requests;
    private final Share memory;
    private final Consumer<UploadBlock> gone;
    private final int parallelism;
    private final ContextView context;
    private final Sinks.One<Map<String, Long>> leftovers = Sinks.one();
    private final Disposable.Composite running = Disposables.composite();
    private final MessageDigest blobDigest = Md5.begin();
    private final List<String> ids = new ArrayList<>();

    private CompletableFuture<Void> digested = CompletableFuture.completedFuture(null);
    private long size;
    private int inFlight;
    private volatile @Nullable Throwable failure;
    private @Nullable Wait waiting;

    /** A wait until no more than so many blocks are in flight. */
    private record Wait(int max, MonoSink<Void> sink) {}

    /**
     * Sends nothing yet.
     *
     * @param memory what holds the blocks; closed with the first failure
     * @param gone takes a block that has arrived and whose content is not looked at again, to free its memory
     * @param parallelism the most blocks in flight
     * @param context the Reactor context of the caller
     */
    BlockStager(
            BlockOperations requests, Share memory, Consumer<UploadBlock> gone, int parallelism, ContextView context) {
        this.requests = requests;
        this.memory = memory;
        this.gone = gone;
        this.parallelism = parallelism;
        this.context = context;
    }

    /**
     * Returns the digest of the whole content, for a source that adds its blocks itself, before they are added here.
     */
    MessageDigest blobDigest() {
        return blobDigest;
    }

    /** Returns the number of blocks. */
    synchronized int blocks() {
        return ids.size();
    }

    /**
     * A block that has its place in the blob and counts as in flight, and is still to be sent.
     *
     * @param digested completes when the digest of the content has it, after those before it
     */
    record Enlisted(UploadBlock block, CompletableFuture<Void> digested) {}

    /** Gives a block the next place. It calls nothing foreign, so that its owner may hold a lock; null after a failure. */
    synchronized @Nullable Enlisted enlist(UploadBlock block) {
        if (failure != null) {
            return null;
        }
        ids.add("");
        size += block.size();
        inFlight++;
        if (block.undigested()) {
            digested = digested.thenRunAsync(() -> block.digest(blobDigest), ComputeThreads.SHARED::schedule);
        }
        return new Enlisted(block, digested);
    }

    /** Sends a block, which frees its memory when it has arrived. The blob has the blocks in the order of these calls. */
    void add(UploadBlock block) {
        send(enlist(block));
    }

    /** Sends a block that has its place. */
    void send(@Nullable Enlisted enlisted) {
        if (enlisted == null) {
            return;
        }
        UploadBlock block = enlisted.block;
        if (block.index() >= UploadBlock.MAX) {
            failed(requests.tooManyBlocks());
            return;
        }
        if (block.index() == 0) {
            begin();
        }
        // What has ended is not kept: it would keep its block.
        Disposable.Swap sent = Disposables.swap();
        running.add(sent);
        sent.update(Mono.when(staged(block), inDigest(enlisted))
                .then(Mono.fromRunnable(() -> ended(block)))
                .onErrorResume(this::afterFailure)
                .contextWrite(context)
                .doFinally(end -> running.remove(sent))
                .subscribe());
    }

    /** Waits for the digest. Its error is a value until then: one that comes after a cancel would be logged as dropped. */
    private static Mono<Void> inDigest(Enlisted enlisted) {
        return Mono.fromFuture(enlisted.digested.handle((done, error) -> Optional.ofNullable(error)), true)
                .flatMap(error -> error.<Mono<Void>>map(why -> Mono.error(
                                why instanceof CompletionException && why.getCause() != null ? why.getCause() : why))
                        .orElse(Mono.empty()));
    }

    /**
     * Ends the upload. Errors of other blocks at the same moment end here too, so that they are not logged as dropped.
     */
    private <A> Mono<A> afterFailure(Throwable error) {
        failed(error);
        return Mono.empty();
    }

    /** Checks whether the blob may be made, and reads its leftover blocks, before the first block goes out. */
    private void begin() {
        running.add(requests.permitted()
                .then(requests.leftovers())
                .doOnNext(leftovers::tryEmitValue)
                .onErrorResume(this::afterFailure)
                .contextWrite(context)
                .subscribe());
    }

    private Mono<Void> staged(UploadBlock block) {
        return leftovers.asMono().publishOn(ComputeThreads.SHARED).flatMap(known -> {
            byte[] md5 = block.md5();
            String id = block.id(md5);
            synchronized (this) {
                ids.set(block.index(), id);
            }
            Long there = known.get(id);
            return there != null && there == block.size() ? Mono.empty() : requests.stage(block, id, md5);
        });
    }

    private void ended(UploadBlock block) {
        gone.accept(block);
        Upload.moved(context, block.size());
        Wait served;
        synchronized (this) {
            inFlight--;
            served = waiting != null && inFlight <= waiting.max ? waiting : null;
            waiting = served == null ? waiting : null;
        }
        if (served != null) {
            served.sink.success();
        }
    }

    private void failed(Throwable error) {
        Wait served;
        synchronized (this) {
            if (failure != null) {
                return;
            }
            failure = Exceptions.unwrap(error);
            served = waiting;
            waiting = null;
        }
        close();
        if (served != null) {
            served.sink.error(error);
        }
    }

    /** Waits until another block may be added; an error if one has failed. */
    Mono<Void> room() {
        return until(parallelism - 1);
    }

    /** Waits until all blocks have arrived. */
    Mono<Void> arrived() {
        return until(0);
    }

    private Mono<Void> until(int max) {
        return FatalErrors.handingOver(Mono.create(sink -> {
            Throwable failed;
            boolean now;
            synchronized (this) {
                failed = failure;
                now = inFlight <= max;
                if (failed == null && !now) {
                    waiting = new Wait(max, sink);
                }
            }
            if (failed != null) {
                sink.error(failed);
            } else if (now) {
                sink.success();
            }
        }));
    }

    /** Returns why it takes no blocks, or null while it does. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Returns the cause of a caller's error: the failure of a block, if there is one. */
    synchronized Throwable cause(Throwable error) {
        return failure == null ? error : failure;
    }

    /** Makes the blob when all blocks have arrived. */
    Mono<BlobWriteResult> commit(BlockOperations last) {
        return arrived().then(Mono.defer(() -> {
            synchronized (this) {
                String md5 = Base64.getEncoder().encodeToString(blobDigest.digest());
                return last.commit(List.copyOf(ids), size, md5);
            }
        }));
    }

    /** Ends what is on its way; a caller that waits gets an error. */
    @Override
    public void close() {
        Wait served;
        Throwable ending;
        synchronized (this) {
            ending = failure == null ? new IOException("the upload was closed") : failure;
            failure = ending;
            served = waiting;
            waiting = null;
        }
        running.dispose();
        memory.close();
        if (served != null) {
            served.sink.error(ending);
        }
    }
}
