package io.stowline.table;

/**
 * The items that a flush waited for: those accepted before it, but for those that an earlier flush had reported when this one began. Two
 * flushes that overlap report the same items. Cancelled items that were never sent are in neither number.
 *
 * @param completed how many items succeeded
 * @param failed how many items failed
 */
public record FlushReport(long completed, long failed) {}
