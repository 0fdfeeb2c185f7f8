package io.stowline.table.internal.transfer;

import io.stowline.error.StorageInterruptedException;
import io.stowline.error.internal.PrintableText;
import io.stowline.projection.Mapping;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.format.TableFileFormat;
import io.stowline.table.internal.range.ScanRange;
import io.stowline.table.internal.range.ScanRanges;
import io.stowline.table.internal.range.TransferScope;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.TableRange;
import io.stowline.table.transfer.TableTransferReport;
import io.stowline.table.transfer.TableTransferSettings;
import io.stowline.table.transfer.TableTransfers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** {@link TableTransfers} of one account. */
public final class DefaultTableTransfers implements TableTransfers {

    private static final Set<String> OF_EXPORTS = Set.of(
            "partition",
            "partitionPrefix",
            "rowPrefix",
            "where",
            "select",
            "overwrite",
            "parallelism",
            "rate",
            "dryRun",
            "progress");
    private static final Set<String> OF_IMPORTS = Set.of(
            "partition",
            "partitionPrefix",
            "rowPrefix",
            "where",
            "select",
            "mode",
            "column",
            "allowEmptyKeys",
            "rejected",
            "state",
            "parallelism",
            "rate",
            "dryRun",
            "progress");
    private static final Set<String> OF_COPIES = Set.of(
            "partition",
            "partitionPrefix",
            "rowPrefix",
            "where",
            "select",
            "mode",
            "rejected",
            "state",
            "parallelism",
            "rate",
            "dryRun",
            "progress");
    private static final Set<String> OF_COMPARISONS = Set.of(
            "partition",
            "partitionPrefix",
            "rowPrefix",
            "where",
            "select",
            "column",
            "parallelism",
            "rate",
            "progress");

    private static final int MAX_RANGES = 10_000;

    private final TableService service;

    /** Makes the transfers of an account; nothing is sent. */
    public DefaultTableTransfers(TableService service) {
        this.service = service;
    }

    @Override
    public TableTransferReport export(String table, Path file, UnaryOperator<TableTransferSettings.Builder> settings) {
        Objects.requireNonNull(file, "file");
        TransferScope scope = scope("export", settings, OF_EXPORTS);
        return run("export of " + table + " to " + file, new TableExport(table(table), file, scope, service)::run);
    }

    @Override
    public TableTransferReport importFrom(
            Path file, String table, UnaryOperator<TableTransferSettings.Builder> settings) {
        Objects.requireNonNull(file, "file");
        TransferScope scope = scope("importFrom", settings, OF_IMPORTS);
        if (!scope.settings().columns().isEmpty() && !TableFileFormat.hasColumns(file)) {
            throw new IllegalArgumentException("column declares the types of CSV files, but the file is " + file
                    + ", which has the types of its properties");
        }
        return run("import of " + file + " to " + table, new TableImport(file, table(table), scope, service)::run);
    }

    @Override
    public TableTransferReport copy(
            String table, Table<?> target, UnaryOperator<TableTransferSettings.Builder> settings) {
        Objects.requireNonNull(target, "target");
        TransferScope scope = scope("copy", settings, OF_COPIES);
        return run(
                "copy of " + table + " to " + target.name(),
                new TableCopy(table(table), target.as(Entity.class), scope, service)::run);
    }

    @Override
    public Stream<EntityDifference> compare(
            EntitySource first, EntitySource second, UnaryOperator<TableTransferSettings.Builder> settings) {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
        return TableComparison.of(first, second, scope("compare", settings, OF_COMPARISONS), service);
    }

    @Override
    public List<TableRange> ranges(String table, int wanted, Optional<Filter> partitionKeys) {
        Objects.requireNonNull(partitionKeys, "partitionKeys");
        if (wanted < 1 || wanted > MAX_RANGES) {
            throw new IllegalArgumentException("wanted is 1 to " + MAX_RANGES + " ranges, not " + wanted);
        }
        if (partitionKeys
                .filter(keys -> !keys.boundsOnly(PropertyNames.PARTITION_KEY))
                .isPresent()) {
            throw new IllegalArgumentException(PrintableText.of("partitionKeys is a range of partition keys or one of"
                    + " them, without another property, or and not; the condition is " + partitionKeys.get()));
        }
        Query<Entity> all = table(table).withScanPolicy(ScanPolicy.ALLOW).query();
        String partition = partitionKeys
                .flatMap(keys -> keys.fixed(PropertyNames.PARTITION_KEY))
                .map(String.class::cast)
                .orElse(null);
        return new ScanRanges(partitionKeys.map(all::where).orElse(all), partition)
                .about(wanted).stream().map(ScanRange::range).toList();
    }

    private Table<Entity> table(String name) {
        return DefaultTable.of(service, Objects.requireNonNull(name, "table"), Entity.class, Mapping.standard());
    }

    private static StorageInterruptedException named(String transfer, StorageInterruptedException interrupted) {
        StorageInterruptedException named = new StorageInterruptedException(
                "the " + transfer + " ended: " + interrupted.getMessage(),
                new InterruptedException(),
                interrupted.failure().orElse(null));
        named.addSuppressed(interrupted);
        return named;
    }

    private static TransferScope scope(
            String verb, UnaryOperator<TableTransferSettings.Builder> settings, Set<String> names) {
        Objects.requireNonNull(settings, "settings");
        TransferScope scope = new TransferScope(
                settings.apply(TableTransferSettings.builder()).build());
        scope.only(verb, names);
        return scope;
    }

    private static TableTransferReport run(String name, Callable<TableTransferReport> transfer) {
        try {
            return transfer.call();
        } catch (StorageInterruptedException e) {
            throw named(name, e);
        } catch (RuntimeException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException("a transfer throws nothing else", e);
        }
    }
}
