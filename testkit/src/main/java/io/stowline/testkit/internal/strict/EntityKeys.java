package io.stowline.testkit.internal.strict;

import io.stowline.testkit.internal.strict.EntityBody.Kind;
import io.stowline.testkit.internal.strict.EntityBody.Property;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the entity that an operation is about: from its address, or of an insert from its body.
 *
 * @param partitionKey {@code null} when it is not there
 * @param rowKey {@code null} when it is not there
 */
record EntityKeys(@Nullable String partitionKey, @Nullable String rowKey) {

    private static final EntityKeys NONE = new EntityKeys(null, null);

    static EntityKeys of(StrictRequest operation) {
        TableAddress address = operation.address();
        if (address.isEntity()) {
            return new EntityKeys(address.partitionKey(), address.rowKey());
        }
        return operation.method().equals("POST")
                ? operation.entity().map(EntityKeys::of).orElse(NONE)
                : NONE;
    }

    boolean areComplete() {
        return partitionKey != null && rowKey != null;
    }

    private static EntityKeys of(EntityBody entity) {
        return new EntityKeys(text(entity.find("PartitionKey")), text(entity.find("RowKey")));
    }

    private static @Nullable String text(@Nullable Property key) {
        return key == null || key.kind() != Kind.TEXT ? null : key.text();
    }
}
