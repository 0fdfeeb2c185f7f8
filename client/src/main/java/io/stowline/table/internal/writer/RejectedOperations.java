package io.stowline.table.internal.writer;

import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.journal.internal.store.RejectedRecord;
import io.stowline.table.TableWriter.RejectedOperation;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.OperationEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The operations of a journal that were refused for good. Thread-safe. */
public final class RejectedOperations {

    private final RecordJournal journal;
    private final OperationEncoder encoder;

    RejectedOperations(RecordJournal journal, OperationEncoder encoder) {
        this.journal = journal;
        this.encoder = encoder;
    }

    /**
     * Returns the operations on the list.
     *
     * @return the operations, the oldest first
     */
    public List<RejectedOperation> operations() {
        return journal.rejected().stream().map(this::operation).toList();
    }

    private RejectedOperation operation(RejectedRecord each) {
        JournalRecord record = JournalRecord.of(each.record(), encoder);
        EncodedOperation operation = record.operation();
        return new RejectedOperation(
                each.id(),
                operation.verb().label(),
                operation.partitionKey(),
                operation.rowKey(),
                operation.ifMatch(),
                new String(operation.content(), StandardCharsets.UTF_8),
                record.written(),
                each.at(),
                each.reason());
    }

    /** Takes an operation from the list. */
    public void discard(long id) {
        journal.discardRejected(id);
    }
}
