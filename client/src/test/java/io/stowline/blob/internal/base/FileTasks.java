package io.stowline.blob.internal.base;

import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.scheduler.Schedulers;

/** Counts how often a thread for files is woken, by all clients of the process. */
public final class FileTasks implements AutoCloseable {

    private static final String HOOK = FileTasks.class.getName();

    private final AtomicInteger run = new AtomicInteger();

    public FileTasks() {
        Schedulers.onScheduleHook(HOOK, task -> () -> {
            if (Thread.currentThread().getName().startsWith("stowline-shared-transfer")) {
                run.incrementAndGet();
            }
            task.run();
        });
    }

    /** Begins at zero. */
    public void reset() {
        run.set(0);
    }

    public int run() {
        return run.get();
    }

    @Override
    public void close() {
        Schedulers.resetOnScheduleHook(HOOK);
    }
}
