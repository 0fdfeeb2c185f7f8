package io.stowline.table.internal.index.journal;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.table.EntityKey;
import io.stowline.table.LeftoverException;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.index.IndexedContext.Examined;
import io.stowline.table.internal.index.IndexedRow.IndexedRowCodec;
import io.stowline.table.internal.index.IndexedWriter;
import io.stowline.table.internal.index.IndexedWrites;
import io.stowline.table.internal.index.SequenceLog;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.table.internal.writer.EndRules;
import io.stowline.table.internal.writer.JournalRecord;
import io.stowline.table.internal.writer.JournalReplayer.RecordFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * An operation with its record in the journal. Its sequence of steps is repeated until another try would not change its end; the entity is
 * written once, and then only its references. Thread-safe.
 */
final class LoggedWrite<T> implements SequenceLog<T> {

    /** The clocks of this machine and of the service are right to it. */
    private static final Duration CLOCKS = Duration.ofMinutes(5);

    private final IndexedLog<T> log;
    private final IndexedWriter<T> writer;
    private final TableOperation<T, ?> operation;
    private final JournalRecord record;
    private final long id;
    private final boolean inherited;
    private final Set<IndexKey> former = ConcurrentHashMap.newKeySet();
    private final List<Long> notes = new ArrayList<>();
    private volatile @Nullable WriteResult result;
    private volatile boolean unresolved;
    private volatile boolean judged;
    private volatile long notBefore;
    private volatile int rounds;
    private boolean begun;
    private boolean sending;
    private @Nullable Throwable over;

    /**
     * An operation that is on disk.
     *
     * @param inherited whether an earlier process has accepted it, and may have carried it out
     */
    LoggedWrite(
            IndexedLog<T> log,
            IndexedWriter<T> writer,
            TableOperation<T, ?> operation,
            JournalRecord record,
            long id,
            boolean inherited) {
        this.log = log;
        this.writer = writer;
        this.operation = operation;
        this.record = record;
        this.id = id;
        this.inherited = inherited;
        this.unresolved = inherited;
        this.notBefore = inherited ? log.openedAt() + record.allowed().toNanos() : log.openedAt();
    }

    TableOperation<T, ?> operation() {
        return operation;
    }

    private EncodedOperation entity() {
        return record.operation();
    }

    private EntityKey key() {
        return new EntityKey(entity().partitionKey(), entity().rowKey());
    }

    @Override
    public Set<IndexKey> formerReferences() {
        return former;
    }

    @Override
    public Mono<Void> losing(List<IndexKey> references) {
        List<IndexKey> more =
                references.stream().filter(key -> !former.contains(key)).toList();
        if (more.isEmpty()) {
            return Mono.empty();
        }
        return log.note(id, more).doOnNext(note -> noted(note, more)).then();
    }

    /** Takes references that a process has noted; a note that comes after the end goes at once. */
    void noted(long note, List<IndexKey> references) {
        boolean late;
        synchronized (this) {
            late = over instanceof CancellationException;
            notes.add(note);
        }
        former.addAll(references);
        if (late) {
            var unused = log.leave(note, List.of(), null);
        }
    }

    @Override
    public void written(WriteResult written) {
        result = written;
    }

    @Override
    public Mono<WriteResult> carriedOut(IndexedWrites<T> writes) {
        long retries = writer.stats().retries();
        synchronized (this) {
            begun = true;
        }
        return Mono.defer(() -> turn().then(Mono.defer(() -> attempt(writes))))
                .doOnNext(done -> log.pause().responded())
                .doOnCancel(() -> log.pause().unanswered())
                .retryWhen(Retry.from(failed -> failed.concatMap(signal -> pauseAfter(signal.failure()))))
                .flatMap(done -> left(null, retries).thenReturn(done))
                .onErrorResume(e -> stays(e) ? Mono.error(e) : left(e, retries).then(Mono.error(e)));
    }

    /** Waits while the writer is paused; one operation at a time probes. */
    private Mono<Boolean> turn() {
        return Mono.defer(() -> {
                    Duration wait = log.pause().untilNext();
                    return wait.isZero() ? Mono.just(true) : wait(wait).thenReturn(false);
                })
                .repeat()
                .filter(due -> due)
                .next();
    }

    private Mono<Long> wait(Duration time) {
        return log.service().pause(time);
    }

    private Mono<WriteResult> attempt(IndexedWrites<T> writes) {
        synchronized (this) {
            if (over != null) {
                return Mono.error(over);
            }
            sending = true;
        }
        WriteResult done = result;
        if (done != null) {
            return writes.finished(operation, this).thenReturn(done);
        }
        Mono<WriteResult> whole = Mono.defer(() -> writes.write(operation, this));
        Mono<WriteResult> settled = unresolved ? whole.onErrorResume(e -> judged(e, writes)) : whole;
        long rest = Math.max(notBefore, log.fencedUntil(key())) - log.now();
        return rest > 0 ? wait(Duration.ofNanos(rest)).then(settled) : settled;
    }

    /** An earlier try may have inserted or deleted the entity, and ended before its references were right. */
    private Mono<WriteResult> judged(Throwable e, IndexedWrites<T> writes) {
        if (e instanceof NotFoundException missing
                && !missing.isContainerMissing()
                && entity().verb() == EntityVerb.DELETE) {
            return finished(writes, WriteResult.absent(Evidence.CONTENT, true));
        }
        if (!(e instanceof ConflictException refused) || entity().verb() != EntityVerb.INSERT) {
            return Mono.error(e);
        }
        return writes.examined(key())
                .flatMap(found -> isOwn(found)
                        ? finished(writes, WriteResult.recovered(found.stored().etag(), Evidence.CONTENT, true))
                        : Mono.<WriteResult>error(isOlder(found) ? e : unknown(refused)))
                .switchIfEmpty(Mono.error(e));
    }

    private Mono<WriteResult> finished(IndexedWrites<T> writes, WriteResult written) {
        result = written;
        return writes.finished(operation, this).thenReturn(written);
    }

    private boolean isOwn(Examined<T> found) {
        return found.raw().matches(RowDecoder.encoded(log.context().table(), entity().content(), IndexedRowCodec.ROWS));
    }

    private boolean isOlder(Examined<T> found) {
        return found.stored()
                .timestamp()
                .map(written -> written.isBefore(record.written().minus(CLOCKS)))
                .orElse(false);
    }

    private OutcomeUnknownException unknown(ConflictException refused) {
        judged = true;
        return new OutcomeUnknownException(
                refused.failure(),
                "an entity with other properties is there now, which may have replaced the inserted one",
                refused);
    }

    /** Waits before another try, or ends with what no other try would change. */
    private Mono<Long> pauseAfter(Throwable e) {
        synchronized (this) {
            sending = false;
            if (over != null) {
                log.pause().unanswered();
                return Mono.error(e);
            }
        }
        int round = rounds + 1;
        rounds = round;
        boolean unknown = e instanceof OutcomeUnknownException && !judged;
        if (unknown) {
            unresolved = true;
            notBefore = Math.max(notBefore, log.now() + log.allowed().toNanos());
        }
        Throwable why = unknown && e.getCause() != null ? e.getCause() : e;
        if (EndRules.pauses(why)) {
            log.pause().refused(this, (StorageException) why);
            return Mono.just(0L);
        }
        if (unknown || e instanceof PredecessorUnknownException || isOvertaken(e) || !EndRules.isFinal(e)) {
            log.pause().unanswered();
            return wait(log.pause().delay(round));
        }
        if (e instanceof StorageException) {
            log.pause().responded();
        } else {
            log.pause().unanswered();
        }
        return Mono.error(e);
    }

    /** Returns whether other clients were faster again and again, which is no reason to refuse an operation of any version. */
    private boolean isOvertaken(Throwable e) {
        EntityVerb verb = entity().verb();
        boolean gone = e instanceof NotFoundException && !verb.upsert();
        return verb != EntityVerb.INSERT
                && !gone
                && !(e.getCause() instanceof TransactionFailedException)
                && IndexedWrites.raced(e);
    }

    /** Returns whether the writer or its client has ended, and not the operation. */
    private static boolean stays(Throwable e) {
        return RecordFate.of(true, e) == RecordFate.STAYS
                || e instanceof StorageInterruptedException
                || e instanceof CancellationException;
    }

    private Mono<Void> left(@Nullable Throwable failure, long retries) {
        List<Long> about;
        synchronized (this) {
            sending = false;
            if (over instanceof CancellationException) {
                return Mono.empty();
            }
            about = List.copyOf(notes);
        }
        boolean inserts =
                entity().verb() == EntityVerb.INSERT || entity().verb().upsert();
        if (inserts && (rounds > 0 || writer.stats().retries() > retries)) {
            log.fence(entity());
        }
        return log.gone(ofWriter -> ofWriter.leave(id, about, failure == null ? null : RecordFate.reason(failure)));
    }

    @Override
    public void ended(@Nullable Throwable failure) {
        boolean inFlight;
        synchronized (this) {
            if (failure instanceof LeftoverException || failure instanceof CancellationException) {
                over = failure;
            }
            inFlight = sending;
        }
        if (failure instanceof LeftoverException) {
            if (inFlight) {
                log.exit().leftInFlight();
            }
        } else if (failure != null) {
            var unused = refused(failure);
        }
    }

    /** Takes the operation from the disk that its lane has refused, or its caller has cancelled; one that has begun has its own end. */
    CompletableFuture<Void> refused(Throwable failure) {
        List<Long> about;
        synchronized (this) {
            if (begun && !(failure instanceof CancellationException)) {
                return CompletableFuture.completedFuture(null);
            }
            about = List.copyOf(notes);
        }
        return switch (RecordFate.of(inherited, failure)) {
            case STAYS -> CompletableFuture.completedFuture(null);
            case LEAVES -> log.leave(id, about, null);
            case REJECTED -> log.leave(id, about, RecordFate.reason(failure));
        };
    }

    @Override
    public String toString() {
        return entity().verb().label() + " "
                + TableRequests.resource(log.context().table(), entity().partitionKey(), entity().rowKey());
    }
}
