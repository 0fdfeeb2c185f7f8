package io.stowline.ring.internal.table;

import io.stowline.projection.EntityType;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import java.util.Arrays;
import java.util.Objects;

/** The keys of values, by which operations find their partitions and results their order. */
final class ValueKeys {

    private ValueKeys() {}

    /** Returns the keys of a value. */
    static EntityKey of(Object value) {
        if (value instanceof Entity entity) {
            return new EntityKey(entity.partitionKey(), entity.rowKey());
        }
        return keys(EntityType.of(value.getClass()), value);
    }

    @SuppressWarnings("unchecked") // the type is that of the value
    private static <T> EntityKey keys(EntityType<T> type, Object value) {
        return new EntityKey(type.partitionKey((T) value), type.rowKey((T) value));
    }

    /** Returns the keys that an operation is for. */
    static EntityKey of(TableOperation<?, ?> operation) {
        EntityKey key = operation.key();
        if (key != null) {
            return key;
        }
        StoredEntity<?> stored = operation.stored();
        return of(stored == null ? Objects.requireNonNull(operation.value(), "value") : stored.value());
    }

    /** Returns whether all values of a type have both keys. */
    static boolean areIn(Class<?> type) {
        if (type == Entity.class) {
            return true;
        }
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).allMatch(ValueKeys::areIn)
                : EntityType.of(type).hasKeys();
    }
}
