package io.stowline.table.internal.writer;

import io.stowline.batching.internal.writer.BatcherSettings;
import io.stowline.batching.internal.writer.FailedItem;
import io.stowline.error.StorageException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.retry.Backoff;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The pause of a writer with a journal. A refusal that none of its operations can pass begins it: from then on one
 * batch at a time probes, at growing intervals, and the first response about an operation ends the pause. Thread-safe.
 */
public final class DeliveryPause {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryPause.class);

    private static final Backoff PAUSES = Backoff.of(Duration.ofMillis(500), Duration.ZERO, Duration.ofSeconds(30))
            .spreadAtCap();

    private final RecordJournal journal;
    private final String table;
    private final BatcherSettings settings;
    private final TableService service;
    private @Nullable StorageException cause;
    private int probes;
    private long until;
    private boolean probing;

    /**
     * Begins without a pause.
     *
     * @param table the table's name
     * @param settings the writer's, whose listener of failures gets the refusal
     */
    public DeliveryPause(RecordJournal journal, String table, BatcherSettings settings, TableService service) {
        this.journal = journal;
        this.table = table;
        this.settings = settings;
        this.service = service;
    }

    /** Returns the wait of an operation that was postponed so many times. */
    public Duration delay(int round) {
        return PAUSES.delay(Math.min(round, Short.MAX_VALUE), service.random());
    }

    /** Returns why it is paused, or {@code null} if it is not. */
    public synchronized @Nullable StorageException cause() {
        return cause;
    }

    /** Returns the wait of a batch; zero if it may go, which makes it the probe of a paused writer. */
    public synchronized Duration untilNext() {
        if (cause == null) {
            return Duration.ZERO;
        }
        if (probing) {
            return delay(probes + 1).plusMillis(1);
        }
        if (until - now() > 0) {
            return Duration.ofNanos(until - now());
        }
        probing = true;
        return Duration.ZERO;
    }

    /**
     * Begins or prolongs the pause, after the service has refused all operations. The listener gets the refusal with the first of them.
     *
     * @param item the operation
     */
    public void refused(Object item, StorageException why) {
        if (begins(why)) {
            LOG.warn(
                    "the writer of {} is paused and probes by itself; {} operations wait in {}: {}",
                    table,
                    journal.outstandingRecords(),
                    journal,
                    why.getMessage());
            Consumer<? super FailedItem> listener = settings.onFailure();
            if (listener != null) {
                Executor own = settings.callbacks();
                Callbacks callbacks = own == null ? service.delivery() : Callbacks.on(own);
                callbacks
                        .deliver(Mono.just(new FailedItem(item, why)))
                        .subscribe(listener, e -> LOG.warn("a listener has failed", e));
            }
        }
    }

    private synchronized boolean begins(StorageException why) {
        boolean first = cause == null;
        cause = why;
        if (first || probing || until - now() <= 0) {
            goOn();
        }
        return first;
    }

    /** Prolongs the pause if the batch was a probe, after an end without a conclusive response. */
    public synchronized void unanswered() {
        if (cause != null && probing) {
            goOn();
        }
    }

    private void goOn() {
        probing = false;
        probes = Math.min(probes + 1, Short.MAX_VALUE);
        until = now() + delay(probes).toNanos();
    }

    private long now() {
        return service.timer().now(TimeUnit.NANOSECONDS);
    }

    /** Ends the pause, after a response about an operation. */
    public void responded() {
        if (ends()) {
            LOG.info("the writer of {} goes on; {} operations are in {}", table, journal.outstandingRecords(), journal);
        }
    }

    private synchronized boolean ends() {
        boolean was = cause != null;
        cause = null;
        probing = false;
        probes = 0;
        return was;
    }
}
