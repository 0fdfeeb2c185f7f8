package io.stowline.caching.internal.disk;

import org.jspecify.annotations.Nullable;

/** A file that the tier counts. Guarded by its {@link DiskIndex}. */
final class DiskNode {

    final String key;
    DiskName name;
    long bytes;
    int readers;
    boolean leaving;
    boolean deleted;

    /** The newer head of an entry. */
    @Nullable
    DiskNode head;

    DiskNode(String key, DiskName name, long bytes) {
        this.key = key;
        this.name = name;
        this.bytes = bytes;
    }
}
