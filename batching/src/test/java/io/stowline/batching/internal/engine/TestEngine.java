package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchSender;

/** Engines of tests, with the parts that a client would give. */
final class TestEngine {

    private TestEngine() {}

    static <K, I, R> BatchingEngine.Builder<K, I, R> builder(
            BatchDescriptor<I> descriptor, BatchSender<K, I, R> sender) {
        return BatchingEngine.builder(descriptor, sender)
                .errors(new TestErrors())
                .callbacks(TestCallbacks.onThreads());
    }
}
