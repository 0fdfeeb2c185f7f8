package io.stowline.journal.internal.store;

import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.folder.JournalFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of a folder, on disk (decision 33). A commit that fails leaves nothing behind: the store is opened again for the next one, which first
 * takes back what the failed one may have written. Once its file is no longer in the folder it writes nothing more. Safe for use by many
 * threads.
 */
final class RecordStore implements AutoCloseable {

    /** The size, in bytes, from which a file gives way to a new one once it has twice the bytes of the open records. */
    static final long ROTATE_AT = 64 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(RecordStore.class);
    private static final int RECORDS_A_COMMIT = 1_000;

    private final Path folder;
    private final JournalFolderLock owner;
    private final String scheme;
    private final Durability durability;
    private final long rotateAt;
    private final List<String> damage = new ArrayList<>();
    private final List<Long> unwanted = new ArrayList<>();
    private final Map<Long, byte[]> rejections = new LinkedHashMap<>();
    private final RejectedRecords rejected;
    private @Nullable JournalFile generation;

    /** The last file that was opened, which contains every acknowledged record. */
    private @Nullable JournalFile latest;

    private @Nullable String lost;
    private long rotateFrom;
    private boolean closed;

    RecordStore(Path folder, JournalFolderLock owner, String scheme, Durability durability, long rotateAt) {
        this.folder = folder;
        this.owner = owner;
        this.scheme = scheme;
        this.durability = durability;
        this.rotateAt = rotateAt;
        this.rotateFrom = rotateAt;
        this.rejected = new RejectedRecords(folder);
    }

    /** The end of a record that is no longer outstanding. */
    record Ended(long id, @Nullable String rejection) {}

    /** A record and its id. */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Numbered(long id, byte[] record) {}

    synchronized List<String> damage() {
        return List.copyOf(damage);
    }

    /** Shows all records that are intact, in the order of their ids. */
    synchronized void forEach(ObjLongConsumer<byte[]> each) throws IOException {
        generation().forEach(each);
    }

    synchronized byte @Nullable [] read(long id) throws IOException {
        byte[] framed = generation().get(id);
        return framed == null ? null : ChecksummedRecord.read(id, framed);
    }

    /** Gives the records to whom they are for, the first time; what they were given to. */
    synchronized String dedicate(String purpose) throws IOException {
        JournalFile current = generation();
        String before = current.purpose();
        if (before == null) {
            current.dedicate(purpose);
            return purpose;
        }
        return before;
    }

    /**
     * Writes records and forgets others, in one commit.
     *
     * @param ended what is forgotten, or goes to the rejected ones
     * @param live how many bytes are not done
     */
    synchronized void commit(List<Numbered> added, List<Ended> ended, long live) throws IOException {
        ended.forEach(each -> unwanted.add(each.id()));
        refuseWhereLost();
        try {
            JournalFile current = generation();
            for (Numbered each : added) {
                current.put(each.id(), ChecksummedRecord.of(each.id(), each.record()));
            }
            for (Ended each : ended) {
                reject(current, each);
            }
            rejections.forEach(current::putRejected);
            unwanted.forEach(current::remove);
            rejected.make(current);
            current.commit(durability);
            unwanted.clear();
            rejections.clear();
            rejected.made();
        } catch (IOException | RuntimeException | Error e) {
            added.forEach(each -> unwanted.add(each.id()));
            abandon();
            throw e;
        }
        refuseWhereLost();
        JournalFile current = generation;
        if (current != null && current.size() > rotateFrom + 2 * live) {
            rotate(current);
        }
    }

    /** Notes a lost file before and after a commit: what is written to a file without a name is gone with the process. */
    private void refuseWhereLost() throws IOException {
        JournalFile current = latest;
        if (lost == null && current != null && !current.isInPlace()) {
            lost = current.file().getFileName() + " was removed from " + folder
                    + " or replaced while it was in use; what is not done is in the memory of this process only."
                    + " Close the journal, and open it again";
            damage.add(lost);
        }
        if (lost != null) {
            throw new IOException(lost);
        }
    }

    private void reject(JournalFile current, Ended ended) {
        byte[] framed = ended.rejection() == null ? null : current.get(ended.id());
        byte[] record = framed == null ? null : ChecksummedRecord.read(ended.id(), framed);
        if (record != null && ended.rejection() != null) {
            byte[] rejection = RejectionRecord.of(Instant.now(), ended.rejection(), record);
            rejections.put(ended.id(), ChecksummedRecord.of(ended.id(), rejection));
            rejected.add(ended.id(), rejection.length);
        }
    }

    /** Returns the records that were refused for good, in the order of their ids. */
    synchronized List<RejectedRecord> rejected() throws IOException {
        List<RejectedRecord> all = new ArrayList<>();
        generation().forEachRejected((framed, id) -> {
            byte[] rejection = ChecksummedRecord.read(id, framed);
            if (rejection != null && rejected.holds(id)) {
                all.add(RejectionRecord.read(id, rejection));
            }
        });
        return all;
    }

    /** Forgets a record that was refused for good, with the next commit. */
    synchronized void discard(long id) {
        rejected.discard(id);
    }

    synchronized int rejectedRecords() {
        return rejected.records();
    }

    synchronized long droppedRejections() {
        return rejected.dropped();
    }

    /** A failure here loses nothing: the old file counts until the new one is sealed. */
    private void rotate(JournalFile old) {
        long size = old.size();
        Path file = JournalFile.next(folder, List.of(old.file()));
        JournalFile next = null;
        try {
            next = JournalFile.open(file, scheme);
            copy(old, next);
            next.seal(old.purpose());
            if (durability == Durability.MACHINE) {
                JournalFolder.force(folder);
            }
            generation = next;
            latest = next;
            old.close();
            rotateFrom = rotateAt;
            Files.delete(old.file());
        } catch (IOException | RuntimeException | Error e) {
            // An error, too: what was committed before is on disk, and its callers must learn so.
            LOG.warn("the journal {} could not give up {}", folder, old.file().getFileName(), e);
            if (generation == old) {
                rotateFrom = size + rotateAt;
                discard(file, next);
            }
        }
    }

    /**
     * A sealed file would count more than the old one, which stays in use. Where it cannot be deleted, both are read
     * again before the next commit.
     */
    private void discard(Path file, @Nullable JournalFile next) {
        try {
            closed(next);
            Files.deleteIfExists(file);
        } catch (IOException | RuntimeException e) {
            LOG.warn("the journal {} could not delete {}", folder, file.getFileName(), e);
            abandon();
        }
    }

    private static void closed(@Nullable JournalFile generation) {
        if (generation != null) {
            generation.close();
        }
    }

    private static void copy(JournalFile from, JournalFile to) {
        int[] copied = {0};
        from.forEach((framed, id) -> {
            to.put(id, framed);
            if (++copied[0] % RECORDS_A_COMMIT == 0) {
                to.commit(Durability.PROCESS);
            }
        });
        from.forEachRejected((framed, id) -> to.putRejected(id, framed));
    }

    private JournalFile generation() throws IOException {
        if (closed) {
            throw new IOException("it is closed");
        }
        JournalFile current = generation;
        if (current == null) {
            refuseWhereLost();
            JournalOpener opening = new JournalOpener(folder, owner, scheme, durability);
            current = opening.open();
            damage.addAll(opening.damage());
            rejected.found(current);
            generation = current;
            latest = current;
        }
        return current;
    }

    private void abandon() {
        JournalFile current = generation;
        generation = null;
        closed(current);
    }

    @Override
    public synchronized void close() {
        closed = true;
        abandon();
    }

    /** The stored form of a record that was refused for good: time, reason and content. */
    private static final class RejectionRecord {

        private static final int MAX_OF_THE_REASON = 4_000;

        private RejectionRecord() {}

        static byte[] of(Instant at, String reason, byte[] record) {
            String shortened =
                    reason.length() > MAX_OF_THE_REASON ? reason.substring(0, MAX_OF_THE_REASON) + "…" : reason;
            byte[] why = shortened.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(Long.BYTES + Integer.BYTES + why.length + record.length)
                    .putLong(at.toEpochMilli())
                    .putInt(why.length)
                    .put(why)
                    .put(record)
                    .array();
        }

        static RejectedRecord read(long id, byte[] bytes) {
            ByteBuffer all = ByteBuffer.wrap(bytes);
            Instant at = Instant.ofEpochMilli(all.getLong());
            byte[] why = new byte[all.getInt()];
            all.get(why);
            byte[] record = new byte[all.remaining()];
            all.get(record);
            return new RejectedRecord(id, at, new String(why, StandardCharsets.UTF_8), record);
        }
    }
}
