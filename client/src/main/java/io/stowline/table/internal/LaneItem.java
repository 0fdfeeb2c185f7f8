package io.stowline.table.internal;

import io.stowline.batching.BatchDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * An operation on its way through a lane, with the table that it is for.
 *
 * @param client the table as the writer knows it, with its retry settings
 * @param operation the operation
 * @param counters what counts for its writer
 * @param ticket its record in the writer's journal, or {@code null} if the writer has none
 */
public record LaneItem(
        TableClient client,
        EncodedOperation operation,
        WriteCounters counters,
        @Nullable JournalTicket ticket) {

    /**
     * An operation of a writer without a journal.
     *
     * @param client the table as the writer knows it, with its retry settings
     * @param operation the operation
     * @param counters what counts for its writer
     */
    public LaneItem(TableClient client, EncodedOperation operation, WriteCounters counters) {
        this(client, operation, counters, null);
    }

    /** What is not known of its attempts, those of an earlier process included. */
    @Nullable
    Replay replay() {
        return ticket == null ? null : ticket.replay();
    }

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

        /** What a journal keeps has all the time there is, and what is in doubt from the start keeps its entities longer. */
        @Override
        public @Nullable Object company(LaneItem item) {
            JournalTicket ticket = item.ticket();
            return ticket == null ? null : ticket.line().company(ticket.inherited());
        }

        /** A replacing upsert leaves the same state whether or not an upsert went before it. */
        @Override
        public @Nullable LaneItem coalesce(LaneItem earlier, LaneItem later) {
            boolean replaces = later.operation().verb() == Verb.INSERT_OR_REPLACE;
            return replaces && earlier.operation().verb().upsert() && earlier.replay() == null
                    ? later.with(JournalTicket.both(earlier.ticket, later.ticket))
                    : null;
        }

        @Override
        public void ended(LaneItem item, @Nullable Throwable failure) {
            if (item.ticket != null) {
                item.ticket.line().ended(item, item.ticket, failure);
            }
        }
    }

    private LaneItem with(@Nullable JournalTicket other) {
        return other == null ? this : new LaneItem(client, operation, counters, other);
    }

    @Override
    public String toString() {
        return operation.verb().label() + " "
                + TableRequests.resource(client.table(), operation.partitionKey(), operation.rowKey());
    }
}
