package io.stowline.queue.internal.consumer;

import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** One call of a handler, which occupies a slot until no code of the application runs any more. Only in the serial executor. */
final class HandlerRun implements MessageHandling.Progress {

    /** Hears of a run, in the serial executor. */
    interface Owner {

        /** The handler has run for its time; its messages fail. */
        void timedOut(HandlerRun run, TimeoutException timeout);

        /** The slot is free. */
        void returned(HandlerRun run, @Nullable Throwable error);

        /** The handler was not started. */
        void refused(HandlerRun run, Throwable error);
    }

    private final List<InHandMessage> messages;
    private final Owner owner;
    private final SerialExecutor serial;
    private final Scheduler timer;
    private final @Nullable Duration timeout;
    private final Disposable.Swap alarm = Disposables.swap();
    private Stopwatch time;
    private MessageHandling.@Nullable Call call;
    private boolean cancelled;

    HandlerRun(
            List<InHandMessage> messages,
            Owner owner,
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

    void start(MessageHandling handling) {
        MessageHandling.Call started =
                handling.start(messages.stream().map(InHandMessage::keeper).toList(), this);
        call = started;
        if (cancelled) {
            started.cancel();
        }
    }

    List<InHandMessage> messages() {
        return messages;
    }

    /** How long the handler has run. */
    Duration age() {
        return time.age();
    }

    /** Cancels the handler; its slot is free when it has returned. */
    void cancel() {
        cancelled = true;
        if (call != null) {
            call.cancel();
        }
    }

    @Override
    public void began() {
        serial.execute(() -> {
            time = Stopwatch.start(timer);
            Duration limit = timeout;
            if (limit != null && !alarm.isDisposed()) {
                alarm.update(timer.schedule(
                        () -> serial.execute(() -> timedOut(limit)), limit.toNanos(), TimeUnit.NANOSECONDS));
            }
        });
    }

    private void timedOut(Duration limit) {
        if (!alarm.isDisposed()) {
            owner.timedOut(this, new TimeoutException("the handler has run for " + limit + ", its handlerTimeout"));
            cancel();
        }
    }

    @Override
    public void ended(@Nullable Throwable error) {
        serial.execute(() -> {
            alarm.dispose();
            owner.returned(this, error);
        });
    }

    @Override
    public void refused(Throwable error) {
        serial.execute(() -> {
            alarm.dispose();
            owner.refused(this, error);
        });
    }
}
