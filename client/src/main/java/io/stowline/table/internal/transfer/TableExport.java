package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.internal.format.EntityLines;
import io.stowline.table.internal.format.TableFileFormat;
import io.stowline.table.internal.format.TableFileRows;
import io.stowline.table.internal.format.TableManifest;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.transport.internal.netty.UserAgent;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An export of a table to a file. Its parts are written beside each other into the folder of the state, and put together in the order of their
 * keys at the end; so a kill at any moment leaves either the state or the file.
 */
final class TableExport {

    private final TableService service;
    private final Table<Entity> table;
    private final Path file;
    private final TransferScope scope;
    private final TableFileFormat format;
    private final RowRate rate;
    private final TransferMeter meter;

    TableExport(Table<Entity> table, Path file, TransferScope scope, TableService service) {
        this.service = service;
        this.table = table;
        this.file = file;
        this.scope = scope;
        this.format = TableFileFormat.ofExport(file, scope.settings().select());
        this.rate = new RowRate(scope.settings().rate(), service.timer(), service::pause);
        this.meter = new TransferMeter(scope.settings().progress(), service.timer());
    }

    TableTransferReport run() throws IOException {
        boolean dryRun = scope.settings().dryRun();
        Path folder = file.resolveSibling(file.getFileName() + ".export");
        if (!dryRun
                && !Files.exists(folder)
                && Files.exists(file)
                && !scope.settings().overwrite()) {
            throw new IllegalStateException(
                    "the file " + file + " exists: set overwrite to replace it, or name another one");
        }
        try (TransferState state =
                dryRun ? TransferState.temporary(identity()) : TransferState.open(folder, identity())) {
            boolean resumed = state.resumed();
            new PartedScan(table, scope, state, meter, rate, service)
                    .run((part, saved) -> dryRun
                            ? new DryPart()
                            : ExportPart.open(
                                    state, part, saved, format, scope.settings().select()));
            PartTally tally = new PartTally();
            state.parts().forEach(tally::add);
            if (!dryRun) {
                assemble(state, tally);
            }
            state.end();
            meter.ended();
            return tally.report(meter.elapsed(), resumed, !dryRun);
        }
    }

    private String identity() {
        return TransferIdentity.of(
                "export",
                TransferIdentity.table(service, table.name()),
                TransferScope.quoted(String.valueOf(file.getFileName())),
                scope);
    }

    /** The manifest goes first: one beside a file of another length refuses it. */
    private void assemble(TransferState state, PartTally tally) throws IOException {
        Path whole = state.file("whole");
        int parts = state.parts().size();
        try (PartFile out = PartFile.open(whole, 0)) {
            out.write(format.header(scope.settings().select()));
            for (int i = 0; i < parts; i++) {
                TableFileRows.refuseInterrupt(whole);
                Files.copy(state.file(i, "rows"), out);
            }
            if (out.length() == 0 && format.compressed()) {
                format.over(out).close();
            }
            out.force();
        }
        Path manifest = state.file("manifest");
        TableManifest head = new TableManifest(
                String.valueOf(file.getFileName()),
                service.accountName(),
                table.name(),
                scope.text(),
                "stowline/" + UserAgent.version(),
                Files.size(whole),
                tally.read(),
                tally.checksum(),
                state.began(),
                Instant.now(),
                tally.oldest(),
                tally.newest());
        try (PartFile out = PartFile.open(manifest, 0);
                OutputStream lines = new BufferedOutputStream(out)) {
            new Counts(lines).write(head, state, parts);
            lines.flush();
            out.force();
        }
        move(manifest, TableManifest.beside(file));
        move(whole, file);
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The counts of the partitions in a manifest: of one that several parts or positions divide they are added up. */
    private static final class Counts {

        private final EntityLines lines = new EntityLines();
        private final OutputStream out;
        private @Nullable String partition;
        private long rows;

        Counts(OutputStream out) {
            this.out = out;
        }

        void write(TableManifest head, TransferState state, int parts) throws IOException {
            line(head.entity());
            for (int i = 0; i < parts; i++) {
                try (BufferedReader counts = Files.newBufferedReader(state.file(i, "counts"), StandardCharsets.UTF_8)) {
                    for (String line = counts.readLine(); line != null; line = counts.readLine()) {
                        add(lines.entity(line.getBytes(StandardCharsets.UTF_8)));
                    }
                }
            }
            end();
        }

        private void add(Entity count) throws IOException {
            if (!count.partitionKey().equals(partition)) {
                end();
                partition = count.partitionKey();
            }
            rows += PartTally.number(count, "Rows");
        }

        private void end() throws IOException {
            if (partition != null) {
                line(TableManifest.count(partition, rows));
            }
            rows = 0;
        }

        private void line(Entity entity) throws IOException {
            out.write(lines.line(entity));
            out.write('\n');
        }
    }

    /** A part that counts. */
    private static final class DryPart implements PartSink {

        private final EntityLines lines = new EntityLines();
        private final PartTally tally = new PartTally();

        @Override
        public void row(Entity entity) {
            tally.read(lines.line(entity), entity.timestamp());
            tally.settled(1, 0, 0);
        }

        @Override
        public boolean isDue() {
            return false;
        }

        @Override
        public Map<String, Object> flush() {
            return tally.state();
        }

        @Override
        public void close() {
            // holds nothing
        }
    }
}
