package io.stowline.journal.internal.store;

import io.stowline.journal.JournalException;
import io.stowline.journal.internal.folder.JournalBudget;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/** The records that are not done, with their bytes. Thread-safe. */
final class OpenRecords {

    private final JournalBudget budget;
    private final ConcurrentMap<Long, Integer> sizes = new ConcurrentHashMap<>();
    private final Set<Long> aside = ConcurrentHashMap.newKeySet();
    private long bytes;
    private long last;

    OpenRecords(JournalBudget budget) {
        this.budget = budget;
    }

    /** Adds a record that was there when the journal was opened. */
    synchronized void found(long id, int size) {
        sizes.put(id, size);
        bytes += size;
        budget.found(size);
        last = Math.max(last, id);
    }

    /** Gives a record the next id and hands it on, one at a time, so that they come in the order of their ids. */
    synchronized void append(byte[] record, boolean setAside, LongConsumer numbered) {
        budget.take(record.length);
        last++;
        if (setAside) {
            aside.add(last);
        }
        sizes.put(last, record.length);
        bytes += record.length;
        try {
            numbered.accept(last);
        } catch (JournalException refused) {
            done(last);
            throw refused;
        }
    }

    /** Counts a record that is not done no longer among those for which there is something to do. */
    void setAside(long id) {
        aside.add(id);
        if (!sizes.containsKey(id)) {
            aside.remove(id);
        }
    }

    /** Removes a record; false when it was done before. */
    boolean done(long id) {
        Integer size = sizes.remove(id);
        if (size == null) {
            return false;
        }
        aside.remove(id);
        budget.give(size);
        synchronized (this) {
            bytes -= size;
        }
        return true;
    }

    LongStream ids() {
        return sizes.keySet().stream().mapToLong(Long::longValue).sorted();
    }

    int records() {
        return Math.max(0, sizes.size() - aside.size());
    }

    synchronized long bytes() {
        return bytes;
    }
}
