package io.stowline.table.internal;

import io.stowline.batching.BatchDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * An operation on its way through a lane, with the table that it is for.
 *
 * @param client the table as the writer knows it, with its retry settings
 * @param operation the operation
 * @param counters what counts for its writer
 */
public record LaneItem(TableClient client, EncodedOperation operation, WriteCounters counters) {

    /** How the lane engine sees an operation. */
    static final class Descriptor implements BatchDescriptor<LaneItem> {

        @Override
        public Object entity(LaneItem item) {
            return item.operation().rowKey();
        }

        @Override
        public int size(LaneItem item) {
            return BatchBody.size(item.operation());
        }

        @Override
        public boolean conditional(LaneItem item) {
            return item.operation().bound();
        }

        /** A replacing upsert leaves the same state whether or not an upsert went before it. */
        @Override
        public @Nullable LaneItem coalesce(LaneItem earlier, LaneItem later) {
            boolean replaces = later.operation().verb() == Verb.INSERT_OR_REPLACE;
            return replaces && earlier.operation().verb().upsert() ? later : null;
        }
    }

    @Override
    public String toString() {
        return operation.verb().label() + " "
                + TableRequests.resource(client.table(), operation.partitionKey(), operation.rowKey());
    }
}
