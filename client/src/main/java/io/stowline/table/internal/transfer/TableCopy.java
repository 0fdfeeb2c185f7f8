package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.table.transfer.TableTransferSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

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
                        .run((part, saved) -> new CopyPart(
                                SettledRows.open(state, part, service.timer()), writer, threads, service.timer()));
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
}
