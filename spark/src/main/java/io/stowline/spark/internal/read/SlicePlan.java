package io.stowline.spark.internal.read;

import io.stowline.projection.filter.Filter;
import io.stowline.spark.internal.account.ClientShare;
import io.stowline.spark.internal.account.ExecutorClients;
import io.stowline.spark.internal.account.TaskCounts;
import io.stowline.spark.internal.option.AzureTableOptions;
import io.stowline.spark.internal.schema.StoredColumn;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.ScanPolicy;
import io.stowline.table.transfer.TableRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The plan of the slices that the tasks of a scan read: given by splits or prefixes, else found by probes. The conditions on partition keys
 * cut them. For one scan.
 */
final class SlicePlan {

    /** Slices differ in size, so that a slot of the cluster gets several. */
    private static final int PER_SLOT = 4;

    private static final int MAX_DEFAULT = 1_000;

    /** The results that one task reads sooner than probes divide the table. */
    private static final int SMALL_LIMIT = 1_000;

    private static final int PAGE = 1_000;

    /** The entities whose types are compared with those of the schema. */
    private static final int CHECKED = 100;

    private static final Duration COUNTED = Duration.ofSeconds(1);

    private final AzureTableOptions options;
    private final ScanConditions conditions;
    private final int limit;
    private final TaskCounts probes = new TaskCounts();

    /**
     * Prepares a plan.
     *
     * @param limit the limit of the scan; 0 for none
     */
    SlicePlan(AzureTableOptions options, ScanConditions conditions, int limit) {
        this.options = options;
        this.conditions = conditions;
        this.limit = limit;
    }

    /** Returns the requests that have looked for keys. */
    TaskCounts probes() {
        return probes;
    }

    /**
     * Returns the slices, in the order of their keys; none if no entity can match.
     *
     * @throws IllegalArgumentException if one of the first entities has a compared property in another type than the given schema: the
     *     service would pass over each such entity
     */
    List<KeySlice> slices() {
        List<KeySlice> slices = planned();
        List<StoredColumn> compared = conditions.compared();
        if (!slices.isEmpty() && !compared.isEmpty()) {
            checkTypes(compared);
        }
        return slices;
    }

    private void checkTypes(List<StoredColumn> compared) {
        KeySlice first = conditions
                .partitions()
                .map(keys -> KeySlice.partitions(keys.subList(0, 1)))
                .orElse(KeySlice.ALL);
        try (ClientShare share = ExecutorClients.ofThisJvm().share(options.account())) {
            ReactiveQuery<Entity> query = first.within(share.client()
                            .reactive()
                            .table(options.table())
                            .withScanPolicy(ScanPolicy.ALLOW)
                            .query())
                    .limit(CHECKED)
                    .select(compared.stream().map(StoredColumn::name).toArray(String[]::new));
            Optional<Filter> bound = conditions.bounds().filter();
            for (Entity entity : (bound.isPresent() ? query.where(bound.get()) : query)
                    .stream().contextWrite(probes.context()).toIterable()) {
                compared.forEach(column -> SliceReader.property(options.table(), entity, column));
            }
        }
        probes.awaitEnds(COUNTED);
    }

    private List<KeySlice> planned() {
        KeyBounds bounds = conditions.bounds();
        Optional<List<String>> partitions = conditions.partitions();
        if (partitions.isPresent()) {
            return grouped(partitions.get().stream().filter(this::hasPrefix).toList());
        }
        if (!options.partitionPrefixes().isEmpty()) {
            return options.partitionPrefixes().stream()
                    .filter(bounds::meetsPrefix)
                    .map(KeySlice::prefix)
                    .toList();
        }
        if (!options.splits().isEmpty()) {
            return split().stream()
                    .filter(slice -> bounds.meets(slice.from(), slice.below()))
                    .toList();
        }
        int wanted = wanted();
        return wanted == 1 || (limit > 0 && limit <= SMALL_LIMIT) ? List.of(KeySlice.ALL) : probed(wanted);
    }

    private boolean hasPrefix(String key) {
        List<String> prefixes = options.partitionPrefixes();
        return prefixes.isEmpty() || prefixes.stream().anyMatch(key::startsWith);
    }

    private List<KeySlice> grouped(List<String> keys) {
        int groups = Math.min(keys.size(), wanted());
        List<KeySlice> slices = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            long from = (long) i * keys.size() / groups;
            long to = (i + 1L) * keys.size() / groups;
            slices.add(KeySlice.partitions(keys.subList((int) from, (int) to)));
        }
        return slices;
    }

    private List<KeySlice> split() {
        List<KeySlice> slices = new ArrayList<>();
        @Nullable String from = null;
        for (String split : options.splits()) {
            slices.add(KeySlice.range(new TableRange(null, from, false, split)));
            from = split;
        }
        slices.add(KeySlice.range(new TableRange(null, from, false, null)));
        return slices;
    }

    private List<KeySlice> probed(int wanted) {
        try (ClientShare share = ExecutorClients.ofThisJvm().share(options.account())) {
            if (options.partitions() == 0 && isSmall(share)) {
                probes.awaitEnds(COUNTED);
                return List.of(KeySlice.ALL);
            }
            List<TableRange> ranges = probes.count(() -> share.client()
                    .tables()
                    .ranges(options.table(), wanted, conditions.bounds().filter()));
            probes.awaitEnds(COUNTED);
            return ranges.stream().map(KeySlice::range).filter(this::meets).toList();
        }
    }

    /** Returns whether one page has all keys, which costs less than the probes of a default plan. */
    private boolean isSmall(ClientShare share) {
        return probes.count(() -> {
            Query<Entity> keys = share.table(options.table())
                    .withScanPolicy(ScanPolicy.ALLOW)
                    .query()
                    .limit(PAGE);
            return conditions.bounds().filter().map(keys::where).orElse(keys).count() < PAGE;
        });
    }

    private boolean meets(KeySlice slice) {
        String partition = slice.partition();
        return partition == null
                ? conditions.bounds().meets(slice.from(), slice.below())
                : conditions.bounds().contains(partition);
    }

    private int wanted() {
        return options.partitions() > 0
                ? options.partitions()
                : Math.min(
                        MAX_DEFAULT,
                        PER_SLOT * SparkSession.active().sparkContext().defaultParallelism());
    }
}
