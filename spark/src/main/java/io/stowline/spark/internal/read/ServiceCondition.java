package io.stowline.spark.internal.read;

import io.stowline.projection.filter.Filter;
import java.util.List;

/**
 * A condition of Spark as the service evaluates it.
 *
 * @param filter the service's condition, which holds for each entity for which that of Spark does
 * @param exact whether it holds for no other entity
 * @param keysOnly whether it is on keys only, which are never null, so that its negation means the same to both
 */
record ServiceCondition(Filter filter, boolean exact, boolean keysOnly) {

    static ServiceCondition exact(Filter filter) {
        return new ServiceCondition(filter, true, false);
    }

    static ServiceCondition wider(Filter filter) {
        return new ServiceCondition(filter, false, false);
    }

    ServiceCondition ofKeys() {
        return new ServiceCondition(filter, exact, true);
    }

    ServiceCondition and(ServiceCondition other) {
        return new ServiceCondition(
                Filter.all(List.of(filter, other.filter)), exact && other.exact, keysOnly && other.keysOnly);
    }

    ServiceCondition or(ServiceCondition other) {
        return new ServiceCondition(
                Filter.any(List.of(filter, other.filter)), exact && other.exact, keysOnly && other.keysOnly);
    }
}
