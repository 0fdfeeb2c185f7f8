package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Query;
import io.stowline.table.Table;
import io.stowline.table.internal.format.FileRow;
import io.stowline.table.internal.format.OrderedRows;
import io.stowline.table.internal.range.ScanRanges;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntityDifference.Kind;
import io.stowline.table.transfer.EntitySource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A comparison of two sides, both read in the order of their keys: what one lacks and what differs, as it is found. For one thread. */
final class TableComparison implements Iterator<EntityDifference> {

    private static final int RANGES_PER_THREAD = 2;

    private final ComparedSide first;
    private final ComparedSide second;
    private @Nullable EntityDifference next;

    private TableComparison(ComparedSide first, ComparedSide second) {
        this.first = first;
        this.second = second;
    }

    /** Begins to read both sides. */
    static Stream<EntityDifference> of(EntitySource first, EntitySource second, TransferScope scope) {
        ComparedSide one = ComparedSide.open(first, scope);
        TableComparison comparison;
        try {
            comparison = new TableComparison(one, ComparedSide.open(second, scope));
        } catch (RuntimeException e) {
            one.close();
            throw e;
        }
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(
                                comparison, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
                        false)
                .onClose(comparison::close);
    }

    private void close() {
        try {
            first.close();
        } finally {
            second.close();
        }
    }

    @Override
    public boolean hasNext() {
        while (next == null && (first.head() != null || second.head() != null)) {
            next = difference();
        }
        return next != null;
    }

    @Override
    public EntityDifference next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all differences have been read");
        }
        EntityDifference found = Objects.requireNonNull(next, "the difference");
        next = null;
        return found;
    }

    /** Takes the lesser entity, or both if they have the same keys. */
    private @Nullable EntityDifference difference() {
        Entity one = first.head();
        Entity other = second.head();
        int order = one == null ? 1 : other == null ? -1 : compare(one, other);
        if (order <= 0) {
            first.advance();
        }
        if (order >= 0) {
            second.advance();
        }
        if (order != 0 || one == null || other == null) {
            Entity only = Objects.requireNonNull(order < 0 ? one : other, "the entity");
            return new EntityDifference(
                    order < 0 ? Kind.ONLY_IN_FIRST : Kind.ONLY_IN_SECOND,
                    only.partitionKey(),
                    only.rowKey(),
                    List.of(),
                    order < 0 ? Optional.of(only) : Optional.empty(),
                    order < 0 ? Optional.empty() : Optional.of(only));
        }
        return one.equals(other)
                ? null
                : new EntityDifference(
                        Kind.DIFFERENT,
                        one.partitionKey(),
                        one.rowKey(),
                        names(one, other),
                        Optional.of(one),
                        Optional.of(other));
    }

    private static List<String> names(Entity one, Entity other) {
        TreeSet<String> names = new TreeSet<>(one.properties().keySet());
        names.addAll(other.properties().keySet());
        names.removeIf(name -> Objects.deepEquals(one.get(name), other.get(name)));
        return List.copyOf(names);
    }

    private static int compare(Entity one, Entity other) {
        return OrderedRows.compare(OrderedRows.keyOf(one), OrderedRows.keyOf(other));
    }

    /** The entities of one side in the order of their keys, the next one ahead. */
    private abstract static class ComparedSide {

        private @Nullable Entity head;
        private @Nullable EntityKey last;

        static ComparedSide open(EntitySource source, TransferScope scope) {
            ComparedSide side = source.table().isPresent()
                    ? new TableSide(source.table().get(), scope)
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

        abstract void close();
    }

    /** A table as a side, several ranges of it ahead. */
    private static final class TableSide extends ComparedSide {

        private final String name;
        private final Stream<Entity> entities;
        private final Iterator<Entity> each;

        TableSide(Table<Entity> table, TransferScope scope) {
            this.name = "the table " + table.name();
            int threads = scope.settings().parallelism();
            List<String> starts = threads == 1 || scope.settings().partition().isPresent()
                    ? List.of()
                    : new ScanRanges(scope, table).partitions(threads * RANGES_PER_THREAD);
            Query<Entity> query = scope.entities(table);
            List<String> inner = starts.isEmpty() ? List.of() : new ArrayList<>(starts.subList(1, starts.size()));
            this.entities = inner.isEmpty()
                    ? query.stream()
                    : query.splitAt(inner.toArray(String[]::new)).parallelism(threads).stream();
            this.each = entities.iterator();
        }

        @Override
        String name() {
            return name;
        }

        @Override
        @Nullable
        Entity read() {
            return each.hasNext() ? each.next() : null;
        }

        @Override
        void close() {
            entities.close();
        }
    }

    /** A file as a side. */
    private static final class FileSide extends ComparedSide {

        private final OrderedRows rows;
        private final TransferScope scope;
        private final Path file;
        private final Path folder;
        private @Nullable EntityKey before;

        private FileSide(Path file, OrderedRows rows, TransferScope scope, Path folder) {
            this.file = file;
            this.rows = rows;
            this.scope = scope;
            this.folder = folder;
        }

        static FileSide open(Path file, TransferScope scope) {
            if (scope.settings().where().isPresent()) {
                throw new IllegalArgumentException("where: only the service evaluates conditions, and " + file
                        + " is a file; compare two tables, or restrict to a partition or a prefix");
            }
            try {
                Path folder = Files.createTempDirectory("stowline-compare");
                try {
                    return new FileSide(
                            file, OrderedRows.open(file, scope.settings().columns(), folder), scope, folder);
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
                    if (!again && scope.includes(entity)) {
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
