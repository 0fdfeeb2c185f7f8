package io.stowline.examples.quickstart;

import io.stowline.examples.shared.JobFailedException;
import java.util.Iterator;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Feeds runs of cities to a writer so that each run becomes one transaction.
 *
 * <p>The writer cuts a transaction when it is full, when its linger is over, or when a caller waits for room in its
 * buffer. The last of these would cut a run in the middle, so this class takes the room for a whole run before its first
 * city, from a window that is smaller than the buffer. The rest of a country, which never gets full, is sent as soon as
 * it is handed over; at that moment no run is open.
 *
 * <p>To be used by one thread; {@link #written} may be asked by any.
 */
final class CityLoader {

    /** How many cities the writer holds at the most: below its buffer of 10,000. */
    static final int WINDOW = 8_000;

    private final CitySink sink;
    private final Semaphore window = new Semaphore(WINDOW);
    private final LongAdder written = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();

    CityLoader(CitySink sink) {
        this.sink = sink;
    }

    /** How many cities are written so far. */
    long written() {
        return written.sum();
    }

    /**
     * Writes all cities, and ends when the last has its result. After a failure nothing more is handed over.
     *
     * @throws JobFailedException if a city was not written
     */
    void load(Iterator<Run> runs) throws InterruptedException {
        while (runs.hasNext() && firstFailure.get() == null) {
            feed(runs.next());
        }
        sink.drain();
        // The sink does not wait for callbacks; each of them gives back its room.
        window.acquire(WINDOW);
        Throwable failure = firstFailure.get();
        if (failure != null) {
            throw new JobFailedException(failed.sum() + " cities were not written; the first: " + failure, failure);
        }
    }

    private void feed(Run run) throws InterruptedException {
        window.acquire(run.cities().size());
        for (City city : run.cities()) {
            sink.write(city, this::done);
        }
        if (run.last()) {
            sink.sendRest();
        }
    }

    private void done(@Nullable Throwable error) {
        if (error == null) {
            written.increment();
        } else {
            failed.increment();
            firstFailure.compareAndSet(null, error);
        }
        window.release();
    }
}
