package io.stowline.transport.internal.concurrent;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * An executor that runs tasks one after the other: each on the thread that brings it, or on the one that runs another task just then. A task sees all that
 * earlier ones have written. What a task throws is logged and stops no other one.
 */
public final class SerialExecutor implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final Consumer<Runnable> detached;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();

    /** Written by the thread that reads itself here, so that it need not be volatile. */
    private @Nullable Thread runner;

    /** An executor of tasks that are their callers' own work. */
    public SerialExecutor() {
        this(Runnable::run);
    }

    /**
     * An executor of the library's own work.
     *
     * @param detached runs a task in the thread of a caller, whose work it is not
     */
    public SerialExecutor(Consumer<Runnable> detached) {
        this.detached = detached;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (pending.getAndIncrement() != 0) {
            return;
        }
        do {
            run(tasks.remove());
        } while (pending.decrementAndGet() != 0);
    }

    /**
     * Runs work as a task, with the context of its subscriber. It continues after a cancel of its subscriber, and its
     * error then is not a dropped one.
     */
    public Mono<Void> work(BiConsumer<Sinks.One<Void>, ContextView> begin) {
        return Mono.deferContextual(context -> {
            Sinks.One<Void> end = Sinks.one();
            execute(() -> begin.accept(end, context));
            return end.asMono();
        });
    }

    /** Returns whether this thread runs a task, and holds up the others. */
    public boolean isCurrent() {
        return runner == Thread.currentThread();
    }

    private void run(Runnable task) {
        runner = Thread.currentThread();
        try {
            detached.accept(task);
        } catch (Throwable e) {
            LOG.error("a serial task failed", UserCode.printable(e));
        } finally {
            runner = null;
        }
    }
}
