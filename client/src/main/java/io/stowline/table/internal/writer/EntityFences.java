package io.stowline.table.internal.writer;

import io.stowline.journal.JournalException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.table.internal.request.EncodedOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Records of a journal that keep entities from the next process. An operation may have its result while an attempt of it that was given up
 * may still arrive; a process that does not know of it sends the next operation on the entity, and the attempt undoes that. Thread-safe.
 */
public final class EntityFences {

    private static final Logger LOG = LoggerFactory.getLogger(EntityFences.class);

    private final RecordJournal journal;
    private final Scheduler timer;
    private final Disposable.Composite standing = Disposables.composite();

    public EntityFences(RecordJournal journal, Scheduler timer) {
        this.journal = journal;
        this.timer = timer;
    }

    /**
     * Puts up a fence for an operation that has its result, and takes it away when its time is over. The operation leaves the disk after
     * the fence is there.
     *
     * @param timeUntilSettled how long an attempt of it may still arrive
     */
    public void put(EncodedOperation operation, Duration timeUntilSettled) {
        if (timeUntilSettled.isZero()) {
            return;
        }
        Instant now = Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS));
        try {
            takeAway(
                    journal.appendAside(JournalRecord.fence(operation, now, timeUntilSettled)
                            .bytes()),
                    timeUntilSettled);
        } catch (JournalException e) {
            LOG.warn("{} has no room for a fence: a late attempt may undo what the next process writes", journal, e);
        }
    }

    /** Takes a fence of an earlier process away when its time is over. */
    public void keep(long id, Duration timeUntilSettled) {
        takeAway(CompletableFuture.completedFuture(id), timeUntilSettled);
    }

    private void takeAway(CompletableFuture<Long> fence, Duration timeUntilSettled) {
        Disposable.Swap waiting = Disposables.swap();
        standing.add(waiting);
        waiting.replace(timer.schedule(
                () -> {
                    standing.remove(waiting);
                    var unused = fence.thenCompose(journal::forget);
                },
                timeUntilSettled.toNanos(),
                TimeUnit.NANOSECONDS));
    }

    /** Brings records into the order in which they are replayed: a fence stands before an operation on its entity is sent. */
    public List<Long> first(long[] ids) {
        Map<Boolean, List<Long>> fences = LongStream.of(ids).boxed().collect(Collectors.partitioningBy(this::isFence));
        return Stream.of(true, false)
                .flatMap(fence -> fences.getOrDefault(fence, List.of()).stream())
                .toList();
    }

    private boolean isFence(long id) {
        try {
            boolean fence = JournalRecord.isFence(journal.read(id));
            if (fence) {
                journal.setAside(id);
            }
            return fence;
        } catch (RuntimeException unreadable) {
            // Reported where it is to be sent.
            return false;
        }
    }

    /** Leaves those that stand to the next process. */
    void leave() {
        standing.dispose();
    }
}
