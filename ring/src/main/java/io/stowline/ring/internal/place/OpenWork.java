package io.stowline.ring.internal.place;

import io.stowline.error.ClosedException;
import io.stowline.ring.RingConsumer;
import io.stowline.ring.RingWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The consumers and writers of a ring that are open. They end before its clients, also those that the ring does not close. Thread-safe. */
public final class OpenWork {

    private final Set<RingConsumer> consumers = ConcurrentHashMap.newKeySet();
    private final Set<RingWriter<?>> writers = ConcurrentHashMap.newKeySet();
    private boolean closed;

    /** Notes a consumer. */
    public synchronized void opened(RingConsumer consumer) {
        refuseClosed();
        consumers.add(consumer);
    }

    /** Notes a writer. */
    public synchronized void opened(RingWriter<?> writer) {
        refuseClosed();
        writers.add(writer);
    }

    private void refuseClosed() {
        if (closed) {
            throw new ClosedException("the ring is closed");
        }
    }

    /** Forgets a consumer that is stopped. */
    public void ended(RingConsumer consumer) {
        consumers.remove(consumer);
    }

    /** Forgets a writer that is closed. */
    public void ended(RingWriter<?> writer) {
        writers.remove(writer);
    }

    /**
     * Refuses new work, stops the consumers and then closes the writers, which have what the handlers wrote.
     *
     * @return the failures
     * @throws IllegalStateException if this thread cannot wait for a consumer; nothing is closed then
     */
    public List<RuntimeException> close() {
        for (RingConsumer consumer : consumers) {
            if (!consumer.canAwaitStop()) {
                throw new IllegalStateException("this thread cannot wait for the stop of the consumer of "
                        + consumer.queue() + ", such as one of its handlers; close the ring in another thread");
            }
        }
        synchronized (this) {
            closed = true;
        }
        List<RuntimeException> failures = new ArrayList<>();
        consumers.forEach(consumer -> closing(consumer::close, failures));
        writers.forEach(writer -> closing(writer::close, failures));
        return failures;
    }

    private static void closing(Runnable close, List<RuntimeException> failures) {
        try {
            close.run();
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }
}
