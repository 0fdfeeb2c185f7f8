package io.stowline.table.internal;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.journal.Journal;
import io.stowline.outcome.Outcome;
import io.stowline.table.ReplayReport;
import io.stowline.table.Written;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Sends what earlier processes have left in a journal, the oldest first, and counts what became of it. */
public final class Replays {

    private static final Logger LOG = LoggerFactory.getLogger(Replays.class);

    private final Journal journal;
    private final JournalLine line;
    private final LongAdder done = new LongAdder();
    private final LongAdder recovered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder left = new LongAdder();
    private final CompletableFuture<ReplayReport> report = new CompletableFuture<>();

    Replays(Journal journal, JournalLine line) {
        this.journal = journal;
        this.line = line;
    }

    /**
     * Begins; what is in the journal at this moment is replayed.
     *
     * @param scheduler where records are read
     * @param window the most operations that are under way
     * @param submitted called when all of them are in their lanes
     */
    void start(Scheduler scheduler, int window, Runnable submitted) {
        long[] ids = journal.outstanding().toArray();
        long opened = line.now();
        if (ids.length == 0) {
            submitted.run();
            end();
            return;
        }
        LOG.info("replaying {} operations from {}", ids.length, journal);
        Flux.range(0, ids.length)
                .doOnComplete(submitted)
                .flatMap(i -> one(ids[i], opened), window)
                .subscribeOn(scheduler)
                .doFinally(signal -> {
                    submitted.run();
                    end();
                })
                .subscribe();
    }

    private Mono<Void> one(long id, long opened) {
        Mono<Written> replay;
        try {
            replay = line.replay(id, opened);
        } catch (RuntimeException unreadable) {
            left.increment();
            LOG.error("record {} of {} cannot be read and stays", id, journal, unreadable);
            return Mono.empty();
        }
        return replay.doOnNext(this::count)
                .onErrorResume(e -> {
                    LOG.error("record {} of {} was not carried out", id, journal, e);
                    return Mono.empty();
                })
                .then();
    }

    private void count(Written written) {
        (written.outcome() == Outcome.CONFIRMED ? done : recovered).increment();
    }

    /** An operation of an earlier process has failed; who accepted it cannot be told. */
    void failed(LaneItem item, Throwable failure) {
        JournalTicket ticket = item.ticket();
        if (ticket != null && Fate.of(ticket, failure) == Fate.STAYS) {
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
     * What became of them.
     *
     * @return the report, once each of them has its result
     */
    public Mono<ReplayReport> report() {
        return Mono.fromFuture(report, true);
    }
}
