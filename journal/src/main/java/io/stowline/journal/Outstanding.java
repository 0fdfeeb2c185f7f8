package io.stowline.journal;

import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/** Which records are not done, and how many bytes they have. Thread-safe. */
final class Outstanding {

    private final Path folder;
    private final long most;
    private final ConcurrentMap<Long, Integer> sizes = new ConcurrentHashMap<>();
    private long bytes;
    private long last;

    Outstanding(Path folder, long most) {
        this.folder = folder;
        this.most = most;
    }

    /** A record that was there when the journal was opened. */
    synchronized void found(long id, int size) {
        sizes.put(id, size);
        bytes += size;
        last = Math.max(last, id);
    }

    /** Gives a record the next id and hands it on, one at a time, so that they come in the order of their ids. */
    synchronized void append(byte[] record, LongConsumer numbered) {
        if (bytes + record.length > most) {
            throw new JournalException("the journal " + folder + " is full: " + bytes + " bytes in " + sizes.size()
                    + " records are not done, and a record of " + record.length + " bytes does not fit in maxBytes, "
                    + most);
        }
        last++;
        sizes.put(last, record.length);
        bytes += record.length;
        try {
            numbered.accept(last);
        } catch (JournalException refused) {
            done(last);
            throw refused;
        }
    }

    /** False when it was done before. */
    boolean done(long id) {
        Integer size = sizes.remove(id);
        if (size == null) {
            return false;
        }
        synchronized (this) {
            bytes -= size;
        }
        return true;
    }

    LongStream ids() {
        return sizes.keySet().stream().mapToLong(Long::longValue).sorted();
    }

    int records() {
        return sizes.size();
    }

    synchronized long bytes() {
        return bytes;
    }
}
