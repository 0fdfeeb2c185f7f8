package io.stowline.system;

import io.stowline.Stowline;
import java.nio.file.Path;

/** A process that uploads one file, to be killed while it does. */
final class UploadProcess {

    private UploadProcess() {}

    /** Takes the connection string, the container, the file, the blob, the size of a block and whether content is compressed. */
    public static void main(String[] args) {
        try (Stowline storage = Stowline.connect(args[0])) {
            int blockSize = Integer.parseInt(args[4]);
            boolean gzip = Boolean.parseBoolean(args[5]);
            storage.container(args[1])
                    .upload(
                            Path.of(args[2]),
                            args[3],
                            with -> gzip ? with.blockSize(blockSize).gzip() : with.blockSize(blockSize));
        }
    }
}
