package io.stowline.examples.probe;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The time of the measurements: that of the machine, or a virtual one in tests. */
interface ProbeTime {

    /** The time of the machine. */
    ProbeTime SYSTEM = new ProbeTime() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public <T> T await(CompletableFuture<T> future) throws InterruptedException {
            try {
                return future.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw new IllegalStateException(e.getCause());
            }
        }
    };

    /** Returns the time that durations are taken from, in nanoseconds. */
    long nanoTime();

    /** Returns the time of this machine's clock. */
    Instant now();

    /** Waits for a result, or throws the exception of its failure. */
    <T> T await(CompletableFuture<T> future) throws InterruptedException;
}
