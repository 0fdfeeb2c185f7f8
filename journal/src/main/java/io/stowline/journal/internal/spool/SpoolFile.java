package io.stowline.journal.internal.spool;

import io.stowline.journal.JournalException;
import io.stowline.journal.internal.folder.Durability;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream of records in a file of a {@link Spool}: records are written and forced until the stream ends, then it is sealed, read, and
 * deleted or rejected.
 *
 * <ul>
 *   <li>A record that was written survives the process; one that was forced survives what the journal's records survive. The threads that
 *       force at the same time share one wait for the disk.
 *   <li>A record whose write or force fails is cut off again. After a failed force the file takes no record: of what the operating system
 *       had, nothing is known to be on the disk.
 *   <li>Once the journal is closed or given back every operation fails, and the file belongs to its next user.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class SpoolFile {

    static final Logger LOG = LoggerFactory.getLogger(SpoolFile.class);

    private final Spool spool;
    private final long number;
    private final byte[] head;
    private final FrameFile frames;
    private final boolean damaged;
    private final ReentrantLock lock = new ReentrantLock();
    private final FrameAppender appender;
    private byte @Nullable [] seal;
    private boolean ended;
    private boolean left;
    private boolean gone;

    private SpoolFile(
            Spool spool, long number, byte[] head, FrameFile frames, int records, long bytes, boolean damaged) {
        this.spool = spool;
        this.number = number;
        this.head = head;
        this.frames = frames;
        this.damaged = damaged;
        this.appender = new FrameAppender(spool, frames, lock, records, bytes);
    }

    static SpoolFile created(Spool spool, long number, byte[] head, FrameFile frames) {
        return new SpoolFile(spool, number, head, frames, 0, 0, false);
    }

    static SpoolFile found(Spool spool, long number, byte[] head, SpoolRecovery.FoundSpoolFile found) {
        SpoolScan scan = found.scan();
        SpoolFile file =
                new SpoolFile(spool, number, head, found.file(), scan.records(), scan.bytes(), scan.damagedAt() >= 0);
        file.seal = scan.seal();
        file.ended = true;
        return file;
    }

    /** Returns the bytes that were given at its creation. */
    public byte[] head() {
        return head.clone();
    }

    /** Returns the number of its records. */
    public int records() {
        return appender.records();
    }

    /** Returns the bytes of its records. */
    public long bytes() {
        return appender.bytes();
    }

    /** Returns whether it takes no further record, after an error of the disk that could not be undone. */
    public boolean isBroken() {
        lock.lock();
        try {
            return appender.failure() != null || frames.isUncut();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes a record behind those before it.
     *
     * @return a mark for {@link #force}
     * @throws JournalException if there is no room for it, the disk refuses, or the stream has ended; then it is not there
     */
    public long write(byte[] record) {
        lock.lock();
        try {
            refuseUnusable();
            if (ended) {
                throw spool.cannot("written", frames.name() + " has ended", null);
            }
            return appender.write(record);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the record of a mark survives what the journal's records survive.
     *
     * @throws JournalException if the disk refuses; then neither this record nor any later one is there
     */
    public void force(long mark) {
        if (spool.durability() == Durability.PROCESS) {
            return;
        }
        lock.lock();
        try {
            appender.force(mark);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the stream: forces what is not forced, or cuts it off. */
    public void end() {
        lock.lock();
        try {
            if (!ended && !left && !gone) {
                ended = true;
                appender.settle();
                frames.shrink();
                closeWhereCrowded();
            }
        } finally {
            lock.unlock();
        }
    }

    private void closeWhereCrowded() {
        if (spool.isCrowded()) {
            frames.close();
        }
    }

    /** Returns the last seal; null before the first one. */
    public byte @Nullable [] seal() {
        lock.lock();
        try {
            byte[] last = seal;
            return last == null ? null : last.clone();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the stream and writes a seal, which survives what the journal's records survive when this method returns.
     *
     * @throws JournalException if the disk refuses; then the seal before it counts
     * @throws DamagedSpoolException if the file is gone
     */
    public void seal(byte[] decided) {
        lock.lock();
        try {
            refuseUnusable();
            end();
            refuseGone();
            appendSeal(decided);
            seal = decided.clone();
        } catch (IOException e) {
            throw spool.cannot("written", Spool.why(e), e);
        } finally {
            closeWhereCrowded();
            lock.unlock();
        }
    }

    private void appendSeal(byte[] decided) throws IOException {
        try {
            append(FrameFormat.SEAL, decided);
        } catch (IOException e) {
            if (!spool.spendReserve()) {
                throw e;
            }
            append(FrameFormat.SEAL, decided);
            spool.fillReserve();
        }
    }

    /** Writes a frame that is on the disk when this method returns, or not there. */
    private void append(byte kind, byte[] payload) throws IOException {
        long before = frames.end();
        boolean written = false;
        try {
            frames.append(kind, payload);
            if (spool.durability() == Durability.MACHINE) {
                frames.sync(frames.opened());
            }
            written = true;
        } finally {
            if (!written && frames.end() > before) {
                frames.cutAt(before);
            }
        }
    }

    /**
     * Reads its records, one behind the other.
     *
     * @throws JournalException if the disk refuses
     * @throws DamagedSpoolException if the file is gone, or does not have all records that were written or found
     */
    public byte[] content() {
        lock.lock();
        try {
            refuseUnusable();
            refuseGone();
            byte[] content = new byte[Math.toIntExact(bytes())];
            int[] done = {0};
            SpoolScan scan = frames.read((reader, record) -> {
                if (record.length() <= content.length - done[0]) {
                    reader.copy(record, content, done[0]);
                    done[0] += record.length();
                }
            });
            if (scan.records() != records() || scan.bytes() != bytes()) {
                throw spool.damage(frames.name() + " was damaged while it was in use: " + scan.records() + " of "
                        + records() + " records can be read");
            }
            return content;
        } catch (EOFException e) {
            throw spool.damage(frames.name() + " was damaged while it was in use: " + Spool.why(e));
        } catch (IOException e) {
            throw spool.cannot("read", Spool.why(e), e);
        } finally {
            lock.unlock();
        }
    }

    private void refuseUnusable() {
        if (left || gone) {
            throw spool.cannot("used", left ? "it is closed or given back" : frames.name() + " is deleted", null);
        }
    }

    /** Reads and writes of an open file succeed even after its name was removed. */
    private void refuseGone() {
        if (!frames.isOpen() && !frames.isInPlace()) {
            throw spool.damage(
                    frames.name() + " was removed from " + spool.folder() + " or replaced while it was in use");
        }
    }

    /** Deletes the file. Where the disk refuses it is emptied, so that the next process finds no record in it. */
    public void delete() {
        lock.lock();
        try {
            if (!gone && !left) {
                finish();
                frames.close();
                if (!spool.remove(this, damaged ? SpoolNames.DAMAGED : null)) {
                    frames.cutAt(FrameFormat.PROLOGUE + FrameFormat.OVERHEAD + head.length);
                    frames.close();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Keeps the file beside the others, as one whose stream was refused for good.
     *
     * @param reason why, in one line
     */
    public void reject(String reason) {
        lock.lock();
        try {
            if (!gone && !left) {
                finish();
                note(reason);
                frames.close();
                boolean unused = spool.remove(this, SpoolNames.REJECTED);
            }
        } finally {
            lock.unlock();
        }
    }

    private void finish() {
        end();
        gone = true;
    }

    /** Without the reason the file is kept all the same. */
    private void note(String reason) {
        LOG.error(
                "journal {}: the {} records of {} were refused for good: {}",
                spool.folder(),
                records(),
                frames.name(),
                reason);
        try {
            if (frames.isInPlace()) {
                append(FrameFormat.REJECTION, RejectedFiles.note(reason));
            }
        } catch (IOException e) {
            LOG.warn("journal {}: the reason could not be written to {}", spool.folder(), frames.name(), e);
        }
    }

    /** Takes the file from its user; the one that is returned is for the next user, unless there is no record in it. */
    @Nullable
    SpoolFile leave() {
        lock.lock();
        try {
            end();
            if (!gone && records() == 0) {
                delete();
            }
            frames.close();
            left = true;
            if (gone) {
                return null;
            }
            SpoolFile next = new SpoolFile(spool, number, head, frames, records(), bytes(), damaged);
            next.seal = seal;
            next.ended = true;
            return next;
        } finally {
            lock.unlock();
        }
    }

    long number() {
        return number;
    }

    FrameFile frames() {
        return frames;
    }

    @Override
    public String toString() {
        return "SpoolFile[" + frames.path() + ", records=" + records() + ", bytes=" + bytes() + "]";
    }
}
