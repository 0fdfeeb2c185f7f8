package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.internal.format.EntityLines;
import io.stowline.table.internal.format.FileEntity;
import io.stowline.table.internal.format.FileRow;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.table.transfer.TableTransferSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** A copy of a table into another one: a scan in parts, each of which writes full transactions and saves its position behind them. */
final class TableCopy {

    private final Table<Entity> source;
    private final Table<Entity> target;
    private final TransferScope scope;
    private final TableService service;

    TableCopy(Table<Entity> source, Table<Entity> target, TransferScope scope, TableService service) {
        this.source = source;
        this.target = target;
        this.scope = scope;
        this.service = service;
    }

    TableTransferReport run() throws IOException {
        TableTransferSettings settings = scope.settings();
        TransferMeter meter = new TransferMeter(settings.progress(), service.timer());
        String identity = TransferIdentity.of(
                "copy", TransferIdentity.table(service, source.name()), TransferIdentity.table(target), scope);
        Optional<Path> folder = settings.dryRun() ? Optional.empty() : settings.state();
        try (TransferState state =
                folder.isPresent() ? TransferState.open(folder.get(), identity) : TransferState.temporary(identity)) {
            RowWriter writer = new RowWriter(target, settings.mode(), settings.dryRun(), service);
            try (TransferThreads threads = new TransferThreads("copy", settings.parallelism())) {
                new PartedScan(
                                source,
                                scope,
                                state,
                                meter,
                                new RowRate(settings.rate(), service.timer(), service::pause),
                                service)
                        .run((index, saved) -> part(
                                SettledRows.open(state, index, service.timer()), writer, threads, service.timer()));
            }
            PartTally tally = new PartTally();
            state.parts().forEach(tally::add);
            if (tally.rejected() > 0 && settings.rejected().isPresent()) {
                state.collectRejected(settings.rejected().get());
            }
            boolean resumed = state.resumed();
            state.end();
            meter.ended();
            return tally.report(meter.elapsed(), resumed, !settings.dryRun());
        }
    }

    /** Returns a part of a copy, whose positions are due by this timer. */
    static PartSink part(SettledRows settled, RowWriter writer, TransferThreads threads, Scheduler timer) {
        return new CopyPart(settled, writer, threads, timer);
    }

    /** The writes of one part of a copy. For one thread. */
    private static final class CopyPart implements PartSink {

        private static final int GROUPS = 4;

        /** A kill repeats the rows of this time; a position waits for the transactions in flight and one small file. */
        private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

        private final SettledRows settled;
        private final Scheduler timer;
        private final GroupQueue queue;
        private final EntityLines lines = new EntityLines();
        private long flushed;

        CopyPart(SettledRows settled, RowWriter writer, TransferThreads threads, Scheduler timer) {
            this.settled = settled;
            this.timer = timer;
            this.flushed = timer.now(TimeUnit.NANOSECONDS);
            this.queue = new GroupQueue(writer, threads, GROUPS, settled::add);
        }

        @Override
        public void row(Entity entity) throws IOException {
            byte[] line = lines.line(entity);
            queue.add(FileEntity.decoded(new FileRow(0, line), entity, line));
        }

        @Override
        public boolean isDue() {
            return timer.now(TimeUnit.NANOSECONDS) - flushed >= PAUSE;
        }

        @Override
        public Map<String, Object> flush() throws IOException {
            queue.flush();
            flushed = timer.now(TimeUnit.NANOSECONDS);
            return settled.flush();
        }

        @Override
        public void close() throws IOException {
            settled.close();
        }
    }
}
