package io.stowline.table;

/**
 * What {@link Query#deleteAll} did with the entities that the query found.
 *
 * @param deleted entities that the call removed
 * @param changed entities that another client changed between the read and the deletion; they stay
 * @param missing entities that another client removed in between
 */
public record DeletionReport(long deleted, long changed, long missing) {}
