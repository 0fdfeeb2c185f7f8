package io.stowline.blob.internal.directory;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask.StreamFailure;
import io.stowline.blob.internal.directory.EquivalentNames.EquivalentFile;
import io.stowline.blob.internal.directory.SortedMerge.Both;
import io.stowline.blob.internal.file.AtomicFile.FileModes;
import io.stowline.blob.internal.file.DownloadTo;
import io.stowline.blob.internal.file.DownloadTo.KnownTarget;
import io.stowline.blob.internal.file.UnfinishedFiles.StateFolders;
import io.stowline.blob.internal.folder.FileDeletions;
import io.stowline.blob.internal.folder.FolderTarget;
import io.stowline.blob.internal.folder.FolderWalk;
import io.stowline.blob.internal.folder.LocalFile;
import io.stowline.blob.internal.folder.LocalFile.FileKind;
import io.stowline.blob.internal.folder.LocalFolder;
import io.stowline.blob.internal.folder.TimeResolution;
import io.stowline.blob.internal.operations.ListedBlob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A planner of the transfer that downloads the blobs below a prefix to a folder. Files get the times of their blobs, by which a later download knows them. Thread-safe. */
public final class DirectoryDownload {

    private final BlobContext context;
    private final BlobFolder blobs;
    private final FolderTarget folder;
    private final LocalFolder present;
    private final EquivalentNames names;
    private final DirectorySettings settings;
    private final FileModes modes = new FileModes();
    private final StateFolders states = new StateFolders();

    private final UnfinishedDownloads unfinished;

    /**
     * Keyed by the name of a file that stands where blobs need a folder; true if the mirror of a dry run would delete
     * it.
     */
    private final Map<String, Mono<Boolean>> inTheWay = new ConcurrentHashMap<>();

    private DirectoryDownload(BlobContext context, String prefix, Path folder, DirectorySettings settings) {
        this.context = context;
        this.blobs = new BlobFolder(context, prefix, settings);
        this.folder = new FolderTarget(Objects.requireNonNull(folder, "directory"));
        this.present = new LocalFolder(this.folder.root());
        this.names = new EquivalentNames(blobs, present);
        this.settings = settings;
        this.unfinished = new UnfinishedDownloads(context, blobs, this.folder, settings);
    }

    /**
     * Returns a download that has not begun.
     *
     * @param prefix what the names of the blobs begin with
     * @param folder the target, made if it is missing
     */
    public static DirectoryTransfer of(BlobContext context, String prefix, Path folder, DirectorySettings settings) {
        DirectoryDownload download = new DirectoryDownload(context, prefix, folder, settings);
        return new DirectoryTransfer(
                "downloadDirectory " + download.blobs.resource() + " to " + folder,
                context,
                settings,
                download.plan(),
                settings.removesUnfinished() ? download.unfinished.steps() : Flux.empty(),
                new TransferTally());
    }

    private Flux<TransferStep> plan() {
        Mono<Boolean> prepared = folder.onDisk(() -> {
            if (!settings.dryRun()) {
                folder.make();
            } else if (Files.exists(folder.root()) && !Files.isDirectory(folder.root())) {
                throw new NotDirectoryException(folder.root().toString());
            }
            return Files.isDirectory(folder.root());
        });
        FileDeletions deletions = new FileDeletions();
        FolderClashes clashes = new FolderClashes(this::hasFile, blobs::givesWay);
        Flux<ListedBlob> listed = blobs.blobs()
                .doOnNext(blob -> {
                    if (!BlobFolder.marksFolder(blob)) {
                        clashes.listed(blob.name());
                    }
                })
                .doOnComplete(clashes::ended);
        return prepared.flatMapMany(there -> settings.mirror() && there
                        ? SortedMerge.of(
                                        listed,
                                        ListedBlob::name,
                                        FolderWalk.of(present).filter(file -> blobs.takes(file.name())),
                                        LocalFile::name)
                                .concatMapIterable(both -> steps(both, deletions, clashes), 1)
                        : listed.concatMapIterable(blob -> steps(blob, deletions, clashes), 1))
                .concatWith(Flux.defer(() -> Flux.fromIterable(clashes.rest())));
    }

    private boolean hasFile(String name) {
        try {
            Path unused = folder.of(name);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private List<TransferStep> steps(Both<ListedBlob, LocalFile> both, FileDeletions deletions, FolderClashes clashes) {
        ListedBlob blob = both.source();
        LocalFile file = both.target();
        if (blob == null) {
            return file == null ? List.of() : clashes.next(null, deletion(file, deletions, blobs.has(file.name())));
        }
        return file != null && file.kind() == FileKind.FILE && BlobFolder.marksFolder(blob)
                ? clashes.next(null, deletion(file, deletions, blobs.hasContent(file.name())))
                : steps(blob, deletions, clashes);
    }

    private List<TransferStep> steps(ListedBlob blob, FileDeletions deletions, FolderClashes clashes) {
        String name = blob.name();
        if (BlobFolder.marksFolder(blob)) {
            return clashes.next(null, TransferStep.skipped(name, blobs.marker(blob)));
        }
        List<Mono<Void>> above = deletions.above(name);
        return clashes.next(
                name,
                TransferStep.moving(name, blobs.unreadable(blob) == null ? blob.expected() : 0, () -> Flux.concat(above)
                        .then(Mono.defer(() -> settings.dryRun() && settings.mirror()
                                ? makesRoom(name).flatMap(missing -> download(blob, missing))
                                : download(blob, false)))));
    }

    /** A dry run leaves a file there that the mirror would delete. */
    private Mono<Boolean> makesRoom(String name) {
        return folder.onDisk(() -> Optional.ofNullable(folder.inTheWay(folder.of(name))))
                .flatMap(file -> file.isEmpty()
                        ? Mono.just(false)
                        : inTheWay.computeIfAbsent(folder.name(file.get()), this::isDeleted));
    }

    private Mono<Boolean> isDeleted(String file) {
        try {
            return blobs.takes(file)
                    ? stays(blobs.below(blobs.checked(file)), blobs.hasContent(file))
                            .hasElement()
                            .map(stays -> !stays)
                            .cache()
                    : Mono.just(false);
        } catch (IllegalArgumentException e) {
            return Mono.just(false);
        }
    }

    /**
     * Returns the download of one blob.
     *
     * @param missing whether its file is certain not to be there, whatever the disk has
     */
    private Mono<Item> download(ListedBlob blob, boolean missing) {
        String name = blob.name();
        return Mono.usingWhen(
                folder.onDisk(() -> claimed(name, blob, missing)),
                claimed -> fetched(name, claimed, blob),
                claimed -> Mono.fromRunnable(() -> folder.release(name)));
    }

    /**
     * A file that is this blob's, and what is to become of it.
     *
     * @param real the file with all links followed, or where it is to be
     * @param equivalent a file of an equivalent name, if this one is to be written
     */
    private record Claim(
            Path path, Path real, Action action, @Nullable EquivalentFile equivalent) {}

    /** Does all work on the disk before the request. */
    private Claim claimed(String name, ListedBlob blob, boolean missing) throws IOException {
        Path path = folder.of(name);
        folder.claim(name);
        boolean decided = false;
        try {
            BasicFileAttributes there = missing ? null : folder.attributes(name, path, !settings.dryRun());
            Action action = there == null ? Action.TRANSFERRED : action(path, there, blob);
            if (settings.dryRun() && settings.removesUnfinished() && action == Action.TRANSFERRED) {
                unfinished.noteInUse(there == null ? path : path.toRealPath(), blob);
            }
            EquivalentFile equivalent = action == Action.TRANSFERRED ? names.file(name) : null;
            decided = true;
            return new Claim(path, there == null ? path : folder.real(path), action, equivalent);
        } finally {
            if (!decided) {
                folder.release(name);
            }
        }
    }

    private Action action(Path path, BasicFileAttributes there, ListedBlob blob) throws IOException {
        return switch (settings.overwrite()) {
            case NEVER -> Action.SKIPPED;
            case ALWAYS -> Action.TRANSFERRED;
            case IF_DIFFERENT -> same(path, there, blob) ? Action.UNCHANGED : Action.TRANSFERRED;
        };
    }

    private boolean same(Path path, BasicFileAttributes there, ListedBlob blob) throws IOException {
        ListedBlob content = settings.asStored() ? blob : blob.uncompressed();
        boolean foreign = !settings.asStored()
                && blob.encoding().gzip()
                && blob.encoding().original() == null;
        Instant modified = there.lastModifiedTime().toInstant();
        if (settings.comparesMd5()) {
            return !foreign && ContentComparison.sameContent(content, there.size(), () -> Files.newInputStream(path));
        }
        return foreign
                ? ContentComparison.sameTimeOnly(blob, modified, folder.times())
                : ContentComparison.sameTime(content, there.size(), modified, folder.times());
    }

    private Mono<Item> fetched(String name, Claim claim, ListedBlob blob) {
        if (claim.action != Action.TRANSFERRED) {
            return Mono.just(new Item(name, claim.action, 0, null));
        }
        IOException why = blobs.unreadable(blob);
        if (why != null) {
            return settings.failsUnreadable() ? Mono.error(why) : Mono.just(new Item(name, Action.SKIPPED, 0, why));
        }
        Mono<Item> written = Mono.defer(() -> written(name, claim, blob));
        return claim.equivalent == null
                ? written
                : names.againstWrittenFile(claim.equivalent)
                        .map(stays -> new Item(name, Action.SKIPPED, 0, stays))
                        .switchIfEmpty(written);
    }

    private Mono<Item> written(String name, Claim claim, ListedBlob blob) {
        if (settings.dryRun()) {
            return Mono.just(new Item(name, Action.TRANSFERRED, blob.expected(), null));
        }
        DownloadSettings.Builder download =
                DownloadSettings.builder().maxExpansion(settings.maxRatio(), settings.maxExpanded());
        return new DownloadTo(context, blobs.full(name), (settings.asStored() ? download.asStored() : download).build())
                .fileLater(
                        claim.path,
                        new KnownTarget(
                                claim.real,
                                () -> folder.refuseMoved(name, claim.path),
                                blob.size(),
                                modes,
                                states,
                                read -> TimeResolution.storable(blob.timeOf(read))))
                .map(read -> new Item(name, Action.TRANSFERRED, read.size(), null));
    }

    /**
     * Deletes a file whose blob is certain not to be there. Links and files with a name that no blob could have are
     * left alone, and a file that is gone before does not count.
     *
     * @param has whether the service has its blob now
     */
    private TransferStep deletion(LocalFile file, FileDeletions deletions, Mono<Boolean> has) {
        String name = file.name();
        if (file.error() != null) {
            return TransferStep.failed(
                    name, StreamFailure.of("read " + present.shown(file) + ": " + file.error(), file.error()));
        }
        if (file.kind() != FileKind.FILE) {
            return TransferStep.skipped(name, LocalFolder.notFollowed(present.path(file)));
        }
        try {
            String unused = blobs.checked(name);
        } catch (IllegalArgumentException e) {
            return TransferStep.skipped(name, e);
        }
        Mono<Item> deletion = deletions.add(
                name,
                stays(name, has)
                        .map(why -> new Item(name, Action.SKIPPED, 0, why))
                        .switchIfEmpty(folder.onDisk(() -> settings.dryRun() || present.delete(file))
                                .filter(deleted -> deleted)
                                .map(deleted -> new Item(name, Action.DELETED, 0, null))));
        return TransferStep.still(name, () -> deletion);
    }

    /** Gives the reason why a file is not deleted. */
    private Mono<IOException> stays(String name, Mono<Boolean> has) {
        return has.flatMap(there -> there ? Mono.just(blobs.thereAgain(name)) : names.againstDeletedFile(name));
    }
}
