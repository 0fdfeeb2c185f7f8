package io.stowline.benchmarks.records;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Threads that write records, and live from round to round so that their allocation is measured. */
final class ThreadedWrites implements AutoCloseable {

    private final int threads;
    private final ExecutorService pool;

    ThreadedWrites(int threads) {
        this.threads = threads;
        this.pool = Executors.newFixedThreadPool(threads);
    }

    /** Writes so many records, and returns when the last thread has written its share. */
    void write(int records, Consumer<String> write) throws Exception {
        List<Future<?>> shares = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int first = i;
            shares.add(pool.submit(() -> {
                for (int number = first; number < records; number += threads) {
                    write.accept(RecordTexts.text(number));
                }
            }));
        }
        for (Future<?> share : shares) {
            share.get();
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
