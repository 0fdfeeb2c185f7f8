package io.stowline.batching.internal.writer;

/** Numbers of items, by their outcome, that a flush waited for. */
public record FlushCounts(long completed, long failed) {}
