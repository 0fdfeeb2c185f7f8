package io.stowline.table.internal.transfer;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Query;
import io.stowline.table.Table;
import io.stowline.table.internal.format.FileRow;
import io.stowline.table.internal.format.OrderedRows;
import io.stowline.table.internal.query.DefaultQuery;
import io.stowline.table.internal.range.OutagePatience;
import io.stowline.table.internal.range.PatientEntities;
import io.stowline.table.internal.range.ScanRange;
import io.stowline.table.internal.range.ScanRanges;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.transfer.EntitySource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The entities of one side of a comparison in the order of their keys, the next one ahead. For one thread. */
abstract class ComparedSide {

    private @Nullable Entity head;
    private @Nullable EntityKey last;

    /**
     * Reads the first entity.
     *
     * @param pause a pause, which the end of the comparison ends with an error
     */
    static ComparedSide open(
            EntitySource source, TransferScope scope, Scheduler timer, Function<Duration, Mono<Long>> pause) {
        ComparedSide side = source.table().isPresent()
                ? TableSide.open(
                        source.table().get(),
                        scope,
                        new RowRate(scope.settings().rate(), timer, pause),
                        new OutagePatience(timer, pause, new AtomicBoolean(true)))
                : FileSide.open(source.file().orElseThrow(), scope);
        try {
            side.advance();
        } catch (RuntimeException e) {
            side.close();
            throw e;
        }
        return side;
    }

    final @Nullable Entity head() {
        return head;
    }

    /** A side out of order would report differences that are none. */
    final void advance() {
        Entity entity = read();
        EntityKey key = entity == null ? null : OrderedRows.keyOf(entity);
        if (last != null && key != null && OrderedRows.compare(last, key) >= 0) {
            throw new IllegalStateException(
                    "the entities of " + name() + " are not in the order of their keys: " + key.rowKey()
                            + " of partition " + key.partitionKey() + " follows " + last.rowKey() + " of "
                            + last.partitionKey());
        }
        head = entity;
        last = key;
    }

    abstract String name();

    abstract @Nullable Entity read();

    /** Returns the share of the side that has been read. */
    abstract double fraction();

    abstract void close();

    /** A table as a side, several ranges of its keys ahead. */
    private static final class TableSide extends ComparedSide {

        private static final int PACED = 100;

        private final String name;
        private final List<ScanRange> ranges;
        private final RowRate rate;
        private final PatientEntities entities;
        private int range;
        private int unpaced;

        private TableSide(String name, List<ScanRange> ranges, RowRate rate, PatientEntities entities) {
            this.name = name;
            this.ranges = ranges;
            this.rate = rate;
            this.entities = entities;
        }

        static TableSide open(Table<Entity> table, TransferScope scope, RowRate rate, OutagePatience patience) {
            int threads = scope.settings().parallelism();
            List<ScanRange> found = new ScanRanges(scope, table).find(threads);
            Query<Entity> query = scope.entities(table);
            List<ScanRange> ranges =
                    found.size() > 1 && query instanceof DefaultQuery<Entity> ? found : List.of(ScanRange.ALL);
            return new TableSide(
                    "the table " + table.name(),
                    ranges,
                    rate,
                    new PatientEntities(last -> behind(last, ranges, query, threads), null, patience));
        }

        /** The rest of the range of the last entity comes by itself, the others as before. */
        private static List<Query<Entity>> behind(
                @Nullable EntityKey last, List<ScanRange> ranges, Query<Entity> query, int threads) {
            List<Query<Entity>> queries = new ArrayList<>();
            int first = 0;
            if (last != null) {
                while (ranges.get(first).isBefore(last)) {
                    first++;
                }
                queries.addAll(ranges.get(first).behind(last, query));
                first++;
            }
            List<Filter> conditions = ranges.subList(first, ranges.size()).stream()
                    .map(ScanRange::condition)
                    .flatMap(Optional::stream)
                    .toList();
            if (query instanceof DefaultQuery<Entity> divided && !conditions.isEmpty()) {
                queries.add(divided.inRanges(conditions, threads));
            } else if (last == null) {
                queries.add(query);
            }
            return queries;
        }

        @Override
        String name() {
            return name;
        }

        @Override
        @Nullable
        Entity read() {
            if (!entities.hasNext()) {
                range = ranges.size();
                return null;
            }
            if (++unpaced == PACED) {
                rate.take(unpaced);
                unpaced = 0;
            }
            Entity entity = entities.next();
            while (ranges.get(range).isBefore(OrderedRows.keyOf(entity))) {
                range++;
            }
            return entity;
        }

        @Override
        double fraction() {
            return (double) range / ranges.size();
        }

        @Override
        void close() {
            entities.close();
        }
    }

    /** A file as a side. */
    private static final class FileSide extends ComparedSide {

        /** A folder that a killed process leaves names the process. */
        private static final String PREFIX =
                "stowline-compare-" + ProcessHandle.current().pid() + "-";

        private final OrderedRows rows;
        private final TransferScope scope;
        private final Path file;
        private final Path folder;
        private final Predicate<Entity> included;
        private @Nullable EntityKey before;

        private FileSide(Path file, OrderedRows rows, TransferScope scope, Predicate<Entity> included, Path folder) {
            this.included = included;
            this.file = file;
            this.rows = rows;
            this.scope = scope;
            this.folder = folder;
        }

        static FileSide open(Path file, TransferScope scope) {
            Predicate<Entity> included = scope.rows();
            try {
                Path folder = Files.createTempDirectory(PREFIX);
                try {
                    return new FileSide(
                            file, OrderedRows.open(file, scope.settings().columns(), folder), scope, included, folder);
                } catch (IOException | RuntimeException e) {
                    Files.delete(folder);
                    throw e;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        String name() {
            return "the file " + file;
        }

        /** Returns the first one of entities with equal keys, as an import does. */
        @Override
        @Nullable
        Entity read() {
            try {
                for (FileRow row = rows.next(); row != null; row = rows.next()) {
                    Entity entity = entity(row);
                    EntityKey key = OrderedRows.keyOf(entity);
                    boolean again = key.equals(before);
                    before = key;
                    if (!again && included.test(entity)) {
                        return scope.selected(entity);
                    }
                }
                return null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private Entity entity(FileRow row) throws IOException {
            try {
                Entity entity = rows.entity(row);
                OrderedRows.checked(entity);
                return entity;
            } catch (IOException | RuntimeException e) {
                throw new IOException(
                        "the row of line " + row.line() + " of " + file
                                + " cannot be compared, since it cannot be read: " + e.getMessage(),
                        e);
            }
        }

        @Override
        double fraction() {
            return rows.fraction();
        }

        @Override
        void close() {
            try {
                rows.close();
                Files.deleteIfExists(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
