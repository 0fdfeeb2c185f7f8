package io.stowline.blob.internal.directory;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.BlockingTask.StreamFailure;
import io.stowline.blob.internal.directory.BlobSettings.ReplacedVersion;
import io.stowline.blob.internal.directory.SortedMerge.Both;
import io.stowline.blob.internal.folder.DiskWork;
import io.stowline.blob.internal.folder.FolderTarget;
import io.stowline.blob.internal.folder.FolderWalk;
import io.stowline.blob.internal.folder.LocalFile;
import io.stowline.blob.internal.folder.LocalFile.FileKind;
import io.stowline.blob.internal.folder.LocalFolder;
import io.stowline.blob.internal.operations.BlobTrait;
import io.stowline.blob.internal.operations.ListedBlob;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.error.internal.PrintableText;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A planner of the transfer that uploads a folder: a merge of its walk and the listing shows what is new, different or gone. Thread-safe. */
public final class DirectoryUpload {

    private final BlobContext context;
    private final FolderTarget folder;
    private final LocalFolder source;
    private final BlobFolder blobs;
    private final DirectorySettings settings;
    private final BlobSettings each;
    private final EquivalentNames names;

    /** The texts of children that cannot be read: the source of a blob of that name, or below it, may still exist. */
    private final Set<String> unread = ConcurrentHashMap.newKeySet();

    /** True if the plan reads the listing of the target. */
    private final boolean listed;

    private DirectoryUpload(
            BlobContext context, Path folder, String prefix, DirectorySettings settings, BlobSettings each) {
        this.context = context;
        this.folder = new FolderTarget(Objects.requireNonNull(folder, "directory"));
        this.source = new LocalFolder(this.folder.root());
        this.blobs = new BlobFolder(context, prefix, settings);
        this.settings = settings;
        this.each = each;
        this.names = new EquivalentNames(blobs, source);
        this.listed = settings.overwrite() != Overwrite.ALWAYS || settings.mirror();
    }

    /**
     * Returns an upload that has not begun.
     *
     * @param folder the source
     * @param prefix what the names of its blobs begin with
     * @param each how each blob is uploaded
     */
    public static DirectoryTransfer of(
            BlobContext context, Path folder, String prefix, DirectorySettings settings, BlobSettings each) {
        DirectoryUpload upload = new DirectoryUpload(context, folder, prefix, settings, each);
        TransferTally tally = new TransferTally();
        return new DirectoryTransfer(
                "uploadDirectory " + folder + " to " + upload.blobs.resource(),
                context,
                settings,
                upload.plan(tally),
                tally);
    }

    private Flux<TransferStep> plan(TransferTally tally) {
        Flux<LocalFile> files = FolderWalk.of(source).filter(file -> blobs.takes(file.name()));
        if (!listed) {
            return files.map(file -> step(file, null));
        }
        return Flux.defer(() -> {
            MirrorDeletions deletions =
                    new MirrorDeletions(context, blobs, settings, "uploadDirectory", tally, this::stays);
            return SortedMerge.of(files, LocalFile::name, blobs.mirrored(), ListedBlob::name)
                    .mapNotNull(both -> step(both, deletions))
                    .concatWith(deletions.rest());
        });
    }

    private @Nullable TransferStep step(Both<LocalFile, ListedBlob> both, MirrorDeletions deletions) {
        LocalFile file = both.source();
        ListedBlob blob = both.target();
        if (file != null) {
            return step(file, blob);
        }
        return blob == null || !settings.mirror() ? null : deletion(blob, deletions);
    }

    /** A blob that no file can have become has lost no file. */
    private @Nullable TransferStep deletion(ListedBlob blob, MirrorDeletions deletions) {
        String name = blob.name();
        try {
            Path unused = folder.of(name);
            return BlobFolder.marksFolder(blob) ? TransferStep.skipped(name, blobs.marker(blob)) : deletions.add(blob);
        } catch (IOException e) {
            return TransferStep.skipped(name, e);
        }
    }

    private TransferStep step(LocalFile file, @Nullable ListedBlob blob) {
        String name = file.name();
        if (file.error() != null) {
            if (settings.mirror()) {
                unread.add(name.endsWith("/") ? name.substring(0, name.length() - 1) : name);
            }
            return TransferStep.failed(
                    name, StreamFailure.of("read " + source.shown(file) + ": " + file.error(), file.error()));
        }
        if (file.kind() != FileKind.FILE) {
            return TransferStep.skipped(name, LocalFolder.notFollowed(source.path(file)));
        }
        try {
            String unused = blobs.checked(name);
        } catch (IllegalArgumentException e) {
            return TransferStep.failed(name, e);
        }
        if (blob == null) {
            return moving(file, () -> isNew(file));
        }
        return switch (settings.overwrite()) {
            case NEVER -> TransferStep.ended(name, Action.SKIPPED);
            case ALWAYS -> moving(file, () -> replaced(file, blob, ReplacedVersion.ANY));
            case IF_DIFFERENT -> different(file, blob);
        };
    }

    private static TransferStep moving(LocalFile file, Supplier<Mono<Item>> work) {
        return TransferStep.moving(file.name(), file.size(), work);
    }

    private TransferStep different(LocalFile file, ListedBlob blob) {
        ReplacedVersion version = ReplacedVersion.only(blob.etag());
        if (settings.comparesMd5() && blob.uncompressed().size() == file.size()) {
            return moving(file, () -> same(file, blob)
                    .flatMap(same -> same ? unchanged(file.name()) : replaced(file, blob, version)));
        }
        return !settings.comparesMd5() && same(blob, file)
                ? TransferStep.ended(file.name(), Action.UNCHANGED)
                : moving(file, () -> replaced(file, blob, version));
    }

    private Mono<Item> replaced(LocalFile file, ListedBlob blob, ReplacedVersion version) {
        return stays(file, blob, version)
                .map(why -> new Item(file.name(), Action.SKIPPED, 0, why))
                .switchIfEmpty(Mono.defer(() -> upload(file, version)));
    }

    /** Gives the reason why a blob is not replaced. The application's settings for it decide on one of another type. */
    private Mono<IOException> stays(LocalFile file, ListedBlob blob, ReplacedVersion version) {
        IOException why = blobs.irreplaceable(blob, version);
        return why != null || !blob.is(BlobTrait.OTHER_TYPE)
                ? Mono.justOrEmpty(why)
                : BlockingTask.call(() -> blobs.tooLong(
                        blob,
                        file.size(),
                        each.of(blobs.full(file.name()), null, version, file.modified())
                                .blockSize()));
    }

    /** A blob without the time of a file was written by another program: its own time reveals nothing about the file. */
    private static boolean same(ListedBlob blob, LocalFile file) {
        return blob.fromFile() && ContentComparison.sameTime(blob.uncompressed(), file.size(), file.modified());
    }

    private Mono<Boolean> same(LocalFile file, ListedBlob blob) {
        if (!settings.comparesMd5()) {
            return Mono.just(same(blob, file));
        }
        return onDisk(
                file,
                () -> ContentComparison.sameContent(
                        blob.uncompressed(),
                        file.size(),
                        () -> Channels.newInputStream(source.open(source.path(file)))));
    }

    /** The listing did not have it. */
    private Mono<Item> isNew(LocalFile file) {
        return listed
                ? names.againstNewBlob(file.name())
                        .map(why -> new Item(file.name(), Action.SKIPPED, 0, why))
                        .switchIfEmpty(Mono.defer(() -> made(file)))
                : made(file);
    }

    private Mono<Item> made(LocalFile file) {
        return switch (settings.overwrite()) {
            case ALWAYS -> upload(file, ReplacedVersion.ANY);
            case NEVER ->
                upload(file, ReplacedVersion.NONE)
                        .onErrorResume(Upload::isTaken, e -> Mono.just(new Item(file.name(), Action.SKIPPED, 0, null)));
            case IF_DIFFERENT ->
                upload(file, ReplacedVersion.NONE).onErrorResume(Upload::isTaken, e -> blobs.find(file.name())
                        .switchIfEmpty(Mono.error(e))
                        .flatMap(blob -> onceFound(file, blob, e)));
        };
    }

    /** Replaces no version that another client may have written since the listing, as none is replaced that changes in between. */
    private Mono<Item> onceFound(LocalFile file, ListedBlob blob, Throwable refusal) {
        ReplacedVersion version = ReplacedVersion.only(blob.etag());
        return same(file, blob).flatMap(same -> {
            if (same) {
                return unchanged(file.name());
            }
            return !blob.is(BlobTrait.WRITTEN_SINCE) || blobs.irreplaceable(blob, version) != null
                    ? replaced(file, blob, version)
                    : Mono.error(BlobFolder.writtenSince(refusal));
        });
    }

    private static Mono<Item> unchanged(String name) {
        return Mono.just(new Item(name, Action.UNCHANGED, 0, null));
    }

    /** The upload refuses a file that changes during its read. */
    private Mono<Item> upload(LocalFile file, ReplacedVersion version) {
        if (settings.dryRun()) {
            return Mono.just(new Item(file.name(), Action.TRANSFERRED, file.size(), null));
        }
        String name = blobs.full(file.name());
        return blobs.kept(file.name(), version)
                .flatMap(replaced -> Upload.fileLater(
                        context, name, source.path(file), source, modified -> each.of(name, null, replaced, modified)))
                .map(made -> new Item(file.name(), Action.TRANSFERRED, made.size(), null));
    }

    private Mono<IOException> stays(ListedBlob blob) {
        return Mono.justOrEmpty(belowUnread(blob.name()))
                .switchIfEmpty(BlockingTask.call(() -> source.stays(folder.of(blob.name()))))
                .switchIfEmpty(names.againstDeletedBlob(blob.name()));
    }

    private @Nullable IOException belowUnread(String name) {
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            String above = name.substring(0, slash);
            if (unread.contains(above)) {
                return new IOException(PrintableText.of(source.root() + ", " + above)
                        + " cannot be read: the file may still be there");
            }
        }
        return null;
    }

    private <T> Mono<T> onDisk(LocalFile file, DiskWork<T> work) {
        return DiskWork.later("upload " + source.path(file), work);
    }
}
