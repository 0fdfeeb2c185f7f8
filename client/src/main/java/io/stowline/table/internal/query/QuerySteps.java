package io.stowline.table.internal.query;

import io.stowline.projection.filter.Filter;
import io.stowline.table.UnreadableEntityException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Steps that narrow a query of the face {@code Q}, each of which gives another query of the same rows. */
abstract class QuerySteps<T, Q> {

    final QueryPlan<T> plan;

    QuerySteps(QueryPlan<T> plan) {
        this.plan = plan;
    }

    /** Makes the query of another plan. */
    abstract Q of(QueryPlan<T> other);

    public Q partition(String partitionKey) {
        return of(plan.partition(partitionKey));
    }

    public Q rowPrefix(String prefix) {
        return of(plan.rowPrefix(prefix));
    }

    public Q rowRange(String from, String below) {
        return of(plan.rowRange(from, below));
    }

    public Q where(Filter filter) {
        return of(plan.where(filter));
    }

    public Q partitions(Collection<String> partitionKeys) {
        return of(plan.divided(QueryPartitions.partitions(partitionKeys)));
    }

    public Q partitionPrefixes(List<String> prefixes) {
        return of(plan.divided(QueryPartitions.prefixes(prefixes)));
    }

    public Q splitAt(String... partitionKeys) {
        return of(plan.divided(QueryPartitions.splitAt(partitionKeys)));
    }

    public Q parallelism(int parts) {
        return of(plan.parallelism(parts));
    }

    public Q unordered() {
        return of(plan.unordered());
    }

    public Q pageSize(int rows) {
        return of(plan.pageSize(rows));
    }

    public Q limit(long results) {
        return of(plan.limit(results));
    }

    public Q deadline(Duration time) {
        return of(plan.deadline(time));
    }

    public Q skipUnreadable(Consumer<? super UnreadableEntityException> skipped) {
        return of(plan.skipUnreadable(skipped));
    }

    public String queryClass() {
        return plan.queryClass().label();
    }
}
