package io.stowline.table.internal.operation;

import io.stowline.batching.internal.writer.Batcher;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.write.AcceptedWrite;
import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.internal.writer.WriteAheadLog;
import io.stowline.table.internal.writer.WriteCounters;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** Writer whose operations go through a write-ahead log into the lanes of a {@link LaneWriter}. */
public final class JournaledWriter<T> extends JournaledOperations<T> {

    private final LaneWriter<T> lanes;
    private final WriteAheadLog log;

    private JournaledWriter(LaneWriter<T> lanes, WriteAheadLog log) {
        super(lanes, log);
        this.lanes = lanes;
        this.log = log;
    }

    /**
     * Opens a writer with a journal.
     *
     * @throws io.stowline.journal.JournalException if the journal is in use, or that of another table
     */
    public static <T> JournaledWriter<T> open(
            TableContext<T> context, UnaryOperator<WriterSettings.Builder> settings, WriterJournal journal) {
        Objects.requireNonNull(journal, "journal");
        WriterSettings given = LaneWriter.built(settings);
        TableContext<T> within = LaneWriter.within(context, given);
        TableService service = context.service();
        Batcher<LaneKey, QueuedWrite, WriteResult> batcher = service.lanes().batcher(new LaneSettings(given.endless()));
        WriteCounters counters = new WriteCounters();
        WriteAheadLog log =
                new WriteAheadLog(RecordJournal.of(journal.journal()), service, within.operations(), batcher, counters);
        return new JournaledWriter<>(
                new LaneWriter<>(within, batcher, counters, LaneWriter.terms(context, given), log), log);
    }

    @Override
    public <R> JournaledWriter<R> in(TableMember<R> member) {
        return new JournaledWriter<>(lanes.in(member), log);
    }

    @Override
    public Submission<WriteResult> submit(TableOperation<T, ?> given) {
        return AcceptedWrite.of(log.submit(lanes.encode(given), lanes::submit));
    }

    @Override
    public Submission<WriteResult> offer(TableOperation<T, ?> given) {
        return AcceptedWrite.of(log.submit(lanes.encode(given), lanes::offer));
    }

    @Override
    public Mono<WriteResult> write(TableOperation<T, ?> given) {
        return WriterOperations.encoded(() -> lanes.encode(given))
                .flatMap(operation -> log.write(operation, lanes::write));
    }
}
