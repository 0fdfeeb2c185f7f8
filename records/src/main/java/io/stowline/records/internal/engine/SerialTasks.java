package io.stowline.records.internal.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An executor that runs tasks of the application one at a time, in their order, on another executor. Thread-safe. */
final class SerialTasks implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialTasks.class);

    private final Executor executor;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean running;
    private volatile @Nullable Thread thread;

    SerialTasks(Executor executor) {
        this.executor = executor;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (tasks) {
            tasks.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        try {
            executor.execute(this::drain);
        } catch (RejectedExecutionException e) {
            LOG.warn("the executor of callbacks refuses them; they run on an internal thread", e);
            drain();
        }
    }

    /** Returns whether this thread runs one of the tasks. */
    boolean isRunning() {
        return Thread.currentThread() == thread;
    }

    private void drain() {
        thread = Thread.currentThread();
        for (Runnable task = poll(); task != null; task = poll()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                LOG.warn("a callback has failed", e);
            }
        }
    }

    private @Nullable Runnable poll() {
        synchronized (tasks) {
            Runnable task = tasks.poll();
            if (task == null) {
                running = false;
                thread = null;
            }
            return task;
        }
    }
}
