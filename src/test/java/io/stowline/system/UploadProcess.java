package io.stowline.system;

import io.stowline.Stowline;
import java.nio.file.Path;

/** A process that uploads one file, to be killed while it does. */
final class UploadProcess {

    private UploadProcess() {}

    /** Takes the connection string, the container, the file, the blob and the size of a block. */
    public static void main(String[] args) {
        try (Stowline storage = Stowline.connect(args[0])) {
            int blockSize = Integer.parseInt(args[4]);
            storage.container(args[1]).upload(Path.of(args[2]), args[3], with -> with.blockSize(blockSize));
        }
    }
}
