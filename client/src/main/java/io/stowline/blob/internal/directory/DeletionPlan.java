package io.stowline.blob.internal.directory;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.folder.FileDeletions;
import io.stowline.blob.internal.operations.BatchOperations;
import io.stowline.blob.internal.operations.BatchRefusals;
import io.stowline.blob.internal.operations.ListedBlob;
import io.stowline.blob.internal.request.BlobBatchRequest;
import io.stowline.error.ClosedException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A plan that cuts the blobs below a prefix into groups of one request each. The marker of a folder comes behind all that lies below it, deepest first,
 * since an account with a hierarchical namespace refuses the deletion of a folder that is not empty. A marker is kept until the listing is
 * past its folder, so that memory does not grow with their number. One for each deletion; used by one thread at a time.
 */
final class DeletionPlan {

    private static final Set<String> REFUSALS =
            Set.of("SnapshotsPresent", "LeaseIdMissing", "OperationNotSupportedOnDirectory", BatchRefusals.NOT_EMPTY);

    private final BlobFolder folder;
    private final DirectorySettings settings;
    private final BatchOperations deletion;
    private final TransferTally tally;

    /** Markers whose folders the listing may not be past. */
    private final Deque<Marker> open = new ArrayDeque<>();

    private List<ListedBlob> contents = new ArrayList<>();
    private List<ListedBlob> markers = new ArrayList<>();

    private final Set<Mono<Void>> inFlight = ConcurrentHashMap.newKeySet();

    DeletionPlan(BlobContext context, BlobFolder folder, DirectorySettings settings, TransferTally tally) {
        this.folder = folder;
        this.settings = settings;
        this.deletion = BatchOperations.deletion(
                context, "deleteDirectory", settings.deletesSnapshots(), end -> known(folder, end, tally));
        this.tally = tally;
    }

    /** A folder that is listed, and whether something in it stays. */
    private static final class Marker {

        private final ListedBlob blob;
        private final String inside;
        private boolean occupied;

        Marker(ListedBlob blob) {
            this.blob = blob;
            String name = blob.name();
            this.inside = name.isEmpty() || name.endsWith("/") ? name : name + "/";
        }

        boolean has(String name) {
            return name.startsWith(inside);
        }

        /** Names that begin with its name and a slash sort before its name and the character behind the slash. */
        boolean isBehind(String name) {
            return !inside.isEmpty()
                    && name.compareTo(inside.substring(0, inside.length() - 1) + FileDeletions.BEHIND_SLASH) >= 0;
        }
    }

    /**
     * Takes the next blob of the listing, and returns the deletions that it completes, each with the steps of its ends.
     */
    List<Publisher<TransferStep>> add(ListedBlob blob) {
        List<Publisher<TransferStep>> next = new ArrayList<>(0);
        closeBefore(blob.name(), next);
        IOException stays = folder.undeletable(blob);
        boolean taken = folder.takes(blob.name());
        if (stays != null && taken) {
            next.add(Mono.just(TransferStep.skipped(blob.name(), stays)));
        }
        if (stays != null || !taken) {
            open.stream().filter(marker -> marker.has(blob.name())).forEach(marker -> marker.occupied = true);
        } else if (BlobFolder.marksFolder(blob)) {
            open.add(new Marker(blob));
        } else {
            contents.add(blob);
        }
        if (contents.size() == BlobBatchRequest.MAX || markers.size() >= BlobBatchRequest.MAX) {
            cut(next);
        }
        return next;
    }

    /** Returns the deletions of all remaining blobs. */
    List<Publisher<TransferStep>> rest() {
        List<Publisher<TransferStep>> last = new ArrayList<>();
        open.forEach(marker -> close(marker, last));
        open.clear();
        cut(last);
        return last;
    }

    private void closeBefore(String name, List<Publisher<TransferStep>> next) {
        for (Iterator<Marker> all = open.iterator(); all.hasNext(); ) {
            Marker marker = all.next();
            if (marker.isBehind(name)) {
                all.remove();
                close(marker, next);
            }
        }
    }

    private void close(Marker marker, List<Publisher<TransferStep>> next) {
        if (marker.occupied) {
            next.add(Mono.just(TransferStep.skipped(marker.blob.name(), folder.occupied(marker.blob))));
        } else {
            markers.add(marker.blob);
        }
    }

    private void cut(List<Publisher<TransferStep>> next) {
        if (!contents.isEmpty()) {
            next.add(group(contents, true));
            contents = new ArrayList<>();
        }
        if (markers.size() >= BlobBatchRequest.MAX || (!markers.isEmpty() && open.isEmpty())) {
            next.add(group(markers, false));
            markers = new ArrayList<>();
        }
    }

    private Mono<TransferStep> group(List<ListedBlob> blobs, boolean atOnce) {
        List<String> names = blobs.stream().map(ListedBlob::name).toList();
        if (settings.dryRun()) {
            return Mono.just(step(names.stream()
                    .map(name -> new Item(name, Action.DELETED, 0, null))
                    .toList()));
        }
        return Mono.defer(() -> {
            Sinks.Empty<Void> end = Sinks.empty();
            Mono<Void> ended = end.asMono();
            List<Mono<Void>> before = List.copyOf(inFlight);
            inFlight.add(ended);
            Mono<List<Item>> work = atOnce ? deleted(names) : Mono.when(before).then(deepestFirst(names));
            return tally.unlessOver(() -> names, work)
                    .doOnError(ClosedException.class, refusal -> tally.dropped(names))
                    .mapNotNull(ends -> counted(names, ends))
                    .doFinally(signal -> {
                        inFlight.remove(ended);
                        end.tryEmitEmpty();
                    });
        });
    }

    private Mono<List<Item>> deepestFirst(List<String> names) {
        return BatchOperations.deepestFirst(names, name -> name)
                .concatMap(this::deleted, 1)
                .collectList()
                .map(lists -> lists.stream().flatMap(List::stream).toList());
    }

    private Mono<List<Item>> deleted(List<String> names) {
        return deletion.group(names.stream().map(folder::full).toList());
    }

    /** The ends of a group are one step: those of its deleted blobs count, whatever becomes of the others. */
    private @Nullable TransferStep counted(List<String> names, List<Item> ends) {
        List<Item> items = new ArrayList<>(ends.size());
        for (int i = 0; i < ends.size(); i++) {
            Item end = ends.get(i);
            if (end.action() == Action.SKIPPED) {
                tally.dropped(List.of(names.get(i)));
            } else {
                Item explained = explained(end);
                items.add(new Item(folder.below(end.name()), explained.action(), 0, explained.error()));
            }
        }
        return items.isEmpty() ? null : step(items);
    }

    private static TransferStep step(List<Item> items) {
        return TransferStep.group(items.get(0).name(), items.size(), List::of, 0, () -> Flux.fromIterable(items));
    }

    /** Notes the end of one blob of a group in flight. There is nothing to do about a blob that was gone before. */
    static void known(BlobFolder folder, Item end, TransferTally tally) {
        String name = folder.below(end.name());
        if (end.action() == Action.SKIPPED) {
            tally.dropped(List.of(name));
        } else {
            Item explained = explained(end);
            tally.known(new Item(name, explained.action(), 0, explained.error()));
        }
    }

    /**
     * Turns the refusal of a blob that the service keeps for a reason of the blob itself into a skip, as where a
     * listing shows the reason before.
     */
    static Item explained(Item end) {
        return REFUSALS.stream().anyMatch(code -> BatchRefusals.isRefused(end, code))
                ? new Item(end.name(), Action.SKIPPED, 0, end.error())
                : end;
    }
}
