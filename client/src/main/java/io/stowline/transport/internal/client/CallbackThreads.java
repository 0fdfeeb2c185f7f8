package io.stowline.transport.internal.client;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.ThreadExecutorMap;
import io.stowline.transport.internal.thread.NamedThreads;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a client's callbacks. Tasks of an I/O thread are handed over once it has read what was ready, so that one wake-up serves
 * many results. A task that waits keeps one thread, and no other task. After the shutdown tasks run on another executor. Thread-safe.
 */
final class CallbackThreads implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(CallbackThreads.class);
    private static final int THREADS = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final ExecutorService pool;
    private final int max;
    private final Executor afterShutdown;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();
    private final ThreadLocal<Queue<Runnable>> read = ThreadLocal.withInitial(ArrayDeque::new);

    /**
     * Threads of a pool.
     *
     * @param pool threads that run nothing else
     * @param max how many of them there are, at least 2
     * @param afterShutdown what runs tasks that the pool refuses
     */
    CallbackThreads(ExecutorService pool, int max, Executor afterShutdown) {
        this.pool = pool;
        this.max = max;
        this.afterShutdown = afterShutdown;
    }

    /** Makes daemon threads named {@code stowline-<account>-callback-<n>}, one for each core and at least two. */
    static CallbackThreads of(String account, Executor afterShutdown) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new NamedThreads(account, "callback"));
        pool.allowCoreThreadTimeOut(true);
        return new CallbackThreads(pool, THREADS, afterShutdown);
    }

    @Override
    public void execute(Runnable task) {
        EventExecutor loop = loop();
        if (loop == null) {
            tasks.add(task);
            wake();
            return;
        }
        Queue<Runnable> batch = read.get();
        batch.add(task);
        if (batch.size() == 1) {
            handOverAfterReading(loop, batch);
        }
    }

    private static @Nullable EventExecutor loop() {
        return Thread.currentThread() instanceof FastThreadLocalThread ? ThreadExecutorMap.currentExecutor() : null;
    }

    private void handOverAfterReading(EventExecutor loop, Queue<Runnable> batch) {
        try {
            loop.execute(() -> handOver(batch));
        } catch (RejectedExecutionException ended) {
            handOver(batch);
        }
    }

    private void handOver(Queue<Runnable> batch) {
        tasks.addAll(batch);
        batch.clear();
        wake();
    }

    /** Has one more thread take tasks, unless all do. */
    private void wake() {
        for (int now = running.get(); now < max; now = running.get()) {
            if (running.compareAndSet(now, now + 1)) {
                start();
                return;
            }
        }
    }

    private void start() {
        try {
            pool.execute(this::run);
        } catch (RejectedExecutionException shutDown) {
            startAfterShutdown();
        } catch (Throwable e) {
            running.decrementAndGet();
            throw e;
        }
    }

    private void startAfterShutdown() {
        try {
            afterShutdown.execute(this::run);
        } catch (Throwable e) {
            running.decrementAndGet();
            throw e;
        }
    }

    /** Wakes another thread for the tasks behind each one, since that may wait. */
    private void run() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            if (!tasks.isEmpty()) {
                wake();
            }
            run(task);
        }
        running.decrementAndGet();
        if (!tasks.isEmpty()) {
            wake();
        }
    }

    /**
     * Treats ends as a pool does between two tasks: an error ends no thread, and an interrupt is not left to the next.
     */
    @SuppressWarnings("ThreadInterruptedResultIgnored")
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("a callback failed", e);
        }
        Thread.interrupted();
    }

    /** Starts no more threads; tasks that come later run elsewhere. */
    void shutdown() {
        pool.shutdown();
    }
}
