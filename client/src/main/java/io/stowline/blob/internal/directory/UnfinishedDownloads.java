package io.stowline.blob.internal.directory;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.file.UnfinishedFiles;
import io.stowline.blob.internal.file.UnfinishedFiles.FoundFile;
import io.stowline.blob.internal.file.UnfinishedFiles.TransferReach;
import io.stowline.blob.internal.folder.FolderTarget;
import io.stowline.blob.internal.operations.ListedBlob;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;

/** The files that killed downloads have left in a folder, as the next download of the directory removes them. Thread-safe. */
final class UnfinishedDownloads {

    private final BlobContext context;
    private final BlobFolder blobs;
    private final FolderTarget folder;
    private final DirectorySettings settings;

    /** The file names of the states that the downloads of a dry run would use. */
    private final Set<String> inUse = ConcurrentHashMap.newKeySet();

    UnfinishedDownloads(BlobContext context, BlobFolder blobs, FolderTarget folder, DirectorySettings settings) {
        this.context = context;
        this.blobs = blobs;
        this.folder = folder;
        this.settings = settings;
    }

    /** Notes the state that the download of a blob would use: a dry run leaves it in place. */
    void noteInUse(Path target, ListedBlob blob) {
        Path state = UnfinishedFiles.state(target, context.identity(blobs.full(blob.name())));
        if (Files.exists(state, LinkOption.NOFOLLOW_LINKS)) {
            inUse.add(state.getFileName().toString());
        }
    }

    /** Returns their removals: of those whose blobs the download has gone through, and of old ones. */
    Flux<TransferStep> steps() {
        return Flux.defer(() -> {
            UnfinishedFiles files = new UnfinishedFiles(
                    new Reach(),
                    inUse::contains,
                    Instant.ofEpochMilli(context.service().timer().now(TimeUnit.MILLISECONDS)));
            return folder.onDisk(() -> files.below(folder.root()))
                    .flatMapIterable(found -> found)
                    .map(one -> removal(files, one));
        });
    }

    private TransferStep removal(UnfinishedFiles files, FoundFile found) {
        Path file = found.path();
        String name = folder.name(file);
        if (found.error() != null) {
            return TransferStep.skipped(name, found.error());
        }
        return TransferStep.still(name, () -> folder.onDisk(() -> files.remove(file, settings.dryRun()))
                .filter(removed -> removed)
                .map(removed -> new Item(name, Action.DELETED, 0, null)));
    }

    /** The blobs below the prefix and the files below the folder, as far as the patterns let them take part. */
    private final class Reach implements TransferReach {

        private final String identity = blobs.identity();

        @Override
        public boolean lies(String blob) {
            return blob.startsWith(identity);
        }

        @Override
        public boolean takesBlob(String blob) {
            return blobs.takes(blob.substring(identity.length()));
        }

        @Override
        public boolean takesFile(Path file) {
            return blobs.takes(folder.name(file));
        }
    }
}
