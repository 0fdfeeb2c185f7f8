package io.stowline.examples.lookup;

import io.stowline.caching.Freshness;
import io.stowline.examples.shared.JobFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Threads that look something up about a thousand times a second each. */
final class Readers implements AutoCloseable {

    private static final int THREADS = 8;
    private static final int SETTINGS_FOR_EACH_BLOB = 20;
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final List<LookupItem> settings;
    private final LookupItem prices;
    private final Freshness freshness;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<Future<?>> running = new ArrayList<>();
    private volatile boolean ended;

    private Readers(List<LookupItem> settings, LookupItem prices, Freshness freshness) {
        this.settings = settings;
        this.prices = prices;
        this.freshness = freshness;
    }

    static Readers start(List<LookupItem> settings, LookupItem prices, Freshness freshness) {
        Readers readers = new Readers(settings, prices, freshness);
        for (int i = 0; i < THREADS; i++) {
            readers.running.add(readers.threads.submit(readers::read));
        }
        return readers;
    }

    private void read() {
        while (!ended) {
            any().read(freshness, System.nanoTime());
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private LookupItem any() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return random.nextInt(SETTINGS_FOR_EACH_BLOB) == 0 ? prices : settings.get(random.nextInt(settings.size()));
    }

    /**
     * Ends them.
     *
     * @throws JobFailedException if one of them failed
     */
    void end() throws InterruptedException {
        ended = true;
        for (Future<?> thread : running) {
            try {
                thread.get();
            } catch (ExecutionException e) {
                throw new JobFailedException("a reader failed: " + e.getCause(), e);
            }
        }
    }

    @Override
    public void close() {
        ended = true;
        threads.shutdown();
    }
}
