package io.stowline.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of records that outlive the process until they are done.
 *
 * <ul>
 *   <li>A record counts once its {@link #append} has ended: from then on every later opening of the folder finds it, until it is
 *       {@link #done}. Records that are appended at the same time share one commit.
 *   <li>A record is found whole or not at all. What was torn or damaged is logged and told by {@link #damage}.
 *   <li>What is done is forgotten a little later, so that after the end of the process some of it may be found once more.
 *   <li>The records that are not done are bounded in bytes; beyond it an append is refused.
 *   <li>One process at a time has the folder, and one user at a time the journal; the folder keeps whom its records are for.
 * </ul>
 *
 * <p>Records are stored as they are given, unencrypted. Thread-safe; its work is done on one daemon thread.
 */
public final class Journal implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private final Path folder;
    private final JournalSettings settings;
    private final FolderLock owner;
    private final RecordStore store;
    private final Outstanding outstanding;
    private final Commits commits = new Commits();
    private final Thread writing;
    private boolean used;

    private Journal(Path folder, JournalSettings settings, FolderLock owner, RecordStore store) throws IOException {
        this.folder = folder;
        this.settings = settings;
        this.owner = owner;
        this.store = store;
        this.outstanding = new Outstanding(folder, settings.maxBytes());
        store.forEach((framed, id) -> outstanding.found(id, Framed.length(framed)));
        store.damage().forEach(found -> LOG.error("journal {}: {}", folder, found));
        this.writing = new Thread(this::write, "stowline-journal-" + folder.getFileName());
        writing.setDaemon(true);
    }

    /**
     * Opens a folder with the default settings.
     *
     * @param folder the folder, made if it is not there
     * @return the journal; close it
     * @throws JournalException if the folder is in use or cannot be read
     */
    public static Journal open(Path folder) {
        return open(folder, JournalSettings.builder().build());
    }

    /**
     * Opens a folder.
     *
     * @param folder the folder, made if it is not there
     * @param settings how records are kept
     * @return the journal; close it
     * @throws JournalException if the folder is in use or cannot be read
     */
    public static Journal open(Path folder, JournalSettings settings) {
        return open(folder, settings, "", RecordStore.ROTATE_AT);
    }

    static Journal open(Path folder, JournalSettings settings, String scheme, long rotateAt) {
        Objects.requireNonNull(settings, "settings");
        Path real = made(Objects.requireNonNull(folder, "folder"));
        FolderLock owner = FolderLock.of(real);
        RecordStore store = new RecordStore(real, scheme, settings.durability(), rotateAt);
        try {
            Journal journal = new Journal(real, settings, owner, store);
            journal.writing.start();
            return journal;
        } catch (IOException | RuntimeException | Error e) {
            store.close();
            owner.close();
            throw new JournalException(
                    "the journal " + real
                            + " cannot be opened; nothing in it was changed, and moved away it can be examined: "
                            + e.getMessage(),
                    e);
        }
    }

    private static Path made(Path folder) {
        try {
            return PrivateFolder.of(folder);
        } catch (IOException e) {
            throw new JournalException("the folder of a journal, " + folder + ", cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Gives the journal to a user, and for the first time says whom its records are for.
     *
     * @param purpose whom they are for, such as a table's name
     * @throws JournalException if the records are for somebody else, or the journal has a user
     */
    public synchronized void dedicate(String purpose) {
        if (used) {
            throw new JournalException("the journal " + folder + " is in use by another writer of this process");
        }
        Objects.requireNonNull(purpose, "purpose");
        String before = asked("its purpose", () -> store.dedicate(purpose));
        if (!before.equals(purpose)) {
            throw new JournalException("the journal " + folder + " is for " + before + " and not for " + purpose);
        }
        used = true;
    }

    /** Takes the journal back from its user. */
    public synchronized void release() {
        used = false;
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
        CompletableFuture<Long> durable = new CompletableFuture<>();
        outstanding.append(record, append -> {
            if (!commits.add(new Commits.Append(append, record, durable))) {
                throw closed();
            }
        });
        return durable;
    }

    /**
     * Forgets a record, as {@link #forget}, where nobody wants to know when.
     *
     * @param id the record's id
     */
    public void done(long id) {
        var unused = forget(id);
    }

    /**
     * Forgets a record. On disk it is forgotten with the next commit, within about 100 ms.
     *
     * @param id the record's id
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
     * @return the end of it, as {@link #forget}
     */
    public CompletableFuture<Void> reject(long id, String reason) {
        return end(id, Objects.requireNonNull(reason, "reason"));
    }

    private CompletableFuture<Void> end(long id, @Nullable String rejection) {
        if (!outstanding.done(id)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> forgotten = new CompletableFuture<>();
        if (!commits.add(new Commits.Done(id, rejection, forgotten))) {
            forgotten.completeExceptionally(closed());
        }
        return forgotten;
    }

    /** Has what is done forgotten at once. */
    public void hurry() {
        commits.hurry();
    }

    private JournalException closed() {
        return new JournalException("the journal " + folder + " is closed");
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
     * @param id its id
     * @return what it holds
     * @throws JournalException if there is no such record
     */
    public byte[] read(long id) {
        return asked("record " + id, () -> {
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
        return asked("the rejected records", store::rejected);
    }

    /**
     * Returns how many records were refused for good and not discarded since.
     *
     * @return the number of records
     */
    public int rejectedRecords() {
        return store.rejectedRecords();
    }

    /**
     * Returns how many rejected records gave way to newer ones since the journal was opened.
     *
     * @return the number of records
     */
    public long droppedRejections() {
        return store.droppedRejections();
    }

    /**
     * Forgets a rejected record; of another one nothing.
     *
     * @param id the record's id
     * @throws JournalException if the disk refuses, or the journal is closed
     */
    public void discardRejected(long id) {
        store.discard(id);
        CompletableFuture<Void> written = new CompletableFuture<>();
        if (!commits.add(new Commits.Done(id, null, written))) {
            throw closed();
        }
        commits.hurry();
        if (Thread.currentThread() != writing) {
            joined(written, "rejected record " + id);
        }
    }

    /**
     * The store is read by the journal's thread only: an interrupt closes a file under all who read it. Who is interrupted waits on, which
     * is as long as one commit takes, and keeps the flag.
     */
    private <V> V asked(String what, Callable<V> question) {
        FutureTask<V> task = new FutureTask<>(question);
        if (Thread.currentThread() == writing) {
            task.run();
        } else if (!commits.add(task)) {
            throw closed();
        }
        return joined(task, what);
    }

    private <V> V joined(Future<V> answer, String what) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof JournalException own) {
                throw own;
            }
            String why = e.getCause() == null
                    ? e.toString()
                    : String.valueOf(e.getCause().getMessage());
            throw new JournalException(what + " of the journal " + folder + " cannot be read or written: " + why, e);
        } catch (CancellationException e) {
            throw closed();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Returns how many records are not done.
     *
     * @return the number of records
     */
    public int outstandingRecords() {
        return outstanding.records();
    }

    /**
     * Returns how many bytes the records have that are not done.
     *
     * @return the number of bytes
     */
    public long outstandingBytes() {
        return outstanding.bytes();
    }

    /**
     * Returns what was found to be torn or damaged since the journal was opened.
     *
     * @return a line for each finding; none if all was well
     */
    public List<String> damage() {
        return store.damage();
    }

    /**
     * Returns the folder.
     *
     * @return its real path
     */
    public Path folder() {
        return folder;
    }

    /**
     * Returns the settings.
     *
     * @return the settings
     */
    public JournalSettings settings() {
        return settings;
    }

    /** Writes what was appended and done, and gives the folder back. Refuses everything afterwards; may be called again. */
    @Override
    public void close() {
        commits.close();
        if (Thread.currentThread() != writing) {
            joinWriting();
        }
    }

    private void joinWriting() {
        boolean interrupted = false;
        while (writing.isAlive()) {
            try {
                writing.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "Journal[" + folder + "]";
    }

    private void write() {
        try {
            for (Commits.Group group = next(); group != null; group = next()) {
                if (!group.appends().isEmpty() || !group.done().isEmpty()) {
                    write(group);
                }
                group.asked().forEach(FutureTask::run);
            }
        } finally {
            end(commits.end());
            store.close();
            owner.close();
        }
    }

    /** An interrupt is not a close: the thread belongs to the journal, and others wait for it. */
    private Commits.@Nullable Group next() {
        while (true) {
            try {
                boolean unused = Thread.interrupted();
                return commits.take();
            } catch (InterruptedException e) {
                LOG.warn("the thread of the journal {} was interrupted and goes on", folder);
            }
        }
    }

    /** Nobody waits for a thread that is gone. */
    private void end(Commits.Group never) {
        never.asked().forEach(question -> question.cancel(false));
        never.done().forEach(done -> done.forgotten().completeExceptionally(closed()));
        never.appends().forEach(append -> append.durable().completeExceptionally(closed()));
    }

    private void write(Commits.Group group) {
        List<RecordStore.Numbered> records = group.appends().stream()
                .map(append -> new RecordStore.Numbered(append.id(), append.record()))
                .toList();
        List<RecordStore.Ended> done = group.done().stream()
                .map(each -> new RecordStore.Ended(each.id(), each.rejection()))
                .toList();
        JournalException failure = null;
        try {
            store.commit(records, done, outstanding.bytes());
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("journal {}: {} records could not be written", folder, records.size(), e);
            failure = new JournalException("the journal " + folder + " cannot be written: " + e.getMessage(), e);
        }
        for (Commits.Done each : group.done()) {
            end(each.forgotten(), null, failure);
        }
        for (Commits.Append append : group.appends()) {
            if (failure != null) {
                outstanding.done(append.id());
            }
            end(append.durable(), append.id(), failure);
        }
    }

    @SuppressWarnings("NullAway") // the value of a future of nothing is null
    private static <V> void end(CompletableFuture<V> future, @Nullable V value, @Nullable JournalException failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(failure);
        }
    }
}
