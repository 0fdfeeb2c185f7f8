package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.Transfer;
import java.nio.file.Path;

/** A process that uploads one folder and downloads another at the same time, to be killed while it does. */
final class DirectoryProcess {

    private DirectoryProcess() {}

    /** Takes the connection string, the container, the folder to upload and the one to download to. */
    public static void main(String[] args) {
        try (Stowline storage = Stowline.connect(args[0])) {
            BlobContainer container = storage.container(args[1]);
            Transfer up =
                    container.uploadDirectory(Path.of(args[2]), "up/", with -> with.overwrite(Overwrite.IF_DIFFERENT));
            Transfer down = container.downloadDirectory(
                    "down/", Path.of(args[3]), with -> with.overwrite(Overwrite.IF_DIFFERENT));
            up.join();
            down.join();
        }
    }
}
