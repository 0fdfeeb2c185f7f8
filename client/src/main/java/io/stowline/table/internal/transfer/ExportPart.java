package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.internal.format.EntityLines;
import io.stowline.table.internal.format.TableFileFormat;
import io.stowline.table.internal.format.TableFileFormat.RowEncoder;
import io.stowline.table.internal.format.TableManifest;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The file of one part of an export, with the counts of its partitions beside it. For one thread. */
final class ExportPart implements PartSink {

    private final TableFileFormat format;
    private final RowEncoder encoder;
    private final EntityLines lines = new EntityLines();
    private final PartFile rows;
    private final PartFile counts;
    private final OutputStream counting;
    private final PartTally tally;
    private @Nullable OutputStream open;
    private @Nullable String partition;
    private long inPartition;

    private ExportPart(TableFileFormat format, List<String> select, PartFile rows, PartFile counts, PartTally tally) {
        this.format = format;
        this.encoder = format.encoder(select);
        this.rows = rows;
        this.counts = counts;
        this.counting = new BufferedOutputStream(counts);
        this.tally = tally;
    }

    /** Opens the files of a part where its state left them. */
    static ExportPart open(TransferState state, int part, Entity saved, TableFileFormat format, List<String> select)
            throws IOException {
        PartFile rows = PartFile.open(state.file(part, "rows"), PartTally.number(saved, "Length"));
        try {
            return new ExportPart(
                    format,
                    select,
                    rows,
                    PartFile.open(state.file(part, "counts"), PartTally.number(saved, "Counts")),
                    new PartTally().add(saved));
        } catch (IOException e) {
            rows.close();
            throw e;
        }
    }

    @Override
    public void row(Entity entity) throws IOException {
        byte[] line = lines.line(entity);
        tally.read(line, entity.timestamp());
        tally.settled(1, 0, 0);
        if (open == null) {
            open = format.over(new BufferedOutputStream(rows, 64 << 10));
        }
        open.write(encoder.row(entity, line));
        if (!entity.partitionKey().equals(partition)) {
            count();
            partition = entity.partitionKey();
        }
        inPartition++;
    }

    private void count() throws IOException {
        if (partition != null && inPartition > 0) {
            counting.write(lines.line(TableManifest.count(partition, inPartition)));
            counting.write('\n');
        }
        inPartition = 0;
    }

    /** The bytes of a file depend on its entities only: reading a few thousand rows again costs less than shorter members of gzip. */
    @Override
    public boolean isDue() {
        return false;
    }

    @Override
    public Map<String, Object> flush() throws IOException {
        count();
        partition = null;
        counting.flush();
        if (open != null) {
            open.close();
            open = null;
        }
        rows.force();
        counts.force();
        Map<String, Object> saved = new TreeMap<>(tally.state());
        saved.put("Length", rows.length());
        saved.put("Counts", counts.length());
        return saved;
    }

    @Override
    public void close() throws IOException {
        rows.close();
        counts.close();
    }
}
