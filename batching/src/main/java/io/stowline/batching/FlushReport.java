package io.stowline.batching;

/**
 * What a flush waited for: the items accepted before it that no earlier completed flush has reported. Cancelled items
 * that were never sent are in neither number.
 *
 * @param completed how many items succeeded
 * @param failed how many items failed
 */
public record FlushReport(long completed, long failed) {}
