package io.stowline.blob.internal.directory;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.directory.BlobSettings.ReplacedVersion;
import io.stowline.blob.internal.directory.SortedMerge.Both;
import io.stowline.blob.internal.operations.ListedBlob;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Copies the blobs below a prefix to another one, or to another container: a merge of both listings says what is new, different or gone. Thread-safe. */
public final class DirectoryCopy {

    private final BlobContext scope;
    private final BlobContext other;
    private final BlobFolder source;
    private final BlobFolder target;
    private final DirectorySettings settings;
    private final BlobSettings each;

    private DirectoryCopy(
            BlobContext scope,
            String prefix,
            BlobContext other,
            String newPrefix,
            DirectorySettings settings,
            BlobSettings each) {
        this.scope = scope;
        this.other = other;
        this.source = new BlobFolder(scope, prefix, settings);
        this.target = new BlobFolder(other, newPrefix, settings);
        this.settings = settings;
        this.each = each;
    }

    /**
     * A copy that has not begun.
     *
     * @param prefix what the names of the blobs begin with
     * @param other the container of the copies
     * @param newPrefix what the names of the copies begin with
     * @param each how each copy is uploaded
     * @throws IllegalArgumentException if one of both lies in the other
     */
    public static DirectoryTransfer of(
            BlobContext scope,
            String prefix,
            BlobContext other,
            String newPrefix,
            DirectorySettings settings,
            BlobSettings each) {
        DirectoryCopy copy = new DirectoryCopy(scope, prefix, other, newPrefix, settings, each);
        copy.refuseOverlap();
        return new DirectoryTransfer(
                "copyDirectory " + copy.source.resource() + " to " + copy.target.resource(),
                scope,
                settings,
                copy.plan());
    }

    private void refuseOverlap() {
        String from = source.prefix();
        String to = target.prefix();
        boolean here =
                scope.container().getBlobContainerUrl().equals(other.container().getBlobContainerUrl());
        if (here && (from.startsWith(to) || to.startsWith(from))) {
            throw new IllegalArgumentException("copyDirectory from " + source.resource() + " to " + target.resource()
                    + ": one lies in the other, so that the copy would read what it writes");
        }
    }

    private Flux<TransferStep> plan() {
        if (settings.overwrite() == Overwrite.ALWAYS && !settings.mirror()) {
            return source.blobs().map(blob -> step(blob, null));
        }
        return Flux.defer(() -> {
            MirrorDeletions deletions =
                    new MirrorDeletions(other, target, settings, "copyDirectory", blob -> source.has(target.below(blob))
                            .filter(has -> has)
                            .map(has -> source.thereAgain(target.below(blob))));
            // Both sides are listed by their full names; below the prefixes they have the same order.
            return SortedMerge.of(source.blobs(), source::below, target.blobs(), target::below)
                    .mapNotNull(both -> step(both, deletions))
                    .concatWith(deletions.rest());
        });
    }

    private @Nullable TransferStep step(Both<ListedBlob, ListedBlob> both, MirrorDeletions deletions) {
        ListedBlob blob = both.source();
        ListedBlob there = both.target();
        if (blob != null) {
            return step(blob, there);
        }
        if (there == null || !settings.mirror()) {
            return null;
        }
        return target.marksFolder(there)
                ? TransferStep.skipped(target.below(there), target.marker(there))
                : deletions.add(there);
    }

    private TransferStep step(ListedBlob blob, @Nullable ListedBlob there) {
        String name = source.below(blob);
        if (source.marksFolder(blob)) {
            return TransferStep.skipped(name, source.marker(blob));
        }
        if (there == null) {
            return moving(blob, isNew(blob));
        }
        return switch (settings.overwrite()) {
            case NEVER -> TransferStep.ended(name, Action.SKIPPED);
            case ALWAYS -> moving(blob, copied(blob, ReplacedVersion.ANY));
            case IF_DIFFERENT ->
                ContentComparison.same(settings.compare(), blob, there)
                        ? TransferStep.ended(name, Action.UNCHANGED)
                        : moving(
                                blob,
                                copied(blob, ReplacedVersion.only(there.facts().etag())));
        };
    }

    private TransferStep moving(ListedBlob blob, Mono<Item> work) {
        return TransferStep.moving(source.below(blob), blob.facts().size(), work);
    }

    /** The listing did not have it. A blob that is there after all is treated as if it had. */
    private Mono<Item> isNew(ListedBlob blob) {
        String name = source.below(blob);
        return switch (settings.overwrite()) {
            case ALWAYS -> copied(blob, ReplacedVersion.ANY);
            case NEVER ->
                copied(blob, ReplacedVersion.NONE)
                        .onErrorResume(
                                DirectoryUpload::alreadyThere, e -> Mono.just(new Item(name, Action.SKIPPED, 0, null)));
            case IF_DIFFERENT ->
                copied(blob, ReplacedVersion.NONE).onErrorResume(DirectoryUpload::alreadyThere, e -> target.find(name)
                        .switchIfEmpty(Mono.error(e))
                        .flatMap(there -> onceFound(blob, there)));
        };
    }

    private Mono<Item> onceFound(ListedBlob blob, ListedBlob there) {
        return ContentComparison.same(settings.compare(), blob, there)
                ? Mono.just(new Item(source.below(blob), Action.UNCHANGED, 0, null))
                : copied(blob, ReplacedVersion.only(there.facts().etag()));
    }

    private Mono<Item> copied(ListedBlob blob, ReplacedVersion version) {
        String name = source.below(blob);
        if (settings.dryRun()) {
            return Mono.just(new Item(name, Action.TRANSFERRED, blob.facts().size(), null));
        }
        String copy = target.full(name);
        return BlobCopy.of(scope, blob.facts().name(), other, copy, read -> {
                    // A source that was replaced since it was listed has another time, which the next listing shows.
                    Instant time = read.etag().equals(blob.facts().etag()) ? blob.modified() : read.lastModified();
                    return each.of(copy, read, version, time);
                })
                .map(done -> new Item(name, Action.TRANSFERRED, done.size(), null));
    }
}
