package io.stowline.table.internal.writer;

import io.stowline.error.ClosedException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.table.BufferFullException;
import io.stowline.table.LeftoverException;
import io.stowline.table.TableWriter.ReplayReport;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A replay that sends what earlier processes have left in a journal, the oldest first, and counts what became of it. */
public final class JournalReplayer {

    private static final Logger LOG = LoggerFactory.getLogger(JournalReplayer.class);

    private final RecordJournal journal;
    private final LongAdder done = new LongAdder();
    private final LongAdder recovered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder left = new LongAdder();
    private final CompletableFuture<ReplayReport> report = new CompletableFuture<>();

    public JournalReplayer(RecordJournal journal) {
        this.journal = journal;
    }

    /**
     * Begins; what is in the journal at this moment is replayed.
     *
     * @param work where records are read
     * @param window the most operations that have no result
     * @param order brings the records into the order of the replay
     * @param replay sends the operation of a record
     * @param submitted called when all of them are in their lanes
     */
    public void start(
            Executor work,
            int window,
            Function<long[], List<Long>> order,
            LongFunction<Mono<WriteResult>> replay,
            Runnable submitted) {
        long[] ids = journal.outstanding().toArray();
        if (ids.length == 0) {
            submitted.run();
            end();
            return;
        }
        LOG.info("replaying {} operations from {}", ids.length, journal);
        Flux.defer(() -> Flux.fromIterable(order.apply(ids)))
                .doOnComplete(submitted)
                .flatMap(id -> one(id, replay), window)
                .subscribeOn(Schedulers.fromExecutor(work))
                .doFinally(signal -> {
                    submitted.run();
                    end();
                })
                .subscribe();
    }

    private Mono<Void> one(long id, LongFunction<Mono<WriteResult>> replay) {
        Mono<WriteResult> sent;
        try {
            sent = replay.apply(id);
        } catch (RuntimeException unreadable) {
            left.increment();
            LOG.error("record {} of {} cannot be read and stays: {}", id, journal, RecordFate.reason(unreadable));
            LOG.debug("record {} of {} cannot be read and stays", id, journal, unreadable);
            return Mono.empty();
        }
        return sent.doOnNext(this::count)
                .onErrorResume(e -> {
                    LOG.warn("record {} of {} was not carried out: {}", id, journal, RecordFate.reason(e));
                    LOG.debug("record {} of {} was not carried out", id, journal, e);
                    return Mono.empty();
                })
                .then();
    }

    private void count(WriteResult written) {
        (written.outcome() == WriteOutcome.CONFIRMED ? done : recovered).increment();
    }

    /** Counts a failed operation of an earlier process, whose caller is unknown. */
    public void failed(Throwable failure) {
        if (RecordFate.of(true, failure) == RecordFate.STAYS) {
            left.increment();
        } else if (failure instanceof OutcomeUnknownException) {
            unknown.increment();
        } else {
            failed.increment();
        }
    }

    private void end() {
        ReplayReport all = new ReplayReport(done.sum(), recovered.sum(), failed.sum(), unknown.sum(), left.sum());
        if (all.total() > 0) {
            LOG.info("replayed from {}: {}", journal, all);
        }
        report.complete(all);
    }

    /**
     * Returns the report on them.
     *
     * @return the report, once each of them has its result
     */
    public Mono<ReplayReport> report() {
        return Mono.fromFuture(report, true);
    }

    /** The fate of an operation's record at the operation's end. */
    public enum RecordFate {
        /** Stays for the next writer. */
        STAYS,
        /** Leaves the journal. */
        LEAVES,
        /** Moves to the operations that were refused for good. */
        REJECTED;

        /**
         * Returns the fate of an operation's record.
         *
         * @param inherited whether an earlier process has accepted the operation
         * @param failure why it failed, or {@code null} if it succeeded
         */
        public static RecordFate of(boolean inherited, @Nullable Throwable failure) {
            if (failure instanceof LeftoverException) {
                return STAYS;
            }
            if (failure == null || failure instanceof CancellationException) {
                return LEAVES;
            }
            if (failure instanceof ClosedException) {
                // Of an operation that has a caller this is a refusal.
                return inherited ? STAYS : LEAVES;
            }
            boolean refused = failure instanceof BufferFullException
                    || (failure instanceof WaitInterruptedException
                            && !(failure instanceof StorageInterruptedException))
                    || WriterErrors.isOversize(failure)
                    || failure instanceof IllegalStateException;
            return refused && !inherited ? LEAVES : REJECTED;
        }

        /** Returns a failure in one line. */
        public static String reason(Throwable failure) {
            String message = failure.getMessage();
            String text = failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
            return text.replaceAll("\\s+", " ");
        }
    }
}
