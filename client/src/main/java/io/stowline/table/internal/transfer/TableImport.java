package io.stowline.table.internal.transfer;

import io.stowline.error.NotFoundException;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Table;
import io.stowline.table.internal.format.EntityLines;
import io.stowline.table.internal.format.FileEntity;
import io.stowline.table.internal.format.FileRow;
import io.stowline.table.internal.format.OrderedRows;
import io.stowline.table.internal.format.TableFileRows;
import io.stowline.table.internal.format.TableManifest;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.ImportMode.Rule;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.table.transfer.TableTransferSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An import of a file into a table. Rows are read in the order of their keys, so that transactions are full, and their results are taken in that
 * order: the state is the number of rows before which all is certain. Rows behind it may be written twice, which changes nothing.
 */
final class TableImport {

    private static final int PACED = 100;
    private static final String EMPTY =
            ", which in a file without a manifest counts as a missing key: mend the row, or set allowEmptyKeys";

    private final Path file;
    private final Table<Entity> table;
    private final TransferScope scope;
    private final TableService service;
    private final RowRate rate;
    private final TransferMeter meter;
    private final Predicate<Entity> included;
    private final EntityLines lines = new EntityLines();
    private final boolean scans;
    private boolean takesEmptyKeys;
    private @Nullable EntityKey last;
    private long firstLine;

    TableImport(Path file, Table<Entity> table, TransferScope scope, TableService service) {
        this.file = file;
        this.table = table;
        this.scope = scope;
        this.service = service;
        this.included = scope.rows();
        this.scans = scope.text().isEmpty() && scope.settings().mode().rule() != Rule.REPLACE_IF_NEWER;
        this.rate = new RowRate(scope.settings().rate(), service.timer(), service::pause);
        this.meter = new TransferMeter(scope.settings().progress(), service.timer());
    }

    TableTransferReport run() throws IOException {
        TableTransferSettings settings = scope.settings();
        TableManifest manifest = TableManifest.of(file);
        // A file of an export has the keys of a table, of which empty ones are meant.
        takesEmptyKeys = settings.allowEmptyKeys() || manifest != null || TableFileRows.isManifest(file);
        Path folder = settings.state().orElseGet(() -> file.resolveSibling(file.getFileName() + ".import"));
        try (TransferState state =
                settings.dryRun() ? TransferState.temporary(identity()) : TransferState.open(folder, identity())) {
            if (!state.found()) {
                state.parts(List.of(Map.of()));
            }
            try {
                write(state);
            } catch (NotFoundException missing) {
                state.endIfEmpty();
                throw missing;
            }
            PartTally tally = new PartTally().add(state.parts().get(0));
            keepRejected(state, tally.rejected());
            boolean resumed = state.resumed();
            state.end();
            checkRows(manifest, tally);
            meter.ended();
            return tally.report(meter.elapsed(), resumed, !settings.dryRun());
        }
    }

    private void write(TransferState state) throws IOException {
        TableTransferSettings settings = scope.settings();
        try (OrderedRows rows = rows(state);
                SettledRows settled = SettledRows.open(state, 0, service.timer());
                TransferThreads threads = new TransferThreads("import", settings.parallelism())) {
            RowWriter writer = new RowWriter(table, settings.mode(), settings.dryRun(), service);
            try {
                write(
                        rows,
                        settled,
                        new GroupQueue(writer, threads, settings.parallelism(), result -> {
                            settled.take(result);
                            meter.done(
                                    result.covered().count(),
                                    rows.share(settled.covered().count()));
                        }),
                        state);
            } finally {
                settled.save();
            }
        }
    }

    /** A new state goes with a file that cannot be read: nothing has been written, and the next call may have other settings. */
    private OrderedRows rows(TransferState state) throws IOException {
        try {
            return OrderedRows.open(file, scope.settings().columns(), state.folder());
        } catch (IOException | RuntimeException e) {
            if (!state.resumed()) {
                state.end();
            }
            throw e;
        }
    }

    /** Behind the writes: to find changed rows before them would take one more pass over the file. */
    private void checkRows(@Nullable TableManifest manifest, PartTally tally) throws IOException {
        boolean all = tally.rejected() == 0 && scope.text().isEmpty();
        if (manifest != null && all && !manifest.checksum().equals(tally.checksum())) {
            throw new IOException("the rows of " + file + " are not those of its manifest: their checksum is "
                    + tally.checksum() + " and not " + manifest.checksum()
                    + "; the file has been changed or is damaged,"
                    + " and its rows are written: import an undamaged copy, or delete the manifest");
        }
    }

    private void keepRejected(TransferState state, long rejected) throws IOException {
        Path target = scope.settings()
                .rejected()
                .orElseGet(() -> file.resolveSibling(file.getFileName() + ".rejected.jsonl"));
        if (rejected > 0) {
            state.collectRejected(target);
        } else {
            Files.deleteIfExists(target);
        }
    }

    private String identity() throws IOException {
        return TransferIdentity.of(
                "import", TransferIdentity.file(file), TransferIdentity.table(service, table.name()), scope);
    }

    private void write(OrderedRows rows, SettledRows settled, GroupQueue queue, TransferState state)
            throws IOException {
        CoveredRows certain = settled.covered();
        CoveredRows passed = CoveredRows.NONE;
        int unpaced = 0;
        meter.resumed(certain.count());
        meter.done(0, rows.share(certain.count()));
        for (FileRow row = rows.next(); row != null; row = rows.next()) {
            boolean isCertain = passed.count() < certain.count();
            if (isCertain) {
                passed = passed.with(row);
                refuseOthers(passed, certain, state);
            }
            add(rows, row, isCertain ? null : queue);
            if (++unpaced == PACED) {
                if (!isCertain) {
                    rate.take(unpaced);
                }
                unpaced = 0;
            }
        }
        if (passed.count() < certain.count()) {
            throw changed(certain, state);
        }
        queue.flush();
    }

    private void refuseOthers(CoveredRows passed, CoveredRows certain, TransferState state) {
        if (passed.count() == certain.count() && !passed.equals(certain)) {
            throw changed(certain, state);
        }
    }

    private IllegalStateException changed(CoveredRows certain, TransferState state) {
        return new IllegalStateException("the first " + certain.count() + " rows of " + file + " are not those that the"
                + " state " + state.folder() + " has: the file has been changed, and kept its length and its time;"
                + " delete the folder to import the file from the start");
    }

    /** Rows that are certain are read for their keys only: the one behind them may have the same. */
    private void add(OrderedRows rows, FileRow row, @Nullable GroupQueue queue) throws IOException {
        ReadRow read;
        try {
            read = read(rows, row);
        } catch (IOException | RuntimeException unreadable) {
            if (queue != null) {
                queue.reject(row, String.valueOf(unreadable.getMessage()));
            }
            return;
        }
        int order = last == null ? -1 : OrderedRows.compare(last, read.entity().key());
        if (order > 0) {
            throw new IOException("the row of line " + row.line() + " of " + file.getFileName() + " is out of the order"
                    + " that its manifest promises: the file has been changed; delete the manifest to import it");
        }
        last = read.entity().key();
        firstLine = order == 0 ? firstLine : row.line();
        if (queue == null) {
            return;
        }
        if (!read.included()) {
            queue.skip(row);
        } else if (!takesEmptyKeys && last.partitionKey().isEmpty()) {
            queue.reject(row, "the PartitionKey is empty" + EMPTY);
        } else if (!takesEmptyKeys && last.rowKey().isEmpty()) {
            queue.reject(row, "the RowKey is empty" + EMPTY);
        } else if (order == 0) {
            queue.reject(row, "an earlier row of the file has the same keys, that of line " + firstLine);
        } else {
            queue.add(read.entity());
        }
    }

    private ReadRow read(OrderedRows rows, FileRow row) throws IOException {
        FileEntity scanned = scans ? rows.scanned(row) : null;
        if (scanned != null) {
            return new ReadRow(scanned, true);
        }
        Entity whole = rows.entity(row);
        OrderedRows.checked(whole);
        boolean isIncluded = included.test(whole);
        Entity selected = scope.selected(whole);
        return new ReadRow(FileEntity.decoded(row, selected, lines.line(selected)), isIncluded);
    }

    /** A row with its entity, and whether that takes part. */
    private record ReadRow(FileEntity entity, boolean included) {}
}
