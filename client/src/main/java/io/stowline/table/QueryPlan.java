package io.stowline.table;

import io.stowline.projection.Filter;
import io.stowline.projection.Keys;
import io.stowline.projection.PropertyNames;
import io.stowline.table.internal.Decoding;
import io.stowline.table.internal.EntityCodec;
import io.stowline.table.internal.MetadataLevel;
import io.stowline.table.internal.Page;
import io.stowline.table.internal.PageWalk;
import io.stowline.table.internal.QuerySpec;
import io.stowline.table.internal.Row;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query asks for, collected by either face. Immutable: each step gives a new plan.
 *
 * @param scope the table
 * @param codec reads the rows
 * @param filters conditions that must all hold
 * @param pageSize the most rows of a page, 0 for the service's own
 * @param limit the most results, 0 for no limit
 */
record QueryPlan<T>(TableScope<?> scope, EntityCodec<T> codec, List<Filter> filters, int pageSize, long limit) {

    private static final int LARGEST_PAGE = 1_000;

    static <T> QueryPlan<T> of(TableScope<T> scope) {
        return new QueryPlan<>(scope, scope.codec(), List.of(), 0, 0);
    }

    QueryPlan<T> where(Filter filter) {
        scope.codec().check(filter);
        List<Filter> more = new ArrayList<>(filters);
        more.add(filter);
        Filter.all(more).checked();
        return new QueryPlan<>(scope, codec, List.copyOf(more), pageSize, limit);
    }

    QueryPlan<T> partition(String key) {
        return where(Filter.partitionKey().equalTo(Keys.check("PartitionKey", key)));
    }

    QueryPlan<T> rowPrefix(String prefix) {
        return where(Filter.rowKey().startsWith(Keys.check("row key prefix", prefix)));
    }

    QueryPlan<T> rowRange(String from, String below) {
        Keys.check("from", from);
        Keys.check("below", below);
        if (from.compareTo(below) > 0) {
            throw new IllegalArgumentException(
                    "the row range is empty: from '" + from + "' is not less than below '" + below + "'");
        }
        return where(Filter.rowKey().atLeast(from).and(Filter.rowKey().lessThan(below)));
    }

    QueryPlan<T> pageSize(int size) {
        if (size < 1 || size > LARGEST_PAGE) {
            throw new IllegalArgumentException("pageSize is 1 to " + LARGEST_PAGE + ", not " + size);
        }
        return new QueryPlan<>(scope, codec, filters, size, limit);
    }

    QueryPlan<T> limit(long most) {
        if (most < 1) {
            throw new IllegalArgumentException("limit is at least 1, not " + most);
        }
        return new QueryPlan<>(scope, codec, filters, pageSize, most);
    }

    <R> QueryPlan<R> as(Class<R> type) {
        EntityCodec<R> target = TableScope.codec(type);
        return new QueryPlan<>(scope, target, filters, pageSize, limit);
    }

    QueryPlan<Entity> select(String... properties) {
        List<String> names = new ArrayList<>(List.of("PartitionKey", "RowKey"));
        for (String property : properties) {
            names.add(PropertyNames.check(property));
        }
        EntityCodec<Entity> target = new EntityObjectCodec(List.copyOf(names));
        return new QueryPlan<>(scope, target, filters, pageSize, limit);
    }

    /** A walk over values only, which have no place for their origin: of the primary. */
    PageWalk values() {
        return walk(codec.metadataLevel(), false);
    }

    /** A walk that brings ETags: of a list only full metadata promises them. */
    PageWalk versions() {
        return walk(MetadataLevel.FULL, true);
    }

    /** With a limit no page is fetched ahead, since it may not be wanted. */
    private PageWalk walk(MetadataLevel level, boolean located) {
        String filter = filters.isEmpty() ? null : Filter.all(filters).toOData();
        return new PageWalk(scope.client(), new QuerySpec(filter, codec.select(), level, top()), limit == 0, located);
    }

    private @Nullable Integer top() {
        int size = pageSize == 0 ? LARGEST_PAGE : pageSize;
        long top = limit == 0 ? size : Math.min(size, limit);
        return top == LARGEST_PAGE ? null : (Integer) (int) top;
    }

    List<T> values(Page page) {
        return Decoding.values(page, codec.reader());
    }

    List<Row<T>> rows(Page page) {
        return Decoding.rows(page, codec.reader());
    }
}
