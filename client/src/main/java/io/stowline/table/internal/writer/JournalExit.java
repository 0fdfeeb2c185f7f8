package io.stowline.table.internal.writer;

import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.table.EntityKey;
import io.stowline.table.LeftoverException;
import io.stowline.table.internal.writer.JournalReplayer.RecordFate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The way of operations out of a journal, and the end of its writer. An operation leaves the disk when it has its result. The next
 * operation on its entity is sent only when it has left the disk, so that no replay undoes it. Thread-safe.
 */
public final class JournalExit {

    private static final Logger LOG = LoggerFactory.getLogger(JournalExit.class);

    private final RecordJournal journal;
    private final EntityFences fences;
    private final Scheduler timer;
    private final Runnable given;
    private final Map<EntityKey, CompletableFuture<Void>> leaving = new ConcurrentHashMap<>();
    private volatile boolean leftInFlight;
    private volatile boolean closed;
    private boolean released;

    /**
     * Begins with an open writer.
     *
     * @param given called when the journal is given back
     */
    public JournalExit(RecordJournal journal, EntityFences fences, Scheduler timer, Runnable given) {
        this.journal = journal;
        this.fences = fences;
        this.timer = timer;
        this.given = given;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Takes an operation from the disk that was refused, at once; nothing if it has had its end before. */
    CompletableFuture<Void> refused(QueuedWrite item, Throwable failure) {
        CompletableFuture<Void> left = leave(item, Objects.requireNonNull(item.ticket()), failure);
        if (!left.isDone()) {
            journal.flush();
        }
        return left;
    }

    /** Takes an operation with its result; called under the engine's lock. */
    void ended(QueuedWrite item, JournalTicket ticket, @Nullable Throwable failure) {
        if (failure instanceof LeftoverException leftover && leftover.sent()) {
            leftInFlight();
        }
        var unused = leave(item, ticket, failure);
        if (failure instanceof CancellationException) {
            journal.flush();
        }
    }

    /** Keeps the journal until the client has ended its requests: an operation stays on the disk whose attempts may still go out. */
    public void leftInFlight() {
        leftInFlight = true;
    }

    private CompletableFuture<Void> leave(QueuedWrite item, JournalTicket ticket, @Nullable Throwable failure) {
        RecordFate fate = RecordFate.of(ticket.inherited(), failure);
        if (fate == RecordFate.STAYS) {
            return CompletableFuture.completedFuture(null);
        }
        if (!closed) {
            fences.put(item.operation(), ticket.reserved());
        }
        List<CompletableFuture<Void>> all = new ArrayList<>(1);
        for (long id : ticket.ids()) {
            CompletableFuture<Void> left = fate == RecordFate.REJECTED && failure != null
                    ? journal.reject(id, RecordFate.reason(failure))
                    : journal.forget(id);
            all.add(left);
            if (!left.isDone()) {
                EntityKey entity = key(item);
                leaving.put(entity, left);
                var unused = left.whenComplete((nothing, error) -> leaving.remove(entity, left));
            }
        }
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
    }

    /** The entity whose operations must stay in order. */
    private static EntityKey key(QueuedWrite item) {
        return new EntityKey(item.operation().partitionKey(), item.operation().rowKey());
    }

    /** Returns a wait until no earlier record of the batch's entities is left on the disk. */
    static @Nullable Mono<Void> before(List<QueuedWrite> items) {
        List<CompletableFuture<Void>> all = null;
        JournalExit exit = null;
        for (QueuedWrite item : items) {
            JournalTicket ticket = item.ticket();
            CompletableFuture<Void> earlier =
                    ticket == null ? null : ticket.log().exit().leaving.get(key(item));
            if (earlier != null && ticket != null) {
                all = all == null ? new ArrayList<>() : all;
                all.add(earlier);
                exit = ticket.log().exit();
            }
        }
        if (all == null || exit == null) {
            return null;
        }
        exit.journal.flush();
        // Where the disk refuses, the operation goes on all the same: only after a crash now would the one before it
        // come once more.
        // The journal's thread sends nothing: all that is accepted waits for it.
        return Mono.fromFuture(CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])), true)
                .onErrorComplete()
                .publishOn(exit.timer);
    }

    /**
     * Gives the journal back, once, unless attempts of operations that are left in it may still go out. A second caller waits for the first,
     * so that each caller of close may open the next writer at once.
     */
    public synchronized void close() {
        if (!closed) {
            closed = true;
            fences.leave();
            int open = journal.outstandingRecords();
            if (open > 0) {
                LOG.warn("{} operations stay in {} for the next writer", open, journal);
            }
            if (!leftInFlight) {
                giveBack();
            }
        }
    }

    /** Gives it back in any case: the client has ended its requests. */
    public synchronized void release() {
        close();
        giveBack();
    }

    private void giveBack() {
        if (!released) {
            released = true;
            journal.release();
            given.run();
        }
    }
}
