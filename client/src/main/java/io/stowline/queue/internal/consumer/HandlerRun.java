package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * One call of a handler, which occupies a slot until all code of the application has returned. Only in the serial
 * executor.
 */
final class HandlerRun implements MessageHandling.Progress {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEngine.class);

    private final List<InHandMessage> messages;
    private final ConsumerEngine owner;
    private final SerialExecutor serial;
    private final Scheduler timer;
    private final @Nullable Duration timeout;
    private final Disposable.Swap alarm = Disposables.swap();
    private Stopwatch time;
    private MessageHandling.@Nullable HandlerCall call;
    private boolean cancelled;
    private boolean over;

    HandlerRun(
            List<InHandMessage> messages,
            ConsumerEngine owner,
            SerialExecutor serial,
            Scheduler timer,
            @Nullable Duration timeout) {
        this.messages = messages;
        this.owner = owner;
        this.serial = serial;
        this.timer = timer;
        this.timeout = timeout;
        this.time = Stopwatch.start(timer);
    }

    /** Starts the handler; an exception of the start refuses it. */
    void start(MessageHandling handling) {
        try {
            call = handling.start(keepers(), this);
            if (cancelled) {
                cancel();
            }
        } catch (Throwable e) {
            refused(e);
        }
    }

    private List<LeaseKeeper> keepers() {
        List<LeaseKeeper> keepers = new ArrayList<>(messages.size());
        messages.forEach(message -> keepers.add(message.keeper()));
        return keepers;
    }

    List<InHandMessage> messages() {
        return messages;
    }

    /** Returns the time for which the handler has run. */
    Duration age() {
        return time.age();
    }

    /** Cancels the handler; its slot is free when it has returned. */
    void cancel() {
        cancelled = true;
        try {
            if (call != null) {
                call.cancel();
            }
        } catch (Throwable e) {
            LOG.warn("cancelling a handler threw", UserCode.printable(e));
        }
    }

    @Override
    public void began() {
        serial.execute(() -> {
            time = Stopwatch.start(timer);
            owner.began();
            Duration limit = timeout;
            if (limit != null && !alarm.isDisposed()) {
                alarm.update(timer.schedule(
                        () -> serial.execute(() -> timedOut(limit)), limit.toNanos(), TimeUnit.NANOSECONDS));
            }
        });
    }

    private void timedOut(Duration limit) {
        if (!alarm.isDisposed()) {
            try {
                owner.timedOut(this, new TimeoutException("the handler has run for " + limit + ", its handlerTimeout"));
            } finally {
                cancel();
            }
        }
    }

    @Override
    public void ended(@Nullable Throwable error) {
        end(() -> owner.returned(this, error));
    }

    @Override
    public void refused(Throwable error) {
        end(() -> owner.refused(this, error));
    }

    /** The first end counts: an executor may run a handler and refuse it then. */
    private void end(Runnable first) {
        serial.execute(() -> {
            if (!over) {
                over = true;
                alarm.dispose();
                first.run();
            }
        });
    }
}
