package io.stowline.table.internal.index.journal;

import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.index.IndexedContext;
import io.stowline.table.internal.index.IndexedWriter;
import io.stowline.table.internal.operation.JournaledOperations;
import io.stowline.table.internal.operation.LaneWriter;
import io.stowline.table.internal.operation.TableMember;
import io.stowline.table.internal.operation.WriterOperations;
import io.stowline.table.internal.write.AcceptedWrite;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** Writer with indexes whose operations go through an {@link IndexedLog} into the lanes of an {@link IndexedWriter}. */
public final class JournaledIndexedWriter<T> extends JournaledOperations<T> {

    private final IndexedWriter<T> writer;
    private final IndexedLog<T> log;
    private final String table;

    private JournaledIndexedWriter(IndexedWriter<T> writer, IndexedLog<T> log, String table) {
        super(writer, log);
        this.writer = writer;
        this.log = log;
        this.table = table;
    }

    /**
     * Opens a writer with a journal.
     *
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table, or of a writer without index rows
     */
    public static <T> JournaledIndexedWriter<T> open(
            IndexedContext<T> context, UnaryOperator<WriterSettings.Builder> settings, WriterJournal journal) {
        Objects.requireNonNull(journal, "journal");
        WriterSettings given = LaneWriter.built(settings).endless();
        IndexedLog<T> log = new IndexedLog<>(RecordJournal.of(journal.journal()), context, given);
        IndexedWriter<T> writer;
        try {
            writer = IndexedWriter.journaled(context, given, () -> log.pausedBy() != null);
        } catch (RuntimeException refused) {
            log.release();
            throw refused;
        }
        log.start(writer, given.bufferItems());
        return new JournaledIndexedWriter<>(writer, log, context.table());
    }

    @Override
    public <R> WriterOperations<R> in(TableMember<R> member) {
        throw new IllegalArgumentException("the writer of the table " + table
                + " has index rows and a journal, whose records have one type: rows of "
                + member.context().codec().typeName(null) + " take a writer and a journal of their type");
    }

    @Override
    public Submission<WriteResult> submit(TableOperation<T, ?> operation) {
        return AcceptedWrite.of(log.submit(operation, writer, writer::submit));
    }

    @Override
    public Submission<WriteResult> offer(TableOperation<T, ?> operation) {
        return AcceptedWrite.of(log.submit(operation, writer, writer::offer));
    }

    @Override
    public Mono<WriteResult> write(TableOperation<T, ?> operation) {
        return log.write(operation, writer);
    }
}
