package io.stowline.transport.internal.thread;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.scheduler.NonBlocking;

/** A factory of daemon threads named {@code stowline-<account>-<role>-<n>}. */
public final class NamedThreads implements ThreadFactory {

    private final String prefix;
    private final AtomicInteger count = new AtomicInteger();

    public NamedThreads(String account, String role) {
        this.prefix = String.join("-", "stowline", account, role, "");
    }

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(work, nextName());
        thread.setDaemon(true);
        return thread;
    }

    /** Returns a factory of threads that others wait for, on which no blocking call is allowed. */
    public ThreadFactory nonBlocking() {
        return work -> {
            Thread thread = new TimerThread(work, nextName());
            thread.setDaemon(true);
            return thread;
        };
    }

    private String nextName() {
        return prefix.concat(Integer.toString(count.incrementAndGet()));
    }

    private static final class TimerThread extends Thread implements NonBlocking {

        TimerThread(Runnable work, String name) {
            super(work, name);
        }
    }

    /** Runs each task on a separate thread, which ends with it. */
    public Executor each() {
        return task -> newThread(task).start();
    }
}
