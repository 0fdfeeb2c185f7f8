package io.stowline.blob.internal.base;

import io.stowline.error.StorageInterruptedException;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;

/** A cursor that goes through the results of a Flux on a thread that may block, which requests one when it wants one. Used by one thread. */
public final class FluxCursor<T> implements Iterator<T>, AutoCloseable {

    private final Flux<T> results;
    private @Nullable Stream<T> stream;
    private @Nullable Iterator<T> running;
    private volatile boolean closed;

    public FluxCursor(Flux<T> results) {
        this.results = results;
    }

    /**
     * Returns the results as a stream; nothing is requested before it is read, nor after it is closed.
     *
     * @param <T> their type
     */
    public static <T> Stream<T> stream(Flux<T> results) {
        FluxCursor<T> cursor = new FluxCursor<>(results);
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(cursor, Spliterator.ORDERED | Spliterator.NONNULL), false)
                .onClose(cursor::close);
    }

    @Override
    public boolean hasNext() {
        BlockingAwait.refuseEventLoop();
        try {
            // What ends because it is closed has not come to its end, and must not look so.
            if (closed || (!running().hasNext() && closed)) {
                throw new IllegalStateException("the results were closed while they were read");
            }
            return running().hasNext();
        } catch (RuntimeException e) {
            Throwable cause = Exceptions.unwrap(e);
            if (cause instanceof InterruptedException interrupt) {
                close();
                Thread.currentThread().interrupt();
                throw new StorageInterruptedException(
                        "interrupted while waiting for the next part of what is read; nothing was written",
                        interrupt,
                        null);
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** Lazy, as Reactor subscribes when it makes the stream. */
    private Iterator<T> running() {
        Iterator<T> iterator = running;
        if (iterator == null) {
            Stream<T> begun = results.toStream(1);
            stream = begun;
            iterator = begun.iterator();
            running = iterator;
        }
        return iterator;
    }

    @Override
    public T next() {
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
