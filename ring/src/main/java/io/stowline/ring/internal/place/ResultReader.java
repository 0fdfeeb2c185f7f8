package io.stowline.ring.internal.place;

import io.stowline.error.StorageInterruptedException;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** A reader that takes the results of a Flux on a thread that may block. For one thread. */
public final class ResultReader<R> implements Iterator<R>, AutoCloseable {

    private final Flux<R> results;
    private final int ahead;
    private @Nullable Stream<R> stream;
    private @Nullable Iterator<R> running;
    private volatile boolean closed;

    private ResultReader(Flux<R> results, int ahead) {
        this.results = results;
        this.ahead = ahead;
    }

    /**
     * Returns the results as a stream; nothing is requested before it is read, nor after it is closed.
     *
     * @param ahead how many results are requested before they are read
     */
    public static <R> Stream<R> stream(Flux<R> results, int ahead) {
        ResultReader<R> reader = new ResultReader<>(results, ahead);
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(reader, Spliterator.ORDERED | Spliterator.NONNULL), false)
                .onClose(reader::close);
    }

    @Override
    public boolean hasNext() {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("a blocking call of a ring on the thread "
                    + Thread.currentThread().getName() + ", which must not block");
        }
        try {
            boolean more = !closed && running().hasNext();
            // A reading that was closed has not come to its end, and must not look so.
            if (closed) {
                throw new IllegalStateException("the results were closed while they were read");
            }
            return more;
        } catch (RuntimeException e) {
            Throwable cause = Exceptions.unwrap(e);
            if (cause instanceof InterruptedException interrupt) {
                close();
                Thread.currentThread().interrupt();
                throw new StorageInterruptedException(interrupt);
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** Lazy, as Reactor subscribes when it makes the stream. */
    private Iterator<R> running() {
        Iterator<R> iterator = running;
        if (iterator == null) {
            Stream<R> begun = results.toStream(ahead);
            stream = begun;
            iterator = begun.iterator();
            running = iterator;
        }
        return iterator;
    }

    @Override
    public R next() {
        return running().next();
    }

    @Override
    public void close() {
        closed = true;
        if (stream != null) {
            stream.close();
        }
    }
}
