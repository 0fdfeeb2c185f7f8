package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The work of a {@link Simulation} in flight. */
final class SimulatedWork {

    private SimulatedWork() {}

    static final class Tracked {
        final EngineBatcher<String, Item, String> writer;
        final Item item;
        final String key;

        @Nullable
        EngineSubmission<String> submission;

        @Nullable
        Disposable subscription;

        /** True if it was accepted when it was submitted. */
        boolean inOrder;

        boolean mustNotBeSent;
        long notAfter = Long.MAX_VALUE;
        int results;

        Tracked(EngineBatcher<String, Item, String> writer, Item item, String key) {
            this.writer = writer;
            this.item = item;
            this.key = key;
        }

        void ended() {
            results++;
        }

        @Override
        public String toString() {
            return item + " of " + key;
        }
    }

    static final class Group {
        @Nullable
        Disposable subscription;

        int results;

        void cancel() {
            if (subscription != null && results == 0) {
                subscription.dispose();
                results = 1;
            }
        }
    }

    static final class Open {

        /** True if it is off the wire, and if it has come back to it, which is unbounded here. */
        boolean off;

        boolean back;

        final DeliveryBatch<String, Item> batch;
        final CompletableFuture<BatchReply<String>> response = new CompletableFuture<>();

        Open(DeliveryBatch<String, Item> batch) {
            this.batch = batch;
        }
    }

    static final class Barrier {
        boolean over;

        Barrier(Mono<?> end) {
            Disposable unused = end.subscribe(value -> {}, error -> over = true, () -> over = true);
        }
    }
}
