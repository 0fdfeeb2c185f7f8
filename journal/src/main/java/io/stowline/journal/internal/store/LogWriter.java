package io.stowline.journal.internal.store;

import io.stowline.journal.JournalException;
import io.stowline.journal.internal.spool.Spool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes and reads the log of a journal, in commits that carry all that came while the one before was written. When it
 * ends it gives the folder back. Thread-safe.
 */
final class LogWriter {

    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

    private final Path folder;
    private final JournalFolderLock owner;
    private final RecordStore store;
    private final OpenRecords outstanding;
    private final Spool spool;
    private final CommitQueue commits = new CommitQueue();
    private final Thread thread;

    LogWriter(Path folder, JournalFolderLock owner, RecordStore store, OpenRecords outstanding, Spool spool) {
        this.folder = folder;
        this.owner = owner;
        this.store = store;
        this.outstanding = outstanding;
        this.spool = spool;
        this.thread = new Thread(this::run, "stowline-journal-" + folder.getFileName());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Adds a record; false when the writer takes no more of them. */
    boolean add(CommitQueue.Append append) {
        return commits.add(append);
    }

    /** Adds a completion; false when the writer has ended. */
    boolean add(CommitQueue.Done done) {
        return commits.add(done);
    }

    /** Writes completions without waiting for company. */
    void hurry() {
        commits.hurry();
    }

    JournalException closed() {
        return new JournalException("the journal " + folder + " is closed");
    }

    private boolean isOwn() {
        return Thread.currentThread() == thread;
    }

    /** Waits for what this thread is to do, unless the caller is this thread. */
    void awaitUnlessOwn(Future<?> end, String what) {
        if (!isOwn()) {
            joined(end, what);
        }
    }

    /**
     * Runs a lookup on the journal's thread, the only one that reads the store: an interrupt closes a file under all
     * its readers.
     */
    <V> V request(String what, Callable<V> question) {
        FutureTask<V> task = new FutureTask<>(question);
        if (isOwn()) {
            task.run();
        } else if (!commits.add(task)) {
            throw closed();
        }
        return joined(task, what);
    }

    private <V> V joined(Future<V> response, String what) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return response.get();
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

    /** Writes all queued records and completions, and ends; the thread itself does not wait for its end. */
    void close() {
        commits.close();
        if (!isOwn()) {
            join();
        }
    }

    private void join() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            for (CommitQueue.Group group = next(); group != null; group = next()) {
                if (!group.appends().isEmpty() || !group.done().isEmpty()) {
                    write(group);
                }
                group.lookups().forEach(FutureTask::run);
            }
        } finally {
            end(commits.end());
            try {
                spool.close();
            } finally {
                store.close();
                owner.close();
            }
        }
    }

    /** An interrupt is not a close: the thread belongs to the journal, and others wait for it. */
    private CommitQueue.@Nullable Group next() {
        while (true) {
            try {
                boolean unused = Thread.interrupted();
                return commits.take();
            } catch (InterruptedException e) {
                LOG.warn("the thread of the journal {} was interrupted and goes on", folder);
            }
        }
    }

    /** Fails all that still waits, as no other thread would. */
    private void end(CommitQueue.Group never) {
        never.lookups().forEach(question -> question.cancel(false));
        never.done().forEach(done -> done.forgotten().completeExceptionally(closed()));
        never.appends().forEach(append -> append.durable().completeExceptionally(closed()));
    }

    private void write(CommitQueue.Group group) {
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
        for (CommitQueue.Done each : group.done()) {
            end(each.forgotten(), null, failure);
        }
        for (CommitQueue.Append append : group.appends()) {
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
