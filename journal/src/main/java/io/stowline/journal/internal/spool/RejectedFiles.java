package io.stowline.journal.internal.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of streams that were refused for good. Bounded in bytes: the oldest give way, which is logged and counted; the newest one stays
 * however long it is. Guarded by the spool.
 */
final class RejectedFiles {

    static final long MAX_BYTES = 64 * 1024 * 1024;
    private static final int MAX_OF_THE_REASON = 4_000;

    private static final Logger LOG = LoggerFactory.getLogger(RejectedFiles.class);

    private final Path folder;
    private final SpoolDisk disk;
    private final TreeMap<Long, Rejected> files = new TreeMap<>();
    private long bytes;
    private long dropped;

    RejectedFiles(Path folder, SpoolDisk disk) {
        this.folder = folder;
        this.disk = disk;
    }

    private record Rejected(Path file, int records, long bytes) {}

    /** Returns the payload of a rejection: its time and its reason. */
    static byte[] note(String reason) {
        byte[] why = reason.substring(0, Math.min(reason.length(), MAX_OF_THE_REASON))
                .getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + why.length)
                .putLong(System.currentTimeMillis())
                .put(why)
                .array();
    }

    /** Adds a file, and lets the oldest give way where there are too many bytes. */
    void add(long number, Path file, int records, long length) {
        files.put(number, new Rejected(file, records, length));
        bytes += length;
        while (bytes > MAX_BYTES && files.size() > 1) {
            Map.Entry<Long, Rejected> oldest = files.pollFirstEntry();
            drop(oldest.getValue());
        }
    }

    private void drop(Rejected oldest) {
        bytes -= oldest.bytes();
        dropped += oldest.records();
        LOG.warn(
                "journal {}: {} with {} rejected records gives way to newer ones; at most {} bytes are kept",
                folder,
                oldest.file().getFileName(),
                oldest.records(),
                MAX_BYTES);
        try {
            disk.delete(oldest.file());
        } catch (IOException e) {
            LOG.warn(
                    "journal {}: {} could not be deleted", folder, oldest.file().getFileName(), e);
        }
    }

    int records() {
        // Files that their reader has removed are not counted any longer.
        files.values().removeIf(this::isRemoved);
        return files.values().stream().mapToInt(Rejected::records).sum();
    }

    private boolean isRemoved(Rejected file) {
        boolean removed = !Files.exists(file.file());
        bytes -= removed ? file.bytes() : 0;
        return removed;
    }

    long dropped() {
        return dropped;
    }
}
