package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;

/** A process that lets the service copy one blob in blocks, to be killed while it does. */
final class CopyProcess {

    static final int BLOCK = 1_000;

    private CopyProcess() {}

    /** Takes the connection string, the container, the source and the target. */
    public static void main(String[] args) {
        try (Stowline storage = Stowline.connect(args[0])) {
            copy(storage.container(args[1]), args[2], args[3]);
        }
    }

    static void copy(BlobContainer container, String source, String target) {
        container.copyFrom(container, source, target, o -> o.blockSize(BLOCK).parallelism(2));
    }
}
