package io.stowline.journal.internal.spool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A file that gives its room to a seal when the disk is full: without the seal the stream that fills the disk could not leave it. Made again
 * with a later stream. Guarded by the spool.
 */
final class SealReserve {

    private static final String NAME = "spool.reserve";
    private static final int BYTES = 64 * 1024;
    private static final int LEAST = 4 * 1024;

    private final SpoolDisk disk;
    private final Path file;
    private boolean there;

    SealReserve(Path folder, SpoolDisk disk) {
        this.disk = disk;
        this.file = folder.resolve(NAME);
    }

    /** Makes the file where it is missing or small, of the room that there is; a disk without any has none. */
    void fill() {
        int bytes = BYTES;
        while (!there && bytes >= LEAST) {
            if (make(bytes)) {
                there = bytes == BYTES;
                return;
            }
            bytes /= 2;
        }
    }

    /** Makes the file of what its last use has left, before records take that. */
    void fillAgain() {
        if (!Files.exists(file)) {
            fill();
        }
    }

    private boolean make(int size) {
        try {
            Files.deleteIfExists(file);
            try (SpoolDisk.OpenFile open = disk.create(file)) {
                byte[] bytes = new byte[size];
                Arrays.fill(bytes, (byte) 'x');
                open.write(0, bytes, size);
            }
            return true;
        } catch (IOException full) {
            spend();
            return false;
        }
    }

    /** Gives the room away; false if there was none. */
    boolean spend() {
        there = false;
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            return false;
        }
    }
}
