package io.stowline.batching.internal.writer;

/** Item that failed, as it was sent or would have been, with its cause. */
public record FailedItem(Object item, Throwable cause) {}
