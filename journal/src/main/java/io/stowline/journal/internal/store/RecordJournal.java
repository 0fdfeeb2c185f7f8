package io.stowline.journal.internal.store;

import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.folder.JournalBudget;
import io.stowline.journal.internal.folder.JournalFolder;
import io.stowline.journal.internal.spool.Spool;
import io.stowline.journal.internal.spool.SpoolDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal with the operations on its records, which only a writer calls.
 *
 * <ul>
 *   <li>A record counts once its {@link #append} has ended: from then on every later opening of the folder finds it, until it is
 *       {@link #complete}. Records that are appended at the same time share one commit.
 *   <li>A record is found whole or not at all. Torn or damaged records are logged and listed by {@link #recoveryWarnings}.
 *   <li>What is done is forgotten a little later, so that after the end of the process some of it may be found once more.
 *   <li>The records that are not done are bounded in bytes; beyond it an append is refused.
 *   <li>One process at a time has the folder, and one user at a time the journal; the folder keeps whom its records are for.
 * </ul>
 *
 * <p>Thread-safe; its work is done on one daemon thread.
 */
public final class RecordJournal implements Journal {

    private static final Logger LOG = LoggerFactory.getLogger(RecordJournal.class);

    /** An opening needs less, in bytes. */
    private static final long FULL = 64 * 1024;

    private final Path folder;
    private final JournalSettings settings;
    private final RecordStore store;
    private final OpenRecords outstanding;
    private final JournalBudget budget;
    private final Spool spool;
    private final LogWriter writer;
    private boolean used;

    private RecordJournal(
            Path folder, JournalSettings settings, JournalFolderLock owner, RecordStore store, SpoolDisk disk)
            throws IOException {
        this.folder = folder;
        this.settings = settings;
        this.store = store;
        this.budget = new JournalBudget(folder, settings.maxBytes());
        this.outstanding = new OpenRecords(budget);
        store.forEach((framed, id) -> outstanding.found(id, ChecksummedRecord.length(framed)));
        this.spool = Spool.open(folder, Durability.of(settings), budget, disk);
        recoveryWarnings().forEach(found -> LOG.error("journal {}: {}", folder, found));
        this.writer = new LogWriter(folder, owner, store, outstanding, spool);
    }

    /** Opens a folder with the default settings. */
    public static RecordJournal open(Path folder) {
        return open(folder, JournalSettings.builder().build());
    }

    /**
     * Opens a folder.
     *
     * @throws JournalException if the folder is in use or cannot be read
     */
    public static RecordJournal open(Path folder, JournalSettings settings) {
        return open(folder, settings, SpoolDisk.SYSTEM);
    }

    /**
     * Opens a folder whose streams are on a disk of tests.
     *
     * @throws JournalException if the folder is in use or cannot be read
     */
    public static RecordJournal open(Path folder, JournalSettings settings, SpoolDisk disk) {
        return open(folder, settings, "", RecordStore.ROTATE_AT, disk);
    }

    /**
     * Returns the operations on the records of a journal.
     *
     * @throws IllegalArgumentException if it is of another class
     */
    public static RecordJournal of(Journal journal) {
        if (journal instanceof RecordJournal records) {
            return records;
        }
        throw new IllegalArgumentException("a journal is opened by Journal.open, and not a "
                + journal.getClass().getName());
    }

    static RecordJournal open(Path folder, JournalSettings settings, String scheme, long rotateAt) {
        return open(folder, settings, scheme, rotateAt, SpoolDisk.SYSTEM);
    }

    private static RecordJournal open(
            Path folder, JournalSettings settings, String scheme, long rotateAt, SpoolDisk disk) {
        Objects.requireNonNull(settings, "settings");
        Path real = made(Objects.requireNonNull(folder, "folder"), Durability.of(settings));
        try {
            return attempt(real, settings, scheme, rotateAt, disk);
        } catch (IOException | RuntimeException e) {
            if (e instanceof JournalException || !Spool.spendReserve(real)) {
                throw cannotOpen(real, e);
            }
            LOG.warn("journal {}: it is opened with the room of its reserve, since {}", real, e.getMessage());
        }
        try {
            return attempt(real, settings, scheme, rotateAt, disk);
        } catch (IOException | RuntimeException e) {
            throw cannotOpen(real, e);
        }
    }

    private static RecordJournal attempt(
            Path real, JournalSettings settings, String scheme, long rotateAt, SpoolDisk disk) throws IOException {
        JournalFolderLock owner = JournalFolderLock.of(real);
        RecordStore store = new RecordStore(real, owner, scheme, Durability.of(settings), rotateAt);
        try {
            RecordJournal journal = new RecordJournal(real, settings, owner, store, disk);
            journal.writer.start();
            return journal;
        } catch (IOException | RuntimeException e) {
            store.close();
            owner.close();
            throw e;
        } catch (Error e) {
            store.close();
            owner.close();
            throw cannotOpen(real, e);
        }
    }

    private static JournalException cannotOpen(Path folder, Throwable e) {
        if (e instanceof JournalException known) {
            return known;
        }
        long free = folder.toFile().getUsableSpace();
        String way = free < FULL
                ? ". Its disk is full, with " + free + " bytes free: make room for at least " + FULL
                        + " bytes, and open it again"
                : ". If its files are damaged, move the folder away and keep it, since accepted operations may be in it;"
                        + " a new journal can then be opened in its place";
        return new JournalException(
                "the journal " + folder + " cannot be opened; nothing in it was changed: " + e.getMessage() + way, e);
    }

    private static Path made(Path folder, Durability durability) {
        try {
            return JournalFolder.of(folder, durability);
        } catch (IOException e) {
            throw new JournalException("the folder of a journal, " + folder + ", cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Binds the journal to one user; the first binding also records the purpose of the records.
     *
     * @param purpose whom they are for, such as a table's name
     * @throws JournalException if the records are for another purpose, or the journal has a user
     */
    public synchronized void bindTo(String purpose) {
        if (used) {
            throw new JournalException("the journal " + folder + " is in use by another writer of this process."
                    + " A closed writer keeps it, too, if a request was in flight when it was closed, and gives it back"
                    + " when its client is closed");
        }
        Objects.requireNonNull(purpose, "purpose");
        String before = writer.request("its purpose", () -> store.dedicate(purpose));
        if (!before.equals(purpose)) {
            throw new JournalException("the journal " + folder + " is for " + before + " and not for " + purpose);
        }
        used = true;
    }

    /** Takes the journal back from its user, with all streams. */
    public synchronized void release() {
        spool.release();
        used = false;
    }

    /** Returns the streams, for the user of the journal. */
    public Spool spool() {
        return spool;
    }

    /**
     * Writes a record.
     *
     * @param record what it holds; it must not be changed afterwards
     * @return the record's id, once it counts as being on disk; ids grow in the order of the calls. The stages that depend on it run on
     *     the journal's thread and must not block. It fails with a {@link JournalException} if the disk refuses; then the record is not
     *     there, unless the process ends before the disk works again
     * @throws JournalException if there is no room for it, or the journal is closed
     */
    public CompletableFuture<Long> append(byte[] record) {
        return append(record, false);
    }

    /**
     * Writes a record that only informs the next process. It is not counted in {@link #outstandingRecords}, for there is nothing
     * to do for it. What is {@linkplain #forget forgotten} or rejected afterwards leaves the disk after it is there.
     *
     * @return its id, when it is on disk
     * @throws JournalException if there is no room for it, or the journal is closed
     */
    public CompletableFuture<Long> appendAside(byte[] record) {
        return append(record, true);
    }

    private CompletableFuture<Long> append(byte[] record, boolean aside) {
        CompletableFuture<Long> durable = new CompletableFuture<>();
        outstanding.append(record, aside, append -> {
            if (!writer.add(new CommitQueue.Append(append, record, durable))) {
                throw writer.closed();
            }
        });
        return durable;
    }

    /** Forgets a record, as {@link #forget}, without signalling its end. */
    public void complete(long id) {
        var unused = forget(id);
    }

    /**
     * Forgets a record. On disk it is forgotten with the next commit, within about 100 ms.
     *
     * @return the end of it, once no later opening finds the record; it fails if the disk refuses, after which the next commit forgets it,
     *     or if the journal is closed. The stages that depend on it run on the journal's thread and must not block
     */
    public CompletableFuture<Void> forget(long id) {
        return end(id, null);
    }

    /**
     * Forgets a record that cannot succeed, as {@link #forget}, and keeps it among the {@linkplain #rejected rejected} ones in the same
     * commit.
     *
     * @param id the record's id
     * @param reason why it cannot succeed, in one line
     */
    public CompletableFuture<Void> reject(long id, String reason) {
        return end(id, Objects.requireNonNull(reason, "reason"));
    }

    private CompletableFuture<Void> end(long id, @Nullable String rejection) {
        if (!outstanding.done(id)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> forgotten = new CompletableFuture<>();
        if (!writer.add(new CommitQueue.Done(id, rejection, forgotten))) {
            forgotten.completeExceptionally(writer.closed());
        }
        return forgotten;
    }

    /** Writes completed records out at once, so that no later opening finds them. */
    public void flush() {
        writer.hurry();
    }

    /**
     * Returns the ids of the records that are not done.
     *
     * @return the ids as they are now, the oldest first
     */
    public LongStream outstanding() {
        return outstanding.ids();
    }

    /**
     * Reads a record.
     *
     * @return what it holds
     * @throws JournalException if there is no such record
     */
    public byte[] read(long id) {
        return writer.request("record " + id, () -> {
            byte[] found = store.read(id);
            if (found == null) {
                throw new JournalException("the journal " + folder + " has no record " + id);
            }
            return found;
        });
    }

    /**
     * Returns the records that were refused for good and not discarded since. At most 10,000 of them are kept, and 64 MiB; beyond it the
     * oldest give way, which is logged and counted by {@link #droppedRejections}.
     *
     * @return the records as they are now, the oldest first
     * @throws JournalException if they cannot be read, or the journal is closed
     */
    public List<RejectedRecord> rejected() {
        return writer.request("the rejected records", store::rejected);
    }

    @Override
    public int rejectedRecords() {
        return store.rejectedRecords() + spool.rejectedRecords();
    }

    @Override
    public long droppedRejections() {
        return store.droppedRejections() + spool.droppedRejections();
    }

    /**
     * Forgets a rejected record; of another one nothing.
     *
     * @throws JournalException if the disk refuses, or the journal is closed
     */
    public void discardRejected(long id) {
        store.discard(id);
        CompletableFuture<Void> written = new CompletableFuture<>();
        if (!writer.add(new CommitQueue.Done(id, null, written))) {
            throw writer.closed();
        }
        writer.hurry();
        writer.awaitUnlessOwn(written, "rejected record " + id);
    }

    /**
     * Counts a record that an earlier process has left like one that was {@linkplain #appendAside appended aside}: it only informs.
     *
     * @param id the record's id; of one that is done nothing happens
     */
    public void setAside(long id) {
        outstanding.setAside(id);
    }

    @Override
    public int outstandingRecords() {
        return outstanding.records() + spool.records();
    }

    @Override
    public long outstandingBytes() {
        return budget.bytes();
    }

    @Override
    public List<String> recoveryWarnings() {
        return Stream.concat(store.damage().stream(), spool.damage().stream()).toList();
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public JournalSettings settings() {
        return settings;
    }

    @Override
    public void close() {
        writer.close();
    }

    @Override
    public String toString() {
        return "RecordJournal[" + folder + "]";
    }
}
