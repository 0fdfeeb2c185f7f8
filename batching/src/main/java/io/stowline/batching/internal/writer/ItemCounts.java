package io.stowline.batching.internal.writer;

/**
 * Numbers of a writer's items at one moment. Items that were cancelled before they were sent are in {@code accepted} only.
 *
 * @param accepted all that were accepted
 * @param completed those of them that succeeded
 * @param failed those that failed
 * @param buffered those without an outcome
 * @param bufferedBytes the bytes of those without an outcome
 */
public record ItemCounts(long accepted, long completed, long failed, long buffered, long bufferedBytes) {}
