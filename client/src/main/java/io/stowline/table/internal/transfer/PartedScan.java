package io.stowline.table.internal.transfer;

import io.stowline.error.NotFoundException;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Table;
import io.stowline.table.internal.range.OutagePatience;
import io.stowline.table.internal.range.PatientEntities;
import io.stowline.table.internal.range.ScanRange;
import io.stowline.table.internal.range.ScanRanges;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.TableTransferSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A scan of a table in parts, each by one thread into one sink. After some rows a sink is flushed and its position saved, and earlier if the sink
 * requests it. The ends of a sink that does not depend on the entities only, so that a scan that was killed has those of one that was not.
 */
final class PartedScan {

    /** The rows between two positions. */
    static final int ROWS = 10_000;

    /** The bytes between two positions, by a rough size of the entities. */
    private static final long BYTES = 16L << 20;

    private static final int PACED = 100;

    private final Table<Entity> table;
    private final TransferScope scope;
    private final TransferState state;
    private final TransferMeter meter;
    private final RowRate rate;
    private final TableService service;
    private final AtomicBoolean reached = new AtomicBoolean();
    private final AtomicInteger ended = new AtomicInteger();
    private volatile int count = 1;

    PartedScan(
            Table<Entity> table,
            TransferScope scope,
            TransferState state,
            TransferMeter meter,
            RowRate rate,
            TableService service) {
        this.table = table;
        this.scope = scope;
        this.state = state;
        this.meter = meter;
        this.rate = rate;
        this.service = service;
    }

    /** The maker of the sink of a part. */
    @FunctionalInterface
    interface SinkOpener {
        PartSink open(int part, Entity saved) throws IOException;
    }

    /** Reads all parts to their ends; those of a state that has none yet are found by probes. */
    void run(SinkOpener sinks) throws IOException {
        try {
            scan(sinks);
        } catch (NotFoundException missing) {
            state.endIfEmpty();
            throw missing;
        }
    }

    private void scan(SinkOpener sinks) throws IOException {
        TableTransferSettings settings = scope.settings();
        if (state.parts().isEmpty()) {
            state.parts(new ScanRanges(scope, table)
                    .find(settings.parallelism()).stream().map(ScanRange::state).toList());
        }
        List<Entity> parts = state.parts();
        count = parts.size();
        meter.resumed(
                parts.stream().mapToLong(part -> PartTally.number(part, "Read")).sum());
        try (TransferThreads threads = new TransferThreads("scan", settings.parallelism())) {
            List<CompletableFuture<Boolean>> running = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                int part = i;
                running.add(threads.begin(() -> {
                    scan(part, parts.get(part), sinks);
                    meter.done(0, ended.incrementAndGet() / (double) parts.size());
                    return true;
                }));
            }
            threads.awaitAll(running);
        }
    }

    private void scan(int part, Entity saved, SinkOpener sinks) throws IOException {
        if (Boolean.TRUE.equals(saved.get("Done", Boolean.class))) {
            return;
        }
        try (PartSink sink = sinks.open(part, saved)) {
            ScanRange range = ScanRange.of(saved);
            Position position = new Position(part, range, sink);
            try (PatientEntities entities = new PatientEntities(
                    last -> range.behind(last, scope.entities(table)),
                    key(saved),
                    new OutagePatience(service.timer(), service::pause, reached))) {
                while (entities.hasNext()) {
                    position.row(entities.next());
                }
            }
            position.save(true);
        }
    }

    private static @Nullable EntityKey key(Entity saved) {
        String partitionKey = saved.get("LastPartition", String.class);
        String rowKey = saved.get("LastRow", String.class);
        return partitionKey == null || rowKey == null ? null : new EntityKey(partitionKey, rowKey);
    }

    /** The place of one part in its range. */
    private final class Position {

        private final int part;
        private final ScanRange range;
        private final PartSink sink;
        private @Nullable Entity last;
        private int rows;
        private int unpaced;
        private long bytes;

        Position(int part, ScanRange range, PartSink sink) {
            this.part = part;
            this.range = range;
            this.sink = sink;
        }

        void row(Entity entity) throws IOException {
            sink.row(entity);
            last = entity;
            rows++;
            bytes += size(entity);
            if (++unpaced == PACED) {
                paced();
            }
            if (rows >= ROWS || bytes >= BYTES || sink.isDue()) {
                save(false);
            }
        }

        private void paced() {
            rate.take(unpaced);
            meter.done(unpaced, ended.get() / (double) count);
            unpaced = 0;
        }

        void save(boolean done) throws IOException {
            paced();
            Map<String, Object> saved = new TreeMap<>(range.state());
            saved.putAll(sink.flush());
            saved.put("Done", done);
            if (last != null) {
                saved.put("LastPartition", last.partitionKey());
                saved.put("LastRow", last.rowKey());
            }
            state.put(part, saved);
            rows = 0;
            bytes = 0;
        }
    }

    private static long size(Entity entity) {
        long size = 0;
        for (Object value : entity.properties().values()) {
            size += value instanceof String text
                    ? 2L * text.length()
                    : value instanceof byte[] bytes ? bytes.length : 8;
        }
        return size;
    }
}
