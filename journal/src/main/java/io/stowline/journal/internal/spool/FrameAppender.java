package io.stowline.journal.internal.spool;

import io.stowline.journal.internal.folder.Durability;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The records of one stream that are written and forced. The threads that wait for the disk share its confirmations (group commit): one of
 * them waits for all that was written so far, without the lock. Guarded by the lock of the stream, but for the numbers.
 */
final class FrameAppender {

    private final Spool spool;
    private final FrameFile frames;
    private final ReentrantLock lock;
    private final Condition settled;
    private final PresenceCheck place;
    private volatile int records;
    private volatile long bytes;
    private Extent forced;
    private boolean forcing;
    private @Nullable Throwable failure;

    /** The part of the file that the disk has confirmed. */
    private record Extent(long end, int records, long bytes) {}

    FrameAppender(Spool spool, FrameFile frames, ReentrantLock lock, int records, long bytes) {
        this.spool = spool;
        this.frames = frames;
        this.lock = lock;
        this.settled = lock.newCondition();
        this.place = new PresenceCheck(spool, frames);
        this.records = records;
        this.bytes = bytes;
        this.forced = new Extent(frames.end(), records, bytes);
    }

    int records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    /** Returns the error of a failed force, after which nothing more is written; null before. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Writes a record, and returns the mark up to which it is forced. */
    long write(byte[] record) {
        refuseAfterFailure();
        place.require();
        spool.budget().take(record.length);
        boolean written = false;
        try {
            frames.append(FrameFormat.RECORD, record);
            written = true;
        } catch (IOException e) {
            throw spool.cannot("written", Spool.why(e), e);
        } finally {
            if (!written) {
                spool.budget().give(record.length);
            }
        }
        count(records + 1, bytes + record.length);
        return records;
    }

    private void refuseAfterFailure() {
        Throwable broken = failure;
        if (broken != null) {
            throw spool.cannot("written", Spool.why(broken), broken);
        }
    }

    private void count(int newRecords, long newBytes) {
        records = newRecords;
        bytes = newBytes;
    }

    /** Waits until the disk has confirmed the record of a mark. */
    void force(long mark) {
        forceTo(mark);
        if (forced.records() < mark) {
            refuseAfterFailure();
        }
    }

    /** Forces what is not forced, or gives it up, and waits for the end of it. */
    void settle() {
        if (spool.durability() == Durability.MACHINE) {
            forceTo(records);
        }
        while (forcing) {
            settled.awaitUninterruptibly();
        }
    }

    private void forceTo(long mark) {
        while (forced.records() < mark && failure == null) {
            if (forcing) {
                settled.awaitUninterruptibly();
            } else {
                sync();
            }
        }
    }

    private void sync() {
        Extent target = new Extent(frames.end(), records, bytes);
        Throwable failed = null;
        forcing = true;
        try {
            confirm();
        } catch (IOException | RuntimeException | Error e) {
            failed = e;
        }
        forcing = false;
        if (failed == null) {
            forced = target;
        } else {
            giveUpUnforced(failed);
        }
        settled.signalAll();
    }

    private void confirm() throws IOException {
        SpoolDisk.OpenFile file = frames.opened();
        lock.unlock();
        try {
            frames.sync(file);
        } finally {
            lock.lock();
        }
        place.check();
    }

    /** After a failed force the disk has some of the records, others, or none, and no later force reveals which. */
    private void giveUpUnforced(Throwable failed) {
        SpoolFile.LOG.error(
                "journal {}: {} records of {} could not be forced",
                spool.folder(),
                records - forced.records(),
                frames.name(),
                failed);
        failure = failed;
        spool.budget().give(bytes - forced.bytes());
        count(forced.records(), forced.bytes());
        frames.cutAt(forced.end());
    }
}
