package io.stowline.caching.internal.engine;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/**
 * A thread that waits for a result and runs the blocking calls that this result needs. A load that another reader hands over is so run by
 * the thread that wants it, and not by the one that was interrupted. Serves one result; {@link #call} is thread-safe.
 */
public final class CallerThread {

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final List<MonoSink<?>> open = new ArrayList<>();
    private boolean gone;

    /**
     * Returns the result of a blocking call, run by this thread while it waits.
     *
     * @param blocking the call
     * @return its result; an {@link InterruptedIOException} if the thread waits no longer
     */
    public <A> Mono<A> call(Callable<A> blocking) {
        return Mono.create(sink -> {
            if (!enter(sink, () -> run(blocking, sink))) {
                sink.error(new InterruptedIOException("the thread that was to load waits no longer"));
            }
        });
    }

    private synchronized boolean enter(MonoSink<?> sink, Runnable task) {
        if (gone) {
            return false;
        }
        open.add(sink);
        tasks.add(task);
        return true;
    }

    private synchronized boolean begins(MonoSink<?> sink) {
        return open.remove(sink);
    }

    private <A> void run(Callable<A> blocking, MonoSink<A> sink) {
        if (!begins(sink)) {
            return;
        }
        try {
            sink.success(blocking.call());
        } catch (Throwable e) { // the readers would wait for ever after an error of any kind
            sink.error(e);
        }
    }

    /**
     * Waits for a result, and runs what it needs.
     *
     * @return the result, or {@code null} if there is none
     * @throws IllegalStateException on a thread that must not block
     */
    public <A> @Nullable A await(Mono<A> result) {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("a blocking call on the thread "
                    + Thread.currentThread().getName() + ", which must not block: use the asynchronous client there");
        }
        End<A> end = new End<>();
        Disposable subscription = result.subscribe(
                value -> end.value = value,
                error -> {
                    end.error = error;
                    tasks.add(end::finish);
                },
                () -> tasks.add(end::finish));
        try {
            while (!end.finish) {
                // An interrupt during a call is a failure of this call, which is in the queue by now.
                Runnable ready = tasks.poll();
                (ready == null ? tasks.take() : ready).run();
            }
        } catch (InterruptedException e) {
            subscription.dispose();
            Thread.currentThread().interrupt();
            throw Exceptions.propagate(e);
        } finally {
            leave();
        }
        if (end.error != null) {
            throw Exceptions.propagate(end.error);
        }
        return end.value;
    }

    private void leave() {
        List<MonoSink<?>> left;
        synchronized (this) {
            gone = true;
            left = List.copyOf(open);
            open.clear();
        }
        left.forEach(sink -> sink.error(new InterruptedIOException("the thread that was to load waits no longer")));
    }

    /** The result of a call; set before the call is over. */
    private static final class End<A> {

        private volatile @Nullable A value;
        private volatile @Nullable Throwable error;
        private boolean finish;

        void finish() {
            finish = true;
        }
    }
}
