package io.stowline.batching.internal.engine;

/** The limits of a batch, as a test sets them and reckons with them. */
record BatchLimits(int maxItems, int maxBytes, int envelopeBytes) {

    /** Sets them. */
    <K, I, R> BatchingEngine.Builder<K, I, R> on(BatchingEngine.Builder<K, I, R> builder) {
        return builder.limits(maxItems, maxBytes, envelopeBytes);
    }

    /** The most bytes of all items of a batch. */
    int room() {
        return maxBytes - envelopeBytes;
    }
}
