package io.stowline.queue.internal.consumer;

import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.transport.internal.concurrent.ListenerCalls;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * The stop of a consumer: its time limits, and its report to all that have requested it. Only in the serial executor,
 * but for {@link #report} and {@link #refusal}.
 */
final class ConsumerStop {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEngine.class);

    private final String queue;
    private final SerialExecutor serial;
    private final Scheduler timer;
    private final ConsumerCounters counters;
    private final Disposable.Composite alarms = Disposables.composite();
    private final Sinks.One<StopReport> report = Sinks.one();
    private StopReport before = new StopReport(0, 0, 0, 0);

    ConsumerStop(String queue, SerialExecutor serial, Scheduler timer, ConsumerCounters counters) {
        this.queue = queue;
        this.serial = serial;
        this.timer = timer;
        this.counters = counters;
    }

    /** Returns the ends of the messages in hand, once the consumer is stopped. */
    Mono<StopReport> report() {
        return report.asMono();
    }

    /** Returns why this thread cannot wait for the stop, which would wait for it; or {@code null} if it can. */
    @Nullable
    String refusal(MessageHandling handling) {
        if (handling.isInHandler()) {
            return "a handler of the consumer of " + queue + " cannot wait for its stop, which waits for the handler";
        }
        if (ListenerCalls.isInListener()) {
            return "a listener cannot wait for the stop of the consumer of " + queue + ", which may wait for it";
        }
        return serial.isCurrent()
                ? "code that the consumer of " + queue + " calls cannot wait for its stop, which waits for the code"
                : null;
    }

    /** Begins to count for the report. */
    void begin() {
        before = counters.ends();
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
        StopReport now = counters.ends();
        StopReport counts = new StopReport(
                now.completed() - before.completed(),
                now.failed() - before.failed(),
                now.released() - before.released(),
                now.abandoned() - before.abandoned() + unended);
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
