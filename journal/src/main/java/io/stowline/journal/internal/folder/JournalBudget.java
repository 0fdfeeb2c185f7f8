package io.stowline.journal.internal.folder;

import io.stowline.journal.JournalException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes of a journal that are not done, of operations and of streams together, within {@code maxBytes}. Thread-safe. */
public final class JournalBudget {

    private final Path folder;
    private final long max;
    private final AtomicLong bytes = new AtomicLong();

    /** Creates the budget of a folder. */
    public JournalBudget(Path folder, long max) {
        this.folder = folder;
        this.max = max;
    }

    /**
     * Takes room for a record.
     *
     * @throws JournalException if there is none
     */
    public void take(int length) {
        long before;
        do {
            before = bytes.get();
            if (before + length > max) {
                throw new JournalException(
                        "the journal " + folder + " is full: " + before + " bytes are not done, and a" + " record of "
                                + length + " bytes does not fit in maxBytes, " + max);
            }
        } while (!bytes.compareAndSet(before, before + length));
    }

    /** Adds what was there when the journal was opened, also beyond the limit. */
    public void found(long length) {
        bytes.addAndGet(length);
    }

    /** Gives room back. */
    public void give(long length) {
        bytes.addAndGet(-length);
    }

    /** Returns the bytes that are not done. */
    public long bytes() {
        return bytes.get();
    }
}
