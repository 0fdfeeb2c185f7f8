package io.stowline.blob.internal.directory;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.operations.BatchOperations;
import io.stowline.blob.internal.operations.ListedBlob;
import io.stowline.blob.internal.request.BlobBatchRequest;
import io.stowline.blob.internal.request.BlobBatchRequest.BatchedBlob;
import io.stowline.error.ClosedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The blobs that a mirror deletes, in groups of one request. The source of each is read once more right before its group, and each is
 * deleted in the version that was listed only. One for each plan; used by one thread at a time.
 */
final class MirrorDeletions {

    /** The sources that are read at a time; a group counts for as many blobs in flight. */
    private static final int READS = 4;

    private final BlobFolder target;
    private final DirectorySettings settings;
    private final Function<ListedBlob, Mono<IOException>> stays;
    private final BatchOperations deletion;
    private List<ListedBlob> group = new ArrayList<>();

    /**
     * Makes an empty list of deletions.
     *
     * @param context the container of the target
     * @param target the folder of the blobs
     * @param verb the caller's verb
     * @param tally receives single ends before those of their group
     * @param stays the reason why a blob is not deleted; nothing if its source certainly does not exist
     */
    MirrorDeletions(
            BlobContext context,
            BlobFolder target,
            DirectorySettings settings,
            String verb,
            TransferTally tally,
            Function<ListedBlob, Mono<IOException>> stays) {
        this.target = target;
        this.settings = settings;
        this.stays = stays;
        this.deletion = BatchOperations.deletion(
                context, verb, settings.deletesSnapshots(), end -> DeletionPlan.known(target, end, tally));
    }

    /** Adds a blob: the step of a whole group, or {@code null} until there is one. */
    @Nullable
    TransferStep add(ListedBlob blob) {
        group.add(blob);
        return group.size() < BlobBatchRequest.MAX ? null : next();
    }

    /** Returns the step of those that make no whole group. */
    Mono<TransferStep> rest() {
        return Mono.fromSupplier(() -> group.isEmpty() ? null : next());
    }

    private TransferStep next() {
        List<ListedBlob> whole = group;
        group = new ArrayList<>();
        return TransferStep.group(
                whole.get(0).name(),
                whole.size(),
                () -> whole.stream().map(ListedBlob::name).toList(),
                READS,
                () -> deleted(whole).flatMapIterable(ends -> ends));
    }

    private Mono<List<Item>> deleted(List<ListedBlob> blobs) {
        List<Item> ends = new ArrayList<>(blobs.size());
        return Flux.fromIterable(blobs)
                .flatMapSequential(
                        blob -> Mono.justOrEmpty(target.undeletable(blob))
                                .switchIfEmpty(Mono.justOrEmpty(target.unversioned(blob)))
                                .switchIfEmpty(Mono.defer(() -> stays.apply(blob)))
                                .map(why -> new Decided(blob, skipped(blob.name(), why)))
                                .defaultIfEmpty(new Decided(blob, null))
                                .onErrorResume(error -> Mono.just(new Decided(blob, failed(blob.name(), error)))),
                        READS)
                .collectList()
                .flatMap(decided -> {
                    List<BatchedBlob> sure = new ArrayList<>();
                    for (Decided one : decided) {
                        Throwable refusal = one.kept == null ? null : one.kept.error();
                        if (refusal != null && closed(refusal)) {
                            return Mono.error(refusal);
                        } else if (one.kept != null) {
                            ends.add(one.kept);
                        } else if (settings.dryRun()) {
                            ends.add(new Item(one.blob.name(), Action.DELETED, 0, null));
                        } else {
                            sure.add(new BatchedBlob(target.full(one.blob.name()), one.blob.etag()));
                        }
                    }
                    return sure.isEmpty() ? Mono.just(ends) : deleted(sure, ends);
                });
    }

    /** A blob whose source was read: the end of one that is not deleted. */
    private record Decided(ListedBlob blob, @Nullable Item kept) {}

    /** A blob that was gone before is no end of this transfer. */
    private Mono<List<Item>> deleted(List<BatchedBlob> sure, List<Item> ends) {
        return deletion.groupOf(sure)
                .onErrorResume(error -> closed(error)
                        ? Mono.error(error)
                        : Mono.just(sure.stream()
                                .map(blob -> failed(blob.name(), error))
                                .toList()))
                .map(done -> {
                    for (Item item : done) {
                        if (item.action() != Action.SKIPPED) {
                            Item end = DeletionPlan.explained(item);
                            ends.add(new Item(target.below(end.name()), end.action(), 0, end.error()));
                        }
                    }
                    return ends;
                });
    }

    private static boolean closed(Throwable error) {
        return error instanceof ClosedException;
    }

    private static Item skipped(String name, IOException why) {
        return new Item(name, Action.SKIPPED, 0, why);
    }

    private static Item failed(String name, Throwable error) {
        return new Item(name, Action.FAILED, 0, error);
    }
}
