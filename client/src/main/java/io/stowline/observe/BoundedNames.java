package io.stowline.observe;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The default convention with the name of the table, the queue or the container, of a bounded number of them. */
final class BoundedNames implements StowlineObservationConvention {

    static final String KEY = "resource.name";
    static final String OTHER = "other";

    private final int max;
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    BoundedNames(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("the number of names is 1 or more, not " + max);
        }
        this.max = max;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(StowlineObservationContext context) {
        return StowlineObservationConvention.super
                .getLowCardinalityKeyValues(context)
                .and(KeyValue.of(KEY, bounded(context.operation())));
    }

    private String bounded(OperationInfo operation) {
        String one = operation.container();
        if (one == null) {
            return KeyValue.NONE_VALUE;
        }
        // Names of different services count apart.
        return names.contains(operation.service() + one) || added(operation.service() + one) ? one : OTHER;
    }

    private synchronized boolean added(String name) {
        return names.contains(name) || (names.size() < max && names.add(name));
    }
}
