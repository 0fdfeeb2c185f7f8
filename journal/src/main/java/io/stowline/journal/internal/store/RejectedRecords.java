package io.stowline.journal.internal.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records that were refused for good. Bounded: the oldest give way, which is logged and counted. Guarded by the
 * store.
 */
final class RejectedRecords {

    static final int MAX_RECORDS = 10_000;
    static final long MAX_BYTES = 64 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(RejectedRecords.class);

    private final Path folder;
    private final TreeMap<Long, Integer> sizes = new TreeMap<>();
    private final List<Long> leaving = new ArrayList<>();
    private long bytes;
    private long dropped;

    RejectedRecords(Path folder) {
        this.folder = folder;
    }

    /** Adds the rejected records of an opened file; those on their way out are dropped again. */
    void found(JournalFile generation) {
        generation.forEachRejected((framed, id) -> {
            if (!sizes.containsKey(id) && !leaving.contains(id)) {
                put(id, ChecksummedRecord.length(framed));
            }
        });
    }

    void add(long id, int size) {
        if (!sizes.containsKey(id)) {
            put(id, size);
        }
        while (sizes.size() > MAX_RECORDS || bytes > MAX_BYTES) {
            long oldest = sizes.firstKey();
            LOG.warn(
                    "journal {}: the rejected record {} gives way to newer ones; at most {} records of {} bytes are"
                            + " kept",
                    folder,
                    oldest,
                    MAX_RECORDS,
                    MAX_BYTES);
            discard(oldest);
            dropped++;
        }
    }

    private void put(long id, int size) {
        sizes.put(id, size);
        bytes += size;
    }

    void discard(long id) {
        Integer size = sizes.remove(id);
        if (size != null) {
            bytes -= size;
            leaving.add(id);
        }
    }

    boolean holds(long id) {
        return sizes.containsKey(id);
    }

    int records() {
        return sizes.size();
    }

    long dropped() {
        return dropped;
    }

    /** Takes from a file what has left; where its commit fails the file is given up, and this is done once more in the next. */
    void make(JournalFile current) {
        leaving.forEach(current::removeRejected);
    }

    /** Confirms that the commit is on disk. */
    void made() {
        leaving.clear();
    }
}
