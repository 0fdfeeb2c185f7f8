package io.stowline.blob.internal.directory;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.ClosedException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The deletion of all blobs below a prefix. Stateless. */
public final class DirectoryDeletion {

    /** Requests in flight, each of 256 blobs. */
    private static final int GROUPS = 2;

    private DirectoryDeletion() {}

    /**
     * Returns a deletion that has not begun.
     *
     * @param prefix what the names of the blobs begin with
     * @throws IllegalArgumentException if the prefix is empty and no pattern means all blobs, or if it is to mirror something
     */
    public static DirectoryTransfer of(BlobContext context, String prefix, DirectorySettings settings) {
        BlobFolder blobs = new BlobFolder(context, prefix, settings);
        if (prefix.isEmpty() && settings.includes().isEmpty()) {
            throw new IllegalArgumentException("deleteDirectory(\"\") would delete every blob of the container "
                    + context.name() + "; with include(\"**\") it does");
        }
        if (settings.mirror()) {
            throw new IllegalArgumentException("a deletion mirrors nothing");
        }
        TransferTally tally = new TransferTally();
        return new DirectoryTransfer(
                "deleteDirectory " + blobs.resource(),
                context,
                settings,
                deleted(context, blobs, settings, tally),
                tally);
    }

    /**
     * The deletions run before their steps, which carry their ends: as many groups at a time as the service serves
     * well.
     */
    private static Flux<TransferStep> deleted(
            BlobContext context, BlobFolder blobs, DirectorySettings settings, TransferTally tally) {
        return Flux.defer(() -> {
            DeletionPlan plan = new DeletionPlan(context, blobs, settings, tally);
            return blobs.deletable()
                    .concatMapIterable(plan::add, 1)
                    .concatWith(Flux.defer(() -> Flux.fromIterable(plan.rest())))
                    .onErrorResume(ClosedException.class, refusal -> Mono.just(Flux.error(refusal)))
                    .flatMap(
                            ends -> Flux.from(ends)
                                    .onErrorResume(
                                            ClosedException.class,
                                            refusal -> Mono.just(TransferStep.failed("", refusal)))
                                    // As a value: one that comes after the first would be logged as dropped.
                                    .materialize()
                                    .filter(signal -> !signal.isOnComplete()),
                            GROUPS,
                            1)
                    .dematerialize();
        });
    }
}
