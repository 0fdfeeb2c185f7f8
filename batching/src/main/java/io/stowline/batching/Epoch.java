package io.stowline.batching;

import java.util.concurrent.CompletableFuture;

/** The items accepted between two flushes; guarded by the engine's lock. */
final class Epoch {

    final CompletableFuture<FlushReport> report = new CompletableFuture<>();
    long accepted;
    long pending;
    long completed;
    long failed;

    void count(Object outcome) {
        pending--;
        if (outcome instanceof Failure) {
            failed++;
        } else {
            completed++;
        }
    }
}
