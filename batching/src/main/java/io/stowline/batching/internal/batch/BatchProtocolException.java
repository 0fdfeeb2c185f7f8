package io.stowline.batching.internal.batch;

/** A reply without a result for an item: its part is missing, or the whole reply makes no progress. The item may have had its effect. */
public final class BatchProtocolException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BatchProtocolException(String message) {
        super(message);
    }
}
