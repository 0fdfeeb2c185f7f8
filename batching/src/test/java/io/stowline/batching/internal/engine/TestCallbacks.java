package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.CallbackRunner;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Callbacks of the tests, on an executor or, while their requesters run, on daemon threads. */
final class TestCallbacks implements CallbackRunner {

    private static final ThreadLocal<@Nullable Run> CURRENT = new ThreadLocal<>();
    private static final ThreadLocal<@Nullable Actions> ACTIONS = new ThreadLocal<>();
    private static final Executor ON_DEMAND = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "test-callbacks");
        thread.setDaemon(true);
        return thread;
    });

    private static final int MAX_DEPTH = 16;

    private final Executor executor;
    private final AtomicLong failures;

    private TestCallbacks(Executor executor, AtomicLong failures) {
        this.executor = executor;
        this.failures = failures;
    }

    static TestCallbacks on(Executor executor) {
        return new TestCallbacks(executor, new AtomicLong());
    }

    static TestCallbacks onThreads() {
        return on(ON_DEMAND);
    }

    /** One callback while it runs, and its requester. */
    private static final class Run {

        private final @Nullable Run requester;
        private volatile boolean returned;

        Run(@Nullable Run requester) {
            this.requester = requester;
        }

        boolean isOver() {
            return returned && (requester == null || requester.isOver());
        }
    }

    /** The actions that one thread has to run. */
    private static final class Actions {

        private final ArrayDeque<Runnable> queue;
        private int depth;

        Actions(ArrayDeque<Runnable> queue) {
            this.queue = queue;
        }

        void drain() {
            for (Runnable action = queue.poll(); action != null; action = queue.poll()) {
                action.run();
            }
        }
    }

    @Override
    public void run(Runnable callback, @Nullable Object requester) {
        Run requesting = requester instanceof Run given && !given.isOver() ? given : null;
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (begun.compareAndSet(false, true)) {
                call(callback, requesting);
            }
        };
        try {
            (requesting == null ? executor : ON_DEMAND).execute(once);
        } catch (Throwable refused) {
            failures.incrementAndGet();
            ON_DEMAND.execute(once);
        }
    }

    private void call(Runnable callback, @Nullable Run requester) {
        Run outer = CURRENT.get();
        Run run = outer == null ? new Run(requester) : outer;
        CURRENT.set(run);
        try {
            callback.run();
        } catch (Throwable error) {
            threw("a callback", error);
        } finally {
            if (outer == null) {
                run.returned = true;
                CURRENT.remove();
            }
        }
    }

    @Override
    public @Nullable Object current() {
        return CURRENT.get();
    }

    @Override
    public @Nullable Object requester(ContextView context) {
        return requester();
    }

    @Override
    public boolean isOver(Object requester) {
        return ((Run) requester).isOver();
    }

    @Override
    public void beforeWaiting() {
        Actions running = ACTIONS.get();
        if (running == null || running.queue.isEmpty()) {
            return;
        }
        if (running.depth < MAX_DEPTH) {
            running.depth++;
            running.drain();
            running.depth--;
        } else {
            ArrayDeque<Runnable> rest = new ArrayDeque<>(running.queue);
            running.queue.clear();
            ON_DEMAND.execute(() -> runActions(rest));
        }
    }

    @Override
    public void runActions(ArrayDeque<Runnable> actions) {
        Actions running = ACTIONS.get();
        if (running != null) {
            running.queue.addAll(actions);
            return;
        }
        Actions begun = new Actions(actions);
        ACTIONS.set(begun);
        try {
            begun.drain();
        } finally {
            ACTIONS.remove();
        }
    }

    @Override
    public void runOnDemand(Runnable work) {
        ON_DEMAND.execute(work);
    }

    @Override
    public <T> Mono<T> deliver(CompletableFuture<T> end) {
        Object requester = requester();
        return Mono.create(sink -> end.whenComplete((value, error) -> run(
                () -> {
                    if (error != null) {
                        sink.error(error);
                    } else {
                        sink.success(value);
                    }
                },
                requester)));
    }

    @Override
    public CallbackRunner with(Executor other) {
        return new TestCallbacks(other, failures);
    }

    @Override
    public void threw(String code, Throwable error) {
        failures.incrementAndGet();
    }

    @Override
    public long failures() {
        return failures.get();
    }
}
