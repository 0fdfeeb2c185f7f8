package io.stowline.queue.internal.consumer.handler;

import io.stowline.transport.internal.thread.NamedThreads;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads of blocking handlers: virtual ones where the JVM has them, else daemon threads that end after 10 s without work. A thread of a
 * pool whose handler has ended runs the handler that this end starts, so that no other thread is woken for it. Thread-safe.
 */
public final class HandlerThreads implements Executor {

    private static final ThreadLocal<@Nullable Worker> WORKER = new ThreadLocal<>();

    private final ExecutorService threads;
    private final boolean pooled;

    private HandlerThreads(ExecutorService threads, boolean pooled) {
        this.threads = threads;
        this.pooled = pooled;
    }

    /**
     * Threads named {@code stowline-<account>-consumer-<n>}, as many as handlers run.
     *
     * @param account the account's name
     */
    public static HandlerThreads of(String account) {
        ExecutorService virtual = virtual("stowline-" + account + "-consumer-");
        return virtual == null ? platform(account) : new HandlerThreads(virtual, false);
    }

    static HandlerThreads platform(String account) {
        ExecutorService pool = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new NamedThreads(account, "consumer"));
        return new HandlerThreads(pool, true);
    }

    /** Makes them by reflection, since the library is compiled for a JVM without them. */
    static @Nullable ExecutorService virtual(String prefix) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class, long.class).invoke(builder, prefix, 1L);
            ThreadFactory factory = (ThreadFactory) type.getMethod("factory").invoke(named);
            return (ExecutorService) Executors.class
                    .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                    .invoke(null, factory);
        } catch (NoSuchMethodException
                | ClassNotFoundException
                | IllegalAccessException
                | InvocationTargetException e) {
            return null;
        }
    }

    @Override
    public void execute(Runnable handler) {
        Worker worker = WORKER.get();
        if (worker != null && worker.keeps(this)) {
            worker.runNext(handler);
        } else {
            begin(handler);
        }
    }

    private void begin(Runnable handler) {
        threads.execute(pooled ? new Worker(this, handler) : handler);
    }

    /** Runs what follows a handler on its thread, which then runs the last handler that this has started. */
    static void afterHandler(Runnable end) {
        Worker worker = WORKER.get();
        if (worker == null) {
            end.run();
        } else {
            worker.afterHandler(end);
        }
    }

    /** Starts no further threads; handlers that run go on. */
    public void shutdown() {
        threads.shutdown();
    }

    /** One thread of a pool, as long as it has handlers. Only on this thread. */
    private static final class Worker implements Runnable {

        private final HandlerThreads owner;
        private @Nullable Runnable next;
        private boolean afterHandler;

        Worker(HandlerThreads owner, Runnable first) {
            this.owner = owner;
            this.next = first;
        }

        @Override
        public void run() {
            WORKER.set(this);
            try {
                for (Runnable handler = take(); handler != null; handler = take()) {
                    run(handler);
                }
            } finally {
                WORKER.remove();
            }
        }

        private @Nullable Runnable take() {
            Runnable taken = next;
            next = null;
            return taken;
        }

        /**
         * Treats ends as a pool does between two tasks: an error goes to the thread's handler, and an interrupt is not
         * left to the next.
         */
        @SuppressWarnings("ThreadInterruptedResultIgnored")
        private static void run(Runnable handler) {
            try {
                handler.run();
            } catch (Throwable e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
            Thread.interrupted();
        }

        /**
         * Returns whether it keeps its thread for these handlers: a running handler may start others, and wait for
         * them.
         */
        boolean keeps(HandlerThreads threads) {
            return afterHandler && owner == threads;
        }

        /** The previous one goes to another thread. */
        void runNext(Runnable handler) {
            if (next != null) {
                owner.begin(next);
            }
            next = handler;
        }

        void afterHandler(Runnable end) {
            afterHandler = true;
            try {
                end.run();
            } finally {
                afterHandler = false;
            }
        }
    }
}
