package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.consumer.ConsumerCounters.StopCounts;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * The stop of a consumer: its time limits, and its report to all that have requested it. Only in the serial executor,
 * but for {@link #report}.
 */
final class ConsumerStop {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEngine.class);

    private final String queue;
    private final SerialExecutor serial;
    private final Scheduler timer;
    private final ConsumerCounters counters;
    private final Disposable.Composite alarms = Disposables.composite();
    private final Sinks.One<StopCounts> report = Sinks.one();
    private StopCounts before = new StopCounts(0, 0, 0, 0);

    ConsumerStop(String queue, SerialExecutor serial, Scheduler timer, ConsumerCounters counters) {
        this.queue = queue;
        this.serial = serial;
        this.timer = timer;
        this.counters = counters;
    }

    /** Returns the ends of the messages in hand, once the consumer is stopped. */
    Mono<StopCounts> report() {
        return report.asMono();
    }

    /** Begins to count for the report. */
    void begin() {
        before = StopCounts.of(counters);
    }

    /** Runs a step after this time unless the stop ends before. A timer that has stopped already leaves a stop no time. */
    void after(Duration time, Runnable step) {
        try {
            alarms.add(timer.schedule(() -> serial.execute(step), Math.max(1, time.toNanos()), TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) {
            serial.execute(step);
        }
    }

    /** Removes the limits of the stop. */
    void cancelAlarms() {
        alarms.dispose();
    }

    /**
     * Reports.
     *
     * @param unended how many messages have no result
     */
    void end(long unended) {
        StopCounts counts = StopCounts.of(counters).since(before).abandoning(unended);
        if (counts.abandoned() > 0) {
            LOG.warn(
                    "the consumer of {} is stopped without the ends of {} messages: their handlers, or the responses"
                            + " to their ends, took longer than the stop; those that are left are received again when"
                            + " their leases end",
                    queue,
                    counts.abandoned());
        }
        report.tryEmitValue(counts);
    }
}
