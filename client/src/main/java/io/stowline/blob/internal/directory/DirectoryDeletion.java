package io.stowline.blob.internal.directory;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.operations.ListedBlob;

/** Deletes the blobs below a prefix. Stateless. */
public final class DirectoryDeletion {

    private DirectoryDeletion() {}

    /**
     * A deletion that has not begun.
     *
     * @param prefix what the names of the blobs begin with
     * @throws IllegalArgumentException if the prefix is empty and no pattern says that all blobs are meant, or if it is to mirror something
     */
    public static DirectoryTransfer of(BlobContext scope, String prefix, DirectorySettings settings) {
        BlobFolder blobs = new BlobFolder(scope, prefix, settings);
        if (prefix.isEmpty() && settings.includes().isEmpty()) {
            throw new IllegalArgumentException("deleteDirectory(\"\") would delete every blob of the container "
                    + scope.name() + "; with include(\"**\") it does");
        }
        if (settings.mirror()) {
            throw new IllegalArgumentException("a deletion mirrors nothing");
        }
        return new DirectoryTransfer(
                "deleteDirectory " + blobs.resource(),
                scope,
                settings,
                blobs.blobs().map(blob -> step(blobs, blob, settings)));
    }

    private static TransferStep step(BlobFolder blobs, ListedBlob blob, DirectorySettings settings) {
        return settings.dryRun() ? TransferStep.ended(blobs.below(blob), Action.DELETED) : blobs.delete(blob);
    }
}
