package io.stowline.table.internal.writer;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.outcome.WriteMarkers;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.request.ChangeSetBody;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.transport.internal.request.ExtraHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An operation on its way through a lane, with the table that it is for.
 *
 * @param operations the table as the writer knows it, with its retry settings
 * @param copies what is done with it in one transaction, on other rows of the partition
 * @param counters what counts for its writer
 * @param terms how the writer has it delivered; {@code null} if it is of a transaction, or of a writer with a journal
 * @param ticket its record in the writer's journal, or {@code null} if the writer has none
 */
public record QueuedWrite(
        TableOperations operations,
        EncodedOperation operation,
        List<EncodedOperation> copies,
        WriteCounters counters,
        @Nullable DeliveryTerms terms,
        @Nullable JournalTicket ticket) {

    /**
     * An operation of a transaction.
     *
     * @param operations the table as the writer knows it, with its retry settings
     * @param counters what counts for its transactions
     */
    public QueuedWrite(TableOperations operations, EncodedOperation operation, WriteCounters counters) {
        this(operations, operation, List.of(), counters, null, null);
    }

    /**
     * An operation of a writer without a journal.
     *
     * @param operations the table as the writer knows it, with its retry settings
     * @param counters what counts for its writer
     * @param terms how the writer has it delivered
     */
    public QueuedWrite(
            TableOperations operations, EncodedOperation operation, WriteCounters counters, DeliveryTerms terms) {
        this(operations, operation, List.of(), counters, terms, null);
    }

    /**
     * An operation of a writer without a journal, with others that succeed or fail with it.
     *
     * @param operations the table as the writer knows it, with its retry settings
     * @param copies the others, on other rows of the partition
     * @param counters what counts for its writer
     * @param terms how the writer has it delivered
     */
    public QueuedWrite(
            TableOperations operations,
            EncodedOperation operation,
            List<EncodedOperation> copies,
            WriteCounters counters,
            DeliveryTerms terms) {
        this(operations, operation, List.copyOf(copies), counters, terms, null);
    }

    /** Returns the operations of all items: the item's own, and its copies. */
    static List<EncodedOperation> operations(List<QueuedWrite> items) {
        List<EncodedOperation> operations = new ArrayList<>(weight(items));
        for (QueuedWrite item : items) {
            operations.add(item.operation());
            operations.addAll(item.copies());
        }
        return operations;
    }

    /** Returns the number of their operations. */
    static int weight(List<QueuedWrite> items) {
        int weight = 0;
        for (QueuedWrite item : items) {
            weight += item.weight();
        }
        return weight;
    }

    /** Returns whether its request is tried as a call of its table is. */
    boolean asOneCall() {
        return terms != null && terms.asOneCall();
    }

    /** Returns whether a refusal of the whole table ends it alone, and not its writer. */
    boolean isRepeated() {
        return terms != null && terms.repeated();
    }

    /** Returns the number of its operations. */
    int weight() {
        return 1 + copies.size();
    }

    /** Returns the unresolved attempts, those of an earlier process included. */
    @Nullable
    ReplayedWrite replay() {
        return ticket == null ? null : ticket.replay();
    }

    /** The lane engine's view of an operation. */
    public static final class Descriptor implements BatchDescriptor<QueuedWrite> {

        @Override
        public Object entity(QueuedWrite item) {
            return item.operation().rowKey();
        }

        @Override
        public int size(QueuedWrite item) {
            int size = ChangeSetBody.size(item.operation());
            for (EncodedOperation copy : item.copies()) {
                size += ChangeSetBody.size(copy);
            }
            return size;
        }

        @Override
        public int weight(QueuedWrite item) {
            return item.weight();
        }

        @Override
        public boolean conditional(QueuedWrite item) {
            return item.operation().bound();
        }

        /**
         * Returns the key of operations that are delivered in the same way. A journal's operations have unlimited time,
         * and those unresolved from the start keep their entities longer.
         */
        @Override
        public @Nullable Object company(QueuedWrite item) {
            JournalTicket ticket = item.ticket();
            return ticket == null ? item.terms() : ticket.log().company(ticket.inherited());
        }

        /**
         * Returns the later operation in place of both, if it is a replacing upsert: it leaves the same state whether
         * or not an upsert went before it.
         */
        @Override
        public @Nullable QueuedWrite coalesce(QueuedWrite earlier, QueuedWrite later) {
            boolean replaces = later.operation().verb() == EntityVerb.INSERT_OR_REPLACE;
            boolean alone = earlier.weight() + later.weight() == 2;
            return replaces && alone && earlier.operation().verb().upsert() && earlier.replay() == null
                    ? later.with(JournalTicket.both(earlier.ticket, later.ticket))
                    : null;
        }

        @Override
        public boolean reportsEnd(QueuedWrite item) {
            return item.ticket != null;
        }

        @Override
        public void ended(QueuedWrite item, @Nullable Throwable failure) {
            if (item.ticket != null) {
                item.ticket.log().exit().ended(item, item.ticket, failure);
            }
        }
    }

    private QueuedWrite with(@Nullable JournalTicket other) {
        return other == null ? this : new QueuedWrite(operations, operation, copies, counters, terms, other);
    }

    @Override
    public String toString() {
        return operation.verb().label() + " "
                + TableRequests.resource(operations.table(), operation.partitionKey(), operation.rowKey());
    }

    /**
     * The scope of one entity group transaction: one partition of one table. Table names are equal in any case.
     *
     * @param table the table's name in lower case
     */
    public record LaneKey(String table, String partitionKey) {

        public static LaneKey of(String table, String partitionKey) {
            return new LaneKey(table.toLowerCase(Locale.ROOT), partitionKey);
        }

        /** Returns the lane of another partition of the table. */
        public LaneKey in(String partitionKey) {
            return new LaneKey(table, partitionKey);
        }
    }

    /**
     * The delivery terms of a writer's operations. A request has one deadline, one back-off and one set of headers, so
     * that only operations of equal terms share one.
     *
     * @param retry their retry settings
     * @param markers the ones that leave a marker
     * @param headers the application's headers for their requests
     * @param timeout the time for the delivery, or {@code null} without a limit
     * @param asOneCall whether a request is tried as often and as long as a call of its table, and the end of that is
     *     the end of its operations
     * @param repeated whether the writer sends an operation again that was refused with the whole table, and so stays open
     */
    public record DeliveryTerms(
            RetrySettings retry,
            WriteMarkers markers,
            ExtraHeaders headers,
            @Nullable Duration timeout,
            boolean asOneCall,
            boolean repeated) {}
}
