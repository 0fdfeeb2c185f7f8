package io.stowline.blob.internal.directory;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.copy.ContainerSource;
import io.stowline.blob.internal.copy.ServerCopy;
import io.stowline.blob.internal.directory.BlobSettings.ReplacedVersion;
import io.stowline.blob.internal.directory.SortedMerge.Both;
import io.stowline.blob.internal.gzip.CompressedSettings;
import io.stowline.blob.internal.operations.BlobTrait;
import io.stowline.blob.internal.operations.ListedBlob;
import io.stowline.blob.internal.operations.PropertyReads;
import io.stowline.blob.internal.request.BlobReads.StoredProperties;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.outcome.OriginalContent;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A planner of the transfer that copies the blobs below a prefix to another one, or to another container: a merge of both listings shows what is new, different or gone. Thread-safe. */
public final class DirectoryCopy {

    private final BlobContext context;
    private final BlobContext other;
    private final BlobFolder source;
    private final BlobFolder target;
    private final DirectorySettings settings;
    private final BlobSettings each;
    private final CopyWay way;

    private DirectoryCopy(
            BlobContext context,
            String prefix,
            BlobContext other,
            String newPrefix,
            DirectorySettings settings,
            BlobSettings each) {
        this.context = context;
        this.other = other;
        this.source = new BlobFolder(context, prefix, settings);
        this.target = new BlobFolder(other, newPrefix, settings);
        this.settings = settings;
        this.each = each;
        this.way = new CopyWay(context, other, settings.streamed());
    }

    /**
     * Returns a copy that has not begun.
     *
     * @param prefix what the names of the blobs begin with
     * @param other the container of the copies
     * @param newPrefix what the names of the copies begin with
     * @param each how each copy is uploaded
     * @throws IllegalArgumentException if one of both lies in the other
     */
    public static DirectoryTransfer of(
            BlobContext context,
            String prefix,
            BlobContext other,
            String newPrefix,
            DirectorySettings settings,
            BlobSettings each) {
        DirectoryCopy copy = new DirectoryCopy(context, prefix, other, newPrefix, settings, each);
        copy.refuseOverlap();
        TransferTally tally = new TransferTally();
        return new DirectoryTransfer(
                "copyDirectory " + copy.source.resource() + " to " + copy.target.resource(),
                context,
                settings,
                copy.plan(tally),
                tally);
    }

    private void refuseOverlap() {
        String from = source.prefix();
        String to = target.prefix();
        boolean here = context.url().equals(other.url());
        if (here && (from.startsWith(to) || to.startsWith(from))) {
            throw new IllegalArgumentException("copyDirectory from " + source.resource() + " to " + target.resource()
                    + ": one lies in the other, so that the copy would read what it writes");
        }
    }

    private Flux<TransferStep> plan(TransferTally tally) {
        if (settings.overwrite() == Overwrite.ALWAYS && !settings.mirror()) {
            return source.blobs().map(blob -> step(blob, null));
        }
        return Flux.defer(() -> {
            MirrorDeletions deletions =
                    new MirrorDeletions(other, target, settings, "copyDirectory", tally, blob -> source.has(blob.name())
                            .filter(has -> has)
                            .map(has -> source.thereAgain(blob.name())));
            // Both sides are listed by their full names; below the prefixes they have the same order.
            return SortedMerge.of(source.blobs(), ListedBlob::name, target.mirrored(), ListedBlob::name)
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
        return BlobFolder.marksFolder(there)
                ? TransferStep.skipped(there.name(), target.marker(there))
                : deletions.add(there);
    }

    private TransferStep step(ListedBlob blob, @Nullable ListedBlob there) {
        String name = blob.name();
        if (BlobFolder.marksFolder(blob)) {
            return TransferStep.skipped(name, source.marker(blob));
        }
        if (there == null) {
            return moving(blob, () -> isNew(blob));
        }
        return switch (settings.overwrite()) {
            case NEVER -> TransferStep.ended(name, Action.SKIPPED);
            case ALWAYS -> moving(blob, () -> replaced(blob, there, ReplacedVersion.ANY));
            case IF_DIFFERENT ->
                ContentComparison.same(settings.comparesMd5(), blob, there)
                        ? TransferStep.ended(name, Action.UNCHANGED)
                        : moving(blob, () -> replaced(blob, there, ReplacedVersion.only(there.etag())));
        };
    }

    private Mono<Item> replaced(ListedBlob blob, ListedBlob there, ReplacedVersion version) {
        return stays(blob, there, version)
                .map(why -> new Item(blob.name(), Action.SKIPPED, 0, why))
                .switchIfEmpty(Mono.defer(() -> copied(blob, version)));
    }

    /**
     * Gives the reason why a blob is not replaced. The application's settings for its source decide on one of another
     * type.
     */
    private Mono<IOException> stays(ListedBlob blob, ListedBlob there, ReplacedVersion version) {
        IOException why = target.irreplaceable(there, version);
        if (why != null || !there.is(BlobTrait.OTHER_TYPE)) {
            return Mono.justOrEmpty(why);
        }
        String from = source.full(blob.name());
        return new PropertyReads(context.atPrimary())
                .of("copyDirectory", from, null)
                .map(StoredProperties::info)
                .flatMap(read -> BlockingTask.call(() -> target.tooLong(
                        there,
                        read.size() < 0 ? blob.expected() : read.size(),
                        each.of(target.full(blob.name()), read, version, blob.timeOf(read))
                                .blockSize())));
    }

    private TransferStep moving(ListedBlob blob, Supplier<Mono<Item>> work) {
        IOException unreadable = source.unreadable(blob);
        if (unreadable == null) {
            return TransferStep.moving(blob.name(), blob.expected(), work);
        }
        return settings.failsUnreadable()
                ? TransferStep.failed(blob.name(), unreadable)
                : TransferStep.skipped(blob.name(), unreadable);
    }

    /** The listing did not have it. */
    private Mono<Item> isNew(ListedBlob blob) {
        String name = blob.name();
        return switch (settings.overwrite()) {
            case ALWAYS -> copied(blob, ReplacedVersion.ANY);
            case NEVER ->
                copied(blob, ReplacedVersion.NONE)
                        .onErrorResume(Upload::isTaken, e -> Mono.just(new Item(name, Action.SKIPPED, 0, null)));
            case IF_DIFFERENT ->
                copied(blob, ReplacedVersion.NONE).onErrorResume(Upload::isTaken, e -> target.find(name)
                        .switchIfEmpty(Mono.error(e))
                        .flatMap(there -> onceFound(blob, there, e)));
        };
    }

    /** Replaces no version that another client may have written since the listing, as none is replaced that changes in between. */
    private Mono<Item> onceFound(ListedBlob blob, ListedBlob there, Throwable refusal) {
        ReplacedVersion version = ReplacedVersion.only(there.etag());
        if (ContentComparison.same(settings.comparesMd5(), blob, there)) {
            return Mono.just(new Item(blob.name(), Action.UNCHANGED, 0, null));
        }
        return !there.is(BlobTrait.WRITTEN_SINCE) || target.irreplaceable(there, version) != null
                ? replaced(blob, there, version)
                : Mono.error(BlobFolder.writtenSince(refusal));
    }

    private Mono<Item> copied(ListedBlob blob, ReplacedVersion version) {
        String name = blob.name();
        String copy = target.full(name);
        if (settings.dryRun()) {
            String unused = BlobNameRules.check(copy);
            return Mono.just(
                    new Item(name, way.byService() ? Action.COPIED : Action.TRANSFERRED, blob.expected(), null));
        }
        return target.kept(name, version).flatMap(replaced -> {
            Mono<Item> streamed = Mono.defer(() -> StreamedCopy.of(
                            context,
                            source.full(name),
                            blob.size() == 0,
                            other,
                            copy,
                            read -> settings(blob, copy, read, replaced)))
                    .map(done -> new Item(name, Action.TRANSFERRED, done.size(), null));
            return way.byService()
                    ? byService(blob, replaced)
                            .onErrorResume(way::refusedBy, refusal -> streamed)
                            .onErrorResume(CompressingException.class, e -> streamed)
                    : streamed;
        });
    }

    private Mono<Item> byService(ListedBlob blob, ReplacedVersion version) {
        String copy = target.full(blob.name());
        return new ServerCopy(
                        other,
                        "copyDirectory",
                        copy,
                        new ContainerSource(context, source.full(blob.name())),
                        read -> byService(settings(blob, copy, read, version)))
                .run(null)
                .map(done -> new Item(blob.name(), Action.COPIED, done.size(), null));
    }

    /** A block that no memory holds may be larger. */
    private static UploadSettings byService(UploadSettings chosen) {
        if (CompressedSettings.areWanted(chosen)) {
            throw new CompressingException();
        }
        return chosen.blockSize() < StorageLimits.COPY_MAX_SINGLE_BYTES
                ? chosen.toBuilder()
                        .blockSize(StorageLimits.COPY_MAX_SINGLE_BYTES)
                        .build()
                : chosen;
    }

    /** A copy keeps the facts of content that is compressed already. */
    private UploadSettings settings(ListedBlob blob, String copy, BlobInfo read, ReplacedVersion version) {
        UploadSettings chosen = each.of(copy, read, version, blob.timeOf(read));
        OriginalContent original = blob.originalOf(read);
        return original == null ? chosen : CompressedSettings.with(chosen, original);
    }

    /** The settings of a copy that compresses, which the service cannot do. No error but to the choice of the way. */
    private static final class CompressingException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        CompressingException() {
            super("the copy compresses", null, false, false);
        }
    }
}
