package io.stowline.spring.boot.batch;

import io.stowline.Stowline;
import io.stowline.table.Query;
import io.stowline.table.transfer.TableRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.infrastructure.item.ExecutionContext;

/**
 * The partitions of a partitioned step over one table: ranges of its keys, kept in the execution contexts of the workers.
 *
 * <pre>{@code
 * Map<String, ExecutionContext> workers = TablePartitions.of(storage, "runners", 8);
 * }</pre>
 *
 * <p>The ranges cover all keys, and no key is in two. They differ in size, since the service has no statistics. A restart of the job keeps them, so
 * that each worker goes on at its position: Spring Batch divides again and goes by the names, which depend on the grid size only.
 */
public final class TablePartitions {

    private static final String PARTITION = "table.range.partition";
    private static final String FROM = "table.range.from";
    private static final String EXCLUSIVE = "table.range.exclusive";
    private static final String BELOW = "table.range.below";

    /** No key is less than the empty one. */
    private static final TableRange NONE = new TableRange(null, null, false, "");

    private TablePartitions() {}

    /**
     * Divides a table by some cheap queries, as a {@code Partitioner} of Spring Batch does.
     *
     * @param storage the client of the table's account
     * @param table the table's name
     * @param gridSize the wanted number of ranges, 1 to 10,000
     * @return the execution contexts of twice as many workers by their names; those beyond the ranges of the table have none, and read nothing
     * @throws IllegalArgumentException if the number is out of range
     * @throws io.stowline.error.NotFoundException if the table does not exist
     */
    public static Map<String, ExecutionContext> of(Stowline storage, String table, int gridSize) {
        int number = 2 * gridSize;
        List<TableRange> ranges = new ArrayList<>(storage.tables().ranges(table, gridSize));
        for (int fewer = gridSize / 2; ranges.size() > number; fewer /= 2) {
            ranges = new ArrayList<>(storage.tables().ranges(table, Math.max(1, fewer)));
        }
        while (ranges.size() < number) {
            ranges.add(NONE);
        }
        Map<String, ExecutionContext> workers = new LinkedHashMap<>();
        for (TableRange range : ranges) {
            ExecutionContext context = new ExecutionContext();
            put(context, PARTITION, range.partition());
            put(context, FROM, range.from());
            put(context, BELOW, range.below());
            context.put(EXCLUSIVE, range.exclusive());
            workers.put("range" + workers.size(), context);
        }
        return workers;
    }

    private static void put(ExecutionContext context, String key, @Nullable String value) {
        if (value != null) {
            context.putString(key, value);
        }
    }

    /**
     * Narrows a query to the range of a worker.
     *
     * @param query the query
     * @param worker the execution context of the worker's step
     * @param <T> what a result is
     * @return the narrowed query
     * @throws IllegalArgumentException if the context has no range
     */
    public static <T> Query<T> narrow(Query<T> query, ExecutionContext worker) {
        Objects.requireNonNull(query, "query");
        Boolean exclusive = worker.get(EXCLUSIVE, Boolean.class);
        if (exclusive == null) {
            throw new IllegalArgumentException("the execution context has no '" + EXCLUSIVE
                    + "': it is not that of a worker whose partitioner is TablePartitions.of(..)");
        }
        TableRange range = new TableRange(
                worker.get(PARTITION, String.class),
                worker.get(FROM, String.class),
                exclusive,
                worker.get(BELOW, String.class));
        return range.condition().map(query::where).orElse(query);
    }
}
